"""The acceptance scenarios of purchases in a town, and of a whole month of actions."""

import pytest

from howff.engine.errors import IllegalMoveError
from support.hellweg import given, legal, moves, owned, texts, to_act, when

ALEX = (
    "money 10 | supply 9/5 | tokens hagen_salt, olpe_ironware, hamm_beer"
    " | carriages corbach_paderborn, hagen_olpe, hamm_lippstadt"
)
AT_DORTMUND = moves(
    "place_carriage",
    "corbach_dortmund",
    "dortmund_essen",
    "dortmund_hagen",
    "dortmund_hamm",
    "dortmund_moenster",
    "dortmund_soest",
)
BUYERS = {
    0: "money 10",
    1: "money 40 | tokens soest_salt",
    2: "money 10",
}
"""Alex, Bert and Claus."""
FIRST_ROUND = (
    "0: take_thaler",
    "1: buy_merchandise_card coal_beer",
    "1: place_carriage lippstadt_soest",
    "2: buy_in_town 3",
    "2: place_carriage dortmund_moenster",
)
SECOND_ROUND = (
    "0: buy_in_town 2",
    "0: place_carriage essen_hagen",
    "1: buy_merchandise_card coal_salt",
    "1: place_carriage hamm_soest",
)
"""All but the move of Claus, which ends the month."""


def test_scenario_05_a_purchase_brings_tokens_and_a_carriage() -> None:
    draft = when(given(card="t11", players={0: ALEX}), "buy_in_town 2")
    assert owned(draft.state, 0) == (
        "money 5 | supply 7/5 | tokens hagen_salt, olpe_ironware, dortmund_beer 2, hamm_beer"
        " | carriages corbach_paderborn, hagen_olpe, hamm_lippstadt | merchants 2"
    )
    assert legal(draft.state, 0) == AT_DORTMUND
    draft = when(draft.state, "place_carriage dortmund_soest")
    assert owned(draft.state, 0) == (
        "money 6 | supply 7/4 | tokens hagen_salt, olpe_ironware, dortmund_beer 2, hamm_beer"
        " | carriages corbach_paderborn, dortmund_soest, hagen_olpe, hamm_lippstadt | merchants 2"
    )
    assert to_act(draft.state) == 1


def test_scenario_06_the_price_has_to_be_at_hand() -> None:
    rich = given(card="t11", players={0: "money 5"})
    assert legal(rich, only="buy_in_town") == moves("buy_in_town", "1", "2", "3", "4")
    assert owned(when(rich, "buy_in_town 2").state, 0).startswith("money 0 |")
    poor = given(card="t11", players={0: "money 4"})
    assert legal(poor, only="buy_in_town") == moves("buy_in_town", "1", "4")
    with pytest.raises(IllegalMoveError):
        when(poor, "buy_in_town 2")


def test_scenario_07_alex_takes_a_thaler() -> None:
    draft = when(given(card="t01", players=BUYERS), *FIRST_ROUND[:1])
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 market null",
        "MoneyReceived 0 1 take_thaler",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
    assert owned(draft.state, 0) == "money 11 | supply 12/8 | merchants market"


def test_scenario_07_bert_buys_a_card_and_gets_a_carriage() -> None:
    draft = when(given(card="t01", players=BUYERS), *FIRST_ROUND[:2])
    assert texts(draft.events) == [
        "MerchantPlaced 1 1 market null",
        "MerchandiseCardBought 1 coal_beer 15",
        "PiecesDue 1 bonus null 0 1",
    ]
    at_soest = ("corbach_soest", "dortmund_soest", "hamm_soest", "lippstadt_soest")
    assert legal(draft.state, 1) == [
        *moves("place_carriage", *at_soest, "paderborn_soest"),
        "decline_bonus_carriage",
    ]
    state = when(draft.state, FIRST_ROUND[2]).state
    assert owned(state, 1) == (
        "money 25 | supply 11/7 | tokens soest_salt | carriages lippstadt_soest"
        " | cards coal_beer | merchants market"
    )


def test_scenario_07_claus_buys_in_a_town() -> None:
    draft = when(given(card="t01", players=BUYERS), *FIRST_ROUND[:4])
    assert legal(draft.state, 2) == moves(
        "place_carriage",
        "builefeld_moenster",
        "dortmund_moenster",
        "essen_moenster",
        "hamm_moenster",
        "moenster_wesel",
    )
    draft = when(draft.state, FIRST_ROUND[4])
    assert owned(draft.state, 2) == (
        "money 6 | supply 11/7 | tokens moenster_ironware | carriages dortmund_moenster"
        " | merchants 3"
    )
    assert texts(draft.events)[-1] == "TurnStarted 0 2"


