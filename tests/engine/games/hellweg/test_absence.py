"""What is played for a seat that is away."""

import pytest
from hypothesis import given as given_any

from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import MERCHANDISE_CARDS
from howff.engine.games.hellweg.state import LEFTOVER, Options, State
from support.hellweg import given, started, texts, to_act, when
from support.hellweg_playouts import ALL_OPTIONS, Playout, playouts
from support.rng import LocalRng

EXPANSION = "warehouse_and_privileges"


def default(state: State) -> str:
    """Return what is played for the one seat that is to act."""
    seat = to_act(state)
    move = GAME.default_move(GAME.view(state, seat), GAME.legal_moves(state, seat))
    return texts([move])[0]


def test_an_absent_seat_begins_on_some_house_and_on_a_road_with_a_village() -> None:
    state = started(2).state
    assert default(state) == "place_start_token wesel_salt"
    assert default(when(state, "place_start_token essen_beer").state) == (
        "place_start_carriage essen_hagen"
    )
    state = when(state, "place_start_token wesel_salt").state
    assert default(state) == "place_start_carriage duisburg_wesel"


def test_where_no_road_has_a_village_an_absent_seat_takes_the_first() -> None:
    seat = "tokens dortmund_beer | carriages dortmund_soest | money 9"
    state = given(players={0: seat}, card="t08")
    there = when(state, "buy_in_town 4").state
    assert default(there) == "place_carriage hamm_moenster"


def test_an_absent_seat_sells_where_it_can() -> None:
    seat = "tokens hagen_salt 2"
    state = given(players={0: seat}, card="t01", slot=2)
    assert default(state) == "sell hagen_salt []"


def test_an_absent_seat_sells_so_that_few_carriages_leave_the_board() -> None:
    seat = "tokens olpe_ironware, moenster_ironware | carriages corbach_olpe, corbach_dortmund"
    state = given(players={0: seat}, card="t03", slot=2)
    assert default(state) == "sell olpe_ironware [corbach_dortmund, corbach_olpe]"
    state = given(
        players={0: f"{seat}, dortmund_moenster"},
        card="t03",
        slot=2,
    )
    assert default(state) == "sell moenster_ironware [dortmund_moenster]"
    state = given(
        players={0: f"{seat}, dortmund_moenster, dortmund_hagen, hagen_olpe"},
        card="t03",
        slot=2,
    )
    assert default(state) == "sell olpe_ironware []"


def test_an_absent_seat_keeps_leftovers_for_later_months_but_not_beyond_the_last() -> None:
    seat = {0: "tokens essen_beer, soest_salt"}
    assert default(given(players=seat, slot=LEFTOVER)) == "skip_leftover"
    assert default(given(players=seat, slot=LEFTOVER, last=True)) == "sell_leftover essen_beer"


@pytest.mark.parametrize("options", ["", EXPANSION])
def test_an_absent_seat_takes_a_thaler(options: str) -> None:
    state = given(options=options, players={0: "money 60 | tokens soest_salt"})
    assert default(state) == "take_thaler"


def test_an_absent_seat_uses_no_privilege_and_claims_none() -> None:
    seat = "tokens soest_salt | warehouse 1/1 | privileges storage, stock_up | claims 1"
    state = given(options=EXPANSION, players={0: seat})
    assert default(state) == "take_thaler"
    assert default(when(state, "take_thaler").state) == "end_turn"


def test_a_purchase_that_was_begun_is_carried_out_without_taking_anything_back() -> None:
    roads = "supply 9/1 | carriages dortmund_moenster 7 | tokens soest_salt 3"
    state = when(given(players={0: roads}, card="t06"), "buy_in_town 1").state
    assert default(state) == "place_carriage olpe_siegen"
    state = when(state, "place_carriage olpe_siegen").state
    assert default(state) == "forfeit_piece"
    taken = when(state, "take_back_carriage dortmund_moenster").state
    assert default(taken) == "place_carriage olpe_siegen"


def test_a_missing_token_is_forfeited() -> None:
    seat = "tokens soest_salt 6, essen_beer 6"
    state = when(given(players={0: seat}, card="t01"), "buy_in_town 2").state
    assert default(state) == "forfeit_piece"


def test_a_bonus_carriage_is_placed_if_there_is_one() -> None:
    rich = "money 60 | tokens soest_salt"
    there = when(given(players={0: rich}), "buy_merchandise_card coal_salt").state
    assert default(there) == "place_carriage corbach_soest"
    poor = f"{rich} | carriages dortmund_moenster 8"
    there = when(given(players={0: poor}), "buy_merchandise_card coal_salt").state
    assert default(there) == "decline_bonus_carriage"


def test_what_was_in_the_warehouse_is_placed() -> None:
    seat = "tokens soest_salt, essen_beer | warehouse 1/1"
    state = when(given(options=EXPANSION, players={0: seat}), "stock_up_all").state
    assert default(state) == "place_token essen_beer"
    state = when(state, "place_token essen_beer").state
    assert default(state) == "place_carriage corbach_soest"


@given_any(match=playouts)
def test_what_is_played_for_an_absent_seat_is_legal(match: Playout) -> None:
    for step in match.steps:
        legal = GAME.legal_moves(step.before, step.seat)
        assert GAME.default_move(GAME.view(step.before, step.seat), legal) in legal


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("options", ALL_OPTIONS)
def test_a_match_in_which_all_are_absent_ends(options: Options, seats: int) -> None:
    rng = LocalRng(seats)
    state = GAME.start(options, seats, rng).state
    decisions = 0
    while to_act := GAME.to_act(state):
        seat = to_act[-1]
        move = GAME.default_move(GAME.view(state, seat), GAME.legal_moves(state, seat))
        state = GAME.play(state, seat, move, rng).state
        decisions += 1
    assert GAME.outcome(state) is not None
    assert decisions < 60 * seats
    months = 10 if options.short_game else 12
    cards = {card for card, each in MERCHANDISE_CARDS.items() if each.seats <= seats}
    assert {*state.for_sale} == cards
    for player in state.players:
        # Two Thaler a month, and what three tokens bring.
        assert player.money >= 10 + 2 * (months - 1) + 3 * 2
        assert player.tokens == ()
