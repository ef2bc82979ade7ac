"""What can be sold on any network of roads, found a second time by trying all sets of roads."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from typing import Final, get_args

from hypothesis import example, given
from hypothesis import strategies as st

from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import (
    HOUSES,
    ROADS,
    TRADING_CARDS,
    House,
    Merchandise,
    Road,
    Town,
)
from howff.engine.games.hellweg.events import MerchandiseSold
from howff.engine.games.hellweg.legality import sales_ahead
from howff.engine.games.hellweg.moves import Sell, SkipTown
from howff.engine.games.hellweg.state import State
from howff.engine.seats import Seat
from support import hellweg
from support.rng import LocalRng
from support.texts import of

Route = tuple[Road, ...]
Routes = dict[tuple[House, Route], Route]
"""The route to record, by the house that goods come from and the roads that lose a carriage."""
KINDS: Final = get_args(Merchandise)


def network(seed: int, size: int) -> Counter[Road]:
    """Return so many carriages on roads that hang together, with rings and doubles among them."""
    rng, carriages = LocalRng(seed), Counter[Road]()
    for _ in range(size):
        towns = {town for road in carriages for town in ROADS[road].ends}
        touching = [road for road in ROADS if not towns or towns & {*ROADS[road].ends}]
        between = [road for road in touching if {*ROADS[road].ends} <= towns]
        roads = rng.roll("roads", (touching, touching, between or touching))
        carriages[rng.roll("road", roads)] += 1
    return carriages


networks = st.builds(network, st.integers(0, 1_000_000), st.sampled_from((10, 8, 9, 6, 3)))
RING: Final = Counter(
    {
        Road("corbach_siegen"): 1,
        Road("olpe_siegen"): 2,
        Road("hagen_olpe"): 1,
        Road("dortmund_hagen"): 1,
        Road("dortmund_soest"): 1,
        Road("corbach_soest"): 2,
    }
)
"""Two ways of three roads from Corbach to Hagen; which one is told depends on where it starts."""
modules = st.sampled_from(("", "passenger_transportation"))
CARDS: Final = "cards coal_salt, herring_removal"
"""A Thaler more for salt, and one for every carriage that is removed."""
SALT: Final = {house for house, each in HOUSES.items() if each.merchandise == "salt"}
SLOTS: Final = {
    square.house: (card, slot)
    for card, squares in TRADING_CARDS.items()
    for slot, square in enumerate(squares, start=1)
}
"""A trading card that asks for each house, and where."""


def ways_over(roads: Iterable[Road]) -> Iterator[tuple[Town, Town, Route]]:
    """Yield both ends of every way and its roads in order: those sets of roads that are one."""
    some = tuple(roads)
    for each in chain.from_iterable(combinations(some, size + 1) for size in range(len(some))):
        degrees = Counter(chain.from_iterable(ROADS[road].ends for road in each))
        ends = [town for town, degree in degrees.items() if degree == 1]
        if len(ends) == 2 and max(degrees.values()) <= 2:
            start, goal = ends
            route = in_order(start, each)
            # What does not hang together is a way with rings beside it.
            if len(route) == len(each):
                yield start, goal, route
                yield goal, start, route[::-1]


def in_order(start: Town, roads: Iterable[Road]) -> Route:
    """Return the roads that lead on from *start*, where no town has more than two of them."""
    left, town, route = [*roads], start, list[Road]()
    while following := [road for road in left if town in ROADS[road].ends]:
        (road,) = following
        (town,) = {*ROADS[road].ends} - {town}
        left.remove(road)
        route.append(road)
    return tuple(route)


def expected_sales(carriages: Counter[Road], module: str) -> dict[House, Routes]:
    """Return what a seat with a token in every house can sell, by the house that asks for it."""

    def rank(route: Route) -> tuple[bool, int, Route]:
        is_poorer = bool(module) and not any(ROADS[road].village for road in route)
        return (is_poorer, len(route), route)

    sales: dict[House, Routes] = {house: {(house, ()): ()} for house in HOUSES}
    houses = {(each.town, each.merchandise): house for house, each in HOUSES.items()}
    for start, goal, route in ways_over(carriages):
        brown = (road for road in route if ROADS[road].surface == "brown")
        removes = tuple(sorted(road for road in brown if carriages[road] == 1))
        for kind in KINDS:
            origin, wanted = houses.get((start, kind)), houses.get((goal, kind))
            if origin is not None and wanted is not None:
                known = sales[wanted].get((origin, removes), route)
                sales[wanted][origin, removes] = min(known, route, key=rank)
    return sales


def position(carriages: Counter[Road], wanted: House, module: str, tokens: Iterable[str]) -> State:
    """Return a position in which seat 0 is asked for a token of the house *wanted*."""
    roads = ", ".join(f"{road} {count}" for road, count in carriages.items())
    card, slot = SLOTS[wanted]
    return hellweg.given(
        options=f"warehouse_and_privileges {module}",
        players={0: f"tokens {', '.join(tokens)} | carriages {roads} | black entered | {CARDS}"},
        card=card,
        slot=slot,
    )


def houses_like(wanted: House) -> list[House]:
    """Return the houses that deal in the same as the one *wanted*."""
    return [name for name, each in HOUSES.items() if each.merchandise == HOUSES[wanted].merchandise]


@given(carriages=networks, module=modules)
@example(carriages=RING, module="")
def test_all_sales_are_found_and_each_is_recorded_over_its_best_route(
    carriages: Counter[Road], module: str
) -> None:
    for wanted, expected in expected_sales(carriages, module).items():
        state = position(carriages, wanted, module, houses_like(wanted))
        sales = sales_ahead(state, state.players[0])
        assert {(sale.origin, sale.removes): sale.route for sale in sales} == expected
        assert len(sales) == len(expected)
        moves = GAME.legal_moves(state, Seat(0))
        assert set(moves) == {SkipTown(), *(Sell(*key) for key in expected)}
        assert len(moves) == len(expected) + 1 <= 37


@given(carriages=networks, module=modules)
def test_every_sale_has_the_effects_of_its_route(carriages: Counter[Road], module: str) -> None:
    for wanted, expected in expected_sales(carriages, module).items():
        state = position(carriages, wanted, module, houses_like(wanted))
        card, slot = SLOTS[wanted]
        for (origin, removes), route in expected.items():
            draft = GAME.play(state, Seat(0), Sell(origin, removes), LocalRng(0))
            sold = of(draft.events, MerchandiseSold)[0]
            bonus = int(bool(module) and any(ROADS[road].village for road in route))
            assert (sold.route, sold.removes, sold.passenger_bonus) == (route, removes, bonus)
            assert (sold.type_bonus, sold.removal_bonus) == (wanted in SALT, len(removes))
            player = draft.state.players[0]
            assert Counter(player.carriages) == carriages - Counter(removes)
            price = TRADING_CARDS[card][slot - 1].price
            earned = price + bonus + (wanted in SALT) + len(removes)
            assert player.money == state.players[0].money + earned


@given(carriages=networks, held=st.sets(st.sampled_from(tuple(HOUSES)), max_size=12))
def test_only_own_tokens_are_sold(carriages: Counter[Road], held: set[House]) -> None:
    for wanted, sales in expected_sales(carriages, "").items():
        state = position(carriages, wanted, "", sorted(held))
        found = {(sale.origin, sale.removes) for sale in sales_ahead(state, state.players[0])}
        assert found == {key for key in sales if key[0] in held}
