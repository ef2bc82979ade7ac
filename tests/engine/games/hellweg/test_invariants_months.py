"""The course of the months: merchants, main actions, sales, trading cards, and the end."""

from collections import Counter

import pytest
from hypothesis import given

from howff.engine.errors import EngineError
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.events import (
    GameEnded,
    LeftoverSkipped,
    LeftoverSold,
    MerchandiseSold,
    MerchantPlaced,
    MerchantsRetrieved,
    MonthBegan,
    SeatSalesEnded,
    TownPassed,
    TradingCardRemoved,
    TradingCardRevealed,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.hellweg.legality import decision_of, sales_ahead
from howff.engine.games.hellweg.moves import TakeThaler
from howff.engine.games.hellweg.state import Options
from howff.engine.play import fold
from howff.engine.seats import Seat, seats_from
from support.hellweg_playouts import Playout, places, playouts
from support.rng import LocalRng


def months_of(options: Options) -> int:
    return 10 if options.short_game else 12


@given(match=playouts)
def test_invariant_05_a_slot_has_one_merchant_at_most(match: Playout) -> None:
    for _, _, after in match.of(MerchantPlaced):
        slots = [
            place for player in after.players for place in player.merchants if place != "market"
        ]
        assert len(slots) == len(set(slots))
        assert set(slots) <= {1, 2, 3, 4}
        assert max(len(player.merchants) for player in after.players) <= 2


@given(match=playouts)
def test_invariant_05_after_the_second_round_all_merchants_come_back(match: Playout) -> None:
    for before, _, after in match.of(MerchantsRetrieved):
        assert [len(player.merchants) for player in before.players] == [2] * match.seats
        assert [player.merchants for player in after.players] == [()] * match.seats
    for before, _, _ in match.of(TradingCardRevealed):
        assert not any(player.merchants for player in before.players)


@given(match=playouts)
def test_invariant_06_each_seat_has_two_main_actions_in_every_month_but_the_last(
    match: Playout,
) -> None:
    actions = Counter(
        (before.month, event.seat, event.round) for before, event, _ in match.of(MerchantPlaced)
    )
    assert actions == {
        (month, seat, number): 1
        for month in range(1, months_of(match.options))
        for seat in range(match.seats)
        for number in (1, 2)
    }


@given(match=playouts)
def test_invariant_06_turns_go_clockwise_from_the_starting_seat(match: Playout) -> None:
    starting = [event.starting_seat for _, event, _ in match.of(MonthBegan)]
    expected = [
        (seat, number)
        for first in starting[:-1]
        for number in (1, 2)
        for seat in seats_from(first, match.seats)
    ]
    assert [(event.seat, event.round) for _, event, _ in match.of(TurnStarted)] == expected
    assert [event.seat for _, event, _ in match.of(TurnEnded)] == [seat for seat, _ in expected]
    assert starting == [(starting[0] + at) % match.seats for at in range(len(starting))]


@given(match=playouts)
def test_invariant_07_each_slot_is_sold_in_or_passed_once_and_in_order(match: Playout) -> None:
    slots: dict[tuple[int, int], list[int]] = {}
    for moment in match.moments:
        if isinstance(moment.event, MerchandiseSold | TownPassed):
            slots.setdefault((moment.before.month, moment.event.seat), []).append(moment.event.slot)
    months = range(1, months_of(match.options) + 1)
    assert slots == {(month, seat): [1, 2, 3, 4] for month in months for seat in range(match.seats)}


@given(match=playouts)
def test_invariant_07_a_slot_is_passed_by_itself_where_nothing_can_be_sold(match: Playout) -> None:
    for before, passed, _ in match.of(TownPassed):
        assert passed.forced == (sales_ahead(before, before.players[passed.seat]) == ())
    for step in match.steps:
        if decision_of(step.before, step.seat) == "sell_or_skip":
            assert len(GAME.legal_moves(step.before, step.seat)) > 1


@given(match=playouts)
def test_invariant_07_only_who_has_sold_nothing_is_asked_for_a_leftover(match: Playout) -> None:
    sold = {(before.month, event.seat) for before, event, _ in match.of(MerchandiseSold)}
    asked = Counter[tuple[int, int]]()
    for moment in match.moments:
        if isinstance(moment.event, LeftoverSold | LeftoverSkipped):
            assert moment.before.players[moment.event.seat].tokens
            asked[moment.before.month, moment.event.seat] += 1
    assert not sold & asked.keys()
    assert set(asked.values()) <= {1}
    for before, event, _ in match.of(SeatSalesEnded):
        key = (before.month, event.seat)
        assert key in sold or key in asked or not before.players[event.seat].tokens


@given(match=playouts)
def test_invariant_13_every_month_has_a_card_of_its_own(match: Playout) -> None:
    months = months_of(match.options)
    revealed = [event for _, event, _ in match.of(TradingCardRevealed)]
    assert [event.month for event in revealed] == list(range(1, months + 1))
    assert len({event.card for event in revealed}) == months
    assert [event.last for event in revealed] == [False] * (months - 1) + [True]
    assert len(list(match.of(TradingCardRemoved))) == months - 1


@given(match=playouts)
def test_invariant_13_the_match_ends_after_the_last_sales(match: Playout) -> None:
    *_, last = match.events
    assert isinstance(last, GameEnded)
    assert len(list(match.of(GameEnded))) == 1
    assert match.final.card is not None
    assert GAME.to_act(match.final) == ()
    assert GAME.outcome(match.final) is not None
    for seat in range(match.seats):
        assert GAME.legal_moves(match.final, Seat(seat)) == ()


@given(match=playouts)
def test_invariant_14_who_is_to_act_has_a_move_and_nobody_else(match: Playout) -> None:
    for step in match.steps:
        to_act = GAME.to_act(step.before)
        assert GAME.outcome(step.before) is None
        is_together = step.before.stage == "sales" and match.options.simultaneous_sales
        assert len(to_act) == 1 or is_together
        for seat in range(match.seats):
            assert bool(GAME.legal_moves(step.before, Seat(seat))) == (seat in to_act)


@given(match=playouts)
def test_invariant_14_a_thaler_can_always_be_taken(match: Playout) -> None:
    for step in match.steps:
        if decision_of(step.before, step.seat) == "choose_action":
            assert TakeThaler() in GAME.legal_moves(step.before, step.seat)


@given(match=playouts, at=places, elsewhere=places)
def test_exactly_the_listed_moves_are_accepted(match: Playout, at: int, elsewhere: int) -> None:
    step, other = (match.steps[place % len(match.steps)] for place in (at, elsewhere))
    legal = GAME.legal_moves(step.before, step.seat)
    for move in legal:
        draft = GAME.play(step.before, step.seat, move, LocalRng(1))
        assert draft.events
        assert fold(GAME.evolve, step.before, draft.events) == draft.state
    for move in (*GAME.legal_moves(other.before, other.seat), other.move):
        if move not in legal:
            with pytest.raises(EngineError):
                GAME.play(step.before, step.seat, move, LocalRng(1))


@given(match=playouts)
def test_the_events_rebuild_the_states(match: Playout) -> None:
    state = fold(GAME.evolve, GAME.initial(match.options, match.seats), match.opening)
    for step in match.steps:
        assert step.before == state
        state = fold(GAME.evolve, state, step.events)
        assert step.after == state
