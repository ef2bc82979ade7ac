import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, Final

import httpx
import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON
from howff.engine.seats import Seat, Viewer
from howff.game.application import feeds as feeds_module
from howff.game.application import matches as matches_module
from howff.game.application.matches import stream_of
from howff.game.application.ports import Committed, Subscription
from howff.game.domain.telling import Voice, as_it_is
from howff.match.commit import Commit, MatchId, commit_to_json
from howff.match.match import Match
from howff.match.redaction import redact_commit
from howff.servicekit.eventstore.store import Recorded, StreamId
from howff.servicekit.nats.errors import NatsUnavailableError
from support.feeds import LINES, Told, followed, following
from support.rng import LocalRng
from support.running import run, until
from support.service import SERVED, Service, Table, nats_server, service_on
from support.web import problem_of

EVERY_GAME: Final = pytest.mark.parametrize("game", SERVED)
SHORT: Final[dict[str, JSON]] = {"round_limit": 1}
SHORTEST: Final = 9
"""Commits: a match of one round at random has no fewer."""
WATCHERS: Final = 50
STEPS: Final = 20


def client(service: Service) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=None)
    return httpx.AsyncClient(base_url=service.url, limits=limits, timeout=20)


def versions(told: list[Told]) -> list[int]:
    return [each.version for each in told if each.kind == "commit"]


def test_who_comes_at_any_moment_is_told_every_commit_once_and_in_order(service: Service) -> None:
    table = service.table(options=SHORT)
    rng = LocalRng(7)

    async def come(http: httpx.AsyncClient, after: int) -> tuple[int, list[Told]]:
        await until(lambda: has_come_to(after))
        return after, await followed(http, f"{table.path}/events?after={after}")

    def has_come_to(version: int) -> bool:
        kept = service.parts.feeds._aggregates._kept.get(stream_of(MatchId(table.id)))
        return kept is not None and kept.mark.version >= version

    async def story() -> None:
        async with client(service) as http, asyncio.TaskGroup() as group:
            coming = [group.create_task(come(http, rng.draw("after", SHORTEST))) for _ in range(25)]
            await asyncio.to_thread(table.advance)
        newest = table.match.version
        for each in coming:
            after, told = each.result()
            assert versions(told) == list(range(after + 1, newest + 1))
            assert [one.id for one in told[:-1]] == [str(one.version) for one in told[:-1]]
            assert told[-1].kind == "over"

    run(story)


async def watch(http: httpx.AsyncClient, table: Table, viewer: Viewer, told: list[Told]) -> None:
    """Add what *viewer* is told live after the first commit to *told*, up to so many commits."""
    path = f"{table.path}/events?after=1"
    async with following(http, path, table.eyes(viewer).headers) as frames:
        async for frame in frames:
            if frame.kind == "commit":
                told.append(frame)
            if len(told) == STEPS:
                return


@EVERY_GAME
def test_commits_are_told_live_as_each_viewer_sees_them_happen(service: Service, game: str) -> None:
    table = service.table(game, GAMES[game].seats[0])
    live: dict[Viewer, list[Told]] = {viewer: [] for viewer in table.viewers}

    async def story() -> None:
        async with client(service) as http, asyncio.TaskGroup() as group:
            for viewer, told in live.items():
                group.create_task(watch(http, table, viewer, told))
            await watched_by(table, len(live))
            await asyncio.to_thread(lambda: [table.advance(1) for _ in range(STEPS)])

    run(story)
    known, commits = table.log.known, table.commits
    for viewer, told in live.items():
        for frame, commit in zip(told, commits[1:], strict=True):
            opened = redact_commit(known.match, commit, viewer, known.seed, told_live=True)
            assert frame.content == commit_to_json(opened)
        later = table.eyes(viewer).get(f"{table.path}/events?after=1").json()["commits"]
        again = [
            commit_to_json(redact_commit(known.match, commit, viewer, known.seed))
            for commit in commits[1:]
        ]
        assert later == again


