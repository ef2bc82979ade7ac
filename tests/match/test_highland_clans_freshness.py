"""How long the cards of a fight of Highland Clans stay open to those who read the log again."""

from datetime import timedelta
from functools import cache
from typing import Any

import pytest

from howff.engine.codec import JSON
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import Card
from howff.engine.games.highland_clans.moves import (
    CommitCard,
    EndActions,
    EndTurn,
    KeepCubes,
    Move,
    Raid,
)
from howff.engine.games.highland_clans.state import Options, State
from howff.engine.seats import Seat, Viewer
from howff.match.commit import Commit
from howff.match.match import Match
from howff.match.redaction import redact_commit
from howff.match.seals import is_sealed
from support.played import NOON, SEED, played, recorder

Place = tuple[int, int]
"""Where an event stands: the version of its commit, and its place there."""
SEATS: tuple[Seat, ...] = tuple(map(Seat, range(4)))
VIEWERS: tuple[Viewer, ...] = (None, *SEATS)
FIGHT = {
    "fight": 1,
    "attacker_value": 4,
    "attacker_bagpiper": True,
    "defender_value": 2,
    "defender_bagpiper": False,
    "winner": 1,
}
WRITTEN: dict[str, Move] = {
    "raid_or_exchange": Raid(Seat(3)),
    "attacker_commit": CommitCard(Card(4), bagpiper=True),
    "defender_commit": CommitCard(Card(2), bagpiper=False),
}
"""What is played in the first turn of seat 1, by stage, until a fight is over."""


def next_move(state: State, seat: Seat) -> Move:
    """Return the move that the scenario asks for, or one that gets on."""
    legal = GAME.legal_moves(state, seat)
    is_written = state.round == 1 and state.turn is not None and state.turn.seat == 1
    if is_written and state.stage in WRITTEN and not (state.raid and state.raid.fights):
        return WRITTEN[state.stage]
    return next(
        (move for move in legal if isinstance(move, EndTurn | EndActions | KeepCubes)), legal[0]
    )


@cache
def recorded() -> tuple[tuple[Match, ...], tuple[Commit, ...]]:
    """Return a match of two rounds after each of its commits, and these."""
    record = recorder(GAME, Options(start_seat=Seat(0)), 4)
    matches = [record.match]
    while record.match.state.round < 3:
        seat = record.match.to_act[0]
        move = next_move(record.match.state, seat)
        record.play(seat, move, at=NOON + timedelta(seconds=record.match.version))
        matches.append(record.match)
    return tuple(matches), tuple(record.commits)


def match_of_two_rounds() -> tuple[Match, ...]:
    """Return the match after each of its commits; seat 0 begins, then seat 1."""
    return recorded()[0]


def commits() -> tuple[Commit, ...]:
    """Return the commits of that match."""
    return recorded()[1]


def places_of(commits: tuple[Commit, ...], kind: str, **data: Any) -> list[Place]:
    """Return where the events of this *kind* and *data* stand."""
    return [
        (commit.version, at)
        for commit in commits
        for at, event in enumerate(commit.events)
        if event["type"] == kind and data.items() <= event["data"].items()
    ]


def fight() -> Place:
    """Return where the first fight is resolved."""
    return places_of(commits(), "FightResolved")[0]


def read(match: Match, viewer: Viewer, place: Place) -> JSON:
    """Return the data of the event at *place* as *viewer* reads it while *match* stands so."""
    version, at = place
    return redact_commit(match, commits()[version - 1], viewer, SEED).events[at]["data"]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_scenario_46_a_fight_is_told_to_everybody(viewer: Viewer) -> None:
    version, at = fight()
    match = match_of_two_rounds()[version - 1]
    commit = commits()[version - 1]
    told = redact_commit(match, commit, viewer, SEED, told_live=True)
    assert told.events[at]["data"] == FIGHT


@pytest.mark.parametrize("viewer", VIEWERS)
def test_scenario_46_until_the_turn_has_ended_everybody_sees_the_fight(viewer: Viewer) -> None:
    ended, _ = places_of(commits(), "TurnEnded", seat=1)[0]
    for match in match_of_two_rounds()[fight()[0] - 1 : ended - 1]:
        assert read(match, viewer, fight()) == FIGHT
        raid = GAME.view(match.state, viewer).raid
        assert raid is not None
        first = raid.fights[0]
        assert (first.attacker.value, first.defender.value, first.winner) == (4, 2, 1)
    assert GAME.view(match_of_two_rounds()[ended - 1].state, viewer).raid is None


@pytest.mark.parametrize(
    ("viewer", "seat", "turn"),
    [(None, 1, 0), (Seat(2), 2, 0), (Seat(3), 3, 0), (Seat(1), 1, 1), (Seat(0), 0, 1)],
)
def test_scenario_46_the_cards_close_when_an_own_later_turn_has_ended(
    viewer: Viewer, seat: int, turn: int
) -> None:
    closing, _ = places_of(commits(), "TurnEnded", seat=seat)[turn]
    for match in match_of_two_rounds()[fight()[0] - 1 :]:
        found = read(match, viewer, fight())
        values = [found.pop("attacker_value"), found.pop("defender_value")]
        assert found == {name: told for name, told in FIGHT.items() if "value" not in name}
        if match.version < closing:
            assert values == [4, 2]
        else:
            assert all(map(is_sealed, values))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_scenario_46_an_own_committed_card_stays_readable(viewer: Viewer) -> None:
    match = match_of_two_rounds()[-1]
    committed = {
        seat: places_of(commits(), "CardCommitted", seat=seat, fight=1)[0] for seat in (1, 3)
    }
    for seat, value in ((1, 4), (3, 2)):
        found = read(match, viewer, committed[seat])
        assert (found["seat"], found["fight"], found["bagpiper"]) == (seat, 1, seat == 1)
        assert found["value"] == value if viewer == seat else is_sealed(found["value"])


@pytest.mark.parametrize("viewer", SEATS)
def test_own_discards_and_draws_stay_readable_to_their_seat_alone(viewer: Seat) -> None:
    match = match_of_two_rounds()[-1]
    for kind in ("HandDealt", "CardsDrawn", "CardsDiscarded"):
        places = places_of(commits(), kind)
        assert places
        for place in places:
            found = read(match, viewer, place)
            assert is_sealed(found["cards"]) == (found["seat"] != viewer)
            assert isinstance(found["count"], int)


def test_scenario_46_after_the_end_everybody_reads_everything() -> None:
    record = played(GAME, Options(start_seat=Seat(0)), 4)
    assert record.match.is_over
    assert places_of(record.commits, "FightResolved")
    for viewer in VIEWERS:
        for commit in record.commits:
            assert redact_commit(record.match, commit, viewer, SEED) == commit


def test_the_two_rounds_go_as_the_scenario_says() -> None:
    ended = places_of(commits(), "TurnEnded")
    seats = [commits()[version - 1].events[at]["data"]["seat"] for version, at in ended]
    assert seats == [0, 1, 2, 3, 1, 2, 3, 0]
    assert len(places_of(commits(), "RaidDeclared", attacker=1, defender=3)) == 1
