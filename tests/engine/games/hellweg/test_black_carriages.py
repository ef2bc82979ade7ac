"""The two black carriages: who gets them, when they come into play, what they are then."""

from collections.abc import Iterable
from typing import Final, Unpack

import pytest

from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.events import AdditionalCarriagesReceived, CarriagePlaced
from howff.engine.games.hellweg.scoring import standings
from howff.engine.games.hellweg.state import LEFTOVER, AdditionalCarriages, State
from howff.engine.seats import Seat
from support.hellweg import Parts, given, legal, owned, texts, when
from support.texts import kinds, of

EXPANSION: Final = "warehouse_and_privileges"
MOST_OF_THE_WAY: Final = "duisburg_essen, dortmund_essen, dortmund_soest"
"""From Duisburg to Soest, from where a road leads to Paderborn."""
WAY: Final = f"{MOST_OF_THE_WAY}, paderborn_soest"
LAST_ROAD: Final = "place_carriage paderborn_soest"
RECEIVED: Final = ["AdditionalCarriagesReceived 0"]


def black(state: State) -> AdditionalCarriages:
    assert state.additional_carriages is not None
    return state.additional_carriages


def received(events: Iterable[object]) -> list[str]:
    return texts(of(events, AdditionalCarriagesReceived))


def test_nobody_owns_the_black_carriages_at_first() -> None:
    state = given(options=EXPANSION, players={0: f"tokens soest_salt | carriages {WAY}"})
    assert black(state) == AdditionalCarriages(owner=None, waiting=2)
    assert "stock_up_all" not in legal(state)


def test_the_way_may_be_built_over_several_turns() -> None:
    seat = "tokens essen_beer | warehouse 0/1 | carriages duisburg_essen, dortmund_soest"
    state = given(seats=2, options=EXPANSION, players={0: seat}, card="t06")
    draft = when(state, "stock_up_all", "place_carriage dortmund_essen")
    assert received(draft.events) == []
    draft = when(draft.state, "take_thaler", "buy_in_town 4", LAST_ROAD)
    assert received(draft.events) == RECEIVED
    assert black(draft.state) == AdditionalCarriages(owner=Seat(0), waiting=2)


@pytest.mark.parametrize(
    ("way", "last"),
    [
        (MOST_OF_THE_WAY, "paderborn_soest"),
        ("duisburg_hagen, hagen_olpe, corbach_olpe, corbach_soest", "paderborn_soest"),
        ("duisburg_hagen, dortmund_hagen, dortmund_hamm, hamm_lippstadt", "lippstadt_paderborn"),
        (
            "duisburg_wesel, moenster_wesel, builefeld_moenster, dortmund_soest",
            "builefeld_paderborn",
        ),
    ],
)
def test_any_way_from_duisburg_to_paderborn_will_do(way: str, last: str) -> None:
    seat = f"tokens paderborn_beer | warehouse 0/1 | carriages {way}"
    state = given(options=EXPANSION, players={0: seat})
    draft = when(state, "stock_up_all", f"place_carriage {last}")
    assert received(draft.events) == RECEIVED


@pytest.mark.parametrize(
    ("seat", "moves"),
    [
        ("money 60", ["buy_merchandise_card coal_salt"]),
        ("money 9", ["buy_in_town 4"]),
        ("warehouse 0/1", ["stock_up_all"]),
        ("warehouse 0/1 | privileges stock_up", ["use_privilege_stock_up"]),
    ],
)
def test_whatever_places_the_last_carriage_brings_them(seat: str, moves: list[str]) -> None:
    tokens = f"{seat} | tokens soest_salt | carriages {MOST_OF_THE_WAY}"
    state = given(options=EXPANSION, players={0: tokens}, card="t06")
    draft = when(state, *moves, LAST_ROAD)
    assert received(draft.events) == RECEIVED
    assert kinds(draft.events)[:2] == ["CarriagePlaced", "AdditionalCarriagesReceived"]


def test_a_carriage_taken_back_and_placed_anew_brings_them() -> None:
    seat = f"money 60 | tokens soest_salt | carriages {MOST_OF_THE_WAY}, dortmund_moenster 5"
    state = given(options=EXPANSION, players={0: seat})
    moves = ("buy_merchandise_card coal_salt", "take_back_carriage dortmund_moenster", LAST_ROAD)
    assert received(when(state, *moves).events) == RECEIVED


