"""The order of events in a commit, and the stage that follows from them alone."""

import re
from itertools import pairwise

import pytest
from hypothesis import given as given_any

from howff.engine.codec import classes_of
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.events import (
    CardCommitted,
    CardsDiscarded,
    CardsDrawn,
    CubesDrawn,
    DiscardRequired,
    Event,
    HandDealt,
    RaidResolved,
    TurnStarted,
)
from howff.engine.games.highland_clans.moves import Move
from howff.engine.games.highland_clans.state import State
from howff.engine.seats import Seat
from support.highland_clans_playouts import SEEDS, Playout, playout, playouts
from support.texts import kinds, of

DRAW = "( CardsDrawn| DeckReshuffled CardsDrawn| CardsDrawn DeckReshuffled CardsDrawn)"
NEXT = "( TurnStarted CubesDrawn( ActionsEnded)?| GameEnded)"
ROUND_END = (
    " FollowingAssigned RoundScored( EstateRemoved)?"
    f"( GameEnded| StartSeatPassed RoundStarted{NEXT})"
)
TURN_END = f" TurnEnded({NEXT}|{ROUND_END})"
REFRESH = f"{DRAW}{DRAW} DiscardRequired DiscardRequired"
MAYBE_ENDED = "( ActionsEnded)?"
COMMITS = {
    "KeepCubes": f" CubesKept{MAYBE_ENDED}",
    "RedrawCubes": f" CubesRedrawn{MAYBE_ENDED}",
    "PlaceCattle": f" CattlePlaced{MAYBE_ENDED}",
    "BuildCastle": f" CastleBuilt{MAYBE_ENDED}",
    "BuildMonastery": f" MonasteryBuilt{MAYBE_ENDED}",
    "RecruitWarrior": f" WarriorRecruited{DRAW}{MAYBE_ENDED}",
    "RecruitBagpiper": f" BagpiperRecruited{MAYBE_ENDED}",
    "RecruitMonks": f" MonksRecruited{MAYBE_ENDED}",
    "AcquireEstate": " EstateAcquired( DiscardRequired| ActionsEnded)?",
    "PlayBard": f" BardPlayed{DRAW}?( DiscardRequired| ActionsEnded)",
    "EndActions": " ActionsEnded",
    "DiscardCards": f" CardsDiscarded( ActionsEnded|{TURN_END})?",
    "Raid": " RaidDeclared",
    "ExchangeCards": f" CardsDiscarded{DRAW}{TURN_END}",
    "EndTurn": TURN_END,
    "CommitCard": f" CardCommitted( FightResolved( RaidResolved({REFRESH})?)?)?",
    "TakeSpoils": f" (SpoilsTaken|SpoilsDeclined){REFRESH}",
}
"""What each move may cause, in this order."""
STAGES = {
    "CubesKept": "actions",
    "CubesRedrawn": "actions",
    "ActionsEnded": "raid_or_exchange",
    "RaidDeclared": "attacker_commit",
    "FightResolved": "attacker_commit",
    "GameEnded": "finished",
}
"""The stage after an event, unless it depends on the event or stays as it was."""


@given_any(match=playouts)
def test_events_of_a_commit_stand_in_order(match: Playout) -> None:
    for step in match.steps:
        found = "".join(f" {kind}" for kind in kinds(step.events))
        assert re.fullmatch(COMMITS[type(step.move).__name__], found), (step.move, found)


def test_the_matches_show_every_move() -> None:
    assert {kind.__name__ for kind in classes_of(Move)} == set(COMMITS)
    matches = [playout(seats, seed) for seats in GAME.seats for seed in range(SEEDS)]
    moves = {type(step.move).__name__ for match in matches for step in match.steps}
    assert moves == set(COMMITS)
    told = {kind for match in matches for kind in kinds(match.events)}
    assert told == {kind.__name__ for kind in classes_of(Event)}


def stage_after(event: Event, before: State) -> str:
    match event:
        case CubesDrawn():
            assert before.turn is not None
            return "redraw" if before.turn.may_redraw else "actions"
        case DiscardRequired(_, _, reason):
            return "refresh" if reason == "raid" else "hand_limit"
        case CardsDiscarded(_, "hand_limit"):
            return "actions"
        case CardCommitted(seat):
            assert before.raid is not None
            return "defender_commit" if seat == before.raid.attacker else before.stage
        case RaidResolved(spoils=True):
            return "spoils"
        case _:
            return STAGES.get(type(event).__name__, before.stage)


@given_any(match=playouts)
def test_the_stage_follows_from_the_event(match: Playout) -> None:
    for moment in match.moments:
        assert moment.after.stage == stage_after(moment.event, moment.before)


@given_any(match=playouts)
def test_in_a_refresh_the_attacker_comes_first(match: Playout) -> None:
    for step in match.steps:
        required = [event.seat for event in of(step.events, DiscardRequired)]
        if step.after.stage == "refresh" and required:
            raid = step.after.raid
            assert raid is not None
            assert required == [raid.attacker, raid.defender]
            drawn = [event.seat for event in of(step.events, CardsDrawn)]
            assert drawn == sorted(drawn, key=required.index)
            assert set(drawn) == set(required)


@given_any(match=playouts)
def test_lists_of_cards_are_sorted_and_counted(match: Playout) -> None:
    for event in match.events:
        if isinstance(event, HandDealt | CardsDrawn | CardsDiscarded):
            assert list(event.cards) == sorted(event.cards)
            assert event.count == len(event.cards) > 0


@pytest.mark.parametrize("seats", GAME.seats)
def test_turns_follow_clockwise(seats: int) -> None:
    for seed in range(SEEDS):
        started = of(playout(seats, seed).events, TurnStarted)
        for turn, following in pairwise(started):
            if turn.position < seats:
                assert following.seat == Seat((turn.seat + 1) % seats)
                assert (following.round, following.position) == (turn.round, turn.position + 1)
            else:
                assert following.seat == Seat((turn.seat + 2) % seats)
                assert (following.round, following.position) == (turn.round + 1, 1)
            assert following.action_limit == (1 if following.position == seats else 2)
