"""What comes in another order comes to the same: sales at the same time, and purchases."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import MERCHANDISE_CARDS, MerchandiseCard
from howff.engine.games.hellweg.events import (
    Event,
    MerchandiseCardBought,
    SalesEnded,
    TownPassed,
    TradingCardRevealed,
)
from howff.engine.games.hellweg.scoring import standings
from howff.engine.games.hellweg.state import Options, Player, State
from howff.engine.play import Draft, fold
from howff.engine.seats import Seat, seats_from
from howff.engine.values import replace
from support.hellweg_playouts import EVERYTHING, places
from support.playouts import play_out
from support.rng import LocalRng

interleavings = st.lists(st.integers(0, 3), min_size=1, max_size=20)
"""Which of the seats that owe a sale comes next, counted round and round."""


def after_sales(state: State, seed: int, order: Sequence[int]) -> Draft[State, Event]:
    """Play the sales of a month; what a seat chooses in a slot depends on itself alone."""
    draft = Draft(state, GAME.evolve)
    turn = 0
    while draft.state.stage == "sales":
        to_act = GAME.to_act(draft.state)
        seat = to_act[order[turn % len(order)] % len(to_act)]
        sales = draft.state.players[seat].sales
        assert sales is not None
        luck = LocalRng(f"{seed} {draft.state.month} {seat} {sales.slot}")
        move = luck.roll("choice", GAME.legal_moves(draft.state, seat))
        for event in GAME.play(draft.state, seat, move, luck).events:
            draft.add(event)
        turn += 1
    return draft


def match_of(options: Options, seats: int, seed: int, order: Sequence[int]) -> list[State | Event]:
    """Return the events of a match, and the states after the sales of each month."""
    rng, found = LocalRng(seed), list[State | Event]()
    draft = GAME.start(options, seats, rng)
    found += draft.events
    while GAME.to_act(draft.state):
        if draft.state.stage == "sales":
            draft = after_sales(draft.state, seed, order)
            found += [*draft.events, replace(draft.state, options=Options())]
        else:
            (seat,) = GAME.to_act(draft.state)
            move = rng.roll("move", GAME.legal_moves(draft.state, seat))
            draft = GAME.play(draft.state, seat, move, rng)
            found += draft.events
    return found


def by_seat(found: list[State | Event]) -> dict[Seat | None, list[State | Event]]:
    """Return what concerns each seat, and under None all else, the states among it."""
    parts: dict[Seat | None, list[State | Event]] = {}
    for each in found:
        parts.setdefault(getattr(each, "seat", None), []).append(each)
    return parts


@given(
    modules=st.tuples(st.booleans(), st.booleans()),
    seats=st.sampled_from(tuple(GAME.seats)),
    seed=places,
    order=interleavings,
)
def test_invariant_15_sales_at_the_same_time_come_to_what_they_do_one_after_the_other(
    modules: tuple[bool, bool], seats: int, seed: int, order: list[int]
) -> None:
    default = Options(*modules, short_game=True)
    together = Options(*modules, short_game=True, simultaneous_sales=True)
    expected = match_of(default, seats, seed, [0])
    found = match_of(together, seats, seed, order)
    assert sum(isinstance(each, State) for each in found) == 10
    assert by_seat(found) == by_seat(expected)


@given(seats=st.sampled_from(tuple(GAME.seats)), seed=places)
def test_invariant_15_at_the_same_time_passes_come_with_the_moves_of_their_seat(
    seats: int, seed: int
) -> None:
    for step in play_out(GAME, EVERYTHING, seats, seed % 6).steps:
        if step.seat is not None and step.before.stage == "sales":
            ended = [isinstance(event, SalesEnded) for event in step.events]
            own = step.events[: ended.index(True)] if any(ended) else step.events
            assert {event.seat for event in own} == {step.seat}


@given(seats=st.sampled_from(tuple(GAME.seats)), seed=places)
def test_invariant_15_the_phase_opens_with_the_passes_of_all_seats_in_order(
    seats: int, seed: int
) -> None:
    for step in play_out(GAME, EVERYTHING, seats, seed % 6).steps:
        revealed = [isinstance(event, TradingCardRevealed) for event in step.events]
        if any(revealed):
            opening = step.events[revealed.index(True) + 1 :]
            order = seats_from(step.after.starting_seat, seats)
            positions = [order.index(event.seat) for event in opening]
            assert positions == sorted(positions)
            assert all(event.forced for event in opening if isinstance(event, TownPassed))


def players_after(bought: Sequence[tuple[MerchandiseCard, Seat]]) -> tuple[Player, ...]:
    """Return what four seats own once they have bought cards one after the other."""
    for_sale = tuple(MERCHANDISE_CARDS)
    state = State(Options(), 4, players=(Player(money=500),) * 4, for_sale=for_sale)
    purchases = (
        MerchandiseCardBought(seat, card, MERCHANDISE_CARDS[card].price) for card, seat in bought
    )
    return fold(GAME.evolve, state, purchases).players


purchases_of_four = st.lists(
    st.tuples(st.sampled_from(tuple(MERCHANDISE_CARDS)), st.sampled_from(tuple(map(Seat, (0, 1))))),
    unique_by=lambda purchase: purchase[0],
)


@given(bought=purchases_of_four, data=st.data())
def test_invariant_16_the_order_of_purchases_does_not_matter(
    bought: list[tuple[MerchandiseCard, Seat]], data: st.DataObject
) -> None:
    other = data.draw(st.permutations(bought))
    assert players_after(other) == players_after(bought)
    assert standings(players_after(other)) == standings(players_after(bought))
