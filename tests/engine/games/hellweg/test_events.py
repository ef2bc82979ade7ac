"""The order of events in a commit."""

import re

import pytest

from howff.engine.codec import classes_of
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.events import Event
from howff.engine.games.hellweg.moves import Move
from howff.engine.games.hellweg.state import Options
from support.hellweg import given, legal, moves, new_month, owned, texts, when
from support.playouts import Playout, play_out
from support.texts import kinds

EXPANSION = "warehouse_and_privileges"
OPTIONS = (
    Options(),
    Options(warehouse_and_privileges=True, passenger_transportation=True),
    Options(warehouse_and_privileges=True, simultaneous_sales=True, short_game=True),
)
MATCHES = [(options, seats) for options in OPTIONS for seats in GAME.seats]

T07 = (
    "t07 [{paderborn_beer 4 1 1}, {moenster_ironware 5 2 1}, {duisburg_ironware 3 1 1},"
    " {hagen_salt 4 1 1}]"
)
"""A trading card as it is told."""
SALES = "( TownPassed| SeatSalesEnded)*( SalesEnded( TurnStarted| GameEnded))?"
MONTH = f" MonthBegan TradingCardRevealed{SALES}"
TURN_END = (
    f" TurnEnded( TurnStarted| MerchantsRetrieved TradingCardRemoved StartingPlayerPassed{MONTH})"
)
ENDS = f"({TURN_END})?"
BROUGHT = "( PrivilegeReceived)*( AdditionalCarriagesReceived)?"
COMMITS = {
    "PlaceStartToken": f" TokenPlaced( PiecesDue|{MONTH})?",
    "PlaceStartCarriage": f" CarriagePlaced( PiecesDue|{MONTH})",
    "Sell": f" MerchandiseSold{SALES}",
    "SkipTown": f" TownPassed{SALES}",
    "SellLeftover": f" LeftoverSold SeatSalesEnded{SALES}",
    "SkipLeftover": f" LeftoverSkipped SeatSalesEnded{SALES}",
    "BuyInTown": f" MerchantPlaced MoneyPaid PiecesDue( TokenPlaced)*( PieceForfeited)*{ENDS}",
    "StockUpOne": " MerchantPlaced MoneyPaid PiecesDue",
    "BuyMerchandiseCard": (
        f" MerchantPlaced MerchandiseCardBought( PrivilegeClaimEarned)?( PiecesDue|{ENDS})"
    ),
    "TakeThaler": f" MerchantPlaced MoneyReceived( PrivilegesRevealed)?{ENDS}",
    "Store": f" MerchantPlaced PiecesDue( PieceStored{ENDS})?",
    "StockUpAll": " MerchantPlaced WarehouseEmptied",
    "UsePrivilegeStorage": f" PrivilegeUsed PiecesDue( PieceStored{ENDS})?",
    "UsePrivilegeStockUp": " PrivilegeUsed WarehouseEmptied",
    "UsePrivilegeTakeThaler": f" PrivilegeUsed MoneyReceived( PrivilegesRevealed)?{ENDS}",
    "ClaimPrivilege": f" PrivilegeReceived{ENDS}",
    "TakeBackToken": f" TokenTakenBack(( TokenPlaced( PieceForfeited)*| PieceStored){ENDS})?",
    "TakeBackCarriage": f" CarriageTakenBack( PieceStored{ENDS})?",
    "ForfeitPiece": f"( PieceForfeited)+{ENDS}",
    "PlaceToken": f" TokenPlaced{ENDS}",
    "PlaceCarriage": f" CarriagePlaced{BROUGHT}{ENDS}",
    "DeclineBonusCarriage": f" BonusCarriageDeclined{ENDS}",
    "EndTurn": TURN_END,
}
"""What each move may cause, in this order."""


def match_of(options: Options, seats: int) -> Playout:
    """Return a match played at random."""
    return play_out(GAME, options, seats, seed=46)


@pytest.mark.parametrize(("options", "seats"), MATCHES)
def test_events_of_a_commit_stand_in_order(options: Options, seats: int) -> None:
    for step in match_of(options, seats).steps[1:]:
        found = "".join(f" {kind}" for kind in kinds(step.events))
        assert re.fullmatch(COMMITS[type(step.move).__name__], found), (step.move, found)


