"""Any moment of a match that is over, through anybody's eyes: what was shown and told then."""

import json
import os
from typing import Final

import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON, to_json
from howff.engine.seats import Seat
from howff.match.canonical import canonical_bytes
from howff.match.commit import commit_to_json
from howff.match.match import match_of
from support.leaving import asked, done, look
from support.looking_back import FEW, Witness, finished, replay, replayed, witnessed
from support.service import SERVED, Service, Table
from support.web import problem_of

IS_LONG: Final = bool(os.environ.get("HOWFF_LONG"))
MOST: Final = 100_000 if IS_LONG else FEW
EVERY_GAME: Final = pytest.mark.parametrize("game", SERVED)
SHOWN: Final = ("version", "viewer", "game", "to_act", "standings", "clocks", "view", "state")
"""What a look and a moment both tell."""


@EVERY_GAME
def test_every_moment_is_what_each_viewer_was_shown_and_told_then(
    service: Service, game: str
) -> None:
    table = service.table(game, GAMES[game].seats[0], clock={"move_seconds": 600})
    seen = witnessed(table, MOST)
    newest = table.match.version
    assert newest > FEW / 2
    for viewer, witness in seen.items():
        for version in range(1, newest + 1):
            answer = replay(table, version, viewer)
            assert b'"commit":%b,' % witness.line(version) in answer
            check_shown(json.loads(answer), witness, version)
        end = table.eyes(viewer).get(f"{table.path}/replay").json()
        assert end == replayed(table, newest, viewer)


def check_shown(moment: JSON, witness: Witness, version: int) -> None:
    """Check that a moment shows what looking at the match has shown."""
    shown = witness.looks[version]
    for name in SHOWN:
        assert canonical_bytes({name: moment[name]}) == canonical_bytes({name: shown[name]})


@EVERY_GAME
def test_all_that_was_hidden_then_is_shown_to_who_wants_to_see_all(
    service: Service, game: str
) -> None:
    table = service.table(game, GAMES[game].seats[0])
    table.advance(FEW)
    for seat in range(len(table.accounts)):
        done(asked(table, seat, "abort"))
    commits = table.commits
    for version in (1, 2, FEW // 2, len(commits)):
        moment = replayed(table, version, "all")
        match = match_of(GAMES[game], commits[:version])
        assert moment["viewer"] == "all"
        assert moment["commit"] == commit_to_json(commits[version - 1])
        assert moment["state"] == to_json(match.game.state, match.state)
        assert moment["view"] == replayed(table, version, "spectator")["view"]
        assert moment["at"] == commits[version - 1].at


@pytest.fixture(scope="module")
def over(service: Service) -> Table:
    return finished(service)


def test_nothing_is_replayed_before_the_end(service: Service) -> None:
    table = service.table()
    table.advance(3)
    for viewer in table.viewers:
        for query in ("", "?at=1", "?as=all", "?at=2&as=seat:0", "?at=99"):
            answer = table.eyes(viewer).get(f"{table.path}/replay{query}")
            problem_of(answer, 409, "match_not_over")


def test_a_version_that_there_is_not_is_refused(over: Table) -> None:
    newest = over.match.version
    problem_of(over.eyes(0).get(f"{over.path}/replay?at={newest + 1}"), 409, "no_such_version")
    for at in ("0", "-1", "x", "1.5", "10000000000"):
        problem_of(over.eyes(0).get(f"{over.path}/replay?at={at}"), 422, "malformed")
    assert replayed(over, newest, None)["version"] == newest


def test_eyes_that_nobody_has_are_refused(over: Table) -> None:
    for name in ("seat:2", "seat:x", "seat:-1", "everybody"):
        answer = over.eyes(0).get(f"{over.path}/replay?at=1&as={name}")
        problem_of(answer, 422, "wrong_viewer")


def test_everybody_looks_through_all_eyes_at_a_public_match(over: Table) -> None:
    moments = {replayed(over, 3, Seat(1), by=by)["viewer"] for by in (0, 1, None)}
    assert moments == {"seat:1"}


def test_who_asks_by_no_name_looks_through_its_own_eyes(over: Table) -> None:
    viewers = [
        over.eyes(by).get(f"{over.path}/replay?at=2").json()["viewer"] for by in (0, 1, None)
    ]
    assert viewers == ["seat:0", "seat:1", "spectator"]


def test_a_private_match_is_replayed_to_its_seats_alone(service: Service) -> None:
    table = finished(service, watch="private")
    for path in ("replay", "replay?at=1&as=all", "audit"):
        for eyes in (service.eyes("a-stranger"), service.eyes(None)):
            problem_of(eyes.get(f"{table.path}/{path}"), 404, "no_such_match")
    assert replayed(table, 1, "all", by=1)["state"] is not None
    assert replayed(table, 2, Seat(0), by=1)["viewer"] == "seat:0"
    assert look(table, 1)["is_over"]
