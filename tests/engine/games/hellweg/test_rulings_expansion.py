"""Rulings on warehouse and privileges that no numbered scenario shows."""

from typing import Final

import pytest

from howff.engine.errors import NotYourDecisionError
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import BLACK_ROUTE, MERCHANDISE_CARDS, PRIVILEGE_ROUTES, ROADS
from howff.engine.games.hellweg.events import (
    MerchantPlaced,
    PrivilegeReceived,
    TradingCardRevealed,
)
from howff.engine.games.hellweg.moves import UsePrivilegeTakeThaler
from howff.engine.games.hellweg.state import State
from howff.engine.seats import Seat
from support.hellweg import given, legal, new_month, owned, texts, to_act, when
from support.hellweg_playouts import playout
from support.rng import LocalRng
from support.texts import kinds, of

EXPANSION: Final = "warehouse_and_privileges"
USES: Final = "use_privilege_storage use_privilege_stock_up use_privilege_take_thaler"
ALL_PRIVILEGES: Final = "privileges storage, stock_up, take_thaler"


def one(seat: str, *, card: str = "t01", number: int = 1) -> State:
    """Return a position in which seat 0 may act, in the action round of this *number*."""
    return given(options=EXPANSION, players={0: seat}, card=card, round=number)


@pytest.mark.parametrize("card", MERCHANDISE_CARDS)
def test_ruling_17_cards_of_twenty_thaler_and_more_earn_a_claim(card: str) -> None:
    state = given(seats=4, options=EXPANSION, players={0: "money 60"})
    events = texts(when(state, f"buy_merchandise_card {card}").events)
    is_earned = not card.startswith("coal")
    assert ("PrivilegeClaimEarned 0 1" in events) == is_earned


@pytest.mark.parametrize(
    ("seat", "claims"),
    [
        ("claims 2", 3),
        ("claims 3", 3),
        ("claims 1 | privileges storage", 2),
        ("claims 2 | privileges storage", 2),
        ("claims 1 | privileges storage, take_thaler face_down", 1),
        (ALL_PRIVILEGES, 0),
    ],
)
def test_ruling_18_no_more_claims_are_open_than_privileges_are_left(seat: str, claims: int) -> None:
    draft = when(one(f"money 60 | {seat}"), "buy_merchandise_card wine_pair")
    before = one(seat).players[0].claims
    assert ("PrivilegeClaimEarned" in kinds(draft.events)) == (claims > before)
    assert draft.state.players[0].claims == claims


def test_ruling_19_a_privilege_claimed_before_the_action_is_usable_before_it() -> None:
    state = when(one("money 0 | claims 1"), "claim_privilege take_thaler").state
    assert owned(state, 0) == "money 0 | supply 12/8 | privileges take_thaler"
    assert legal(state, only=USES) == ["use_privilege_take_thaler"]
    state = when(state, "use_privilege_take_thaler").state
    assert state.players[0].money == 1
    assert "store token" in legal(state)


def test_ruling_19_a_privilege_claimed_after_the_action_is_usable_after_it() -> None:
    state = when(one("money 60"), "buy_merchandise_card wine_pair").state
    assert legal(state) == [
        "claim_privilege storage",
        "claim_privilege stock_up",
        "claim_privilege take_thaler",
        "end_turn",
    ]
    state = when(state, "claim_privilege storage").state
    assert legal(state) == [
        "use_privilege_storage token",
        "use_privilege_storage carriage",
        "end_turn",
    ]


def test_ruling_21_the_privilege_turns_up_all_others_but_not_itself() -> None:
    seat = "money 0 | privileges storage face_down, stock_up face_down, take_thaler"
    draft = when(one(seat), "use_privilege_take_thaler")
    assert texts(draft.events) == [
        "PrivilegeUsed 0 take_thaler",
        "MoneyReceived 0 1 take_thaler",
        "PrivilegesRevealed 0 [storage, stock_up]",
    ]
    assert owned(draft.state, 0).endswith(
        "privileges storage locked, stock_up locked, take_thaler face_down"
    )
    assert legal(draft.state, only=USES) == []


def test_ruling_21_the_action_turns_it_up_if_it_was_used_before() -> None:
    state = when(one("money 0 | privileges take_thaler"), "use_privilege_take_thaler").state
    draft = when(state, "take_thaler")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 market null",
        "MoneyReceived 0 1 take_thaler",
        "PrivilegesRevealed 0 [take_thaler]",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
    assert owned(draft.state, 0) == (
        "money 2 | supply 12/8 | merchants market | privileges take_thaler"
    )


def test_a_privilege_that_lies_face_up_is_not_turned_up() -> None:
    draft = when(one(f"tokens soest_salt | {ALL_PRIVILEGES}"), "take_thaler")
    assert "PrivilegesRevealed" not in kinds(draft.events)
    assert legal(draft.state) == [
        "use_privilege_storage token",
        "use_privilege_storage carriage",
        "use_privilege_take_thaler",
        "end_turn",
    ]


