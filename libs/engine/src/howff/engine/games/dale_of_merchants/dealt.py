"""Deals of the cards that nobody sees, each that fits what is known equally likely."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import comb

from howff.engine.games.dale_of_merchants.data import JUNK, Card, Cards
from howff.engine.games.dale_of_merchants.known import MARKET, Memory, Owner, Pool, SeatMemory
from howff.engine.games.dale_of_merchants.state import sorted_cards
from howff.engine.rng import Rng
from howff.engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """Which cards lie where; decks are top first, with the cards of them that are looked at."""

    hands: tuple[Cards, ...]
    decks: tuple[Cards, ...]
    market: Cards


def deal(known: Memory, market_size: int, rng: Rng) -> Deal:
    """Return a deal that fits what is *known*, with so many cards left in the market deck."""
    shares: dict[Owner, Cards] = {}
    for pool in known.pools:
        shares |= _shares(pool, known, market_size, rng)
    dealt = [_seat(each, shares.get(Seat(at), ()), rng) for at, each in enumerate(known.seats)]
    return Deal(
        hands=tuple(hand for hand, _ in dealt),
        decks=tuple(deck for _, deck in dealt),
        market=shares[MARKET],
    )


def _shares(pool: Pool, known: Memory, market_size: int, rng: Rng) -> Mapping[Owner, Cards]:
    """Return what each owner has of a pool, in a random order; there is no junk in the market."""
    if pool.owners == (MARKET,):
        return {MARKET: rng.shuffle("market deck", pool.cards)}
    shares: dict[Owner, Cards] = {}
    rest: Iterable[Card] = pool.cards
    if MARKET in pool.owners:
        animals = rng.shuffle("market deck", [card for card in pool.cards if card != JUNK])
        shares[MARKET] = animals[:market_size]
        rest = (*animals[market_size:], *(card for card in pool.cards if card == JUNK))
    mixed = rng.shuffle("strays", tuple(rest))
    for owner in pool.owners:
        if not isinstance(owner, str):
            count = known.seats[owner].strays
            shares[owner], mixed = mixed[:count], mixed[count:]
    return shares


def _seat(known: SeatMemory, strays: Cards, rng: Rng) -> tuple[Cards, Cards]:
    """Return hand and deck of a seat with these *strays*."""
    room = known.hand_size - len(known.hand)
    held = _held_strays(known, room, rng)
    own = rng.shuffle("own cards", known.own)
    hand = (*known.hand, *strays[:held], *own[: room - held])
    covered = (*known.inside, *strays[held:], *own[room - held :])
    places = iter(rng.shuffle("deck", covered))
    deck = tuple(next(places) if card is None else card for card in known.deck)
    return sorted_cards(hand), deck


def _held_strays(known: SeatMemory, room: int, rng: Rng) -> int:
    """Return how many strays are in the hand, each number as likely as it has deals."""
    fewest = max(known.held_strays, room - len(known.own))
    numbers = range(fewest, min(known.strays, room) + 1)
    if len(numbers) == 1:
        return fewest
    ways = [comb(known.strays, each) * comb(len(known.own), room - each) for each in numbers]
    reached = list(accumulate(ways))
    drawn = rng.draw("held strays", reached[-1])
    return next(each for each, below in zip(numbers, reached, strict=True) if drawn < below)
