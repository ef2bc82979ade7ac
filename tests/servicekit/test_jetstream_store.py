"""The event store on JetStream: what the server's answers, and its silence, are taken for."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from nats.aio.msg import Msg
from nats.js.errors import APIError

from howff.servicekit.aggregates import Aggregates
from howff.servicekit.eventstore import jetstream
from howff.servicekit.eventstore.errors import (
    BrokenStreamError,
    ConflictError,
    EventStoreError,
    UnavailableError,
    UnknownOutcomeError,
    UnreadableCommitError,
)
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.eventstore.store import BEGINNING, Mark, Position, StreamId
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.server import NatsServer, ServerPlan, free_ports
from howff.servicekit.nats.streams import ensure_stream, locked
from support.ledger import FORM, Add, Entry, Ledger, fold_entry
from support.nats import own_server, shared_server, unique
from support.running import eventually, run, until


@dataclass(frozen=True, slots=True)
class Place:
    """A stream of a server, the store on it, and the subject of one aggregate."""

    connection: Connection
    name: str

    @property
    def store(self) -> JetStreamStore[Entry]:
        return JetStreamStore(self.connection.client, self.name, FORM)

    @property
    def one(self) -> StreamId:
        return StreamId(f"{self.name}.one")

    def ledgers(self, patience: float = 9.0) -> Aggregates[Ledger, Entry]:
        return Aggregates(self.store, fold_entry, most_kept=10, patience=patience)

    async def append(self, count: int) -> list[Mark]:
        """Append *count* commits to a stream that has none, and return all marks."""
        marks = [BEGINNING]
        for version in range(1, count + 1):
            entry = Entry(version, f"command-{version}", 1)
            marks.append(await self.store.append(self.one, entry, marks[-1]))
        return marks

    async def commands(self) -> list[str]:
        return [each.commit.command for each in await self.store.tail(self.one, BEGINNING)]


@asynccontextmanager
async def place_on(server: NatsServer, **changes: Any) -> AsyncIterator[Place]:
    name = unique("ENTRIES")
    async with await connect(server.url, name="store") as connection:
        await ensure_stream(connection, locked(name, [f"{name}.*"], replicas=1).evolve(**changes))
        yield Place(connection, name)


def test_an_append_that_builds_on_an_older_commit_is_a_conflict() -> None:
    async def story() -> None:
        async with place_on(shared_server()) as place:
            await place.append(1)
            with pytest.raises(ConflictError, match="version 0 to be the last") as conflict:
                await place.store.append(place.one, Entry(1, "late", 1), BEGINNING)
            assert isinstance(conflict.value.__cause__, APIError)
            assert conflict.value.__cause__.err_code == 10071

    run(story)


def test_a_full_stream_is_unavailable() -> None:
    async def story() -> None:
        async with place_on(shared_server(), max_msgs=1) as place:
            await place.append(1)
            with pytest.raises(UnavailableError, match="maximum messages exceeded"):
                await place.store.append(place.one, Entry(2, "b", 1), Mark(1, Position(1)))

    run(story)


def test_a_stream_that_does_not_exist_is_unavailable() -> None:
    async def story() -> None:
        async with await connect(shared_server().url, name="store") as connection:
            place = Place(connection, unique("NONE"))
            with pytest.raises(UnavailableError):
                await place.append(1)
            with pytest.raises(UnavailableError, match="stream not found"):
                await place.store.tail(place.one, BEGINNING)

    run(story)


class PlainPlan(ServerPlan):
    """A server that keeps no streams."""

    def configuration(self) -> str:
        settings = json.loads(super().configuration())
        del settings["jetstream"]
        return json.dumps(settings)


def test_a_server_without_streams_is_unavailable(tmp_path: Path) -> None:
    async def story() -> None:
        async with await connect(server.url, name="store") as connection:
            place = Place(connection, "NONE")
            with pytest.raises(UnavailableError):
                await place.store.append(place.one, Entry(1, "a", 1), BEGINNING)
            with pytest.raises(UnavailableError):
                await place.store.tail(place.one, BEGINNING)

    port, monitor_port = free_ports(2)
    with NatsServer(PlainPlan(tmp_path, port, monitor_port)) as server:
        run(story)


def test_an_append_without_an_answer_is_of_unknown_outcome_and_may_land_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jetstream, "ANSWER_WITHIN", 0.3)

    async def story() -> None:
        with own_server(tmp_path) as server:
            async with place_on(server) as place:
                marks = await place.append(2)
                server.pause()
                with pytest.raises(UnknownOutcomeError):
                    await place.store.append(place.one, Entry(3, "a", 1), marks[-1])
                with pytest.raises(UnavailableError):
                    await place.store.tail(place.one, BEGINNING)
                server.resume()
                await eventually(lambda: landed(place, "a"), AssertionError, UnavailableError)
                answer = await place.ledgers().handle(place.one, Add("a", 1))
                assert (answer.commit, answer.is_repeated) == (Entry(3, "a", 1), True)

    run(story)


async def landed(place: Place, command: str) -> None:
    assert command in await place.commands()


def test_a_command_to_a_server_that_freezes_for_a_while_leaves_one_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jetstream, "ANSWER_WITHIN", 0.2)

    async def story() -> None:
        with own_server(tmp_path) as server:
            async with place_on(server) as place:
                known, fresh = place.ledgers(), place.ledgers()
                await known.handle(place.one, Add("first", 1))
                server.pause()
                sent = asyncio.gather(
                    *(known.handle(place.one, Add(command, 1)) for command in "ab"),
                    *(fresh.handle(place.one, Add(command, 1)) for command in "bc"),
                )
                await asyncio.sleep(1)  # several attempts pass without an answer
                assert not sent.done()
                server.resume()
                answers = await sent
                commands = await place.commands()
                assert sorted(commands) == ["a", "b", "c", "first"]
                for answer in answers:
                    assert commands[answer.commit.version - 1] == answer.commit.command

    run(story)


def test_commands_to_a_server_that_is_killed_and_started_again_leave_one_commit_each(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        with own_server(tmp_path) as server:
            async with place_on(server) as place:
                servers = place.ledgers(), place.ledgers()
                answers = await killed_between(server, [write(each, place) for each in servers])
                commands = await place.commands()
                assert len(commands) == len(set(commands)) == len(answers)
                for commit in answers:
                    assert commands[commit.version - 1] == commit.command

    run(story)


WRITTEN = 150
"""Commands of a writer; enough to go on while the server is killed twice."""


async def write(ledgers: Aggregates[Ledger, Entry], place: Place) -> list[Entry]:
    name = unique("writer")
    commits = []
    for number in range(WRITTEN):
        answer = await ledgers.handle(place.one, Add(f"{name}-{number}", 1))
        commits.append(answer.commit)
        await asyncio.sleep(0.005)
    return commits


async def killed_between(server: NatsServer, writing: list[Any]) -> list[Entry]:
    """Return what was written while the server was killed twice."""
    writers = [asyncio.create_task(each) for each in writing]
    for _ in range(2):
        await asyncio.sleep(0.2)
        assert not any(writer.done() for writer in writers)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
    return [commit for commits in await asyncio.gather(*writers) for commit in commits]


def test_a_server_that_is_out_of_reach_is_unavailable_at_once_and_nothing_lands_later(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        with own_server(tmp_path) as server:
            async with place_on(server) as place:
                marks = await place.append(2)
                await asyncio.to_thread(server.kill)
                await until(lambda: not place.connection.client.is_connected)
                before = time.monotonic()
                with pytest.raises(UnavailableError):
                    await place.store.append(place.one, Entry(3, "never", 1), marks[-1])
                for after in (BEGINNING, marks[-1]):
                    with pytest.raises(UnavailableError):
                        await place.store.tail(place.one, after)
                assert time.monotonic() - before < jetstream.ANSWER_WITHIN
                await asyncio.to_thread(server.start)
                await until(lambda: place.connection.client.is_connected)
                await eventually(place.commands, UnavailableError)
                mark = await place.store.append(place.one, Entry(3, "c", 1), marks[-1])
                assert mark == Mark(3, Position(3))

    run(story)


def test_a_closed_connection_is_unavailable() -> None:
    async def story() -> None:
        async with place_on(shared_server()) as place:
            await place.append(1)
            await place.connection.client.close()
            with pytest.raises(UnavailableError, match="connection closed"):
                await place.store.append(place.one, Entry(2, "b", 1), Mark(1, Position(1)))
            with pytest.raises(UnavailableError, match="connection closed"):
                await place.store.tail(place.one, BEGINNING)

    run(story)


@pytest.mark.parametrize("is_direct", [True, False])
@pytest.mark.parametrize("lost", [1, 2, 4])
def test_a_stream_with_a_hole_is_refused_with_the_version_that_is_missing(
    lost: int, *, is_direct: bool
) -> None:
    async def story() -> None:
        changes = {"deny_delete": False, "allow_direct": is_direct}
        async with place_on(shared_server(), **changes) as place:
            marks = await place.append(5)
            await place.connection.jetstream.delete_msg(place.name, lost)
            for after in marks[:lost]:
                with pytest.raises(BrokenStreamError, match=f"expected version {lost}, found"):
                    await place.store.tail(place.one, after)
            for after in marks[lost:]:
                assert len(await place.store.tail(place.one, after)) == 5 - after.version

    run(story)


@pytest.mark.parametrize("is_direct", [True, False])
@pytest.mark.parametrize("content", [b"", b"\xff", b"{", b"{}", b"[1]", b'{"version": "1"}'])
def test_what_is_no_commit_is_refused_and_its_place_is_logged(
    content: bytes, caplog: pytest.LogCaptureFixture, *, is_direct: bool
) -> None:
    async def story() -> None:
        async with place_on(shared_server(), allow_direct=is_direct) as place:
            await place.append(1)
            await place.connection.jetstream.publish(place.one, content)
            with pytest.raises(UnreadableCommitError):
                await place.store.tail(place.one, BEGINNING)
            await place.store.append(place.one, Entry(3, "c", 1), Mark(2, Position(2)))
            with pytest.raises(UnreadableCommitError):
                await place.store.tail(place.one, BEGINNING)
            places = [each.getMessage().partition(":")[0] for each in caplog.records]
            assert places == [f"message 2 of stream {place.name!r}"] * 2

    run(story)


def test_a_commit_that_does_not_stand_where_it_should_is_not_given() -> None:
    async def story() -> None:
        async with place_on(shared_server(), deny_delete=False) as place:
            marks = await place.append(3)
            await place.connection.jetstream.delete_msg(place.name, 2)
            with pytest.raises(UnavailableError, match="expected version 2, found nothing"):
                await place.store.read(place.one, marks[2])
            wrong = Mark(2, marks[3].position)
            with pytest.raises(BrokenStreamError, match="expected version 2, found version 3"):
                await place.store.read(place.one, wrong)

    run(story)


def test_reading_leaves_no_subscription_behind() -> None:
    async def story() -> None:
        async with place_on(shared_server()) as place:
            await place.append(3)
            await place.store.tail(place.one, BEGINNING)
            subscriptions = len(place.connection.client._subs)
            for _ in range(5):
                await place.store.tail(place.one, BEGINNING)
            assert len(place.connection.client._subs) == subscriptions

    run(story)


@pytest.mark.parametrize("lost", [1, 3])
def test_a_stream_that_has_lost_its_end_is_not_read_as_a_shorter_one(lost: int) -> None:
    async def story() -> None:
        async with place_on(shared_server(), deny_delete=False) as place:
            marks = await place.append(3)
            ledgers = place.ledgers(patience=0.05)
            await ledgers.load(place.one)
            for version in range(4 - lost, 4):
                await place.connection.jetstream.delete_msg(place.name, version)
            wanted = f"expected version 3 or later, found version {3 - lost}"
            with pytest.raises(UnavailableError, match=wanted):
                await place.store.tail(place.one, marks[3])
            with pytest.raises(UnavailableError, match=wanted):
                await ledgers.load(place.one)
            with pytest.raises(EventStoreError):
                await ledgers.handle(place.one, Add("a", 1))

    run(story)


@asynccontextmanager
async def requests_seen(place: Place) -> AsyncIterator[list[str]]:
    """Give the requests to read the stream, in short, as another client sees them."""
    seen: list[str] = []
    async with await connect(shared_server().url, name="spy") as spy:
        direct = await spy.client.subscribe(f"$JS.API.DIRECT.GET.{place.name}")
        leader = await spy.client.subscribe(f"$JS.API.STREAM.MSG.GET.{place.name}")
        await spy.client.flush()
        yield seen
        await place.connection.client.flush()
        await spy.client.flush()
        seen += ["direct"] * direct.pending_msgs + ["leader"] * leader.pending_msgs


def test_commits_are_read_by_the_thousand() -> None:
    async def story() -> None:
        async with place_on(shared_server()) as place:
            marks = await place.append(1205)
            for after, direct in ((0, 2), (203, 2), (204, 1), (1203, 1), (1204, 0), (1205, 0)):
                async with requests_seen(place) as seen:
                    recorded = await place.store.tail(place.one, marks[after])
                assert [each.mark for each in recorded] == marks[after + 1 :]
                assert seen == ["direct"] * direct + ["leader"]

    run(story)


def test_a_stream_that_no_replica_gives_directly_is_read_from_its_leader() -> None:
    async def story() -> None:
        async with place_on(shared_server(), allow_direct=False) as place:
            marks = await place.append(30)
            for after in marks:
                recorded = await place.store.tail(place.one, after)
                assert [each.mark for each in recorded] == marks[after.version + 1 :]

    run(story)


def test_a_line_that_breaks_under_a_write_leaves_no_error_of_its_own() -> None:
    """Without its flusher the client writes at once, and meets the closed transport."""

    async def story() -> None:
        name = unique("BROKEN")
        async with await connect(shared_server().url, name="broken") as connection:
            await ensure_stream(connection, locked(name, [f"{name}.*"], replicas=1))
            store = JetStreamStore(connection.client, name, FORM)
            stream = StreamId(f"{name}.one")
            flusher, transport = connection.client._flusher_task, connection.client._transport
            assert flusher is not None
            assert transport is not None
            flusher.cancel()
            await asyncio.sleep(0)
            transport.close()  # type: ignore[no-untyped-call]
            with pytest.raises((UnknownOutcomeError, UnavailableError)):
                await store.append(stream, Entry(1, "command", 1), BEGINNING)
            with pytest.raises(UnavailableError):
                await store.tail(stream, BEGINNING)

    run(story)


def test_what_a_silent_replica_does_not_give_is_read_from_the_leader() -> None:
    """Direct gets are taken here by somebody who answers none, as by a replica that is frozen."""

    async def story() -> None:
        async with (
            place_on(shared_server(), allow_direct=False) as place,
            await connect(shared_server().url, name="silent") as silent,
        ):
            marks = await place.append(4)
            taken: list[Msg] = []

            async def keep(message: Msg) -> None:
                taken.append(message)

            await silent.client.subscribe(f"$JS.API.DIRECT.GET.{place.name}", cb=keep)
            await silent.client.flush()
            recorded = await place.store.tail(place.one, BEGINNING)
            assert [each.mark for each in recorded] == marks[1:]
            assert len(taken) == 1

    run(story)
