"""Matches that begin where others stood: played to their ends, proven, and secret until then."""

import json
import logging
import os
from functools import partial
from typing import Any, Final

import httpx
import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON, to_json
from howff.match.canonical import canonical_bytes
from howff.match.export import read_export
from howff.match.match import match_of
from howff.match.signatures import public_key_from_jwk
from howff.match.verify import verify
from support.leaving import asked, done, look
from support.looking_back import finished, replayed
from support.service import SERVED, Service, Table, new_key, wait_until
from support.web import problem_of

IS_LONG: Final = bool(os.environ.get("HOWFF_LONG"))
BOT: Final[JSON] = {"bot": "random"}


@pytest.fixture(scope="module", params=SERVED)
def parent(request: pytest.FixtureRequest, service: Service) -> Table:
    """Give a match of each game that was played to its end."""
    return finished(service, request.param, GAMES[request.param].seats[0])


@pytest.fixture(scope="module")
def short(service: Service) -> Table:
    return finished(service)


def is_over(table: Table) -> bool:
    return table.match.is_over


def asked_for(table: Table, by: int | None, at: int, seats: list[JSON], **more: Any) -> Any:
    """Return what answers the holder of seat *by* who wants a branch."""
    key = more.get("key")
    content: JSON = {"at": at, "seats": seats}
    return table.eyes(by).post(f"{table.path}/branches", content, key or new_key())


def branch_of(table: Table, at: int, seats: list[JSON]) -> Table:
    """Return a branch that the holder of the first seat has asked for."""
    answer: httpx.Response = asked_for(table, 0, at, seats)
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"/v1/matches/{answer.json()['match']}"
    return Table(table.service, answer.json()["match"], table.accounts, answer)


def checks_of(table: Table) -> dict[str, str]:
    """Return what verifying the export of a match has found."""
    keys = table.eyes(None).get("/.well-known/howff-receipts.json").json()["keys"]
    export = read_export(table.eyes(None).get(f"{table.path}/export").content)
    assert export.is_whole
    report = verify(export, table.match.game, tuple(map(public_key_from_jwk, keys)))
    assert report.failure is None, report.failure
    return {check.name: check.result for check in report.checks}


