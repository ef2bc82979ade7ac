"""The acceptance scenarios of the warehouse, of privileges, and of the black carriages."""

import pytest

from howff.engine.errors import IllegalMoveError
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.state import State
from howff.engine.play import fold
from support.hellweg import given, legal, moves, owned, texts, to_act, when

EXPANSION = "warehouse_and_privileges"
ALL_PRIVILEGES = "storage, stock_up, take_thaler"
PRIVILEGE_MOVES = (
    "use_privilege_storage use_privilege_stock_up use_privilege_take_thaler claim_privilege"
)

AT_SOEST = moves(
    "place_carriage",
    "corbach_soest",
    "dortmund_soest",
    "hamm_soest",
    "lippstadt_soest",
    "paderborn_soest",
)
AT_DORTMUND_AND_MOENSTER = moves(
    "place_carriage",
    "builefeld_moenster",
    "corbach_dortmund",
    "dortmund_essen",
    "dortmund_hagen",
    "dortmund_hamm",
    "dortmund_moenster",
    "dortmund_soest",
    "essen_moenster",
    "hamm_moenster",
    "moenster_wesel",
)


def test_scenario_29_stocking_up_places_all_that_is_stored() -> None:
    claus = "warehouse 3/2 | tokens dortmund_beer, moenster_ironware"
    draft = when(given(options=EXPANSION, active=2, players={2: claus}), "2: stock_up_all")
    assert texts(draft.events) == ["MerchantPlaced 2 1 market null", "WarehouseEmptied 2 3 2 0"]
    for house in ("dortmund_beer", "moenster_ironware", "moenster_ironware"):
        assert legal(draft.state, 2) == moves("place_token", "dortmund_beer", "moenster_ironware")
        draft = when(draft.state, f"place_token {house}")
        assert texts(draft.events) == [f"TokenPlaced 2 {house} hand"]
    for road in ("dortmund_essen", "builefeld_moenster"):
        assert legal(draft.state, 2) == AT_DORTMUND_AND_MOENSTER
        draft = when(draft.state, f"place_carriage {road}")
        assert texts(draft.events)[0] == f"CarriagePlaced 2 {road} hand 0"
    assert texts(draft.events)[1:] == ["TurnEnded 2", "TurnStarted 0 2"]
    assert owned(draft.state, 2) == (
        "money 10 | supply 7/6 | tokens dortmund_beer 2, moenster_ironware 3"
        " | carriages builefeld_moenster, dortmund_essen | merchants market"
    )


def bert_has_bought() -> State:
    """Return the position in which Bert has done his main action, and owns all privileges."""
    bert = (
        "supply 7/4 | tokens hamm_beer 5 | carriages dortmund_hamm 2, hamm_lippstadt 2"
        f" | privileges {ALL_PRIVILEGES}"
    )
    state = given(card="t08", options=EXPANSION, active=1, players={1: bert})
    return when(state, "1: buy_in_town 2").state


def test_scenario_30_an_empty_warehouse_cannot_be_brought_into_play() -> None:
    state = bert_has_bought()
    assert owned(state, 1) == (
        "money 6 | supply 5/4 | tokens hamm_beer 7 | carriages dortmund_hamm 2, hamm_lippstadt 2"
        f" | merchants 2 | privileges {ALL_PRIVILEGES}"
    )
    assert legal(state, 1) == [
        *moves("use_privilege_storage", "token", "carriage"),
        "use_privilege_take_thaler",
        "end_turn",
    ]
    draft = when(state, "use_privilege_storage carriage")
    assert texts(draft.events) == [
        "PrivilegeUsed 1 storage",
        "PiecesDue 1 store null 0 1",
        "PieceStored 1 carriage",
    ]
    assert owned(draft.state, 1) == (
        "money 6 | supply 5/3 | tokens hamm_beer 7 | carriages dortmund_hamm 2, hamm_lippstadt 2"
        " | warehouse 0/1 | merchants 2 | privileges storage face_down, stock_up, take_thaler"
    )