def test_ruling_22_no_privilege_is_used_while_pieces_are_placed() -> None:
    seat = f"money 60 | tokens soest_salt | warehouse 2/1 | {ALL_PRIVILEGES}"
    for moves in (
        ["buy_in_town 2"],
        ["buy_merchandise_card coal_salt"],
        ["stock_up_all"],
        ["stock_up_all", "place_token soest_salt", "place_token soest_salt"],
        ["use_privilege_stock_up"],
    ):
        state = when(one(seat), *moves).state
        assert state.due is not None
        assert {move.split()[0] for move in legal(state)} <= {
            "place_token",
            "place_carriage",
            "decline_bonus_carriage",
        }


def test_ruling_22_no_privilege_is_used_in_the_sales_or_in_the_turn_of_another() -> None:
    seat = f"tokens soest_salt | warehouse 1/1 | {ALL_PRIVILEGES}"
    state = given(options=EXPANSION, players={0: seat}, card="t12", slot=1)
    assert legal(state) == ["sell soest_salt []", "skip_town"]
    state = given(options=EXPANSION, players={0: seat}, active=1)
    assert legal(state, 0) == []
    with pytest.raises(NotYourDecisionError):
        GAME.play(state, Seat(0), UsePrivilegeTakeThaler(), LocalRng(0))


def test_ruling_22_privileges_are_used_before_and_after_the_action_in_any_order() -> None:
    seat = f"money 0 | tokens soest_salt | {ALL_PRIVILEGES}"
    moves = ("use_privilege_storage token", "take_thaler", "use_privilege_take_thaler")
    draft = when(one(seat), *moves)
    assert legal(draft.state) == ["use_privilege_stock_up", "end_turn"]
    draft = when(draft.state, "use_privilege_stock_up", "place_token soest_salt")
    assert kinds(draft.events) == ["TokenPlaced", "TurnEnded", "TurnStarted"]
    # What was used before the action was turned up by it; what came later lies face down.
    assert owned(draft.state, 0) == (
        "money 2 | supply 10/8 | tokens soest_salt 2 | merchants market"
        " | privileges storage, stock_up face_down, take_thaler face_down"
    )


@pytest.mark.parametrize(
    "seat",
    [
        "tokens soest_salt",
        "warehouse 2/0",
        "warehouse 0/2 | carriages hamm_soest",
        "carriages hamm_soest",
    ],
)
def test_ruling_26_stocking_up_needs_stored_pieces_and_a_token_on_a_house(seat: str) -> None:
    state = one(f"{seat} | privileges stock_up")
    assert legal(state, only="stock_up_all use_privilege_stock_up") == []
    state = one("tokens soest_salt | warehouse 0/1 | privileges stock_up")
    assert legal(state, only="stock_up_all use_privilege_stock_up") == [
        "stock_up_all",
        "use_privilege_stock_up",
    ]


@pytest.mark.parametrize("move", ["store token", "use_privilege_storage token"])
def test_ruling_27_a_token_may_be_stored_from_the_board(move: str) -> None:
    seat = "tokens essen_beer 4, soest_salt 7 | warehouse 1/0 | privileges storage"
    state = when(one(seat), move).state
    assert legal(state) == [
        "take_back_token essen_beer",
        "take_back_token soest_salt",
        "forfeit_piece",
    ]
    draft = when(state, "take_back_token essen_beer")
    assert texts(draft.events)[:2] == ["TokenTakenBack 0 essen_beer", "PieceStored 0 token"]
    assert draft.state.players[0].tokens == (*["essen_beer"] * 3, *["soest_salt"] * 7)
    assert draft.state.players[0].warehouse_tokens == 2
    forfeited = when(state, "forfeit_piece").state
    assert forfeited.players[0].tokens == state.players[0].tokens
    assert forfeited.players[0].warehouse_tokens == 1


def test_ruling_27_nothing_is_stored_where_there_is_nothing() -> None:
    seat = "warehouse 12/8 | privileges storage"
    assert legal(one(seat), only="store use_privilege_storage") == []
    seat = "warehouse 12/7 | carriages hamm_soest | privileges storage"
    assert legal(one(seat), only="store use_privilege_storage") == [
        "store carriage",
        "use_privilege_storage carriage",
    ]


def test_ruling_28_tokens_in_the_warehouse_are_not_sold() -> None:
    players = {0: "warehouse 9/0", 1: "tokens essen_beer | warehouse 9/0"}
    draft = new_month(seats=2, options=EXPANSION, players=players, card="t07")
    assert kinds(draft.events)[-9:] == [
        *["TownPassed"] * 4,
        "SeatSalesEnded",
        *["TownPassed"] * 4,
    ]
    assert to_act(draft.state) == 1
    assert legal(draft.state) == ["sell_leftover essen_beer", "skip_leftover"]


