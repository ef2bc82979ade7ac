"""Rulings on sales, purchases and the end that no numbered scenario shows."""

from typing import Final

import pytest

from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import TRADING_CARDS, TradingCard
from howff.engine.games.hellweg.events import (
    LeftoverSold,
    MerchandiseSold,
    SeatSalesEnded,
    TradingCardRevealed,
)
from howff.engine.games.hellweg.scoring import best_pairs, card_value, standings
from howff.engine.games.hellweg.state import LEFTOVER, Pair
from howff.engine.seats import Seat
from support.hellweg import given, legal, new_month, owned, texts, to_act, when
from support.texts import kinds, of

SALT_OF_SOEST: Final = "money 60 | tokens soest_salt"


def roads(*names: str) -> list[str]:
    return [f"place_carriage {name}" for name in names]


AT_SOEST: Final = roads(
    "corbach_soest", "dortmund_soest", "hamm_soest", "lippstadt_soest", "paderborn_soest"
)


def test_ruling_01_the_towns_come_in_reading_order() -> None:
    seat = "tokens paderborn_beer, hagen_salt, moenster_ironware, hamm_beer"
    draft = new_month(players={0: seat}, card="t01")
    (revealed,) = of(draft.events, TradingCardRevealed)
    assert revealed.slots == TRADING_CARDS[TradingCard("t01")]
    state, sold = draft.state, list[str]()
    for _ in range(4):
        sold.append(legal(state)[0])
        state = when(state, sold[-1]).state
    assert sold == [f"sell {house} []" for house in seat.removeprefix("tokens ").split(", ")]


def test_ruling_02_a_seat_sells_in_all_towns_before_the_next_seat_does() -> None:
    seat = "tokens paderborn_beer, hagen_salt, moenster_ironware, hamm_beer"
    state = new_month(seats=2, players={0: seat, 1: seat}, card="t01", starting_seat=1).state
    order = list[int]()
    while state.stage == "sales":
        order.append(to_act(state))
        draft = when(state, "skip_town" if "skip_town" in legal(state) else "skip_leftover")
        state = draft.state
    assert order == [1] * 5 + [0] * 5


def test_ruling_06_a_longer_way_may_be_taken_but_not_through_a_town_twice() -> None:
    long_way = "corbach_olpe, corbach_soest, hamm_soest, dortmund_hamm"
    ring = "essen_hagen, duisburg_essen"
    seat = f"tokens olpe_ironware | carriages hagen_olpe, dortmund_hagen, {long_way}"
    expected = [
        "sell olpe_ironware []",
        "sell olpe_ironware [corbach_olpe, corbach_soest, dortmund_hamm, hamm_soest]",
        "skip_town",
    ]
    assert legal(given(players={0: seat}, card="t03", slot=2)) == expected
    with_ring = (
        f"tokens olpe_ironware | carriages hagen_olpe, dortmund_hagen, {ring}, duisburg_hagen"
    )
    state = given(players={0: with_ring}, card="t03", slot=2)
    assert legal(state) == ["sell olpe_ironware []", "skip_town"]
    with_end = "tokens olpe_ironware | carriages hagen_olpe, dortmund_hagen, olpe_siegen"
    state = given(players={0: with_end}, card="t03", slot=2)
    assert legal(state) == ["sell olpe_ironware []", "skip_town"]


def test_ruling_07_no_carriage_leaves_a_cobbled_road_or_a_permanent_connection() -> None:
    seat = "tokens olpe_ironware | carriages hagen_olpe, dortmund_hagen"
    state = given(players={0: seat}, card="t03", slot=2)
    assert legal(state) == ["sell olpe_ironware []", "skip_town"]
    state = when(state, "sell olpe_ironware []").state
    assert owned(state, 0) == "money 15 | supply 12/6 | carriages dortmund_hagen, hagen_olpe"
    seat = "tokens olpe_ironware | carriages corbach_olpe 2, corbach_dortmund"
    state = given(players={0: seat}, card="t03", slot=2)
    assert legal(state) == ["sell olpe_ironware [corbach_dortmund]", "skip_town"]
    state = when(state, "sell olpe_ironware [corbach_dortmund]").state
    assert owned(state, 0) == "money 15 | supply 12/6 | carriages corbach_olpe 2"


