"""The order and the number of legal moves."""

from dataclasses import astuple
from typing import Final

import pytest
from hypothesis import given as given_any

from howff.engine.codec import classes_of
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import (
    CARD_ORDER,
    HOUSES,
    MERCHANDISE_CARDS,
    PRIVILEGES,
    ROADS,
    ROADS_OF,
    House,
)
from howff.engine.games.hellweg.legality import DecisionName, decision_of
from howff.engine.games.hellweg.moves import Move, Sell
from howff.engine.games.hellweg.state import LEFTOVER, State
from howff.engine.seats import Seat
from support.hellweg import given, legal, started, when
from support.hellweg_playouts import Playout, playouts

KINDS: Final = [
    "PlaceStartToken",
    "PlaceStartCarriage",
    "Sell",
    "SkipTown",
    "SellLeftover",
    "SkipLeftover",
    "BuyInTown",
    "StockUpOne",
    "BuyMerchandiseCard",
    "TakeThaler",
    "Store",
    "StockUpAll",
    "UsePrivilegeStorage",
    "UsePrivilegeStockUp",
    "UsePrivilegeTakeThaler",
    "ClaimPrivilege",
    "TakeBackToken",
    "TakeBackCarriage",
    "ForfeitPiece",
    "PlaceToken",
    "PlaceCarriage",
    "DeclineBonusCarriage",
    "EndTurn",
]
"""The order in which the rules list what a seat may do."""
ORDER: Final = {
    word: at
    for at, word in enumerate(
        (1, 2, 3, 4, "token", "carriage", *HOUSES, *ROADS, "warehouse", *CARD_ORDER, *PRIVILEGES)
    )
}
"""The order of what a move names: as in the tables, roads by their names."""
MOST: Final[dict[DecisionName, int]] = {
    "start_token": 14,
    "start_carriage": 5,
    "sell_or_skip": 37,
    "leftover": 13,
    "choose_action": 21,
    "missing_token": 13,
    "missing_carriage": 13,
    "put_token": 12,
    "put_carriage": 28,
    "bonus_carriage": 29,
    "after_action": 5,
}
"""Legal moves of a decision; with a bonus carriage there are 28 roads, and it may be declined."""


def place_of(wanted: House | None, move: Move) -> tuple[object, ...]:
    """Return a key by which legal moves have to be sorted, where a slot asks for *wanted*."""
    kind = KINDS.index(type(move).__name__)
    if isinstance(move, Sell):
        return (kind, move.origin != wanted, ORDER[move.origin], move.removes)
    return (kind, *(ORDER[word] for word in astuple(move)))


def wanted_from(state: State, seat: Seat) -> House | None:
    """Return the house that asks *seat* for goods, if one does."""
    sales = state.players[seat].sales
    return None if sales is None or sales.slot == LEFTOVER else state.square(sales.slot).house


def test_every_move_stands_in_a_table() -> None:
    assert {kind.__name__ for kind in classes_of(Move)} == set(KINDS)


@given_any(match=playouts)
def test_legal_moves_stand_in_the_order_of_the_rules(match: Playout) -> None:
    for step in match.steps:
        moves = GAME.legal_moves(step.before, step.seat)
        wanted = wanted_from(step.before, step.seat)
        keys = [place_of(wanted, move) for move in moves]
        assert keys == sorted(keys)
        assert len(set(moves)) == len(moves)


@given_any(match=playouts)
def test_no_decision_has_more_moves_than_the_rules_say(match: Playout) -> None:
    for step in match.steps:
        decision = decision_of(step.before, step.seat)
        assert decision is not None
        assert len(GAME.legal_moves(step.before, step.seat)) <= MOST[decision]
        for seat in set(range(match.seats)) - {*GAME.to_act(step.before)}:
            assert decision_of(step.before, Seat(seat)) is None


def expected_actions(state: State, seat: Seat) -> list[str]:
    """Return the main actions of *seat*, as the table of actions gives them."""
    player = state.players[seat]
    taken = {place for each in state.players for place in each.merchants}
    purse = player.money + (2 if player.merchants == ("market",) else 0)
    moves = [
        f"buy_in_town {slot}"
        for slot in (1, 2, 3, 4)
        if slot not in taken and state.square(slot).price <= purse
    ]
    expansion = state.options.warehouse_and_privileges
    if not expansion and player.money >= 1 and player.tokens:
        moves += ["stock_up_one token", "stock_up_one carriage"]
    moves += [
        f"buy_merchandise_card {card}"
        for card in MERCHANDISE_CARDS
        if card in state.for_sale and MERCHANDISE_CARDS[card].price <= purse
    ]
    return [
        *moves,
        "take_thaler",
        *(stores(state, seat, "store", "stock_up_all") if expansion else ()),
    ]


def stores(state: State, seat: Seat, store: str, stock_up: str) -> list[str]:
    """Return what *seat* may do with its warehouse, by an action or a privilege."""
    player, black = state.players[seat], state.additional_carriages
    waits = black is not None and black.owner == seat and black.waiting > 0
    moves = [f"{store} token"] if player.supply_tokens or player.tokens else []
    moves += [f"{store} carriage"] if player.supply_carriages or player.carriages else []
    is_filled = player.warehouse_tokens or player.warehouse_carriages or waits
    return [*moves, *([stock_up] if player.tokens and is_filled else [])]


def expected_privileges(state: State, seat: Seat) -> list[str]:
    """Return what *seat* may do beside its main action."""
    player = state.players[seat]
    sides = {held.privilege: held.side for held in player.privileges}
    usable = [privilege for privilege, side in sides.items() if side == "face_up"]
    moves = [
        move
        for move in stores(state, seat, "use_privilege_storage", "use_privilege_stock_up")
        if move.split()[0].removeprefix("use_privilege_") in usable
    ]
    moves += ["use_privilege_take_thaler"] if "take_thaler" in usable else []
    claimable = PRIVILEGES if player.claims else ()
    return moves + [f"claim_privilege {each}" for each in claimable if each not in sides]