async def watched_by(table: Table, number: int) -> None:
    """Wait until so many clients follow a match live."""
    open_feeds = table.service.parts.feeds._open

    def is_so() -> bool:
        feed = open_feeds.get(MatchId(table.id))
        watchers = feed._watchers.values() if feed else ()
        return sum(map(len, watchers)) == number

    await until(is_so)


def test_heartbeats_say_which_version_is_the_newest(service: Service) -> None:
    table = service.table()

    async def story() -> None:
        async with client(service) as http, following(http, f"{table.path}/events") as frames:
            kinds = [(await anext(frames)).kind for _ in range(2)]
            assert kinds == ["commit", "heartbeat"]
            await asyncio.to_thread(table.advance, 3)
            told = [await anext(frames) for _ in range(3)]
            while (beat := await anext(frames)).kind != "heartbeat":
                told.append(beat)
            assert (beat.id, beat.content) == (None, {"version": 4})
            assert versions(told) == [2, 3, 4]
        async with client(service) as http:
            headers = {"Accept": LINES}
            async with http.stream("GET", f"{table.path}/events?after=4", headers=headers) as lines:
                async for line in lines.aiter_lines():
                    assert line == '{"heartbeat":4}'
                    break

    run(story)


class Losing:
    """Brings commits as they are told again, but for those that *loses* names."""

    def __init__(self, committed: Committed, loses: Callable[[Commit], bool]) -> None:
        self._committed = committed
        self._loses = loses

    async def subscribe(
        self, stream: StreamId, receive: Callable[[Recorded[Commit]], Awaitable[None]]
    ) -> Subscription:
        async def some(recorded: Recorded[Commit]) -> None:
            if not self._loses(recorded.commit):
                await receive(recorded)

        return await self._committed.subscribe(stream, some)


@pytest.mark.parametrize("lost", [{3}, {2, 3}, {2}])
def test_what_a_feed_has_missed_is_told_before_the_next_commit(
    service: Service, lost: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_: Any) -> None:
        return

    monkeypatch.setattr(feeds_module.MatchFeed, "beat", never)
    assert told_in_spite_of_losing(service, lost, monkeypatch) == [1, 2, 3, 4]


