"""Worlds that fit what a seat knows of a match of Highland Clans, each deal equally likely."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from howff.engine.games.highland_clans.data import ALL_CARDS, REFRESH_DRAWN, Card, Cards
from howff.engine.games.highland_clans.memory import Memory
from howff.engine.games.highland_clans.state import Commitment, Player, RunningRaid, State
from howff.engine.games.highland_clans.view import RaidView, View
from howff.engine.multisets import without_all
from howff.engine.rng import Rng
from howff.engine.seats import Seat


def sample_world(view: View, memory: Memory, rng: Rng) -> State:
    """Return a state that *view* and *memory* allow, drawn evenly from the deals that fit."""
    if view.revelation is not None:
        revealed = view.revelation
        players = tuple(
            Player(seen.clan, seen.board, hand)
            for seen, hand in zip(view.players, revealed.hands, strict=True)
        )
        return _state(view, players, None, revealed.deck, revealed.discard_pile)
    discard_pile = _discard_pile(view, memory)
    known = (*discard_pile, *memory.deck, *(view.hand or ()), *_own_commitment(view))
    unknown = iter(rng.shuffle("unknown cards", without_all(ALL_CARDS, known)))
    players = tuple(_player(view, Seat(seat), unknown) for seat in range(len(view.players)))
    raid = None if view.raid is None else _raid(view.raid, unknown)
    deck = _filled(memory.deck, view.deck_size, unknown)
    return _state(view, players, raid, deck, _filled(discard_pile, view.discard_size, unknown))


def _discard_pile(view: View, memory: Memory) -> Cards:
    """Return the cards that are known to lie in the discard pile."""
    fought = _fought(view)
    # A refresh may have had to reshuffle: then they are in the deck, or drawn again.
    if len(fought) > view.discard_size:
        return memory.discard_pile
    return tuple((Counter(memory.discard_pile) | Counter(fought)).elements())


def _fought(view: View) -> Cards:
    fights = () if view.raid is None else view.raid.fights
    return tuple(card.value for fight in fights for card in (fight.attacker, fight.defender))


def _own_commitment(view: View) -> Cards:
    commitment = None if view.raid is None else view.raid.commitment
    if commitment is None or commitment.value is None:
        return ()
    return (commitment.value,)


def _player(view: View, seat: Seat, unknown: Iterator[Card]) -> Player:
    seen = view.players[seat]
    if seat == view.seat and view.hand is not None:
        return Player(seen.clan, seen.board, view.hand, view.fresh or ())
    hand = tuple(islice(unknown, seen.hand_size))
    is_refreshing = view.options.edition == "dutch" and any(
        debt.seat == seat and debt.reason == "raid" for debt in view.owed
    )
    # They were dealt in a random order, so the first are any of them.
    fresh = hand[:REFRESH_DRAWN] if is_refreshing else ()
    return Player(seen.clan, seen.board, tuple(sorted(hand)), tuple(sorted(fresh)))


def _raid(seen: RaidView, unknown: Iterator[Card]) -> RunningRaid:
    commitments: tuple[Commitment, ...] = ()
    if seen.commitment is not None:
        value = seen.commitment.value
        card = Commitment(next(unknown) if value is None else value, seen.commitment.bagpiper)
        commitments = (card,)
    return RunningRaid(seen.attacker, seen.defender, seen.fights, commitments)


def _filled(known: Cards, size: int, unknown: Iterator[Card]) -> Cards:
    return tuple(sorted((*known, *islice(unknown, size - len(known)))))


def _state(
    view: View, players: tuple[Player, ...], raid: RunningRaid | None, deck: Cards, pile: Cards
) -> State:
    return State(
        options=view.options,
        seats=len(players),
        stage=view.stage,
        round=view.round,
        start_seat=view.start_seat,
        turn=view.turn,
        players=players,
        marker=view.marker,
        bag=view.bag,
        set_aside=view.set_aside,
        deck=deck,
        discard_pile=pile,
        supply=view.supply,
        revealed=view.revealed,
        removed=view.removed,
        raid=raid,
        owed=view.owed,
        ending=view.ending,
    )
