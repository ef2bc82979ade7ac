"""The order and the number of legal moves."""

from dataclasses import astuple

from hypothesis import given as given_any

from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.data import GOODS, NEIGHBOURS, REQUESTS, ROUTE_TYPES, VILLAGES
from howff.engine.games.troedler.moves import DiscardCard, Move
from support.troedler import Counts, given, legal
from support.troedler_playouts import Playout, playouts

KINDS = [
    "RevealCard",
    "RevealAll",
    "DiscardPile",
    "TakePile",
    "PlayRoute",
    "FeedRoute",
    "PlayExtra",
    "FeedTake",
    "FulfilRequest",
    "FeedSubstitute",
    "EndTurn",
    "TakeGood",
    "LeaveGoods",
    "CompleteDelivery",
    "DiscardCard",
]
"""The order of the tables of the rules."""

MOST = {
    "forming": 2,
    "dumping": 3,
    "picking": 5,
    "playing": 113,
    "arriving": 7,
    "delivering": 11,
    "trimming": 8,
}
TABLES: tuple[tuple[object, ...], ...] = (
    ROUTE_TYPES,
    tuple(VILLAGES),
    tuple(REQUESTS),
    GOODS,
)


def place_of(move: Move) -> tuple[int | str, ...]:
    """Return a key by which legal moves have to be sorted."""
    kind = KINDS.index(type(move).__name__)
    if isinstance(move, DiscardCard):
        return (kind, move.card)
    return (kind, *map(place_in_table, astuple(move)))


def place_in_table(value: object) -> int:
    if isinstance(value, int):
        return value
    return next(table.index(value) for table in TABLES if value in table)


@given_any(match=playouts)
def test_legal_moves_stand_in_the_order_of_the_tables(match: Playout) -> None:
    for step in match.steps:
        moves = GAME.legal_moves(step.state, step.seat)
        assert list(moves) == sorted(moves, key=place_of)
        assert len(moves) <= MOST[step.state.stage]


def test_a_village_with_goods_offers_every_route_and_take() -> None:
    hand = {"bridge": 1, "ferry": 1, "moor_path": 1, "mountain_trail": 1, "extra": 1, "feed": 1}
    goods: Counts = dict.fromkeys(GOODS, 1)
    for name, routes in NEIGHBOURS.items():
        found = legal(given(carts={0: name}, hands={0: hand}, goods={str(name): goods}))
        roads = sum(map(len, routes.values()))
        assert len(found) == 2 * roads + 6 + 6 + 1


def test_the_longest_list_has_113_moves() -> None:
    three = [name for name, each in REQUESTS.items() if len(set(each.goods)) == 3]
    state = given(
        carts={0: "carron"},
        hands={0: {"feed": 1, "req_cup_vase": 1} | dict.fromkeys(three, 1)},
        collections={0: dict.fromkeys(GOODS, 2)},
    )
    assert len(legal(state)) == MOST["playing"]


def test_a_full_turn_is_listed_in_order() -> None:
    state = given(
        carts={0: "carron"},
        hands={0: {"feed": 1, "ferry": 1, "req_cup2": 1, "req_cup_vase": 1}},
        collections={0: {"cup": 2, "vase": 1, "pot": 1}},
    )
    assert legal(state) == [
        "play_route ferry aberlour",
        "play_route ferry cragganmore",
        "feed_route aberlour",
        "feed_route cragganmore",
        "feed_route glenlivet",
        "feed_route knockando",
        "feed_route macallan",
        "fulfil_request req_cup2",
        "fulfil_request req_cup_vase",
        "feed_substitute req_cup2 cup pot",
        "feed_substitute req_cup2 cup vase",
        "feed_substitute req_cup_vase cup pot",
        "feed_substitute req_cup_vase vase cup",
        "feed_substitute req_cup_vase vase pot",
        "end_turn",
    ]