@given_any(match=playouts)
def test_actions_and_privileges_are_offered_where_their_conditions_are_met(match: Playout) -> None:
    for step in match.steps:
        beside = expected_privileges(step.before, step.seat)
        match decision_of(step.before, step.seat):
            case "choose_action":
                expected = [*expected_actions(step.before, step.seat), *beside]
                assert legal(step.before, step.seat) == expected
            case "after_action":
                assert beside
                assert legal(step.before) == [*beside, "end_turn"]
            case _:
                pass


EVERYWHERE: Final = ", ".join(
    house for house in HOUSES if not house.startswith(("dortmund", "siegen", "lippstadt"))
)
"""Tokens on twelve houses, from which all roads start."""
PRIVILEGED: Final = "privileges storage, stock_up, take_thaler | warehouse 1/1"


def test_the_match_begins_on_any_house_outside_dortmund() -> None:
    state = started(3).state
    moves = legal(state)
    assert moves == [
        f"place_start_token {house}" for house in HOUSES if not house.startswith("dortmund")
    ]
    assert len(moves) == MOST["start_token"]
    for move in moves:
        town = HOUSES[House(move.split()[1])].town
        roads = legal(when(state, move).state)
        assert roads == [f"place_start_carriage {road}" for road in ROADS_OF[town]]
        assert 2 <= len(roads) <= MOST["start_carriage"]


SALT: Final = "wesel_salt, hagen_salt, moenster_salt, soest_salt, builefeld_salt, corbach_salt"


def test_the_longest_list_of_sales_with_eight_carriages_has_22_moves() -> None:
    roads = (
        "moenster_wesel, essen_wesel, essen_hagen, builefeld_moenster, duisburg_essen,"
        "essen_moenster, duisburg_wesel, duisburg_hagen"
    )
    state = given(players={0: f"tokens {SALT} | carriages {roads}"}, card="t01", slot=2)
    assert len(legal(state, only="sell")) == 21
    assert legal(state)[21:] == ["skip_town"]


def test_the_longest_list_of_sales_with_ten_carriages_has_37_moves() -> None:
    roads = (
        "corbach_dortmund, corbach_soest, dortmund_essen, dortmund_hagen, dortmund_moenster,"
        "dortmund_soest, essen_hagen, essen_moenster, essen_wesel, moenster_wesel"
    )
    state = given(
        options="warehouse_and_privileges",
        players={0: f"tokens {SALT} | carriages {roads} | black entered"},
        card="t02",
        slot=2,
    )
    assert len(legal(state, only="sell")) == 36
    assert len(legal(state)) == MOST["sell_or_skip"]


def test_the_longest_list_of_leftovers_has_13_moves() -> None:
    moves = legal(given(players={0: f"tokens {EVERYWHERE}"}, slot=LEFTOVER))
    assert len(moves) == MOST["leftover"]
    assert moves[-1] == "skip_leftover"


def test_the_longest_lists_of_actions_have_16_and_21_moves() -> None:
    state = given(seats=4, players={0: "money 60 | tokens soest_salt"})
    assert len(legal(state)) == 16
    state = given(
        seats=4,
        options="warehouse_and_privileges",
        players={0: f"money 60 | tokens soest_salt | {PRIVILEGED}"},
    )
    assert len(legal(state)) == MOST["choose_action"]
    assert len(legal(when(state, "take_thaler").state)) == MOST["after_action"]


@pytest.mark.parametrize("claims", [0, 1, 2, 3])
def test_with_claims_there_are_never_more_than_five_moves_after_an_action(claims: int) -> None:
    held = ("storage", "stock_up", "take_thaler")[: 3 - claims]
    seat = f"tokens soest_salt | warehouse 1/1 | claims {claims} | privileges {', '.join(held)}"
    state = given(options="warehouse_and_privileges", players={0: seat})
    moves = legal(when(state, "take_thaler").state)
    assert len(moves) == {0: 5, 1: 5, 2: 5, 3: 4}[claims]


def test_a_carriage_has_28_roads_at_most_and_a_bonus_may_be_declined() -> None:
    state = given(players={0: f"money 60 | supply 0/8 | tokens {EVERYWHERE}"})
    roads = [f"place_carriage {road}" for road in ROADS]
    assert legal(when(state, "stock_up_one carriage").state) == roads
    assert len(roads) == MOST["put_carriage"]
    moves = legal(when(state, "buy_merchandise_card coal_salt").state)
    assert moves == [*roads, "decline_bonus_carriage"]
    assert len(moves) == MOST["bonus_carriage"]


def test_the_longest_list_of_tokens_to_take_back_has_13_moves() -> None:
    seat = f"tokens {EVERYWHERE}"
    state = given(options="warehouse_and_privileges", players={0: seat})
    assert len(legal(when(state, "store token").state)) == MOST["missing_token"]
    state = given(players={0: seat})
    assert len(legal(when(state, "stock_up_one token").state)) == MOST["missing_token"]


def test_the_longest_list_of_carriages_to_take_back_has_11_moves() -> None:
    roads = ", ".join(sorted(ROADS)[:10])
    state = given(
        options="warehouse_and_privileges",
        players={0: f"carriages {roads} | black entered"},
    )
    moves = legal(when(state, "store carriage").state)
    assert moves == [
        *(f"take_back_carriage {road}" for road in sorted(ROADS)[:10]),
        "forfeit_piece",
    ]
