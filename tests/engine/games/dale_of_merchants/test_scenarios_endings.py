"""Scenarios 19 and 53, and more rankings worked out by hand."""

import pytest

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.events import Event
from howff.engine.games.dale_of_merchants.state import State
from howff.engine.play import Draft
from support.dale_of_merchants import given, legal, stall, texts, when
from support.texts import kinds


def ended(draft: Draft[State, Event]) -> tuple[str, tuple[int, ...]]:
    """Return why the match ended, and the places."""
    ending, outcome = draft.state.ending, GAME.outcome(draft.state)
    assert ending is not None
    assert outcome is not None
    assert ending.ranking == outcome.places
    assert GAME.to_act(draft.state) == ()
    assert [{each.name: each.value for each in found} for found in outcome.figures] == [
        {"stacks": len(player.stall)} for player in draft.state.players
    ]
    return ending.reason, outcome.places


def test_scenario_19_losers_rank_by_their_stacks() -> None:
    state = given(
        seats=4,
        hands={0: "accordion nostalgic_item"},
        stacks={0: 7, 1: 5, 2: 5, 3: 3},
    )
    draft = when(state, "start_stack", "add_to_stack accordion")
    assert texts(draft.events)[-1] == "GameEnded stall_finished [1, 2, 2, 4]"
    assert ended(draft) == ("stall_finished", (1, 2, 2, 4))


def test_scenario_53_after_the_last_round_most_stacks_win() -> None:
    state = given(seats=3, active=2, round=200, stacks={0: 4, 1: 4, 2: 2})
    draft = when(state, "start_inventory")
    assert texts(draft.events)[-2:] == ["TurnEnded 2 200", "GameEnded round_limit [1, 1, 3]"]
    assert ended(draft) == ("round_limit", (1, 1, 3))


@pytest.mark.parametrize(("active", "first_seat"), [(1, 0), (2, 1), (0, 2)])
def test_the_limit_waits_for_the_last_seat_of_the_round(active: int, first_seat: int) -> None:
    state = given(seats=3, active=active, first_seat=first_seat, round=200)
    draft = when(state, "start_inventory")
    assert draft.state.ending is None
    assert texts(draft.events)[-1] == f"TurnStarted {(active + 1) % 3} 200"
    assert ended(when(draft.state, "start_inventory")) == ("round_limit", (1, 1, 1))


def test_the_last_seat_ends_the_round() -> None:
    state = given(seats=3, active=2, round=199)
    assert texts(when(state, "start_inventory").events)[-1] == "TurnStarted 0 200"


def test_a_shorter_limit_ends_the_match_sooner() -> None:
    options = GAME.read_options({"round_limit": 50})
    state = given(options=options, active=1, round=50, stacks={0: 1, 1: 3})
    assert ended(when(state, "start_inventory")) == ("round_limit", (2, 1))


def test_charm_wins_the_match_with_the_last_stack() -> None:
    state = given(
        seats=3,
        active=1,
        hands={1: "flashy_show favourite_toy charm junk"},
        stacks={0: 7, 1: 7, 2: 2},
        market_deck="accordion spyglass",
    )
    twice = ("flashy_show", "favourite_toy", "flashy_show")
    state = when(state, *(f"play_technique {card}" for card in twice)).state
    # Accordion is worth seven here, or one more.
    draft = when(state, "play_technique charm")
    assert texts(draft.events)[1:] == [
        "MarketCardRevealed 1 accordion",
        "StackBuilt 1 8 [accordion from revealed] 1",
        "GameEnded stall_finished [2, 1, 3]",
    ]
    assert ended(draft) == ("stall_finished", (2, 1, 3))


def test_an_extra_stack_wins_the_match() -> None:
    state = given(
        seats=4,
        active=3,
        hands={3: "winter_is_coming empty_chest acorn acorn junk"},
        stacks={0: 3, 1: 6, 2: 3, 3: 6},
    )
    draft = when(state, "start_stack", "add_to_stack winter_is_coming")
    assert "ExtraStackGranted 3 1" in texts(draft.events)
    assert legal(draft.state) == ["start_stack", "decline_extra_stack"]
    draft = when(draft.state, "start_stack")
    assert texts(draft.events)[-2:] == [
        "StackBuilt 3 8 [acorn from hand, acorn from hand] 0",
        "GameEnded stall_finished [3, 2, 3, 1]",
    ]
    assert ended(draft) == ("stall_finished", (3, 2, 3, 1))
    assert stall(draft.state, 3).split(" | ")[6:] == ["empty_chest winter_is_coming", "acorn acorn"]


def test_only_the_seat_that_finishes_has_the_first_place() -> None:
    state = given(hands={0: "accordion nostalgic_item"}, stacks={0: 7, 1: 7}, round=200, active=0)
    draft = when(state, "start_stack", "add_to_stack accordion")
    assert ended(draft) == ("stall_finished", (1, 2))


def test_a_winter_in_the_last_stack_grants_nothing() -> None:
    state = given(hands={0: "winter_is_coming nostalgic_item"}, stacks={0: 7})
    draft = when(state, "start_stack", "add_to_stack winter_is_coming")
    assert kinds(draft.events)[-2:] == ["StackBuilt", "GameEnded"]
