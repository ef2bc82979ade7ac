"""The tables meet the constraints that the rules set on them."""

from collections import Counter
from itertools import combinations

import pytest

from howff.engine.games.troedler.data import (
    COLOURS,
    DECK_OTHERS,
    DECK_REQUESTS,
    EXTRA,
    FEED,
    FIGURES,
    GOODS,
    HAND_LIMIT,
    NEIGHBOURS,
    PIECES_PER_GOOD,
    REQUESTS,
    ROUTE_BETWEEN,
    ROUTE_CARDS,
    ROUTE_TYPES,
    STARTING_SETS,
    TWO_PLAYER_DAMAGE_GAP,
    VILLAGES,
    Village,
)
from support.troedler import whole_deck

Point = tuple[int, int]


def ends_of_routes() -> list[tuple[Village, Village]]:
    return [pair for pair in combinations(VILLAGES, 2) if pair in ROUTE_BETWEEN]


def is_connected(routes: list[tuple[Village, Village]]) -> bool:
    reached = {next(iter(VILLAGES))}
    for _ in VILLAGES:
        reached |= {end for route in routes if reached & {*route} for end in route}
    return reached == {*VILLAGES}


def is_left_of(start: Point, end: Point, point: Point) -> bool:
    (start_x, start_y), (end_x, end_y), (x, y) = start, end, point
    return (end_x - start_x) * (y - start_y) > (end_y - start_y) * (x - start_x)


def is_crossing(one: tuple[Village, Village], other: tuple[Village, Village]) -> bool:
    a, b, c, d = ((VILLAGES[end].x, VILLAGES[end].y) for end in (*one, *other))
    return is_left_of(a, b, c) != is_left_of(a, b, d) and is_left_of(c, d, a) != is_left_of(c, d, b)


def test_constraint_01_there_are_110_cards() -> None:
    deck = Counter(whole_deck(COLOURS))
    assert deck.total() == 110
    starting = [card for each in STARTING_SETS.values() for card in each.cards]
    assert len(starting) == 12
    assert {card: deck[card] for card in ROUTE_CARDS.values()} == dict.fromkeys(
        ROUTE_CARDS.values(), 12
    )
    assert (deck[FEED], deck[EXTRA]) == (28, 4)
    assert Counter(DECK_OTHERS)[FEED] == 24
    assert len(DECK_REQUESTS) == 26


@pytest.mark.parametrize(("seats", "aside", "pile"), [(2, 14, 84), (3, 18, 80), (4, 18, 80)])
def test_constraint_02_the_setup_uses_all_cards(seats: int, aside: int, pile: int) -> None:
    figures = FIGURES[seats]
    assert figures.discard_feed + figures.discard_requests == aside
    assert figures.round_pile == pile == len(DECK_OTHERS) + len(DECK_REQUESTS) - aside


@pytest.mark.parametrize(("seats", "rounds"), [(2, 7), (3, 5), (4, 4)])
def test_constraint_03_the_round_pile_runs_out_at_a_rounds_end(seats: int, rounds: int) -> None:
    assert FIGURES[seats].piles == seats + 1
    assert FIGURES[seats].round_pile == rounds * 4 * (seats + 1)


def test_constraint_04_four_of_17_villages_bear_a_crest() -> None:
    assert len(VILLAGES) == 17
    crested = {each.village for each in STARTING_SETS.values()}
    assert len(crested) == 4
    assert all(VILLAGES[village].goods == 0 for village in crested)


def test_constraint_05_the_printed_numbers_add_up_to_all_goods() -> None:
    printed = [each.goods for each in VILLAGES.values() if each.goods]
    assert printed == [3, 4, 4, 3, 4, 6, 3, 5, 3, 5, 2, 6]
    assert sum(printed) == len(GOODS) * PIECES_PER_GOOD == 48


def test_constraint_06_villages_of_the_rulebook_exist() -> None:
    assert {each.name for each in VILLAGES.values()} >= {"Cragganmore", "Knockando", "Macallan"}


def test_constraint_07_advie_has_three_types_of_routes() -> None:
    found = [each for each in ROUTE_TYPES if NEIGHBOURS[Village("advie")][each]]
    assert found == ["bridge", "ferry", "moor_path"]


def test_constraint_08_the_examples_of_the_rulebook_are_possible() -> None:
    assert ROUTE_BETWEEN[Village("advie"), Village("knockando")] == "moor_path"
    assert ROUTE_BETWEEN[Village("craigellachie"), Village("rothes")] == "bridge"
    assert VILLAGES[Village("rothes")].goods == 2


def test_constraint_09_a_starting_set_is_a_route_a_request_and_feed() -> None:
    for each in STARTING_SETS.values():
        route, feed, request = each.cards
        assert route in ROUTE_CARDS.values()
        assert feed == FEED
        assert request in REQUESTS


def test_constraint_10_the_requests_of_the_examples_exist() -> None:
    found = {tuple(sorted(each.goods)) for each in REQUESTS.values()}
    assert found >= {("anvil",) * 2, ("anvil",) * 3, ("chair", "vase", "vase")}


def test_constraint_11_there_are_six_requests_of_each_value() -> None:
    assert Counter(each.points for each in REQUESTS.values()) == dict.fromkeys(range(3, 8), 6)


def test_the_points_of_a_request_follow_from_its_goods() -> None:
    points = {(1, 1): 3, (2,): 4, (1, 1, 1): 5, (2, 1): 6, (3,): 7}
    for each in REQUESTS.values():
        pattern = tuple(sorted(Counter(each.goods).values(), reverse=True))
        assert points[pattern] == each.points
    assert len({tuple(sorted(each.goods)) for each in REQUESTS.values()}) == 30


def test_constraint_12_the_map_is_connected_whatever_route_is_closed() -> None:
    routes = ends_of_routes()
    assert len(routes) == 32
    for closed in routes:
        assert is_connected([each for each in routes if each != closed])


def test_constraint_12_every_village_has_three_types_of_routes() -> None:
    for routes in NEIGHBOURS.values():
        assert sum(bool(others) for others in routes.values()) >= 3


def test_there_are_eight_routes_of_each_type() -> None:
    found = Counter(ROUTE_BETWEEN[each] for each in ends_of_routes())
    assert found == dict.fromkeys(ROUTE_TYPES, 8)


def test_routes_are_usable_both_ways() -> None:
    assert all(ROUTE_BETWEEN[to, start] == each for (start, to), each in ROUTE_BETWEEN.items())


def test_the_map_is_drawn_without_crossings() -> None:
    apart = [each for each in combinations(ends_of_routes(), 2) if len({*each[0], *each[1]}) == 4]
    assert [each for each in apart if is_crossing(*each)] == []


def test_constraint_13_a_starting_route_leads_to_goods() -> None:
    for each in STARTING_SETS.values():
        (route_type,) = [each_type for each_type in ROUTE_TYPES if each_type in each.cards]
        ends = NEIGHBOURS[each.village][route_type]
        assert any(VILLAGES[end].goods for end in ends)


def test_constraint_14_no_good_is_favoured() -> None:
    asked = Counter(good for each in REQUESTS.values() for good in each.goods)
    assert asked == dict.fromkeys(GOODS, 13)


def test_the_limits_are_those_of_the_rulebook() -> None:
    assert (HAND_LIMIT, TWO_PLAYER_DAMAGE_GAP) == (4, 3)
    assert [FIGURES[seats].end_requests for seats in (2, 3, 4)] == [7, 6, 5]
