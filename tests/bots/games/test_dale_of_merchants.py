"""What bots think of positions of Dale of Merchants, and that they can play all matches of it."""

import time
from dataclasses import replace

import pytest

from howff.bots.arena.matches import LineUp, play_match
from howff.bots.policies.games.dale_of_merchants import PLAY
from howff.bots.policies.settings import Setting
from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.state import Options, State
from support.dale_of_merchants import actor, given, texts, when

SHORT = Options(round_limit=50)
DULL_MARKET = "cookies cookies cookies nuisance nuisance"


def weights(state: State) -> dict[str, int]:
    """Return the legal moves as text, each with how good it looks to who is to act."""
    seat = actor(state)
    moves = GAME.legal_moves(state, seat)
    named = [text.removesuffix(" null") for text in texts(moves)]
    return dict(zip(named, PLAY.judgement.weigh(state, seat, moves), strict=True))


def favourite(state: State) -> str:
    """Return the move that looks best; it is one alone."""
    weighed = weights(state)
    best = max(weighed.values())
    (found,) = (move for move, weight in weighed.items() if weight == best)
    return found


def test_the_last_stack_comes_before_all_else() -> None:
    state = given(
        hands={0: "accordion stashing_vendor junk spyglass flashy_show"},
        stacks={0: 7},
        market="favourite_toy cookies cookies nuisance nuisance",
    )

    assert favourite(state) == "start_stack"


def test_a_purchase_is_paid_with_what_no_stack_needs() -> None:
    state = given(
        hands={0: "shattered_relic cookies loyal_partner junk junk"},
        stacks={0: 4},
        market="cookies nuisance nuisance nuisance dirty_exchange",
    )

    weighed = weights(when(state, "start_purchase 0").state)

    assert weighed["pay_card junk"] > weighed["pay_card shattered_relic"]
    assert weighed["pay_card junk"] > weighed["pay_card cookies"]


def test_a_stack_is_built_of_those_cards_that_leave_the_most_behind() -> None:
    state = given(
        hands={0: "favourite_toy shattered_relic cookies prepaid_good essential_purchase"},
        stacks={0: 4},
        market=DULL_MARKET,
    )

    weighed = weights(when(state, "start_stack").state)

    # Stack 6 can still be built of favourite_toy and a card of value 1 in the deck.
    assert weighed["add_to_stack prepaid_good"] > weighed["add_to_stack favourite_toy"]


def test_an_inventory_discards_junk_and_keeps_the_next_stack() -> None:
    state = given(
        hands={0: "shattered_relic cookies junk junk junk"},
        stacks={0: 4},
        decks={0: "spyglass flashy_show prepaid_good special_offer favourite_toy"},
        market=DULL_MARKET,
    )

    begun = when(state, "start_inventory").state
    assert favourite(begun) == "discard_card junk"

    without_junk = when(begun, *["discard_card junk"] * 3).state
    assert favourite(without_junk) == "finish_inventory"


def test_of_cards_looked_at_the_one_is_kept_that_completes_a_stack() -> None:
    state = given(
        hands={0: "spyglass shattered_relic junk junk junk"},
        stacks={0: 4},
        decks={0: "cookies junk nuisance junk junk"},
        market=DULL_MARKET,
    )

    assert favourite(when(state, "play_technique spyglass").state) == "keep_card cookies"


def test_a_copier_pays_as_what_it_copies() -> None:
    state = given(
        hands={0: "reflection junk junk"},
        discards={1: "favourite_toy"},
        stacks={0: 3},
        market="flashy_show - - - -",
    )

    assert favourite(state) == "start_purchase 0"


def test_more_stacks_promise_more() -> None:
    behind, ahead = PLAY.judgement.estimate(given(stacks={0: 2, 1: 5}))

    assert ahead > behind + PLAY.judgement.decisive // 4


def test_a_purchase_under_way_promises_what_it_will_bring() -> None:
    state = given(hands={0: "junk junk junk cookies nuisance"}, market=DULL_MARKET)
    idle = PLAY.judgement.estimate(when(state, "start_inventory").state)[0]

    begun = PLAY.judgement.estimate(when(state, "start_purchase 0").state)[0]

    assert begun > idle


def test_a_glance_beats_luck() -> None:
    greedy, luck = Setting("greedy", 1), Setting("random", 0)
    places = [
        play_match(LineUp(GAME, SHORT, PLAY, seats), b"glance", time.thread_time_ns).outcome.places
        for seats in ((greedy, luck), (luck, greedy))
    ]

    assert places == [(1, 2), (2, 1)]


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_search_plays_a_match_with_any_number_of_seats(seats: int) -> None:
    settings = (Setting("mcts", 1), *(Setting("greedy", 1),) * (seats - 1))
    play = replace(PLAY, shape=replace(PLAY.shape, depth=2))

    course = play_match(LineUp(GAME, SHORT, play, settings), b"seats", time.thread_time_ns)

    assert len(course.outcome.places) == seats
    assert all(course.decisions)
