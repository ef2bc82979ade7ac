"""The acceptance scenarios of simultaneous sales, and of the events of a purchase."""

import pytest

from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.events import Event, MoneyReceived
from howff.engine.games.hellweg.state import State
from howff.engine.play import Draft
from support.hellweg import given, legal, new_month, owned, texts, when
from support.texts import of


def both_selling() -> Draft[State, Event]:
    """Return the beginning of a month in which two seats sell at the same time."""
    return new_month(
        seats=2,
        starting_seat=1,
        options="simultaneous_sales",
        card="t03",
        players={0: "tokens dortmund_ironware", 1: "tokens hamm_beer"},
    )


def test_scenario_45_all_seats_owe_a_decision_each_in_its_own_slot() -> None:
    draft = both_selling()
    assert texts(draft.events)[-2:] == [
        "TradingCardRevealed 2 t03 [{hamm_beer 3 1 0}, {dortmund_ironware 5 2 1},"
        " {builefeld_salt 4 2 0}, {duisburg_ironware 5 1 2}] false",
        "TownPassed 0 1 true",
    ]
    assert sorted(GAME.to_act(draft.state)) == [0, 1]
    assert legal(draft.state, 0) == ["sell dortmund_ironware []", "skip_town"]
    assert legal(draft.state, 1) == ["sell hamm_beer []", "skip_town"]


@pytest.mark.parametrize(
    ("choice", "event"),
    [
        ("sell_leftover hamm_beer", "LeftoverSold 1 hamm_beer beer 2 0 0 2"),
        ("skip_leftover", "LeftoverSkipped 1"),
    ],
)
def test_scenario_45_passes_follow_the_move_of_their_own_seat(choice: str, event: str) -> None:
    draft = when(both_selling().state, "0: sell dortmund_ironware []")
    assert texts(draft.events) == [
        "MerchandiseSold 0 2 dortmund ironware dortmund_ironware [] [] 5 0 0 0 0 5",
        "TownPassed 0 3 true",
        "TownPassed 0 4 true",
        "SeatSalesEnded 0",
    ]
    assert owned(draft.state, 0) == "money 15 | supply 12/8"
    assert GAME.to_act(draft.state) == (1,)
    assert legal(draft.state, 1) == ["sell hamm_beer []", "skip_town"]
    draft = when(draft.state, "1: skip_town")
    assert texts(draft.events) == [
        "TownPassed 1 1 false",
        "TownPassed 1 2 true",
        "TownPassed 1 3 true",
        "TownPassed 1 4 true",
    ]
    assert legal(draft.state, 1) == ["sell_leftover hamm_beer", "skip_leftover"]
    draft = when(draft.state, f"1: {choice}")
    assert texts(draft.events) == [event, "SeatSalesEnded 1", "SalesEnded 2", "TurnStarted 1 1"]
    assert (GAME.to_act(draft.state), draft.state.stage) == ((1,), "actions")


def test_scenario_45_the_order_of_the_seats_plays_no_part() -> None:
    state = both_selling().state
    sale, sold = "0: sell dortmund_ironware []", "1: sell_leftover hamm_beer"
    first = when(state, sale, "1: skip_town", sold)
    between = when(state, "1: skip_town", sale, sold)
    last = when(state, "1: skip_town", sold, sale)
    assert first.state == between.state == last.state
    assert texts(last.events)[-3:] == ["SeatSalesEnded 0", "SalesEnded 2", "TurnStarted 1 1"]
    assert owned(last.state, 0) == "money 15 | supply 12/8"
    assert owned(last.state, 1) == "money 12 | supply 12/8"


def test_without_the_option_the_other_seat_waits() -> None:
    state = new_month(
        seats=2,
        starting_seat=1,
        card="t03",
        players={0: "tokens dortmund_ironware", 1: "tokens hamm_beer"},
    ).state
    assert GAME.to_act(state) == (1,)
    assert legal(state, 0) == []


def test_scenario_46_the_events_of_a_purchase_stand_in_order() -> None:
    text = "money 10 | supply 9/5 | tokens hagen_salt, olpe_ironware, hamm_beer"
    bought = when(given(card="t11", players={0: text}), "buy_in_town 2")
    assert texts(bought.events) == [
        "MerchantPlaced 0 1 2 dortmund",
        "MoneyPaid 0 5 purchase",
        "PiecesDue 0 purchase dortmund_beer 2 1",
        "TokenPlaced 0 dortmund_beer supply",
        "TokenPlaced 0 dortmund_beer supply",
    ]
    placed = when(bought.state, "place_carriage dortmund_soest")
    assert texts(placed.events) == [
        "CarriagePlaced 0 dortmund_soest supply 1",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
    assert of([*bought.events, *placed.events], MoneyReceived) == []
