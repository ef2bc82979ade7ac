import json
from typing import Any, Final

import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON
from howff.engine.seats import Viewer
from howff.game.application.matches import Log
from howff.match.commit import commit_to_json
from howff.match.redaction import redact_commit
from support.feeds import EVENTS, LINES, frames_in
from support.service import SERVED, Service, Table
from support.web import problem_of

EVERY_GAME: Final = pytest.mark.parametrize("game", SERVED)
SHORT: Final[dict[str, JSON]] = {"round_limit": 1}


def again(log: Log, viewer: Viewer) -> list[JSON]:
    """Return the commits of *log* as *viewer* may read them again."""
    known = log.known
    told = (redact_commit(known.match, each, viewer, known.seed) for each in log.commits)
    return list(map(commit_to_json, told))


def finished(service: Service) -> Table:
    table = service.table(options=SHORT)
    assert table.advance().is_over
    return table


@EVERY_GAME
def test_the_page_tells_each_viewer_the_commits_that_there_are(service: Service, game: str) -> None:
    table = service.table(game, GAMES[game].seats[0])
    table.advance(15)
    log = table.log
    for viewer in table.viewers:
        commits = again(log, viewer)
        for after in (0, 1, 7, 15, 16):
            answer = table.eyes(viewer).get(f"{table.path}/events?after={after}")
            assert answer.status_code == 200
            assert answer.headers["content-type"] == "application/json"
            assert answer.json() == {
                "match": table.id,
                "viewer": "spectator" if viewer is None else f"seat:{viewer}",
                "version": 16,
                "commits": commits[after:],
            }


def test_what_a_feed_tells_is_kept_by_no_cache_and_no_proxy(service: Service) -> None:
    table = finished(service)
    for form in ("application/json", LINES, EVENTS):
        answer = table.eyes(0).get(f"{table.path}/events", {"Accept": form})
        assert answer.headers["cache-control"] == "private, no-store"
        assert answer.headers["vary"] == "Authorization, Accept"
        assert answer.headers["x-accel-buffering"] == "no"


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        (None, "application/json"),
        ("", "application/json"),
        (",", "application/json"),
        ("*/*", "application/json"),
        ("application/*;q=0.3", "application/json"),
        ("text/html, application/json;q=0.9", "application/json"),
        ("Application/X-NDJSON", LINES),
        ("application/json, application/x-ndjson", LINES),
        ("text/event-stream, */*", EVENTS),
        ("*/*,text/event-stream;charset=utf-8", EVENTS),
        ("text/*", EVENTS),
        ("text/event-stream;q=0, application/json", "application/json"),
        ("text/event-stream;q=0.2, application/x-ndjson; Q=0.5", LINES),
        ("application/x-ndjson;q=0.5, */*;q=0.4", LINES),
        ("text/event-stream;q=0.1, */*;q=0.9", "application/json"),
        ("application/json;q=much", "application/json"),
    ],
)
def test_the_form_is_the_one_that_a_client_accepts(
    service: Service, accept: str | None, form: str
) -> None:
    table = finished(service)
    headers = {} if accept is None else {"Accept": accept}
    answer = table.eyes(0).get(f"{table.path}/events", headers)
    assert answer.status_code == 200
    assert answer.headers["content-type"].partition(";")[0] == form


@pytest.mark.parametrize(
    "accept", ["text/html", "application/xml;q=1", "json", "*", "a/b/c", "application/json;q=0.0"]
)
def test_a_form_that_there_is_not_is_refused(service: Service, accept: str) -> None:
    table = service.table()
    answer = table.eyes(0).get(f"{table.path}/events", {"Accept": accept})
    document = problem_of(answer, 406, "not_acceptable")
    assert document["expected"] == f"application/json or {LINES} or {EVENTS}"
    assert document["found"] == repr(accept)


def test_lines_tell_a_commit_each_and_then_the_end(service: Service) -> None:
    table = finished(service)
    commits = again(table.log, None)
    for after in (0, len(commits) - 1, len(commits)):
        answer = table.eyes(None).get(f"{table.path}/events?after={after}", {"Accept": LINES})
        lines = [json.loads(line) for line in answer.text.splitlines()]
        assert lines == [*commits[after:], {"over": len(commits)}]
        assert answer.text.endswith("\n")


def test_events_tell_a_commit_each_under_its_version_and_then_the_end(service: Service) -> None:
    table = finished(service)
    commits = again(table.log, None)
    text = table.eyes(None).get(f"{table.path}/events", {"Accept": EVENTS}).text
    *told, over = frames_in(text)
    assert [each.content for each in told] == commits
    assert [each.id for each in told] == [str(each["version"]) for each in commits]
    assert {each.kind for each in told} == {"commit"}
    assert (over.kind, over.id, over.content) == ("over", None, {"version": len(commits)})


def test_who_comes_back_is_told_what_comes_after_its_last_event(service: Service) -> None:
    table = finished(service)
    eyes, path, newest = table.eyes(0), f"{table.path}/events?after=2", table.match.version
    for last in (0, 5, newest - 1):
        headers = {"Accept": EVENTS, "Last-Event-ID": str(last)}
        *told, over = frames_in(eyes.get(path, headers).text)
        assert [each.version for each in told] == list(range(last + 1, newest + 1))
        assert over.kind == "over"
    page: Any = eyes.get(path, {"Last-Event-ID": "4"}).json()
    assert [each["version"] for each in page["commits"]] == list(range(5, newest + 1))


def test_who_comes_back_after_the_end_is_sent_away(service: Service) -> None:
    table = finished(service)
    newest = table.match.version
    for path, headers in (
        (f"{table.path}/events", {"Last-Event-ID": str(newest)}),
        (f"{table.path}/events?after={newest}", {}),
    ):
        answer = table.eyes(None).get(path, {"Accept": EVENTS, **headers})
        assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.parametrize("last", ["", "-1", "1.5", "x", "12345678", "²", "0x1", "1 2"])
def test_a_last_event_that_is_no_version_is_refused(service: Service, last: str) -> None:
    table = service.table()
    headers = {b"Accept": EVENTS.encode(), b"Last-Event-ID": last.encode()}
    answer = service.http.get(f"{table.path}/events", headers=headers)
    document = problem_of(answer, 422, "malformed")
    assert document["expected"] == "a version"


@pytest.mark.parametrize("form", ["application/json", LINES, EVENTS])
def test_a_version_that_the_match_has_not_reached_is_refused(service: Service, form: str) -> None:
    table = service.table()
    answer = table.eyes(0).get(f"{table.path}/events?after=2", {"Accept": form})
    document = problem_of(answer, 409, "no_such_version")
    assert (document["expected"], document["found"]) == ("a version from 0 to 1", "2")


def test_a_player_may_follow_with_the_eyes_of_a_spectator(service: Service) -> None:
    table = service.table()
    table.advance(9)
    watched = table.eyes(0).get(f"{table.path}/events?as=spectator").json()
    assert watched == table.eyes(None).get(f"{table.path}/events").json()
    answer = table.eyes(0).get(f"{table.path}/events?as=seat:1")
    problem_of(answer, 404, "no_such_match")