@pytest.mark.parametrize("lost", [{4}, {2, 4}, {2, 3, 4}])
def test_what_no_commit_comes_after_is_told_with_the_next_heartbeat(
    service: Service, lost: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told_in_spite_of_losing(service, lost, monkeypatch) == [1, 2, 3, 4]


def told_in_spite_of_losing(
    service: Service, lost: set[int], monkeypatch: pytest.MonkeyPatch
) -> list[int]:
    """Return the first four versions that a feed tells which the *lost* ones do not reach."""
    feeds = service.parts.feeds
    losing = Losing(feeds._committed, lambda commit: commit.version in lost)
    monkeypatch.setattr(feeds, "_committed", losing)
    table = service.table()

    async def story() -> list[int]:
        async with client(service) as http, following(http, f"{table.path}/events") as frames:
            told = [await anext(frames)]
            await asyncio.to_thread(table.advance, 3)
            while len(versions(told)) < 4:
                told.append(await anext(frames))
        return versions(told)

    return run(story, within=10)


@pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
def test_a_feed_that_can_not_be_opened_is_refused_and_does_not_begin(
    service: Service, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: Any) -> Subscription:
        raise NatsUnavailableError("subscribing", found="no answer")

    table = service.table()
    monkeypatch.setattr(service.parts.feeds._committed, "subscribe", away)
    answer = table.eyes(None).get(f"{table.path}/events", {"Accept": form})
    problem_of(answer, 503, "nats_unavailable")
    assert answer.headers["retry-after"] == "1"
    assert not service.parts.feeds._open


def test_what_had_happened_is_read_again_by_whoever_comes_while_a_feed_lags(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told as if it happened now, it would open what has closed in the meantime."""

    async def never(_: Any) -> None:
        return

    monkeypatch.setattr(feeds_module.MatchFeed, "beat", never)
    feeds = service.parts.feeds
    monkeypatch.setattr(feeds, "_committed", Losing(feeds._committed, lambda _: True))
    table = service.table()
    owner = table.eyes(Seat(0)).headers
    path = f"{table.path}/events"

    async def story() -> None:
        async with client(service) as http, following(http, path) as lagging:
            await anext(lagging)
            await asyncio.to_thread(table.advance, 60)
            commits = (await http.get(path, headers=owner)).json()["commits"]
            own = [each["move"] for each in commits if each["actor"] == "seat:0"]
            assert any("sealed" in move for move in own), "nothing has closed for the seat"
            async with following(http, path, owner) as frames:
                told = [await anext(frames) for _ in commits]
        assert [each.content for each in told] == commits

    run(story, within=10)


def test_a_commit_is_redacted_once_for_each_pair_of_eyes(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    redacted: Counter[tuple[Viewer, int]] = Counter()

    def counted(
        match: Match, commit: Commit, viewer: Viewer, seed: bytes, *, told_live: bool
    ) -> Commit:
        redacted[viewer, commit.version] += 1
        return redact_commit(match, commit, viewer, seed, told_live=told_live)

    table = service.table(options=SHORT)
    table.advance(5)
    monkeypatch.setattr(matches_module, "redact_commit", counted)
    owner = table.eyes(Seat(0)).headers

    async def story() -> None:
        path = f"{table.path}/events"
        watching: list[list[Told]] = [[] for _ in range(WATCHERS)]
        seated: list[list[Told]] = [[] for _ in range(5)]
        async with client(service) as http, asyncio.TaskGroup() as group:
            for told in watching:
                group.create_task(followed(http, path, None, told))
            for told in seated:
                group.create_task(followed(http, path, owner, told))
            await until(lambda: all(len(told) == 6 for told in (*watching, *seated)))
            assert redacted == {(eyes, at): 1 for eyes in (None, Seat(0)) for at in range(1, 7)}
            await asyncio.to_thread(table.advance)
        for alike in (watching, seated):
            assert len({"".join(each.raw for each in told) for told in alike}) == 1
        newest = table.match.version
        assert versions(watching[0]) == list(range(1, newest + 1))
        moved = {each.version for each in table.commits[6:] if each.seat == 0}
        for version in range(1, newest + 1):
            assert redacted[None, version] == 1
            # The answer to the seat's own move is the one other time that it is told.
            assert redacted[Seat(0), version] == 1 + (version in moved)

    run(story)


def test_a_reader_that_is_too_slow_is_cut_off_and_can_come_back(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds_module, "MOST_WAITING", 5)
    table = service.table()
    feeds, matches = service.parts.feeds, service.parts.matches

    async def read_after(version: int, slowly: Callable[[], Awaitable[Any]]) -> list[int]:
        known = await matches.find(MatchId(table.id))
        async with feeds.watch(known, None, version) as frames:
            await slowly()
            told = []
            async for frame in frames:
                told.append(frame)
                if frame.version == 13:
                    break
            return [each.version for each in told if each.kind == "commit"]

    async def nothing() -> None:
        return

    first = service.call(read_after(1, lambda: table._advanced(12)))
    assert first in ([2, 3, 4, 5, 6], [2, 3, 4, 5])  # a heartbeat may wait among them
    rest = service.call(read_after(first[-1], nothing))
    assert first + rest == list(range(2, 14))


def test_whom_a_commit_can_not_be_told_is_sent_away_and_nobody_else_misses_it(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    table = service.table()
    feeds, matches = service.parts.feeds, service.parts.matches

    def speechless(match: Match, told: Commit, viewer: Viewer) -> bytes:
        if told.version == 3:
            raise KeyError("a secret")
        return as_it_is(match, told, viewer)

    async def told_by(voice: Voice) -> list[int]:
        known = await matches.find(MatchId(table.id))
        async with feeds.watch(known, None, 1, voice=voice) as frames:
            told = []
            async for frame in frames:
                if frame.kind == "commit":
                    told.append(frame.version)
                if frame.version == 4:
                    break
            return told

    async def story() -> list[list[int]]:
        async with asyncio.TaskGroup() as group:
            telling = [group.create_task(told_by(each)) for each in (speechless, as_it_is)]
            await asyncio.to_thread(table.advance, 3)
        return [each.result() for each in telling]

    broken, whole = service.call(story())
    assert whole == [2, 3, 4]
    assert broken == [2]
    assert f"match.{table.id} can't be told to None" in caplog.text


def test_who_comes_while_the_service_stops_is_sent_away_after_what_there_is() -> None:
    with nats_server() as nats, service_on(nats, heartbeat_seconds=60) as service:
        table = service.table()
        feeds, matches = service.parts.feeds, service.parts.matches

        async def story() -> list[int]:
            known = await matches.find(MatchId(table.id))
            feeds.cut()
            async with feeds.watch(known, None, 0) as frames:
                return [frame.version async for frame in frames]

        assert service.call(story(), within=5) == [1]


def test_who_leaves_a_feed_is_told_no_more_while_others_stay(service: Service) -> None:
    table = service.table()
    path = f"{table.path}/events"

    async def story() -> None:
        async with client(service) as http, following(http, path) as stays:
            async with following(http, path) as leaves:
                await anext(leaves)
                await watched_by(table, 2)
            await watched_by(table, 1)
            await asyncio.to_thread(table.advance, 2)
            while (await anext(stays)).version < 3:
                pass

    run(story)


def test_what_has_closed_since_it_was_told_again_is_not_told_so_once_more(
    service: Service,
) -> None:
    table = service.table()
    path = f"{table.path}/events"

    async def told_again(http: httpx.AsyncClient, viewer: Viewer, newest: int) -> list[Any]:
        async with following(http, path, table.eyes(viewer).headers) as frames:
            return [(await anext(frames)).content for _ in range(newest)]

    async def story() -> None:
        async with client(service) as http, following(http, path) as stays:
            await anext(stays)
            for _ in range(STEPS):
                newest = (await asyncio.to_thread(table.advance, 1)).version
                log = await asyncio.to_thread(lambda: table.log)
                for viewer in table.viewers:
                    told = await told_again(http, viewer, newest)
                    seen = [log.known.told(each, viewer) for each in log.commits]
                    assert told == [commit_to_json(each) for each in seen]

    run(story)


def test_feeds_end_when_the_service_stops() -> None:
    with nats_server() as nats, service_on(nats, heartbeat_seconds=60) as service:
        table = service.table()
        table.advance(2)

        async def story() -> None:
            async with client(service) as http, AsyncExitStack() as stack:
                path = f"{table.path}/events"
                feeds = [await stack.enter_async_context(following(http, path)) for _ in range(10)]
                for feed in feeds:
                    assert versions([await anext(feed) for _ in range(3)]) == [1, 2, 3]
                await watched_by(table, 10)
                async with asyncio.timeout(4):
                    stopping = asyncio.create_task(asyncio.to_thread(service.stop))
                    for feed in feeds:
                        assert [each.kind async for each in feed] == []
                await stopping

        run(story)


def test_clients_that_hang_up_at_any_moment_leave_nothing_behind(service: Service) -> None:
    table = service.table()
    connection = service.parts.feeds._committed._connection  # type: ignore[attr-defined]
    subscribed = set(connection.client._subs)

    async def come_and_go(http: httpx.AsyncClient, patience: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with (
                asyncio.timeout(patience),
                following(http, f"{table.path}/events") as frames,
            ):
                async for _ in frames:
                    pass

    async def story() -> None:
        for number in range(40):
            async with client(service) as http:
                await come_and_go(http, 0.0005 * number)
        await until(lambda: MatchId(table.id) not in service.parts.feeds._open)
        await until(lambda: set(connection.client._subs) <= subscribed)

    run(story)
    assert not connection.lost.is_set()
    assert table.play().status_code == 200


def test_the_head_of_a_feed_is_answered_at_once(service: Service) -> None:
    table = service.table()
    headers = {"Accept": "text/event-stream"}
    answer = service.http.head(f"{table.path}/events", headers=headers)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith("text/event-stream")
