"""The server as a child process: it gets ready, keeps its files and ports, and tells why not."""

import asyncio
import fcntl
from dataclasses import replace
from pathlib import Path

import pytest

from howff.servicekit.nats.connection import LINE_ERRORS, Credentials, connect
from howff.servicekit.nats.errors import ServerNotInstalledError, ServerNotReadyError
from howff.servicekit.nats.server import NatsServer, User, free_ports
from howff.servicekit.nats.streams import ensure_stream, locked
from support.nats import cluster, own_server, plan_in
from support.running import eventually, run


async def _stored(server: NatsServer, payload: bytes) -> int:
    """Append to a stream of *server* and return at which position."""
    async with await connect(server.url, name="test") as connection:
        await ensure_stream(connection, locked("KEPT", ["kept.*"], replicas=1))
        ack = await connection.jetstream.publish("kept.1", payload)
        return ack.seq


def test_what_was_acknowledged_is_there_after_a_crash_and_a_restart(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:
        assert asyncio.run(_stored(server, b"one")) == 1
        server.kill()
        server.start()
        assert asyncio.run(_stored(server, b"two")) == 2
        server.restart()
        assert asyncio.run(_stored(server, b"three")) == 3


def test_a_second_server_on_the_same_port_is_refused_with_its_last_words(tmp_path: Path) -> None:
    with own_server(tmp_path / "first") as first:
        plan = plan_in(tmp_path / "second", port=first.plan.port)
        with pytest.raises(ServerNotReadyError, match="address already in use"):
            NatsServer(plan).start()


def test_a_server_that_does_not_answer_is_not_ready(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:
        server.pause()
        with pytest.raises(ServerNotReadyError, match="none after"):
            server.wait_until_ready(within=0.1)
        server.resume()
        server.wait_until_ready()


def test_whoever_else_answers_where_it_should_is_not_ready(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:
        plan = replace(server.plan, monitor_port=server.plan.port)  # which speaks no HTTP
        server.plan = plan
        with pytest.raises(ServerNotReadyError, match="none after"):
            server.wait_until_ready(within=0.1)


def test_a_missing_program_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path))
    with pytest.raises(ServerNotInstalledError, match="nats-server"):
        NatsServer(plan_in(tmp_path)).start()


def test_a_folder_that_can_not_be_made_is_refused_and_named(tmp_path: Path) -> None:
    place = tmp_path / "nats"
    place.touch()
    with pytest.raises(ServerNotReadyError, match=f"{place}'.* exists"):
        NatsServer(plan_in(place)).start()


def test_a_server_holds_what_it_has_inherited_as_long_as_it_lives(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("ab") as lock, (tmp_path / "lock").open("ab") as other:
        fcntl.flock(lock, fcntl.LOCK_EX)
        server = NatsServer(plan_in(tmp_path / "nats"), inherited=(lock.fileno(),))
        with server:
            lock.close()
            with pytest.raises(BlockingIOError):
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_the_configuration_is_for_its_owner_alone(tmp_path: Path) -> None:
    user = User("game", "secret")
    (tmp_path / "server.conf").write_text("of an older version, for everybody to read")
    (tmp_path / "server.conf").chmod(0o644)
    with own_server(tmp_path, users=(user,)):
        assert (tmp_path / "server.conf").stat().st_mode & 0o077 == 0
    assert "secret" not in repr(user)
    assert "secret" not in repr(Credentials("game", "secret"))


def test_a_cluster_of_three_keeps_a_stream_without_one_of_them(tmp_path: Path) -> None:
    with cluster(tmp_path) as servers:

        async def story() -> None:
            urls = [server.url for server in servers]
            async with await connect(urls, name="test") as connection:
                wanted = locked("THREE", ["three.*"], replicas=3)
                found = await ensure_stream(connection, wanted)
                assert found.cluster is not None
                leader = found.cluster.leader
                other = next(each for each in servers if each.plan.name != leader)
                await asyncio.to_thread(other.kill)
                ack = await eventually(
                    lambda: connection.jetstream.publish("three.1", b""), *LINE_ERRORS
                )
                assert ack.seq >= 1  # one that was not answered may have been stored

        run(story)


def test_no_port_is_given_twice_to_those_who_ask_one_after_the_other() -> None:
    """For whoever was given one has yet to use it, or may have stopped and be back soon."""
    given = [port for _ in range(300) for port in free_ports(2)]
    assert len(set(given)) == len(given)
