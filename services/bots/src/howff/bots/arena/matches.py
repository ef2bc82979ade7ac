"""A match between bots in one process, each of which knows what its seat is told and no more."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from howff.bots.policies.luck import SearchRng
from howff.bots.policies.memories import memories_after, no_memories
from howff.bots.policies.settings import Play, Setting, choose
from howff.bots.policies.situation import Situation
from howff.engine.game import AnyGame
from howff.engine.outcome import Outcome
from howff.match.draws import Draws

Clock = Callable[[], int]
"""Tells the time in nanoseconds."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a match went: its outcome, and by seat what its decisions took."""

    outcome: Outcome
    decisions: tuple[int, ...]
    """Those with a choice."""
    nanoseconds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LineUp:
    """A game with its options, how bots play it, and with which setting each seat does."""

    game: AnyGame
    options: Any
    play: Play
    seats: tuple[Setting, ...]


def play_match(line_up: LineUp, seed: bytes, clock: Clock) -> Course:
    """Play a match to its end; equal seeds give equal draws, whatever the seats decide.

    A draw is told by its name and its number, as in every match of Howff.
    """
    game, seats = line_up.game, range(len(line_up.seats))
    luck = Draws(sha256(seed).digest(), "arena", (), {})
    draft = game.start(line_up.options, len(seats), luck)
    memories = no_memories(game, len(seats))
    rngs = [SearchRng(b"%b seat %d" % (seed, seat)) for seat in seats]
    decisions, nanoseconds = [0 for _ in seats], [0 for _ in seats]
    while True:
        memories = memories_after(game, memories, draft.events)
        state = draft.state
        if not (to_act := game.to_act(state)):
            break
        seat = to_act[0]
        moves = game.legal_moves(state, seat)
        move = moves[0]
        if len(moves) > 1:
            situation = Situation(game, seat, game.view(state, seat), memories[seat], moves)
            begun = clock()
            move = choose(line_up.play, line_up.seats[seat], situation, rngs[seat])
            nanoseconds[seat] += clock() - begun
            decisions[seat] += 1
        draft = game.decide(state, seat, move, luck)
    outcome = game.outcome(draft.state)
    assert outcome is not None, "a match ends when nobody acts any more"
    return Course(outcome, tuple(decisions), tuple(nanoseconds))