def test_scenario_30_what_was_stored_can_be_brought_into_play() -> None:
    state = when(bert_has_bought(), "use_privilege_storage carriage").state
    assert legal(state, 1) == ["use_privilege_stock_up", "use_privilege_take_thaler", "end_turn"]
    draft = when(state, "use_privilege_stock_up")
    assert texts(draft.events) == ["PrivilegeUsed 1 stock_up", "WarehouseEmptied 1 0 1 0"]
    assert legal(draft.state, 1) == moves(
        "place_carriage", "dortmund_hamm", "hamm_lippstadt", "hamm_moenster", "hamm_soest"
    )
    draft = when(draft.state, "place_carriage hamm_soest")
    assert texts(draft.events) == ["CarriagePlaced 1 hamm_soest hand 0"]
    assert legal(draft.state, 1) == ["use_privilege_take_thaler", "end_turn"]


def test_scenario_30_revealed_privileges_are_locked_until_the_turn_ends() -> None:
    state = when(
        bert_has_bought(),
        "use_privilege_storage carriage",
        "use_privilege_stock_up",
        "place_carriage hamm_soest",
    ).state
    draft = when(state, "use_privilege_take_thaler")
    assert texts(draft.events) == [
        "PrivilegeUsed 1 take_thaler",
        "MoneyReceived 1 1 take_thaler",
        "PrivilegesRevealed 1 [storage, stock_up]",
        "TurnEnded 1",
        "TurnStarted 2 1",
    ]
    revealed = fold(GAME.evolve, state, draft.events[:3])
    assert owned(revealed, 1).endswith(
        "| privileges storage locked, stock_up locked, take_thaler face_down"
    )
    assert owned(draft.state, 1) == (
        "money 7 | supply 5/3 | tokens hamm_beer 7"
        " | carriages dortmund_hamm 2, hamm_lippstadt 2, hamm_soest"
        " | merchants 2 | privileges storage, stock_up, take_thaler face_down"
    )


def test_scenario_31_a_thaler_by_privilege_counts_for_the_action() -> None:
    state = given(options=EXPANSION, players={0: "money 2 | privileges take_thaler"})
    assert legal(state) == [
        "take_thaler",
        "store token",
        "store carriage",
        "use_privilege_take_thaler",
    ]
    with pytest.raises(IllegalMoveError):
        when(state, "buy_in_town 1")
    state = when(state, "use_privilege_take_thaler").state
    assert owned(state, 0) == "money 3 | supply 12/8 | privileges take_thaler face_down"
    assert legal(state) == ["buy_in_town 1", "take_thaler", "store token", "store carriage"]
    state = when(state, "buy_in_town 1").state
    assert owned(state, 0).startswith("money 0 | supply 11/8 | tokens paderborn_beer |")
    assert to_act(state) == 1


def test_scenario_32_a_revealed_privilege_waits_for_the_next_turn() -> None:
    text = "money 10 | privileges storage, take_thaler"
    state = given(seats=2, options=EXPANSION, players={0: text})
    draft = when(state, "0: use_privilege_storage token")
    assert legal(draft.state, 0, only=PRIVILEGE_MOVES) == ["use_privilege_take_thaler"]
    draft = when(draft.state, "0: take_thaler")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 market null",
        "MoneyReceived 0 1 take_thaler",
        "PrivilegesRevealed 0 [storage]",
    ]
    assert owned(draft.state, 0).endswith("| privileges storage locked, take_thaler")
    assert legal(draft.state, 0) == ["use_privilege_take_thaler", "end_turn"]
    draft = when(draft.state, "0: end_turn", "1: take_thaler")
    assert to_act(draft.state) == 0
    assert owned(draft.state, 0) == (
        "money 11 | supply 11/8 | warehouse 1/0 | merchants market"
        " | privileges storage, take_thaler"
    )
    assert legal(draft.state, 0, only=PRIVILEGE_MOVES) == [
        "use_privilege_storage token",
        "use_privilege_storage carriage",
        "use_privilege_take_thaler",
    ]


def test_scenario_32_with_nothing_else_to_use_the_turn_ends_by_itself() -> None:
    state = given(seats=2, options=EXPANSION, players={0: "privileges storage face_down"})
    draft = when(state, "0: take_thaler")
    assert texts(draft.events)[2:] == [
        "PrivilegesRevealed 0 [storage]",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]


