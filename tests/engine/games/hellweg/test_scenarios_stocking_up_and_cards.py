"""The acceptance scenarios of stocking up in the family game, and of merchandise cards."""

import pytest

from howff.engine.errors import IllegalMoveError
from support.hellweg import given, legal, moves, owned, started, texts, to_act, when

AT_SOEST = moves(
    "place_carriage",
    "corbach_soest",
    "dortmund_soest",
    "hamm_soest",
    "lippstadt_soest",
    "paderborn_soest",
)
FOR_SALE = {
    2: "coal_salt coal_ironware herring_removal herring_pair wine_pair tobacco_1",
    3: (
        "coal_salt coal_ironware coal_beer herring_removal herring_pair wine_pair wine_plain"
        " tobacco_1"
    ),
    4: (
        "coal_salt coal_ironware coal_beer herring_removal herring_pair wine_pair wine_plain"
        " tobacco_1 tobacco_2"
    ),
}
"""What takes part, by number of seats."""


def test_scenario_11_stocking_up_is_never_cheaper() -> None:
    text = "money 1 | tokens soest_salt | merchants market"
    draft = when(given(card="t05", round=2, players={0: text}), "stock_up_one carriage")
    assert texts(draft.events) == [
        "MerchantPlaced 0 2 market null",
        "MoneyPaid 0 1 stock_up",
        "PiecesDue 0 stock_up null 0 1",
    ]
    assert owned(draft.state, 0) == (
        "money 0 | supply 11/8 | tokens soest_salt | merchants market, market"
    )
    assert legal(draft.state) == AT_SOEST
    draft = when(draft.state, "place_carriage corbach_soest")
    assert texts(draft.events)[:2] == ["CarriagePlaced 0 corbach_soest supply 1", "TurnEnded 0"]
    assert owned(draft.state, 0) == (
        "money 1 | supply 11/7 | tokens soest_salt | carriages corbach_soest"
        " | merchants market, market"
    )


def test_scenario_12_a_token_goes_where_tokens_lie() -> None:
    state = given(players={0: "money 3 | tokens soest_salt, hamm_beer 2"})
    state = when(state, "stock_up_one token").state
    assert legal(state) == moves("place_token", "hamm_beer", "soest_salt")
    state = when(state, "place_token soest_salt").state
    assert owned(state, 0) == (
        "money 2 | supply 8/8 | tokens hamm_beer 2, soest_salt 2 | merchants market"
    )


def test_scenario_13_without_a_token_there_is_no_stocking_up() -> None:
    state = given(card="t05", players={0: "money 15 | carriages dortmund_hagen"})
    assert legal(state) == [
        *moves("buy_in_town", "1", "2", "3", "4"),
        *moves("buy_merchandise_card", "coal_salt", "coal_ironware", "coal_beer"),
        "take_thaler",
    ]
    for kind in ("token", "carriage"):
        with pytest.raises(IllegalMoveError):
            when(state, f"stock_up_one {kind}")


def test_scenario_13_without_a_token_a_card_brings_no_carriage() -> None:
    state = given(card="t05", players={0: "money 15 | carriages dortmund_hagen"})
    draft = when(state, "buy_merchandise_card coal_beer")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 market null",
        "MerchandiseCardBought 0 coal_beer 15",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
    assert owned(draft.state, 0) == (
        "money 0 | supply 12/7 | carriages dortmund_hagen | cards coal_beer | merchants market"
    )
    assert to_act(draft.state) == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_scenario_14_how_many_play_says_which_cards_are_for_sale(seats: int) -> None:
    cards = FOR_SALE[seats].split()
    draft = started(seats)
    assert texts(draft.events)[1] == f"MerchandiseCardsLaidOut [{', '.join(cards)}]"
    assert draft.state.for_sale == tuple(cards)
    rich = given(seats=seats, players={0: "money 30"})
    found = legal(rich, only="buy_merchandise_card")
    assert found == moves("buy_merchandise_card", *cards)


def test_a_card_that_is_bought_is_for_sale_no_more() -> None:
    state = given(seats=2, players=dict.fromkeys(range(2), "money 20"))
    state = when(state, "0: buy_merchandise_card coal_salt").state
    assert legal(state, 1, only="buy_merchandise_card") == moves(
        "buy_merchandise_card", "coal_ironware", "herring_removal", "herring_pair"
    )


def test_in_the_family_game_a_card_earns_no_privilege() -> None:
    draft = when(given(players={0: "money 25"}), "buy_merchandise_card wine_pair")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 market null",
        "MerchandiseCardBought 0 wine_pair 25",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
    assert owned(draft.state, 0) == "money 0 | supply 12/8 | cards wine_pair | merchants market"