def test_one_carriage_may_bring_a_privilege_too() -> None:
    seat = (
        "tokens builefeld_salt | warehouse 0/1"
        " | carriages corbach_paderborn, duisburg_wesel, moenster_wesel, builefeld_moenster"
    )
    state = given(options=EXPANSION, players={0: seat})
    draft = when(state, "stock_up_all", "place_carriage builefeld_paderborn")
    assert texts(draft.events)[:3] == [
        "CarriagePlaced 0 builefeld_paderborn hand 0",
        "PrivilegeReceived 0 take_thaler route 0",
        "AdditionalCarriagesReceived 0",
    ]


def test_the_family_game_has_none() -> None:
    seat = f"money 60 | tokens soest_salt | carriages {MOST_OF_THE_WAY}"
    draft = when(given(players={0: seat}), "buy_merchandise_card coal_salt", LAST_ROAD)
    assert len(of(draft.events, CarriagePlaced)) == 1
    assert received(draft.events) == []
    assert draft.state.additional_carriages is None


def test_ruling_24_they_do_not_come_with_the_stock_up_that_brings_them() -> None:
    seat = f"tokens soest_salt | warehouse 0/2 | carriages {MOST_OF_THE_WAY}"
    state = given(options=EXPANSION, players={0: seat})
    draft = when(state, "stock_up_all")
    assert texts(draft.events)[-1] == "WarehouseEmptied 0 0 2 0"
    state = when(draft.state, LAST_ROAD).state
    assert state.due is not None
    assert state.due.carriages == 1
    state = when(state, "place_carriage hamm_soest").state
    assert black(state) == AdditionalCarriages(owner=Seat(0), waiting=2)
    assert owned(state, 0) == (
        "money 10 | supply 11/3 | tokens soest_salt"
        " | carriages dortmund_essen, dortmund_soest, duisburg_essen, hamm_soest, paderborn_soest"
        " | black waiting | merchants market"
    )


def test_ruling_24_they_come_with_the_next_stock_up_of_the_same_turn() -> None:
    seat = f"tokens soest_salt | warehouse 0/1 | carriages {MOST_OF_THE_WAY} | privileges stock_up"
    state = when(given(options=EXPANSION, players={0: seat}), "stock_up_all", LAST_ROAD).state
    assert legal(state) == ["use_privilege_stock_up", "end_turn"]
    draft = when(state, "use_privilege_stock_up")
    assert texts(draft.events) == ["PrivilegeUsed 0 stock_up", "WarehouseEmptied 0 0 0 2"]
    assert black(draft.state) == AdditionalCarriages(owner=Seat(0), waiting=0)


def test_ruling_24_they_do_not_come_with_the_privilege_that_brings_them() -> None:
    seat = f"tokens soest_salt | warehouse 0/1 | carriages {MOST_OF_THE_WAY} | privileges stock_up"
    state = given(options=EXPANSION, players={0: seat})
    draft = when(state, "use_privilege_stock_up", LAST_ROAD)
    assert texts(draft.events)[1:] == RECEIVED
    assert "stock_up_all" in legal(draft.state)
    assert texts(when(draft.state, "stock_up_all").events)[-1] == "WarehouseEmptied 0 0 0 2"


def waiting(seat: str = "") -> State:
    """Return a position in which the black carriages of seat 0 wait, and it may act."""
    return given(options=EXPANSION, players={0: f"tokens soest_salt | black waiting | {seat}"})


@pytest.mark.parametrize(
    ("seat", "move"),
    [("", "stock_up_all"), ("privileges stock_up", "use_privilege_stock_up")],
)
def test_ruling_23_they_come_by_the_action_and_by_the_privilege(seat: str, move: str) -> None:
    draft = when(waiting(f"carriages {WAY} | {seat}"), move)
    assert texts(draft.events)[-1] == "WarehouseEmptied 0 0 0 2"
    state = draft.state
    roads = [
        f"place_carriage {road}_soest" for road in ("corbach", "dortmund", "hamm", "lippstadt")
    ]
    for _ in range(2):
        assert legal(state) == [*roads, LAST_ROAD]
        state = when(state, "place_carriage corbach_soest").state
    player = state.players[0]
    assert (len(player.carriages), player.supply_carriages, player.money) == (6, 4, 12)
    assert black(state) == AdditionalCarriages(owner=Seat(0), waiting=0)


