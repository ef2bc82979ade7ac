"""Bots at the toy game, and matches that they play with fixed luck."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import Any

from howff.bots.blindness import memories_told
from howff.bots.policies.judgement import Judgement
from howff.bots.policies.mcts import Shape
from howff.bots.policies.memories import no_memories
from howff.bots.policies.settings import Play, setting_of
from howff.bots.policies.situation import Situation
from howff.bots.statements import SEED_BYTES, Statement, choose_as_stated, statement_of
from howff.engine.codec import JSON
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.match.commands import StartMatch
from howff.match.commit import CommandId, MatchId
from howff.match.events import Bot
from howff.match.match import whole_events_of
from howff.match.record import Recorder
from support.played import NOON, NOTARY
from support.toy_types import Bid, EndTurn, Move, Offer, Peek, State

Told = Callable[[Statement], JSON]
Seen = Callable[[Situation, Any], Situation]


def weigh(state: State, seat: Seat, moves: tuple[Move, ...]) -> list[int]:
    """Return that a bid is good which beats those that lie there by as little as can be."""
    bids = [player.bid or 0 for at, player in enumerate(state.players) if at != seat]
    return [_weight(move, max(bids)) for move in moves]


def _weight(move: Move, highest: int) -> int:
    match move:
        case Bid(card):
            return 10 * (card > highest) - card
        case Peek() | EndTurn():
            return 0
        case Offer(_, card):
            return -card
        case _:
            return -move.card


def estimate(state: State) -> list[int]:
    """Return what the prizes and stores are worth."""
    return [
        sum(player.prizes) + sum(each.card or 0 for each in player.store)
        for player in state.players
    ]


TOY_PLAY = Play(
    judgement=Judgement(version=3, weigh=weigh, estimate=estimate, decisive=6),
    shape=Shape(depth=6),
    strong=40,
    master=80,
)


def seed_for(version: int) -> bytes:
    """Return the seed of the bot's luck for the move after *version*."""
    return sha256(f"luck of a bot after {version}".encode()).digest()[:SEED_BYTES]


def as_told(situation: Situation, _state: Any) -> Situation:
    """Return what an honest bot goes by."""
    return situation


def all_seeing(situation: Situation, state: Any) -> Situation:
    """Return what a bot goes by that looks at the true state."""
    seeing = replace(situation.game, sample_world=lambda _view, _memory, _rng: state)
    return replace(situation, game=seeing)


def bots_at(
    game: AnyGame, play: Play, levels: tuple[str, ...], options: Any, seen: Seen = as_told
) -> Recorder:
    """Return a match between bots of these *levels*, by seat, that was played to its end."""
    recorder = Recorder(game, _start(options, levels), at=NOON, notary=NOTARY)
    memories, heard = no_memories(game, len(levels)), 0
    while to_act := recorder.match.to_act:
        for commit in recorder.commits[heard:]:
            memories = memories_told(game, memories, whole_events_of(game, commit))
        heard, seat, match = len(recorder.commits), to_act[-1], recorder.match
        view, moves = game.view(match.state, seat), game.legal_moves(match.state, seat)
        situation = seen(Situation(game, seat, view, memories[seat], moves), match.state)
        setting = setting_of(play, levels[seat])
        statement = statement_of(play, levels[seat], setting, seed_for(match.version))
        move = choose_as_stated(play, statement, situation)
        at = NOON + timedelta(seconds=match.version)
        recorder.play(seat, move, at=at, bot=statement.to_json())
    return recorder


def _start(options: Any, levels: tuple[str, ...]) -> StartMatch:
    return StartMatch(
        id=CommandId("start"),
        match=MatchId("match-1"),
        options=options,
        seats=tuple(map(Bot, levels)),
        entropies=(None,) * len(levels),
    )
