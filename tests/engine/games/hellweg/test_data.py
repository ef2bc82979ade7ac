"""The tables meet the constraints that the rulebook sets on them."""

from collections import Counter
from itertools import combinations
from typing import Final

import pytest

from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import (
    BLACK_CARRIAGES,
    BLACK_ROUTE,
    CARRIAGES,
    HOUSES,
    LAST_CARD_BONUS,
    LEFTOVER_PRICE,
    MARKET_DISCOUNT,
    MERCHANDISE_CARDS,
    PLACEMENT_ROUNDS,
    PRIVILEGE_ROUTES,
    PRIVILEGES,
    ROADS,
    ROADS_OF,
    SHORT_GAME_REMOVES,
    START_HOUSES,
    START_MONEY,
    STOCK_UP_PRICE,
    TOKENS,
    TOWNS,
    TRADING_CARDS,
    CardRecord,
    Road,
    Square,
    Town,
)

KINDS: Final = ("beer", "salt", "ironware")
SQUARES: Final = [square for squares in TRADING_CARDS.values() for square in squares]


def squares(house: str) -> list[Square]:
    """Return the squares of all trading cards that show a *house*."""
    return [square for square in SQUARES if square.house == house]


def roads_between(start: str, goal: str) -> int:
    """Return how many roads the shortest way has."""
    reached, steps = {Town(start)}, 0
    while Town(goal) not in reached:
        reached |= {town for road in ROADS.values() if {*road.ends} & reached for town in road.ends}
        steps += 1
    return steps


def test_constraint_01_every_house_is_on_three_cards_once_at_each_price() -> None:
    assert len(TRADING_CARDS) == 12
    assert {len(each) for each in TRADING_CARDS.values()} == {4}
    assert len(HOUSES) == 16
    for house in HOUSES:
        assert sorted(square.price for square in squares(house)) == [3, 4, 5]
    assert {square.house for square in SQUARES} == set(HOUSES)


def test_constraint_02_every_card_asks_for_each_kind() -> None:
    for each in TRADING_CARDS.values():
        kinds = Counter(HOUSES[square.house].merchandise for square in each)
        assert sorted(kinds.values()) == [1, 1, 2]
        assert set(kinds) == set(KINDS)


def test_constraint_03_a_square_costs_three_to_five_and_shows_one_to_three_pieces() -> None:
    for square in SQUARES:
        assert square.price in {3, 4, 5}
        assert min(square.tokens, square.carriages) >= 0
        pieces = square.tokens + square.carriages
        assert pieces in {3: (1, 2), 4: (2,), 5: (3,)}[square.price]


def test_constraint_04_a_card_shows_four_towns() -> None:
    for each in TRADING_CARDS.values():
        assert len({HOUSES[square.house].town for square in each}) == 4
        assert 15 <= sum(square.price for square in each) <= 17


def test_constraints_05_and_06_dortmund_has_two_houses_and_is_not_alone() -> None:
    at = {
        town: [each.merchandise for each in HOUSES.values() if each.town == town] for town in TOWNS
    }
    assert at[Town("dortmund")] == ["beer", "ironware"]
    assert [town for town, kinds in at.items() if len(kinds) > 1] == ["dortmund", "moenster"]
    assert {"moenster_ironware", "olpe_ironware"} <= set(HOUSES)
    assert Counter(each.merchandise for each in HOUSES.values()) == {
        "beer": 5,
        "salt": 6,
        "ironware": 5,
    }


def test_constraint_07_six_roads_lead_to_dortmund() -> None:
    assert len(ROADS_OF[Town("dortmund")]) == 6
    assert {len(roads) for town, roads in ROADS_OF.items() if town != "dortmund"} == {2, 3, 4, 5}
    others = [roads for town, roads in ROADS_OF.items() if town != "dortmund"]
    assert sum(map(len, others)) == 2 * len(ROADS) - 6