def test_the_matches_show_every_move_and_nearly_every_event() -> None:
    assert {kind.__name__ for kind in classes_of(Move)} == set(COMMITS)
    matches = [match_of(options, seats) for options, seats in MATCHES]
    moves = {type(step.move).__name__ for match in matches for step in match.steps[1:]}
    assert moves == set(COMMITS)
    told = {kind for match in matches for kind in kinds(match.events)}
    rare = {"AdditionalCarriagesReceived"}
    assert {kind.__name__ for kind in classes_of(Event)} - rare <= told


def test_a_purchase_takes_back_and_forfeits_tokens_before_carriages() -> None:
    text = "tokens hamm_beer 10, hagen_salt | carriages hamm_soest 4, dortmund_hamm 4"
    draft = when(given(card="t11", players={0: text}), "buy_in_town 2")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 2 dortmund",
        "MoneyPaid 0 5 purchase",
        "PiecesDue 0 purchase dortmund_beer 2 1",
        "TokenPlaced 0 dortmund_beer supply",
    ]
    draft = when(draft.state, "take_back_token hagen_salt")
    assert texts(draft.events) == [
        "TokenTakenBack 0 hagen_salt",
        "TokenPlaced 0 dortmund_beer supply",
    ]
    draft = when(draft.state, "take_back_carriage hamm_soest")
    assert texts(draft.events) == ["CarriageTakenBack 0 hamm_soest"]
    draft = when(draft.state, "place_carriage dortmund_soest")
    assert texts(draft.events) == [
        "CarriagePlaced 0 dortmund_soest supply 1",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
    assert owned(draft.state, 0) == (
        "money 6 | supply 0/0 | tokens dortmund_beer 2, hamm_beer 10"
        " | carriages dortmund_hamm 4, dortmund_soest, hamm_soest 3 | merchants 2"
    )


def test_stocking_up_takes_its_piece_back_before_it_asks_where_it_goes() -> None:
    text = "tokens hamm_beer 11, hagen_salt"
    draft = when(given(players={0: text}), "stock_up_one token")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 market null",
        "MoneyPaid 0 1 stock_up",
        "PiecesDue 0 stock_up null 1 0",
    ]
    take_backs = moves("take_back_token", "hagen_salt", "hamm_beer")
    assert legal(draft.state) == [*take_backs, "forfeit_piece"]
    draft = when(draft.state, "take_back_token hagen_salt")
    assert texts(draft.events) == ["TokenTakenBack 0 hagen_salt"]
    assert legal(draft.state) == ["place_token hamm_beer"]
    draft = when(draft.state, "place_token hamm_beer")
    assert texts(draft.events) == [
        "TokenPlaced 0 hamm_beer supply",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]


def test_a_bonus_carriage_that_is_taken_back_has_to_be_placed() -> None:
    text = "money 20 | tokens hamm_beer | carriages corbach_olpe 6 | warehouse 0/2"
    draft = when(given(options=EXPANSION, players={0: text}), "buy_merchandise_card herring_pair")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 market null",
        "MerchandiseCardBought 0 herring_pair 20",
        "PrivilegeClaimEarned 0 1",
        "PiecesDue 0 bonus null 0 1",
    ]
    take_backs = moves("take_back_carriage", "corbach_olpe", "warehouse")
    assert legal(draft.state) == [*take_backs, "decline_bonus_carriage"]
    taken = when(draft.state, "take_back_carriage warehouse")
    assert texts(taken.events) == ["CarriageTakenBack 0 warehouse"]
    assert legal(taken.state) == moves(
        "place_carriage", "dortmund_hamm", "hamm_lippstadt", "hamm_moenster", "hamm_soest"
    )
    placed = when(taken.state, "place_carriage hamm_moenster")
    assert texts(placed.events) == ["CarriagePlaced 0 hamm_moenster supply 1"]
    assert owned(placed.state, 0) == (
        "money 1 | supply 11/0 | tokens hamm_beer | carriages corbach_olpe 6, hamm_moenster"
        " | warehouse 0/1 | cards herring_pair | merchants market | claims 1"
    )
    declined = when(draft.state, "decline_bonus_carriage")
    assert texts(declined.events) == ["BonusCarriageDeclined 0"]


def test_what_is_declined_ends_the_turn() -> None:
    state = given(players={0: "money 15 | tokens hamm_beer"})
    draft = when(state, "buy_merchandise_card coal_salt", "decline_bonus_carriage")
    assert texts(draft.events) == ["BonusCarriageDeclined 0", "TurnEnded 0", "TurnStarted 1 1"]