@pytest.mark.parametrize("carriages", [2, 3, 4])
def test_ruling_08_two_or_more_carriages_on_a_brown_road_stay(carriages: int) -> None:
    way = f"corbach_dortmund {carriages}, corbach_olpe {carriages}"
    state = given(players={0: f"tokens olpe_ironware | carriages {way}"}, card="t03", slot=2)
    assert legal(state) == ["sell olpe_ironware []", "skip_town"]
    state = when(state, "sell olpe_ironware []").state
    assert owned(state, 0).endswith(f"carriages {way}")


def test_ruling_10_a_bonus_carriage_may_be_taken_back() -> None:
    seat = f"{SALT_OF_SOEST} | carriages dortmund_moenster 7, hamm_soest"
    state = when(given(players={0: seat}), "buy_merchandise_card coal_salt").state
    assert legal(state) == [
        "take_back_carriage dortmund_moenster",
        "take_back_carriage hamm_soest",
        "decline_bonus_carriage",
    ]
    state = when(state, "take_back_carriage dortmund_moenster").state
    assert legal(state) == AT_SOEST
    draft = when(state, "place_carriage hamm_soest")
    assert kinds(draft.events)[:2] == ["CarriagePlaced", "TurnEnded"]
    assert draft.state.players[0].carriages == (*["dortmund_moenster"] * 6, *["hamm_soest"] * 2)


def test_ruling_11_a_bonus_carriage_may_be_declined_and_is_lost() -> None:
    state = when(given(seats=2, players={0: SALT_OF_SOEST}), "buy_merchandise_card coal_salt").state
    assert legal(state) == [*AT_SOEST, "decline_bonus_carriage"]
    draft = when(state, "decline_bonus_carriage")
    assert texts(draft.events)[:2] == ["BonusCarriageDeclined 0", "TurnEnded 0"]
    assert draft.state.players[0].supply_carriages == 8
    state = when(draft.state, "take_thaler").state
    assert to_act(state) == 0
    assert legal(state, only="place_carriage decline_bonus_carriage") == []


@pytest.mark.parametrize(
    ("kind", "places"), [("token", ["place_token soest_salt"]), ("carriage", AT_SOEST)]
)
def test_ruling_12_a_piece_that_the_supply_has_must_be_placed(kind: str, places: list[str]) -> None:
    seat = "tokens soest_salt 11 | carriages hamm_soest 7"
    state = when(given(players={0: seat}), f"stock_up_one {kind}").state
    assert legal(state) == places


def test_ruling_13_a_carriage_goes_back_to_where_it_was_and_brings_the_thaler_again() -> None:
    state = given(players={0: "carriages corbach_soest 8"}, card="t06")
    state = when(state, "buy_in_town 4", "take_back_carriage corbach_soest").state
    assert legal(state) == AT_SOEST
    draft = when(state, "place_carriage corbach_soest")
    assert texts(draft.events)[0] == "CarriagePlaced 0 corbach_soest supply 1"
    assert owned(draft.state, 0) == (
        "money 6 | supply 10/0 | tokens soest_salt 2 | carriages corbach_soest 8 | merchants 4"
    )


def test_ruling_28_only_tokens_on_houses_count_in_a_tie() -> None:
    state = given(
        seats=2,
        options="warehouse_and_privileges",
        players={0: "tokens soest_salt | warehouse 9/0", 1: "tokens soest_salt 2"},
    )
    assert [standing.rank for standing in standings(state.players)] == [2, 1]
    assert [standing.tokens for standing in standings(state.players)] == [1, 2]


def test_ruling_31_a_banner_serves_a_pair_that_its_card_is_not_part_of() -> None:
    seat = "cards coal_salt, herring_removal, herring_pair, wine_pair"
    cards = given(players={0: seat}).players[0].cards
    pairs = best_pairs(cards)
    assert pairs == (
        Pair(cards[0], cards[1], 50),
        Pair(cards[2], cards[3], 64),
    )
    assert card_value(cards, pairs) == 114


def test_ruling_31_without_its_banner_a_pair_is_worth_its_cards() -> None:
    cards = given(players={0: "cards coal_salt, herring_removal, wine_plain"}).players[0].cards
    assert best_pairs(cards) == ()
    assert card_value(cards, ()) == 18 + 24 + 32