def test_branches_of_every_game_are_played_to_the_end_and_proven(parent: Table) -> None:
    newest = parent.match.version
    is_quick = IS_LONG or parent.match.game.key == "troedler"
    for at in (1, newest // 2, newest - 1) if is_quick else (3 * newest // 4, newest - 1):
        branch = branch_of(parent, at, [{"account": each} for each in parent.accounts])
        assert look(branch)["parent"] == {"match": parent.id, "version": at}
        branch.advance()
        assert look(branch)["outcome"] is not None
        assert checks_of(branch)["decisions"] == "passed"
        audit = branch.eyes(None).get(f"{branch.path}/audit").json()
        assert audit["is_sound"], audit
        assert [each["result"] for each in audit["checks"] if each["name"] == "origin"] == [
            "passed"
        ]


def test_a_branch_begins_as_its_parent_stood_and_its_luck_is_new(parent: Table) -> None:
    at, seats = parent.match.version // 2, len(parent.accounts)
    branch = branch_of(parent, at, [{"account": each} for each in parent.accounts])
    match = match_of(parent.match.game, parent.commits[:at])
    assert branch.match.state == match.state
    for viewer in branch.viewers:
        assert look(branch, viewer)["view"] == replayed(parent, at, viewer)["view"]
    terms = branch.match.started
    assert terms.seed_commitment != parent.match.started.seed_commitment
    assert (terms.options, terms.watch) == (parent.match.started.options, "public")
    assert (terms.clock, terms.rated, len(terms.seats)) == (None, False, seats)


def test_where_a_branch_begins_is_hidden_until_its_end(
    parent: Table, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    at = parent.match.version // 2
    branch = branch_of(parent, at, [{"account": each} for each in parent.accounts])
    state = to_json(branch.match.game.state, branch.match.state)
    for viewer in branch.viewers:
        eyes = branch.eyes(viewer)
        assert look(branch, viewer)["state"] is None
        told = [
            eyes.get(f"{branch.path}/events").json()["commits"][0],
            json.loads(eyes.get(f"{branch.path}/export").content.splitlines()[1]),
        ]
        for commit in told:
            assert commit["events"][1]["type"] == "MatchBranched"
            assert commit["events"][1]["data"]["state"].keys() == {"sealed"}
            assert "state" not in commit["events"][1].get("salts", {})
    told_in_log = canonical_bytes(state).decode()
    assert told_in_log not in caplog.text
    assert repr(branch.match.state) not in caplog.text
    for seat in range(len(branch.accounts)):
        done(asked(branch, seat, "abort"))
    commit = branch.eyes(None).get(f"{branch.path}/events").json()["commits"][0]
    assert commit["events"][1]["data"] == {"parent": parent.id, "version": at, "state": state}


def test_there_is_nothing_to_play_where_a_match_has_come_to_its_end(parent: Table) -> None:
    seats: list[JSON] = [BOT] * len(parent.accounts)
    problem_of(asked_for(parent, 0, parent.match.version, seats), 409, "nothing_to_play")
    problem_of(asked_for(parent, 0, parent.match.version + 1, seats), 409, "no_such_version")
    problem_of(asked_for(parent, 0, 0, seats), 422, "malformed")


def test_a_match_that_was_given_up_may_go_on_in_a_branch_of_bots(
    played_service: Service,
) -> None:
    table = played_service.table(options={"round_limit": 1})
    table.advance(4)
    done(asked(table, 1, "resign"))
    branch = branch_of(table, table.match.version, [BOT, BOT])
    wait_until(partial(is_over, branch))
    assert [each["resigned"] for each in look(branch)["standings"]] == [None, None]
    assert look(branch)["outcome"]["figures"] != [[], []]


def test_what_is_sent_again_starts_one_branch(short: Table) -> None:
    key, seats = new_key(), [{"account": short.accounts[0]}, {"account": "emil"}]
    answers = [asked_for(short, 0, 3, seats, key=key) for _ in range(3)]
    assert {each.status_code for each in answers} == {201}
    assert len({each.json()["match"] for each in answers}) == 1
    problem_of(asked_for(short, 0, 4, seats, key=key), 409, "command_id_reused")
    problem_of(asked_for(short, 0, 3, [BOT, BOT], key=key), 409, "command_id_reused")
    match: JSON = {"game": "troedler", "seats": seats, "options": {"round_limit": 1}}
    problem_of(short.eyes(0).post("/v1/matches", match, key), 409, "command_id_reused")


def test_a_branch_has_as_many_seats_as_its_parent(short: Table) -> None:
    for seats in ([BOT] * 3, [BOT], []):
        problem_of(asked_for(short, 0, 2, seats), 422, "wrong_term")
    problem_of(asked_for(short, 0, 2, [BOT, {"bot": "sharp"}]), 422, "unknown_level")


def test_nobody_branches_for_others_alone(short: Table) -> None:
    seats: JSON = [{"account": short.accounts[1]}, BOT]
    problem_of(asked_for(short, 0, 2, seats), 422, "not_seated")
    assert branch_of(short, 2, [BOT, BOT]).match.version > 0


def test_there_are_no_branches_before_the_end(service: Service) -> None:
    table = service.table()
    table.advance(3)
    problem_of(asked_for(table, 0, 2, [BOT, BOT]), 409, "match_not_over")
    problem_of(asked_for(table, None, 2, [BOT, BOT]), 401, "token_required")


def test_branches_of_a_private_match_are_private_too(service: Service) -> None:
    table = finished(service, watch="private")
    stranger = service.eyes("a-stranger")
    content: JSON = {"at": 2, "seats": [{"account": "a-stranger"}, BOT]}
    answer = stranger.post(f"{table.path}/branches", content, new_key())
    problem_of(answer, 404, "no_such_match")
    problem_of(asked_for(table, 0, 2, [BOT, BOT]), 422, "not_seated")
    branch = branch_of(table, 2, [{"account": table.accounts[0]}, BOT])
    problem_of(stranger.get(branch.path), 404, "no_such_match")
    assert look(branch, 0)["watch"] == "private"


def test_a_branch_of_a_branch_is_proven_like_any_other(short: Table) -> None:
    people: list[JSON] = [{"account": each} for each in short.accounts]
    branch = branch_of(short, 2, people)
    branch.advance()
    again = branch_of(branch, 3, people)
    again.advance()
    assert look(again)["parent"] == {"match": branch.id, "version": 3}
    assert again.eyes(None).get(f"{again.path}/audit").json()["is_sound"]