def test_storing_with_an_empty_supply_takes_a_piece_back_first() -> None:
    text = "tokens hamm_beer 9 | warehouse 3/0"
    draft = when(given(options=EXPANSION, players={0: text}), "store token")
    assert texts(draft.events) == ["MerchantPlaced 0 1 market null", "PiecesDue 0 store null 1 0"]
    assert legal(draft.state) == ["take_back_token hamm_beer", "forfeit_piece"]
    draft = when(draft.state, "take_back_token hamm_beer")
    assert texts(draft.events) == [
        "TokenTakenBack 0 hamm_beer",
        "PieceStored 0 token",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
    assert owned(draft.state, 0) == (
        "money 10 | supply 0/8 | tokens hamm_beer 8 | warehouse 4/0 | merchants market"
    )


def test_storing_by_privilege_is_due_even_if_the_supply_has_a_piece() -> None:
    state = given(options=EXPANSION, players={0: "privileges storage"})
    assert texts(when(state, "use_privilege_storage carriage").events) == [
        "PrivilegeUsed 0 storage",
        "PiecesDue 0 store null 0 1",
        "PieceStored 0 carriage",
    ]


@pytest.mark.parametrize(
    ("move", "first"),
    [
        ("stock_up_all", "MerchantPlaced 0 1 market null"),
        ("use_privilege_stock_up", "PrivilegeUsed 0 stock_up"),
    ],
)
def test_black_carriages_come_into_play_with_all_that_is_stored(move: str, first: str) -> None:
    text = "money 3 | tokens siegen_beer | warehouse 1/1 | black waiting | privileges stock_up"
    draft = when(given(options=EXPANSION, players={0: text}), move)
    assert texts(draft.events) == [first, "WarehouseEmptied 0 1 1 2"]
    draft = when(draft.state, "place_token siegen_beer")
    assert texts(draft.events) == ["TokenPlaced 0 siegen_beer hand"]
    for road, thaler in (("olpe_siegen", 1), ("corbach_siegen", 0), ("olpe_siegen", 1)):
        assert legal(draft.state) == moves("place_carriage", "corbach_siegen", "olpe_siegen")
        draft = when(draft.state, f"place_carriage {road}")
        assert texts(draft.events)[0] == f"CarriagePlaced 0 {road} hand {thaler}"
    assert owned(draft.state, 0).startswith(
        "money 5 | supply 10/7 | tokens siegen_beer 2 | carriages corbach_siegen, olpe_siegen 2"
        " | black entered |"
    )


def test_one_carriage_may_bring_all_privileges_and_the_black_carriages() -> None:
    text = (
        "tokens corbach_salt | carriages duisburg_wesel, moenster_wesel, builefeld_moenster,"
        " hagen_olpe, corbach_olpe, corbach_paderborn | claims 1"
    )
    state = when(given(card="t07", options=EXPANSION, players={0: text}), "buy_in_town 4").state
    draft = when(state, "place_carriage duisburg_hagen")
    assert texts(draft.events) == [
        "CarriagePlaced 0 duisburg_hagen supply 0",
        "PrivilegeReceived 0 storage route 1",
        "PrivilegeReceived 0 stock_up route 1",
        "PrivilegeReceived 0 take_thaler route 0",
        "AdditionalCarriagesReceived 0",
    ]
    assert owned(draft.state, 0).endswith(
        "| black waiting | merchants 4 | privileges storage, stock_up, take_thaler"
    )


def test_without_the_expansion_a_route_brings_nothing() -> None:
    text = "carriages duisburg_wesel, moenster_wesel, hagen_olpe"
    draft = when(given(card="t07", players={0: text}), "buy_in_town 4")
    draft = when(draft.state, "place_carriage duisburg_hagen")
    assert texts(draft.events) == [
        "CarriagePlaced 0 duisburg_hagen supply 0",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]


@pytest.mark.parametrize(
    ("others", "revealed"),
    [
        ("storage face_down, stock_up face_down, ", ["PrivilegesRevealed 0 [storage, stock_up]"]),
        ("storage, stock_up face_down, ", ["PrivilegesRevealed 0 [stock_up]"]),
        ("storage, stock_up, ", []),
        ("", []),
    ],
)
def test_a_privilege_reveals_the_others_after_its_thaler(others: str, revealed: list[str]) -> None:
    text = f"money 0 | privileges {others}take_thaler"
    draft = when(given(options=EXPANSION, players={0: text}), "use_privilege_take_thaler")
    assert texts(draft.events) == [
        "PrivilegeUsed 0 take_thaler",
        "MoneyReceived 0 1 take_thaler",
        *revealed,
    ]
    assert owned(draft.state, 0).startswith("money 1 |")
    assert owned(draft.state, 0).endswith("take_thaler face_down")


def test_the_main_action_reveals_the_privilege_of_the_same_name() -> None:
    text = "privileges storage, take_thaler"
    draft = when(given(options=EXPANSION, players={0: text}), "use_privilege_take_thaler")
    draft = when(draft.state, "take_thaler")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 market null",
        "MoneyReceived 0 1 take_thaler",
        "PrivilegesRevealed 0 [take_thaler]",
    ]
    assert owned(draft.state, 0).endswith("| privileges storage, take_thaler locked")


