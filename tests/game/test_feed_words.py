"""What happens in a match, told in words to those who watch."""

import asyncio
from typing import Any, Final

import httpx
import pytest

from howff.client.client import HowffClient
from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON, from_json
from howff.engine.seats import Seat, Viewer
from howff.match.commit import commit_from_json
from howff.match.words import lines_beside
from howff.servicekit.ids import new_id
from support.feeds import EVENTS, LINES, Told, following, frames_in
from support.running import run
from support.service import SERVED, Service, Table
from support.web import problem_of

SHORT: Final[dict[str, JSON]] = {"round_limit": 1}


def page(table: Table, viewer: Viewer, after: int = 0) -> Any:
    answer = table.eyes(viewer).get(f"{table.path}/lines?after={after}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def words_of_own(table: Table, viewer: Viewer) -> list[list[str]]:
    """Return what a viewer could say itself of what it is told, and of what it sees."""
    eyes = table.eyes(viewer)
    now, told = (eyes.get(f"{table.path}{path}").json() for path in ("", "/events"))
    game = GAMES[now["game"]]
    view = from_json(game.view_type, now["view"])
    names = tuple(f"Seat {seat}" for seat in range(len(now["seats"])))
    commits = map(commit_from_json, told["commits"])
    return [list(lines_beside(game, view, each, names)) for each in commits]


@pytest.mark.parametrize("game", SERVED)
def test_the_words_say_no_more_than_each_viewer_is_told_anyway(service: Service, game: str) -> None:
    table = service.table(game, GAMES[game].seats[0])
    table.advance(15)
    for viewer in table.viewers:
        told = page(table, viewer)
        assert told["match"] == table.id
        assert told["viewer"] == ("spectator" if viewer is None else f"seat:{viewer}")
        assert told["version"] == 16
        assert [each["version"] for each in told["commits"]] == list(range(1, 17))
        lines = [each["lines"] for each in told["commits"]]
        assert lines == words_of_own(table, viewer)
        assert lines[0][0].startswith(f"A match of {GAMES[game].title} starts")
        assert any("Seat 1" in line for each in lines for line in each)


def test_the_words_of_a_match_that_is_over_end_with_its_seed(service: Service) -> None:
    table = service.table(options=SHORT)
    assert table.advance().is_over
    answer = table.eyes(None).get(f"{table.path}/lines", {"Accept": EVENTS})
    *commits, over = frames_in(answer.text)
    assert [each.content for each in commits] == page(table, None)["commits"]
    assert (over.kind, over.content) == ("over", {"version": table.match.version})
    assert commits[-1].content["lines"][-1].startswith("The seed of its luck was ")
    as_lines = table.eyes(None).get(f"{table.path}/lines?after=1", {"Accept": LINES}).text
    assert len(as_lines.splitlines()) == len(commits)
    end = {"Accept": EVENTS, "Last-Event-ID": str(table.match.version)}
    assert table.eyes(None).get(f"{table.path}/lines", end).status_code == 204


async def told_live(http: httpx.AsyncClient, path: str, count: int) -> list[Told]:
    """Return the next commits of a feed, so many."""
    told: list[Told] = []
    async with following(http, path) as frames:
        while len(told) < count:
            frame = await anext(frames)
            if frame.kind == "commit":
                told.append(frame)
    return told


def test_moves_are_told_in_words_and_as_commits_as_they_happen(service: Service) -> None:
    table = service.table(options=SHORT)

    async def story() -> list[list[Told]]:
        async with (
            httpx.AsyncClient(base_url=service.url, timeout=30) as http,
            asyncio.TaskGroup() as group,
        ):
            paths = [f"{table.path}/{name}?after=1" for name in ("lines", "events")]
            telling = [group.create_task(told_live(http, path, 3)) for path in paths]
            for _ in range(3):
                await asyncio.to_thread(table.play)
        return [each.result() for each in telling]

    words, commits = run(story)
    assert [each.id for each in words] == ["2", "3", "4"]
    for word, commit in zip(words, commits, strict=True):
        assert word.content.keys() == {"version", "at", "actor", "lines"}
        for name in ("version", "at", "actor"):
            assert word.content[name] == commit.content[name]
        assert len(word.content["lines"]) == len(commit.content["events"])


def test_the_client_follows_the_words_too(service: Service) -> None:
    table = service.table(options=SHORT)
    assert table.advance().is_over

    async def story() -> list[Any]:
        async with HowffClient(service.url, ids=new_id) as howff:
            told = [each async for each in howff.feed(table.id, after=2, in_words=True)]
            assert await howff.lines(table.id, after=2) == page(table, None, 2)
            return told

    assert run(story) == page(table, None, 2)["commits"]


def test_a_match_that_a_stranger_may_not_watch_is_not_put_into_words(service: Service) -> None:
    table = service.table(watch="private")
    problem_of(table.eyes(None).get(f"{table.path}/lines"), 404, "no_such_match")
    assert page(table, Seat(0))["version"] == 1