def test_they_come_together_with_what_was_stored() -> None:
    draft = when(waiting("warehouse 1/2"), "stock_up_all")
    assert texts(draft.events)[-1] == "WarehouseEmptied 0 1 2 2"
    assert draft.state.due is not None
    assert (draft.state.due.tokens, draft.state.due.carriages) == (1, 4)
    moves = ("place_token soest_salt", *["place_carriage hamm_soest"] * 4)
    state = when(draft.state, *moves).state
    assert owned(state, 0).startswith(
        "money 10 | supply 10/6 | tokens soest_salt 2 | carriages hamm_soest 4 | black entered"
    )


def test_ruling_26_they_wait_for_a_token_on_the_board() -> None:
    state = given(options=EXPANSION, players={0: "black waiting | privileges stock_up"})
    assert legal(state, only="stock_up_all use_privilege_stock_up") == []


def test_ruling_25_they_are_not_taken_back_while_they_wait() -> None:
    state = when(waiting("carriages corbach_soest 8"), "buy_in_town 3").state
    assert legal(state) == ["take_back_carriage corbach_soest", "forfeit_piece"]
    state = when(waiting("carriages corbach_soest 7 | warehouse 0/1"), "buy_in_town 3").state
    assert legal(state) == [
        "take_back_carriage corbach_soest",
        "take_back_carriage warehouse",
        "forfeit_piece",
    ]
    moves = ("take_back_carriage warehouse", "place_carriage builefeld_moenster")
    state = when(state, *moves).state
    assert owned(state, 0) == (
        "money 6 | supply 10/0 | tokens moenster_ironware, soest_salt"
        " | carriages builefeld_moenster, corbach_soest 7 | black waiting | merchants 3"
    )


def test_ruling_25_a_bonus_carriage_does_not_come_from_those_that_wait() -> None:
    state = waiting("money 60 | carriages corbach_soest 8")
    state = when(state, "buy_merchandise_card coal_salt").state
    assert legal(state) == ["take_back_carriage corbach_soest", "decline_bonus_carriage"]


def test_a_stock_up_of_another_seat_leaves_them_waiting() -> None:
    state = given(
        options=EXPANSION,
        players={0: "tokens essen_beer | warehouse 1/0", 1: "tokens soest_salt | black waiting"},
    )
    draft = when(state, "stock_up_all")
    assert texts(draft.events)[-1] == "WarehouseEmptied 0 1 0 0"
    draft = when(draft.state, "place_token essen_beer")
    assert black(draft.state) == AdditionalCarriages(owner=Seat(1), waiting=2)
    assert texts(when(draft.state, "stock_up_all").events)[-1] == "WarehouseEmptied 1 0 0 2"


def test_of_two_seats_the_first_to_arrive_gets_them() -> None:
    seat = f"money 60 | tokens soest_salt | carriages {MOST_OF_THE_WAY}"
    state = given(seats=2, options=EXPANSION, players={0: seat, 1: seat}, starting_seat=1)
    draft = when(state, "buy_merchandise_card coal_salt", LAST_ROAD)
    assert received(draft.events) == ["AdditionalCarriagesReceived 1"]
    draft = when(draft.state, "buy_merchandise_card coal_ironware", LAST_ROAD)
    assert received(draft.events) == []
    assert black(draft.state) == AdditionalCarriages(owner=Seat(1), waiting=2)
    assert "stock_up_all" in legal(draft.state)
    draft = when(draft.state, "take_thaler")
    assert "stock_up_all" not in legal(draft.state)


def test_of_two_seats_the_second_gets_nothing_even_once_they_have_come() -> None:
    seat = f"money 60 | tokens soest_salt | carriages {MOST_OF_THE_WAY}"
    state = given(
        seats=2,
        options=EXPANSION,
        players={0: seat, 1: "tokens soest_salt | black entered"},
    )
    draft = when(state, "buy_merchandise_card coal_salt", LAST_ROAD)
    assert received(draft.events) == []
    assert black(draft.state) == AdditionalCarriages(owner=Seat(1), waiting=0)


