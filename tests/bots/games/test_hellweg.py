"""How bots judge Hellweg Westfalicus: clear positions, and whole matches."""

from typing import Final

import pytest

from howff.bots.arena.matches import Course, LineUp, play_match
from howff.bots.policies.games.hellweg import PLAY
from howff.bots.policies.settings import Setting
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.state import Options, State
from howff.engine.seats import Seat
from howff.engine.values import replace
from support.hellweg import NOTATION, given, to_act, when

GREEDY: Final = Setting("greedy", 1)
RANDOM: Final = Setting("random", 0)


def weighed(state: State) -> dict[str, int]:
    """Return how good the moves of the seat that is to act look to it."""
    seat = to_act(state)
    moves = GAME.legal_moves(state, seat)
    weights = PLAY.judgement.weigh(state, seat, moves)
    return dict(zip(NOTATION.texts(moves), weights, strict=True))


def favourite(state: State) -> str:
    weights = weighed(state)
    return max(weights, key=lambda move: weights[move])


def promised(state: State, seat: int) -> int:
    return PLAY.judgement.estimate(state)[seat]


def test_everything_that_can_be_sold_on_the_last_card_is_sold() -> None:
    player = "tokens dortmund_ironware, hamm_beer"
    state = given(players={0: player}, card="t03", slot=1, last=True)
    assert weighed(state)["skip_town"] < weighed(state)["sell hamm_beer []"]


def test_a_token_is_kept_for_a_better_price_in_the_same_month() -> None:
    # Duisburg pays 4 for ironware in slot 1, Lippstadt 5 in slot 3.
    roads = "duisburg_essen, dortmund_essen, dortmund_soest, lippstadt_soest"
    player = f"tokens duisburg_ironware | carriages {roads}"
    first = given(players={0: player}, card="t02", slot=1, last=True)
    third = given(players={0: player}, card="t02", slot=3, last=True)
    assert favourite(first) == "skip_town"
    assert favourite(third) == "sell duisburg_ironware []"


def test_a_carriage_joins_goods_with_one_more_market_rather_than_with_the_same() -> None:
    player = "money 5 | tokens hagen_salt, olpe_ironware 3 | carriages hagen_olpe"
    state = when(given(players={0: player}, card="t01"), "stock_up_one carriage").state
    weights = weighed(state)
    assert weights["place_carriage dortmund_hagen"] > weights["place_carriage hagen_olpe"]


def test_a_card_that_makes_a_pair_is_worth_more_than_one_that_does_not() -> None:
    state = given(seats=2, players={0: "money 30 | cards coal_salt, herring_removal"})
    weights = weighed(state)
    pair = weights["buy_merchandise_card herring_pair"]
    assert pair > weights["buy_merchandise_card tobacco_1"]


def test_a_free_privilege_is_used_before_the_main_action() -> None:
    state = given(
        options="warehouse_and_privileges",
        players={0: "tokens soest_salt | privileges take_thaler"},
    )
    assert favourite(state) == "use_privilege_take_thaler"


def test_pieces_that_are_due_are_part_of_what_a_state_promises() -> None:
    state = given(seats=2, players={0: "money 20 | tokens soest_salt"}, card="t01")
    bought = when(state, "buy_in_town 2").state
    assert promised(bought, 0) > promised(replace(bought, due=None), 0)


def course(options: Options, seats: tuple[Setting, ...], seed: bytes) -> Course:
    return play_match(LineUp(GAME, options, PLAY, seats), seed, lambda: 0)


def test_a_greedy_bot_beats_chance() -> None:
    for seed in (b"one", b"two"):
        assert course(Options(), (GREEDY, RANDOM), seed).outcome.places == (1, 2)
        assert course(Options(), (RANDOM, GREEDY), seed).outcome.places == (2, 1)


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_search_plays_to_the_end_with_every_number_of_seats(seats: int) -> None:
    options = Options(*[seats % 2 == 0] * 4)
    outcome = course(options, (Setting("mcts", 2), *[RANDOM] * (seats - 1)), b"any").outcome
    assert len(outcome.places) == seats


def test_equal_positions_are_judged_alike_whatever_order_the_stack_has() -> None:
    parts = "tokens soest_salt, hamm_beer | carriages hamm_soest"
    state = given(players={0: parts}, stack=("t02", "t03"))
    other = given(players={0: parts}, stack=("t03", "t02"))
    moves = GAME.legal_moves(state, Seat(0))
    weights = PLAY.judgement.weigh(state, Seat(0), moves)
    assert any(weights)
    assert weights == PLAY.judgement.weigh(other, Seat(0), moves)
