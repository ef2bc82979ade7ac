"""What goods, cards and damage are worth, in tenths of points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from howff.engine.games.troedler.data import (
    EXTRA,
    FEED,
    GOODS,
    REQUESTS,
    TWO_PLAYER_DAMAGE_GAP,
    Card,
    Cards,
    Good,
    Goods,
)
from howff.engine.games.troedler.scoring import points_of, requests_of
from howff.engine.games.troedler.state import Player, State
from howff.engine.multisets import without

POINT: Final = 10
"""A point, and so a good that is left, in the unit of all values here."""
ROUTE_WORTH: Final = 8
"""What a card of a route in hand is worth."""
EXTRA_WORTH: Final = 10
"""What an extra in hand is worth."""
_FEEDS: Final = (0, 7, 13, 15, 8, -8, -26, -44, -62)
"""What so much feed in hand is worth: from four on it costs the other cards, then damage."""
_DAMAGE: Final = 3
"""What each damage costs, however much the others have."""
_HOPES: Final = (80, 55, 35, 20)
"""Per cent of what a request brings on top of its goods, by how many of them are missing."""
_ALARMS: Final = (30, 10, 3)
"""What it costs that only so much more damage is harmless."""
_RUIN: Final = 100
"""What it costs to have one damage too many; each further one adds a quarter of that."""
_SLACK: Final = {2: TWO_PLAYER_DAMAGE_GAP - 1}
"""By how much the damage of a seat may exceed that of the others, by seats."""
_REMEMBERED: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Sorts:
    """The cards of a hand by what they are for."""

    routes: Cards
    """Each type once."""
    onward: Mapping[Card, Cards]
    """Which types of routes are left after one of a type is used."""
    requests: Cards
    feed_price: int
    """What the hand loses with one feed."""
    size: int
    worth: int
    """What all cards but the requests are worth, in tenths of points."""


@lru_cache(_REMEMBERED)
def sorts_of(hand: Cards) -> Sorts:
    """Return the cards of a *hand* by what they are for."""
    requests = tuple(card for card in hand if card in REQUESTS)
    feed, extras = hand.count(FEED), hand.count(EXTRA)
    routes = tuple(card for card in hand if card not in REQUESTS and card not in {FEED, EXTRA})
    others = len(routes) * ROUTE_WORTH + extras * EXTRA_WORTH
    return Sorts(
        tuple(dict.fromkeys(routes)),
        {card: tuple(dict.fromkeys(without(routes, card))) for card in routes},
        requests,
        _FEEDS[feed] - _FEEDS[feed - 1] if feed else 0,
        len(hand),
        others + _FEEDS[feed],
    )


@cache
def profit(request: Card) -> int:
    """Return what a request brings on top of the goods it takes."""
    wanted = REQUESTS[request]
    return (wanted.points - len(wanted.goods)) * POINT


@lru_cache(_REMEMBERED)
def kept(owned: Goods, wanted: Goods) -> tuple[Goods, int]:
    """Return what is left of the goods *owned* without those *wanted*, and how many lack."""
    left, lack = list(owned), 0
    for good in wanted:
        if good in left:
            left.remove(good)
        else:
            lack += 1
    return tuple(left), lack


@lru_cache(_REMEMBERED)
def hope(requests: Cards, owned: Goods) -> int:
    """Return what *requests* in hand promise on top of the goods *owned*; no good serves two."""
    total = 0
    waiting = list(requests)
    while waiting:
        best, most, rest = waiting[0], -1, owned
        for request in waiting:
            left, lack = kept(owned, REQUESTS[request].goods)
            promise = profit(request) * _HOPES[lack]
            if promise > most:
                best, most, rest = request, promise, left
        total += most
        owned = rest
        waiting.remove(best)
    return total // 100


@lru_cache(_REMEMBERED)
def gains_of(requests: Cards, owned: Goods) -> Mapping[Good, int]:
    """Return what one more good of each kind is worth to somebody with these *requests*."""
    now = hope(requests, owned)
    return {good: POINT + hope(requests, with_good(owned, good)) - now for good in GOODS}


@lru_cache(_REMEMBERED)
def with_good(owned: Goods, good: Good) -> Goods:
    """Return the goods *owned* and one more."""
    return tuple(sorted((*owned, good)))


@lru_cache(_REMEMBERED)
def ready(requests: Cards, owned: Goods) -> Card | None:
    """Return the most profitable of the *requests* that the goods *owned* can serve, if any."""
    able = [each for each in requests if not kept(owned, REQUESTS[each].goods)[1]]
    return max(able, key=profit) if able else None


def damages_of(state: State) -> list[int]:
    """Return the damage of each seat, with the feed that the active one has played."""
    damages = [
        player.value_pile.count(FEED) + (len(player.collection) + 1) // 2
        for player in state.players
    ]
    if state.active is not None:
        damages[state.active] += state.turn.played.count(FEED)
    return damages


def price_of(damages: Sequence[int], seat: int) -> int:
    """Return what its damage costs a seat: the more, the nearer it is to total damage."""
    own = damages[seat]
    room = max((*damages[:seat], *damages[seat + 1 :])) - own + _SLACK.get(len(damages), 0)
    if room < 0:
        return own * _DAMAGE + _RUIN * (3 - room) // 4
    return own * _DAMAGE + (_ALARMS[room] if room < len(_ALARMS) else 0)


def is_last_round(state: State) -> bool:
    """Return whether the match ends with this round."""
    enough = state.figures.end_requests
    return state.round == state.options.round_limit or any(
        len(player.value_pile) >= enough and requests_of(player.value_pile) >= enough
        for player in state.players
    )


def estimate(state: State) -> list[int]:
    """Return what each seat can count on, in tenths of points."""
    damages = damages_of(state)
    over = state.turns_done if is_last_round(state) else ()
    return [
        _score(state, seat, player)
        - price_of(damages, seat)
        + (0 if seat in over else _prospects(player))
        for seat, player in enumerate(state.players)
    ]


def _score(state: State, seat: int, player: Player) -> int:
    points = points_of(player.value_pile)
    if seat == state.active:
        points += points_of(state.turn.played)
    return (points + len(player.collection)) * POINT


def _prospects(player: Player) -> int:
    sorts = sorts_of(player.hand)
    return sorts.worth + hope(sorts.requests, player.collection)