def test_the_carriages_of_another_seat_do_not_help() -> None:
    seat = "money 60 | tokens soest_salt | carriages duisburg_essen, dortmund_soest"
    state = given(
        options=EXPANSION, players={0: seat, 1: "carriages dortmund_essen 2, duisburg_essen"}
    )
    draft = when(state, "buy_merchandise_card coal_salt", LAST_ROAD)
    assert received(draft.events) == []


def test_ruling_30_they_stay_with_their_owner_when_the_way_is_broken() -> None:
    state = waiting(f"supply 9/0 | carriages {WAY}, corbach_soest 4")
    state = when(state, "buy_in_town 3", "take_back_carriage dortmund_soest").state
    state = when(state, "place_carriage dortmund_moenster").state
    assert black(state) == AdditionalCarriages(owner=Seat(0), waiting=2)
    state = when(state, *["take_thaler"] * 2).state
    assert texts(when(state, "stock_up_all").events)[-1] == "WarehouseEmptied 0 0 0 2"


def entered(seat: str, **parts: Unpack[Parts]) -> State:
    """Return a position in which the black carriages of seat 0 have come into play."""
    all_parts: Parts = {**parts, "options": EXPANSION, "players": {0: f"black entered | {seat}"}}
    return given(**all_parts)


def test_in_play_they_are_ten_carriages_for_a_purchase() -> None:
    state = entered("money 5 | carriages corbach_soest 8", card="t06")
    moves = ("buy_in_town 1", *["place_carriage olpe_siegen"] * 2)
    state = when(state, *moves).state
    assert (len(state.players[0].carriages), state.players[0].supply_carriages) == (10, 0)
    assert state.players[0].money == 2


def test_in_play_they_are_taken_back_like_others() -> None:
    state = entered("money 5 | carriages corbach_soest 9, hamm_soest", card="t06")
    state = when(state, "buy_in_town 1").state
    assert legal(state) == [
        "take_back_carriage corbach_soest",
        "take_back_carriage hamm_soest",
        "forfeit_piece",
    ]
    state = when(state, "take_back_carriage hamm_soest", "place_carriage corbach_siegen").state
    assert state.players[0].carriages == ("corbach_siegen", *["corbach_soest"] * 9)


def test_in_play_they_are_stored_like_others() -> None:
    state = entered("tokens soest_salt | carriages corbach_soest 9", round=2)
    state = when(state, "store carriage").state
    assert (state.players[0].supply_carriages, state.players[0].warehouse_carriages) == (0, 1)
    state = entered("tokens soest_salt | warehouse 0/10")
    draft = when(state, "stock_up_all")
    assert texts(draft.events)[-1] == "WarehouseEmptied 0 0 10 0"
    state = when(draft.state, *["place_carriage hamm_soest"] * 10).state
    assert state.players[0].carriages == ("hamm_soest",) * 10


def test_in_play_they_are_removed_by_a_sale_like_others() -> None:
    roads = "corbach_olpe, corbach_dortmund, hamm_soest 8"
    state = entered(f"tokens olpe_ironware | carriages {roads}", card="t03", slot=2)
    draft = when(state, "sell olpe_ironware [corbach_dortmund, corbach_olpe]")
    player = draft.state.players[0]
    assert (player.carriages, player.supply_carriages) == (("hamm_soest",) * 8, 2)


@pytest.mark.parametrize(
    ("mine", "other", "ranks"),
    [
        ("black entered | carriages hamm_soest 9", "carriages hamm_soest 8", (1, 2)),
        ("black entered | carriages hamm_soest 8", "carriages hamm_soest 8", (1, 1)),
        ("black waiting | carriages hamm_soest 7", "carriages hamm_soest 8", (2, 1)),
        (
            "black entered | carriages hamm_soest 7 | warehouse 0/3",
            "carriages hamm_soest 8",
            (2, 1),
        ),
    ],
)
def test_on_roads_they_count_in_a_tie(mine: str, other: str, ranks: tuple[int, int]) -> None:
    state = given(
        seats=2, options=EXPANSION, players={0: mine, 1: other}, active=1, slot=LEFTOVER, last=True
    )
    assert tuple(standing.rank for standing in standings(state.players)) == ranks


def test_a_view_tells_everybody_whose_they_are() -> None:
    state = waiting()
    for viewer in (None, Seat(0), Seat(1)):
        assert GAME.view(state, viewer).additional_carriages == AdditionalCarriages(Seat(0), 2)
