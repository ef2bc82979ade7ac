"""Stage and active seat follow from the events alone, as the rules list them."""

from typing import Any

from hypothesis import given as given_any

from howff.engine.games.troedler.state import State
from howff.engine.seats import Seat
from support.texts import kinds
from support.troedler import given, when
from support.troedler_playouts import SEEDS, Moment, Playout, playout, playouts

STAGES = {
    "RoundStarted": "forming",
    "DealerPileDiscarded": "picking",
    "DealerPileTaken": "picking",
    "TurnStarted": "playing",
    "GoodTaken": "playing",
    "GoodsLeft": "playing",
    "GoodSubstituted": "delivering",
    "RequestFulfilled": "playing",
    "PlayedCardsStored": "trimming",
    "GameEnded": "finished",
}
"""The stage after an event, unless the event names it or leaves it as it was."""


def stage_after(event: Any, before: State) -> str:
    match type(event).__name__:
        case "DealerPilesFormed":
            return str(event.stage)
        case "CartMoved":
            return "arriving" if event.take_owed else "playing"
        case name:
            return STAGES.get(name, before.stage)


def active_after(event: Any, before: State) -> Seat | None:
    match type(event).__name__:
        case "RoundStarted":
            return Seat(event.dealer)
        case "DealerPilesFormed" | "TurnStarted":
            return Seat(event.seat)
        case "DealerPileDiscarded" | "DealerPileTaken":
            return None if event.next_seat is None else Seat(event.next_seat)
        case "GameEnded":
            return None
        case _:
            return before.active


@given_any(match=playouts)
def test_stage_and_active_seat_follow_from_the_event(match: Playout) -> None:
    for moment in match.moments:
        after = moment.after
        assert after.stage == stage_after(moment.event, moment.before)
        assert after.active == active_after(moment.event, moment.before)


def test_the_matches_show_every_event_that_changes_the_stage() -> None:
    matches = [playout(seats, seed) for seats in (2, 3, 4) for seed in range(SEEDS)]
    told = {kind for match in matches for kind in kinds(each.event for each in match.moments)}
    assert told >= {*STAGES, "DealerPilesFormed", "CartMoved"}


@given_any(match=playouts)
def test_a_seat_decides_after_every_batch_until_the_end(match: Playout) -> None:
    for step in match.steps:
        assert step.state.active is not None
        assert step.state.stage != "trimming" or len(step.state.players[step.seat].hand) > 4


def turn_is_reset(moment: Moment) -> bool:
    turn = moment.after.turn
    return not (turn.played or turn.delivered_villages or turn.delivery)


@given_any(match=playouts)
def test_a_turn_starts_and_ends_with_nothing_on_the_table(match: Playout) -> None:
    for moment in match.moments:
        if type(moment.event).__name__ in {"TurnStarted", "TurnEnded", "RoundStarted"}:
            assert turn_is_reset(moment)


def test_delivered_villages_stay_named_until_the_turn_has_ended() -> None:
    state = given(
        carts={0: "carron"},
        hands={0: {"req_cup2": 1, "bridge": 5}},
        collections={0: {"cup": 2}},
    )
    state = when(state, "fulfil_request req_cup2", "end_turn").state
    assert (state.stage, state.turn.played) == ("trimming", ())
    assert state.turn.delivered_villages == ("carron",)
    state = when(state, "discard_card bridge").state
    assert state.turn.delivered_villages == ()
    assert state.turns_done == (0,)