def buying(card: str, text: str = "") -> State:
    """Return the position in which seat 0 has bought a merchandise card, with no token to ship."""
    state = given(seats=2, options=EXPANSION, players={0: f"money 40 | {text}"})
    return when(state, f"0: buy_merchandise_card {card}").state


def test_scenario_33_a_merchandise_card_earns_a_claim() -> None:
    state = given(seats=2, options=EXPANSION, players={0: "money 40 | tokens soest_salt"})
    draft = when(state, "0: buy_merchandise_card herring_pair")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 market null",
        "MerchandiseCardBought 0 herring_pair 20",
        "PrivilegeClaimEarned 0 1",
        "PiecesDue 0 bonus null 0 1",
    ]
    state = when(draft.state, "place_carriage hamm_soest").state
    claims = moves("claim_privilege", "storage", "stock_up", "take_thaler")
    assert legal(state, 0) == [*claims, "end_turn"]
    draft = when(state, "0: end_turn", "1: take_thaler")
    assert to_act(draft.state) == 0
    assert legal(draft.state, 0, only=PRIVILEGE_MOVES) == claims
    draft = when(draft.state, "claim_privilege stock_up")
    assert texts(draft.events) == ["PrivilegeReceived 0 stock_up card 0"]
    assert owned(draft.state, 0) == (
        "money 20 | supply 11/7 | tokens soest_salt | carriages hamm_soest | cards herring_pair"
        " | merchants market | privileges stock_up"
    )
    assert legal(draft.state, 0, only=PRIVILEGE_MOVES) == []


def test_scenario_33_coal_earns_no_claim() -> None:
    state = buying("coal_salt")
    assert owned(state, 0).endswith("| cards coal_salt | merchants market")
    assert to_act(state) == 1


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (f"privileges {ALL_PRIVILEGES}", 0),
        ("privileges storage, stock_up face_down | claims 1", 1),
        ("claims 3", 3),
        ("privileges storage | claims 1", 2),
        ("privileges storage, take_thaler", 1),
    ],
)
def test_scenario_33_privileges_and_claims_are_at_most_three(text: str, claims: int) -> None:
    assert buying("wine_pair", text).players[0].claims == claims


def test_scenario_33_only_what_is_not_owned_can_be_claimed() -> None:
    state = buying("wine_pair", "privileges stock_up face_down")
    claims = moves("claim_privilege", "storage", "take_thaler")
    assert legal(state, 0) == [*claims, "end_turn"]


def test_scenario_34_a_route_brings_a_privilege() -> None:
    state = given(
        card="t07",
        seats=2,
        options=EXPANSION,
        players={0: "money 40 | carriages builefeld_paderborn, builefeld_lippstadt"},
    )
    state = when(state, "0: buy_in_town 1").state
    draft = when(state, "place_carriage corbach_paderborn")
    assert texts(draft.events) == [
        "CarriagePlaced 0 corbach_paderborn supply 1",
        "PrivilegeReceived 0 take_thaler route 0",
    ]
    assert owned(draft.state, 0) == (
        "money 37 | supply 11/5 | tokens paderborn_beer"
        " | carriages builefeld_lippstadt, builefeld_paderborn, corbach_paderborn"
        " | merchants 1 | privileges take_thaler"
    )
    assert legal(draft.state, 0) == ["use_privilege_take_thaler", "end_turn"]
    draft = when(draft.state, "0: end_turn", "1: take_thaler", "0: buy_merchandise_card coal_salt")
    draft = when(draft.state, "place_carriage lippstadt_paderborn")
    assert texts(draft.events) == ["CarriagePlaced 0 lippstadt_paderborn supply 0"]
    assert owned(draft.state, 0).endswith("| privileges take_thaler")