def test_scenario_07_after_the_market_a_town_is_cheaper() -> None:
    state = when(given(card="t01", players=BUYERS), *FIRST_ROUND).state
    assert legal(state, only="buy_in_town") == moves("buy_in_town", "1", "2", "4")
    draft = when(state, SECOND_ROUND[0])
    assert texts(draft.events) == [
        "MerchantPlaced 0 2 2 hagen",
        "MoneyPaid 0 3 purchase",
        "PiecesDue 0 purchase hagen_salt 2 1",
        "TokenPlaced 0 hagen_salt supply",
        "TokenPlaced 0 hagen_salt supply",
    ]
    assert legal(draft.state) == moves(
        "place_carriage", "dortmund_hagen", "duisburg_hagen", "essen_hagen", "hagen_olpe"
    )
    for road, money in (("hagen_olpe", 8), ("essen_hagen", 9)):
        assert owned(when(draft.state, f"place_carriage {road}").state, 0) == (
            f"money {money} | supply 10/7 | tokens hagen_salt 2 | carriages {road}"
            " | merchants market, 2"
        )


def test_scenario_07_after_the_market_a_card_is_cheaper() -> None:
    draft = when(given(card="t01", players=BUYERS), *FIRST_ROUND, *SECOND_ROUND[:3])
    assert texts(draft.events) == [
        "MerchantPlaced 1 2 market null",
        "MerchandiseCardBought 1 coal_salt 13",
        "PiecesDue 1 bonus null 0 1",
    ]
    state = when(draft.state, SECOND_ROUND[3]).state
    assert owned(state, 1) == (
        "money 12 | supply 11/6 | tokens soest_salt | carriages hamm_soest, lippstadt_soest"
        " | cards coal_salt, coal_beer | merchants market, market"
    )


def test_scenario_07_the_month_ends_with_the_second_round() -> None:
    state = given(card="t01", players=BUYERS, stack=["t12"])
    draft = when(state, *FIRST_ROUND, *SECOND_ROUND, "2: stock_up_one token")
    assert texts(draft.events) == [
        "MerchantPlaced 2 2 market null",
        "MoneyPaid 2 1 stock_up",
        "PiecesDue 2 stock_up null 1 0",
    ]
    assert legal(draft.state, 2) == ["place_token moenster_ironware"]
    draft = when(draft.state, "2: place_token moenster_ironware")
    assert texts(draft.events)[:7] == [
        "TokenPlaced 2 moenster_ironware supply",
        "TurnEnded 2",
        "MerchantsRetrieved 2",
        "TradingCardRemoved 2",
        "StartingPlayerPassed 1",
        "MonthBegan 3 1",
        "TradingCardRevealed 3 t12 [{soest_salt 3 1 0}, {essen_beer 4 2 0},"
        " {olpe_ironware 5 2 1}, {moenster_salt 4 1 1}] false",
    ]
    assert owned(draft.state, 2) == (
        "money 5 | supply 10/7 | tokens moenster_ironware 2 | carriages dortmund_moenster"
    )
    assert [player.merchants for player in draft.state.players] == [(), (), ()]
    assert (draft.state.card, draft.state.starting_seat) == ("t12", 1)


def test_scenario_08_a_slot_stays_occupied_for_both_rounds() -> None:
    state = given(card="t01", players=dict.fromkeys(range(3), "money 10"))
    state = when(
        state,
        "0: take_thaler",
        "1: take_thaler",
        "2: buy_in_town 3",
        "2: place_carriage dortmund_moenster",
    ).state
    for seat in (0, 1, 2):
        assert to_act(state) == seat
        assert legal(state, only="buy_in_town") == moves("buy_in_town", "1", "2", "4")
        with pytest.raises(IllegalMoveError):
            when(state, "buy_in_town 3")
        state = when(state, "take_thaler").state


def test_scenario_09_a_token_goes_to_the_house_of_the_slot() -> None:
    state = given(card="t05", players={0: "money 10 | tokens moenster_ironware"})
    draft = when(state, "buy_in_town 3")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 3 moenster",
        "MoneyPaid 0 3 purchase",
        "PiecesDue 0 purchase moenster_salt 1 0",
        "TokenPlaced 0 moenster_salt supply",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
    assert owned(draft.state, 0) == (
        "money 7 | supply 10/8 | tokens moenster_salt, moenster_ironware | merchants 3"
    )


def test_scenario_10_with_a_thaler_the_discount_buys_for_three() -> None:
    state = given(card="t05", round=2, players={0: "money 1 | merchants market"})
    assert legal(state) == ["buy_in_town 3", "take_thaler"]
    state = when(state, "buy_in_town 3").state
    assert owned(state, 0) == ("money 0 | supply 11/8 | tokens moenster_salt | merchants market, 3")


@pytest.mark.parametrize(("number", "merchants"), [(1, ""), (2, "market"), (2, "1")])
def test_scenario_10_without_money_only_a_thaler_can_be_taken(number: int, merchants: str) -> None:
    text = f"money 0 | tokens soest_salt | merchants {merchants}"
    state = given(card="t05", round=number, players={0: text})
    assert legal(state) == ["take_thaler"]