def test_ruling_29_one_road_brings_no_privilege() -> None:
    for ends in (*PRIVILEGE_ROUTES.values(), BLACK_ROUTE):
        assert not any({*record.ends} == {*ends} for record in ROADS.values())
    for seats in GAME.seats:
        events = list(playout(seats, 1).events)
        before = kinds(events)[: kinds(events).index(TradingCardRevealed.__name__)]
        assert PrivilegeReceived.__name__ not in before


def test_ruling_30_a_privilege_stays_when_its_connection_breaks() -> None:
    way = "carriages essen_hagen, essen_wesel"
    state = given(
        options=EXPANSION,
        players={0: f"tokens hagen_salt | privileges storage | {way}"},
        card="t02",
        slot=2,
    )
    state = when(state, "sell hagen_salt [essen_hagen]").state
    assert owned(state, 0) == (
        "money 14 | supply 12/7 | carriages essen_wesel | privileges storage"
    )


def test_a_connection_that_is_made_anew_brings_nothing() -> None:
    seat = "tokens hagen_salt | warehouse 0/1 | privileges storage | carriages essen_wesel"
    draft = when(one(seat), "stock_up_all", "place_carriage essen_hagen")
    assert of(draft.events, PrivilegeReceived) == []


def test_a_connection_may_use_up_a_claim() -> None:
    seat = "tokens hagen_salt | warehouse 0/1 | carriages essen_wesel | claims 1"
    draft = when(
        one(f"{seat} | privileges stock_up, take_thaler"),
        "stock_up_all",
        "place_carriage essen_hagen",
    )
    assert texts(of(draft.events, PrivilegeReceived)) == ["PrivilegeReceived 0 storage route 0"]
    draft = when(one(f"{seat} | privileges stock_up"), "stock_up_all", "place_carriage essen_hagen")
    assert texts(of(draft.events, PrivilegeReceived)) == ["PrivilegeReceived 0 storage route 1"]
    assert legal(draft.state, only="claim_privilege") == ["claim_privilege take_thaler"]


def test_ruling_33_what_is_forfeited_costs_the_price_and_the_merchant() -> None:
    seat = "carriages hamm_soest 8 | tokens essen_beer 12"
    draft = when(one(seat, card="t06"), "buy_in_town 1", *["forfeit_piece"] * 3)
    assert owned(draft.state, 0) == (
        "money 5 | supply 0/0 | tokens essen_beer 12 | carriages hamm_soest 8 | merchants 1"
    )
    draft = when(one(seat, card="t06"), "store token", "forfeit_piece")
    assert owned(draft.state, 0).endswith("carriages hamm_soest 8 | merchants market")


def test_ruling_39_a_privilege_places_no_merchant_and_gives_no_discount() -> None:
    state = one("money 8 | tokens soest_salt | warehouse 1/0 | privileges take_thaler, stock_up")
    draft = when(state, "use_privilege_take_thaler")
    assert of(draft.events, MerchantPlaced) == []
    draft = when(draft.state, "use_privilege_stock_up", "place_token soest_salt")
    assert draft.state.players[0].merchants == ()
    draft = when(draft.state, "buy_in_town 1")
    assert "MoneyPaid 0 3 purchase" in texts(draft.events)
    seat = "money 8 | merchants 1 | privileges take_thaler"
    draft = when(one(seat, number=2), "use_privilege_take_thaler", "buy_in_town 4")
    assert "MoneyPaid 0 5 purchase" in texts(draft.events)


def test_ruling_42_nothing_stays_in_the_warehouse() -> None:
    state = when(one("tokens soest_salt, essen_beer | warehouse 2/1"), "stock_up_all").state
    assert (state.players[0].warehouse_tokens, state.players[0].warehouse_carriages) == (0, 0)
    for _ in range(2):
        assert legal(state) == ["place_token essen_beer", "place_token soest_salt"]
        state = when(state, "place_token essen_beer").state
    assert {move.split()[0] for move in legal(state)} == {"place_carriage"}
    state = when(state, "place_carriage hamm_soest").state
    assert to_act(state) == 1
    assert owned(state, 0) == (
        "money 10 | supply 8/7 | tokens essen_beer 3, soest_salt | carriages hamm_soest"
        " | merchants market"
    )


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("token", "supply 11/8 | warehouse 1/0"), ("carriage", "supply 12/7 | warehouse 0/1")],
)
def test_ruling_43_one_piece_is_stored_at_a_time(kind: str, expected: str) -> None:
    draft = when(one(""), f"store {kind}")
    assert kinds(draft.events) == [
        "MerchantPlaced",
        "PiecesDue",
        "PieceStored",
        "TurnEnded",
        "TurnStarted",
    ]
    assert owned(draft.state, 0) == f"money 10 | {expected} | merchants market"