def test_scenario_34_a_connection_that_is_made_anew_brings_nothing() -> None:
    state = given(
        card="t07",
        options=EXPANSION,
        players={0: "carriages builefeld_paderborn | privileges take_thaler face_down"},
    )
    draft = when(state, "buy_in_town 1", "place_carriage corbach_paderborn")
    assert texts(draft.events) == [
        "CarriagePlaced 0 corbach_paderborn supply 1",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
    assert owned(draft.state, 0).endswith("| privileges take_thaler face_down")


def racing() -> State:
    """Return the position in which two seats lack one road between Duisburg and Paderborn."""
    way = "carriages duisburg_essen, dortmund_essen, dortmund_soest"
    players = {0: f"money 5 | {way}", 1: f"money 15 | tokens soest_salt | {way}"}
    return given(card="t06", seats=2, options=EXPANSION, players=players)


FIRST_THERE = ("0: buy_in_town 4", "0: place_carriage paderborn_soest")
SECOND_THERE = ("1: buy_merchandise_card coal_salt", "1: place_carriage paderborn_soest")


def test_scenario_35_the_black_carriages_wait() -> None:
    draft = when(racing(), *FIRST_THERE)
    assert texts(draft.events) == [
        "CarriagePlaced 0 paderborn_soest supply 0",
        "AdditionalCarriagesReceived 0",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
    assert owned(draft.state, 0) == (
        "money 0 | supply 10/4 | tokens soest_salt 2"
        " | carriages dortmund_essen, dortmund_soest, duisburg_essen, paderborn_soest"
        " | black waiting | merchants 4"
    )


def test_scenario_35_the_second_seat_on_the_route_gets_nothing() -> None:
    draft = when(racing(), *FIRST_THERE, *SECOND_THERE)
    assert texts(draft.events) == [
        "CarriagePlaced 1 paderborn_soest supply 0",
        "TurnEnded 1",
        "TurnStarted 0 2",
    ]
    assert owned(draft.state, 1) == (
        "money 0 | supply 11/4 | tokens soest_salt"
        " | carriages dortmund_essen, dortmund_soest, duisburg_essen, paderborn_soest"
        " | cards coal_salt | merchants market"
    )


def test_scenario_35_black_carriages_come_into_play_by_stocking_up() -> None:
    state = when(racing(), *FIRST_THERE, *SECOND_THERE).state
    assert legal(state, 0) == ["take_thaler", "store token", "store carriage", "stock_up_all"]
    draft = when(state, "0: stock_up_all")
    assert texts(draft.events) == ["MerchantPlaced 0 2 market null", "WarehouseEmptied 0 0 0 2"]
    for _ in range(2):
        assert legal(draft.state, 0) == AT_SOEST
        draft = when(draft.state, "place_carriage corbach_soest")
        assert texts(draft.events)[0] == "CarriagePlaced 0 corbach_soest hand 1"
    assert to_act(draft.state) == 1
    assert owned(draft.state, 0) == (
        "money 2 | supply 10/4 | tokens soest_salt 2 | carriages corbach_soest 2, dortmund_essen,"
        " dortmund_soest, duisburg_essen, paderborn_soest | black entered | merchants 4, market"
    )


ALL_ON_ROADS = "tokens hamm_beer 8 | carriages dortmund_hamm 4, hamm_soest 2 | warehouse 0/2"


def test_scenario_36_what_is_stored_may_come_from_a_road() -> None:
    state = given(options=EXPANSION, players={0: ALL_ON_ROADS})
    assert owned(state, 0).startswith("money 10 | supply 4/0 |")
    draft = when(state, "store carriage")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 market null",
        "PiecesDue 0 store null 0 1",
    ]
    assert legal(draft.state) == [
        "take_back_carriage dortmund_hamm",
        "take_back_carriage hamm_soest",
        "forfeit_piece",
    ]
    stored = when(draft.state, "take_back_carriage hamm_soest")
    assert texts(stored.events) == [
        "CarriageTakenBack 0 hamm_soest",
        "PieceStored 0 carriage",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
    assert owned(stored.state, 0) == (
        "money 10 | supply 4/0 | tokens hamm_beer 8 | carriages dortmund_hamm 4, hamm_soest"
        " | warehouse 0/3 | merchants market"
    )
    forfeited = when(draft.state, "forfeit_piece")
    assert texts(forfeited.events)[0] == "PieceForfeited 0 carriage"
    assert owned(forfeited.state, 0) == f"{owned(state, 0)} | merchants market"