def test_the_last_claim_may_end_the_turn() -> None:
    text = "privileges storage face_down, take_thaler face_down | claims 1"
    state = when(given(options=EXPANSION, players={0: text}), "take_thaler").state
    draft = when(state, "claim_privilege stock_up")
    assert texts(draft.events) == [
        "PrivilegeReceived 0 stock_up card 0",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]


def passed(seat: int, *slots: int) -> list[str]:
    """Return what tells that a seat has nothing for these slots."""
    return [f"TownPassed {seat} {slot} true" for slot in slots]


def test_the_end_of_a_month_goes_on_to_the_first_choice_of_the_next() -> None:
    players = {0: "tokens hamm_beer", 1: "carriages dortmund_hamm", 2: "tokens essen_beer"}
    state = given(card="t04", round=2, active=2, stack=["t07"], players=players)
    draft = when(state, "2: take_thaler")
    assert texts(draft.events) == [
        "MerchantPlaced 2 2 market null",
        "MoneyReceived 2 1 take_thaler",
        "TurnEnded 2",
        "MerchantsRetrieved 2",
        "TradingCardRemoved 2",
        "StartingPlayerPassed 1",
        "MonthBegan 3 1",
        f"TradingCardRevealed 3 {T07} false",
        *passed(1, 1, 2, 3, 4),
        "SeatSalesEnded 1",
        *passed(2, 1, 2, 3, 4),
    ]
    assert legal(draft.state, 2) == ["sell_leftover essen_beer", "skip_leftover"]
    draft = when(draft.state, "skip_leftover")
    assert texts(draft.events) == ["LeftoverSkipped 2", "SeatSalesEnded 2", *passed(0, 1, 2, 3, 4)]
    draft = when(draft.state, "0: sell_leftover hamm_beer")
    assert texts(draft.events) == [
        "LeftoverSold 0 hamm_beer beer 2 0 0 2",
        "SeatSalesEnded 0",
        "SalesEnded 3",
        "TurnStarted 1 1",
    ]


def test_a_month_in_which_nobody_has_goods_goes_on_to_its_actions() -> None:
    draft = new_month(seats=2, starting_seat=1, card="t07", month=5)
    assert texts(draft.events)[3:] == [
        "MerchantsRetrieved 4",
        "TradingCardRemoved 4",
        "StartingPlayerPassed 1",
        "MonthBegan 5 1",
        f"TradingCardRevealed 5 {T07} false",
        *passed(1, 1, 2, 3, 4),
        "SeatSalesEnded 1",
        *passed(0, 1, 2, 3, 4),
        "SeatSalesEnded 0",
        "SalesEnded 5",
        "TurnStarted 1 1",
    ]


def test_the_last_month_has_sales_and_the_end() -> None:
    players = {0: "money 4 | tokens hagen_salt", 1: "money 9"}
    draft = new_month(seats=2, starting_seat=1, card="t07", last=True, players=players)
    assert texts(draft.events)[6:] == [
        "MonthBegan 12 1",
        f"TradingCardRevealed 12 {T07} true",
        *passed(1, 1, 2, 3, 4),
        "SeatSalesEnded 1",
        *passed(0, 1, 2, 3),
    ]
    draft = when(draft.state, "0: sell hagen_salt []")
    assert texts(draft.events) == [
        "MerchandiseSold 0 4 hagen salt hagen_salt [] [] 4 0 0 2 0 6",
        "SeatSalesEnded 0",
        "SalesEnded 12",
        "GameEnded [{10 0 [] 10 0 0 1}, {9 0 [] 9 0 0 2}]",
    ]