def test_ruling_32_of_overlapping_pairs_the_better_splitting_counts() -> None:
    cards = given(players={0: "cards coal_salt, herring_pair, wine_pair"}).players[0].cards
    pairs = best_pairs(cards)
    assert pairs == (Pair(cards[1], cards[2], 64),)
    assert card_value(cards, pairs) == 18 + 64


def test_ruling_35_money_lies_open() -> None:
    state = given(players={0: "money 7", 1: "money 40", 2: "money 0"})
    for viewer in (None, Seat(0), Seat(1), Seat(2)):
        assert [each.money for each in GAME.view(state, viewer).players] == [7, 40, 0]


def test_ruling_36_the_starting_player_sells_first_in_the_last_month_too() -> None:
    tokens = "tokens paderborn_beer"
    players = dict.fromkeys(range(3), tokens)
    draft = new_month(players=players, card="t01", starting_seat=2, last=True)
    assert to_act(draft.state) == 2
    draft = when(draft.state, *["sell paderborn_beer []"] * 3)
    assert kinds(draft.events)[-3:] == ["SeatSalesEnded", "SalesEnded", "GameEnded"]
    assert of(draft.events, SeatSalesEnded)[-1].seat == 1


@pytest.mark.parametrize(
    ("seat", "card", "sale"),
    [
        # A cobbled road: Soest to Dortmund.
        (
            "tokens lippstadt_ironware | carriages lippstadt_soest, dortmund_soest",
            "t03",
            "sell lippstadt_ironware []",
        ),
        # A permanent connection: Essen to Hagen.
        (
            "tokens hagen_salt | carriages essen_hagen 2, essen_wesel",
            "t02",
            "sell hagen_salt []",
        ),
        # A road that is cleared.
        (
            "tokens hagen_salt | carriages essen_hagen, essen_wesel",
            "t02",
            "sell hagen_salt [essen_hagen]",
        ),
    ],
)
def test_ruling_37_every_road_with_a_village_brings_the_passengers_thaler(
    seat: str, card: str, sale: str
) -> None:
    state = given(options="passenger_transportation", players={0: seat}, card=card, slot=2)
    (sold,) = of(when(state, sale).events, MerchandiseSold)
    assert (sold.passenger_bonus, sold.total) == (1, sold.price + 1)


def test_ruling_38_a_leftover_brings_no_passengers_thaler() -> None:
    seat = "tokens lippstadt_ironware | carriages lippstadt_soest, dortmund_soest"
    state = given(options="passenger_transportation", players={0: seat}, card="t08", slot=LEFTOVER)
    (sold,) = of(when(state, "sell_leftover lippstadt_ironware").events, LeftoverSold)
    assert sold.total == 2


def test_ruling_41_a_bonus_carriage_may_go_to_any_road_beside_own_goods() -> None:
    seat = "money 60 | tokens wesel_salt, dortmund_beer"
    state = when(given(players={0: seat}), "buy_merchandise_card coal_salt").state
    assert legal(state) == [
        *roads("corbach_dortmund", "dortmund_essen", "dortmund_hagen", "dortmund_hamm"),
        *roads("dortmund_moenster", "dortmund_soest", "duisburg_wesel", "essen_wesel"),
        "place_carriage moenster_wesel",
        "decline_bonus_carriage",
    ]


def test_ruling_44_a_purchase_needs_no_pieces() -> None:
    seat = "tokens essen_beer 12 | carriages hamm_soest 8"
    state = given(players={0: seat}, card="t01")
    assert legal(state, only="buy_in_town") == [f"buy_in_town {slot}" for slot in (1, 2, 3, 4)]
    state = when(state, "buy_in_town 4", *["forfeit_piece"] * 3).state
    assert owned(state, 0) == (
        "money 5 | supply 0/0 | tokens essen_beer 12 | carriages hamm_soest 8 | merchants 4"
    )


def test_ruling_45_a_square_may_be_bought_though_nothing_can_be_placed() -> None:
    state = given(players={0: "tokens soest_salt 12"}, card="t09")
    draft = when(state, "buy_in_town 1")
    assert texts(draft.events)[1:] == [
        "MoneyPaid 0 4 purchase",
        "PiecesDue 0 purchase soest_salt 2 0",
        "PieceForfeited 0 token",
        "PieceForfeited 0 token",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
    assert draft.state.players[0].money == 6