def test_constraints_08_and_09_the_roads_of_the_examples_are_as_they_say() -> None:
    found = {road: (each.surface, each.village) for road, each in ROADS.items()}
    assert found[Road("dortmund_soest")][1]
    for road in ("dortmund_essen", "dortmund_moenster", "builefeld_moenster"):
        assert not found[Road(road)][1]
    for road in ("corbach_olpe", "corbach_dortmund", "dortmund_moenster"):
        assert found[Road(road)][0] == "brown"
    for road in ("hagen_olpe", "dortmund_hagen"):
        assert found[Road(road)][0] == "cobbled"


@pytest.mark.parametrize(
    ("card", "square"),
    [
        (None, ("dortmund_beer", 5, 2, 1)),
        ("t01", ("moenster_ironware", 4, 1, 1)),
        ("t01", ("hagen_salt", 5, 2, 1)),
        ("t03", ("dortmund_ironware", 5, 2, 1)),
    ],
)
def test_constraints_10_to_12_the_squares_of_the_examples_are_there(
    card: str | None, square: tuple[str, int, int, int]
) -> None:
    showing = [
        name
        for name, each in TRADING_CARDS.items()
        if square in {(one.house, one.price, one.tokens, one.carriages) for one in each}
    ]
    assert len(showing) == 1
    assert card in {None, *showing}


def test_constraint_13_the_towns_of_the_text_are_on_the_map() -> None:
    named = {"duisburg", "paderborn", "builefeld", "corbach", "essen", "soest", "hagen"}
    assert named | {"dortmund", "moenster", "olpe"} <= set(TOWNS)
    assert [TOWNS[Town(town)].name for town in ("moenster", "builefeld", "corbach")] == [
        "Mönster",
        "Builefeld",
        "Corbach",
    ]


def test_constraint_14_merchandise_cards_cost_fifteen_to_thirty() -> None:
    prices = {each.kind: each.price for each in MERCHANDISE_CARDS.values()}
    assert prices == {"coal": 15, "herring": 20, "wine": 25, "tobacco": 30}
    assert all(each.value > each.price for each in MERCHANDISE_CARDS.values())


@pytest.mark.parametrize(("seats", "cards"), [(2, 6), (3, 8), (4, 9)])
def test_constraint_15_fewer_cards_are_in_play_with_fewer_seats(seats: int, cards: int) -> None:
    played = [card for card, each in MERCHANDISE_CARDS.items() if each.seats <= seats]
    assert len(played) == cards
    assert ({"tobacco_1", "tobacco_2"} <= set(played)) == (seats == 4)
    assert len(MERCHANDISE_CARDS) == 9


def functions(card: CardRecord) -> int:
    return sum((card.plus_one is not None, card.removal_plus_one, card.banner is not None))


def test_constraint_16_a_card_has_one_function_or_none() -> None:
    cards = MERCHANDISE_CARDS.values()
    assert {functions(each) for each in cards} == {0, 1}
    assert sorted(each.plus_one for each in cards if each.plus_one) == sorted(KINDS)
    assert sum(each.removal_plus_one for each in cards) == 1
    pairs = {each.banner.kinds for each in cards if each.banner is not None}
    assert pairs == {("coal", "herring"), ("herring", "wine"), ("tobacco", "tobacco")}


def test_constraint_16_every_pair_is_worth_more_than_its_cards_alone() -> None:
    cards = MERCHANDISE_CARDS.values()
    for banner in filter(None, (each.banner for each in cards)):
        for one, other in combinations(cards, 2):
            if sorted((one.kind, other.kind)) == sorted(banner.kinds):
                assert banner.pays > one.value + other.value


def test_constraint_17_all_but_the_cheapest_cards_earn_a_privilege() -> None:
    for each in MERCHANDISE_CARDS.values():
        assert each.privilege == (each.price in {20, 25, 30}) == (each.price != 15)


@pytest.mark.parametrize(
    ("brings", "ends", "roads"),
    [
        ("storage", {"wesel", "hagen"}, 2),
        ("stock_up", {"moenster", "olpe"}, 3),
        ("take_thaler", {"builefeld", "corbach"}, 2),
        ("black", {"duisburg", "paderborn"}, 4),
    ],
)
def test_constraint_18_four_ways_bring_something(brings: str, ends: set[str], roads: int) -> None:
    routes = {str(privilege): route for privilege, route in PRIVILEGE_ROUTES.items()}
    routes["black"] = BLACK_ROUTE
    assert len(routes) == 4
    assert {*routes[brings]} == ends
    assert roads_between(*ends) == roads


def test_constraint_18_there_are_three_privileges_and_two_black_carriages() -> None:
    assert PRIVILEGES == ("storage", "stock_up", "take_thaler")
    assert max(GAME.seats) <= 12 // len(PRIVILEGES), "there are cards of each for all"
    assert BLACK_CARRIAGES == 2


def test_constraint_19_some_village_roads_are_brown() -> None:
    kinds = Counter((each.surface, each.village) for each in ROADS.values())
    assert kinds["brown", True] == 7
    assert kinds["cobbled", True] == 2


def test_there_are_28_roads_of_both_surfaces_to_every_town() -> None:
    assert len(TOWNS) == 14
    assert Counter(each.surface for each in ROADS.values()) == {"cobbled": 11, "brown": 17}
    assert sum(each.village for each in ROADS.values()) == 9
    for roads in ROADS_OF.values():
        assert {ROADS[road].surface for road in roads} == {"cobbled", "brown"}
        assert any(ROADS[road].village for road in roads)


def test_roads_are_called_by_their_towns_in_alphabetical_order() -> None:
    assert list(ROADS) == sorted(ROADS)
    for road, each in ROADS.items():
        assert road == "_".join(sorted(each.ends))
        assert {*each.ends} <= set(TOWNS)
    assert all(roads_between("dortmund", town) <= 3 for town in TOWNS)


def test_the_hellweg_itself_is_cobbled() -> None:
    for road in ("duisburg_essen", "dortmund_essen", "dortmund_soest", "paderborn_soest"):
        assert ROADS[Road(road)].surface == "cobbled"


def side(start: Town, end: Town, town: Town) -> int:
    """Return on which side of the line between two towns a town lies, 0 if on it."""
    one, other, third = TOWNS[start], TOWNS[end], TOWNS[town]
    found = (other.x - one.x) * (third.y - one.y) - (other.y - one.y) * (third.x - one.x)
    return (found > 0) - (found < 0)


def test_no_two_roads_cross_on_the_map() -> None:
    for one, other in combinations(ROADS.values(), 2):
        if not {*one.ends} & {*other.ends}:
            is_cut = side(*one.ends, other.ends[0]) != side(*one.ends, other.ends[1])
            cuts = side(*other.ends, one.ends[0]) != side(*other.ends, one.ends[1])
            assert not (is_cut and cuts)


def test_no_road_leads_through_a_third_town() -> None:
    assert len({(each.x, each.y) for each in TOWNS.values()}) == len(TOWNS)
    for road in ROADS.values():
        for town in set(TOWNS) - {*road.ends}:
            assert side(*road.ends, town)


def test_the_pieces_and_prices_are_those_of_the_rulebook() -> None:
    assert (START_MONEY, TOKENS, CARRIAGES, PLACEMENT_ROUNDS) == (10, 12, 8, 3)
    assert (STOCK_UP_PRICE, LEFTOVER_PRICE, LAST_CARD_BONUS, MARKET_DISCOUNT) == (1, 2, 2, 2)
    assert SHORT_GAME_REMOVES == 2
    assert [house for house in HOUSES if house not in START_HOUSES] == [
        "dortmund_beer",
        "dortmund_ironware",
    ]
