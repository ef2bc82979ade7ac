"""Probes: what each check has found, asked for seldom, and the end told at once."""

import asyncio
from typing import Any

import httpx
import pytest

from howff.servicekit import readiness as readiness_module
from howff.servicekit.consumers import Work
from howff.servicekit.nats.checks import connected, moving, streams_as_wanted
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.nats.streams import ensure_stream, locked
from howff.servicekit.readiness import Check, Finding, Readiness
from howff.servicekit.web.health import health_app, probes_served
from support.nats import shared_server, unique
from support.running import eventually, run, until
from support.working import FinalError, consuming, publish, run_working

GOOD = Finding(is_good=True, found="well")


@pytest.fixture(autouse=True)
def _asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness_module, "KEPT", 0.0)


async def probed(path: str, stopping: asyncio.Event | None = None, **checks: Check) -> Any:
    """Return how a probe is answered: its status, and what it says."""
    app = health_app(Readiness(checks, stopping or asyncio.Event()))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://probes") as http:
        answer = await http.get(path)
        return answer.status_code, answer.json()


async def good() -> Finding:
    return GOOD


def test_each_check_is_named_with_what_it_has_found() -> None:
    async def bad() -> Finding:
        return Finding(is_good=False, found="something else")

    status, told = run(lambda: probed("/readyz", first=good, second=bad))
    assert status == 503
    assert told == {
        "status": "not_ready",
        "checks": {
            "process": {"ok": True, "found": "serving"},
            "first": {"ok": True, "found": "well"},
            "second": {"ok": False, "found": "something else"},
        },
    }
    assert run(lambda: probed("/readyz", first=good))[0] == 200


def test_a_process_that_is_not_ready_is_alive() -> None:
    async def bad() -> Finding:
        raise FinalError

    assert run(lambda: probed("/healthz", first=bad)) == (200, {"status": "alive"})


def test_a_check_that_is_refused_or_takes_too_long_has_found_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(readiness_module, "FOUND_WITHIN", 0.05)

    async def refused() -> Finding:
        raise FinalError

    async def slow() -> Finding:
        await asyncio.Event().wait()
        return GOOD

    status, told = run(lambda: probed("/readyz", refused=refused, slow=slow))
    assert status == 503
    assert told["checks"]["refused"] == {"ok": False, "found": str(FinalError())}
    assert told["checks"]["slow"] == {"ok": False, "found": "no answer within 0.05 s"}


def test_a_process_that_has_begun_to_stop_is_not_ready() -> None:
    async def story() -> Any:
        stopping = asyncio.Event()
        stopping.set()
        return await probed("/readyz", stopping, first=good)

    status, told = run(story)
    assert status == 503
    assert told["checks"]["process"] == {"ok": False, "found": "stopping"}


def test_many_probes_ask_once_and_the_end_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness_module, "KEPT", 60.0)
    asked: list[int] = []

    async def counting() -> Finding:
        asked.append(1)
        await asyncio.sleep(0)
        return GOOD

    async def story() -> None:
        stopping = asyncio.Event()
        readiness = Readiness({"first": counting}, stopping)
        await asyncio.gather(*(readiness.findings() for _ in range(9)))
        assert len(asked) == 1
        stopping.set()
        assert not (await readiness.findings())["process"].is_good
        assert len(asked) == 1

    run(story)


def test_without_a_port_nobody_answers_probes() -> None:
    async def story() -> None:
        readiness = Readiness({"first": good}, asyncio.Event())
        async with probes_served(readiness, host="127.0.0.1", port=None) as url:
            assert url is None
        async with (
            probes_served(readiness, host="127.0.0.1", port=0) as url,
            httpx.AsyncClient() as http,
        ):
            assert (await http.get(f"{url}/readyz")).status_code == 200
            assert (await http.get(f"{url}/openapi.json")).status_code == 404

    run(story)


def test_a_stream_that_was_changed_is_found_by_what_differs() -> None:
    name = unique("LOCKED")

    async def story() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            wanted = locked(name, [f"{name}.*"], replicas=1)
            await ensure_stream(connection, wanted)
            check = streams_as_wanted(connection)
            assert (await check()).found == "1 as wanted"
            await connection.jetstream.update_stream(wanted.evolve(max_msgs=5))
            _, told = await probed("/readyz", streams=check, nats=connected(connection))
            assert told["checks"]["nats"]["ok"]
            assert not told["checks"]["streams"]["ok"]
            assert "max_msgs" in told["checks"]["streams"]["found"]

    run(story)


def test_a_connection_that_was_closed_is_found() -> None:
    async def story() -> None:
        connection = await connect(shared_server().url, name="test")
        check = connected(connection)
        assert await check() == Finding(is_good=True, found="connected")
        await connection.close()
        assert await check() == Finding(is_good=False, found="not connected")

    run(story)


def test_a_consumer_moves_as_long_as_it_settles_something_of_what_waits() -> None:
    is_open = asyncio.Event()
    handled: list[bytes] = []

    async def handle(delivery: Delivery) -> None:
        if delivery.payload != b"0":
            await is_open.wait()
        handled.append(delivery.payload)

    async def story(connection: Connection, name: str) -> None:
        async with consuming(connection, Work(name, name, key=str), handle) as consumer:
            look = moving(connection, consumer, 0.3)
            await publish(connection, name, 3)
            await until(lambda: handled == [b"0"])

            async def stuck() -> Finding:
                finding = await look()
                assert not finding.is_good
                return finding

            found = (await eventually(stuck, AssertionError)).found
            assert found.startswith("2 waiting, none settled for ")
            is_open.set()

            async def idle() -> None:
                assert await look() == Finding(is_good=True, found="none waits")

            await eventually(idle, AssertionError)

    run_working(story)


def test_a_consumer_that_had_nothing_to_do_is_not_blamed_for_its_silence() -> None:
    was_given, is_open = asyncio.Event(), asyncio.Event()

    async def handle(_: Delivery) -> None:
        was_given.set()
        await is_open.wait()

    async def story(connection: Connection, name: str) -> None:
        async with consuming(connection, Work(name, name), handle) as consumer:
            look = moving(connection, consumer, 0.2)
            await eventually(look, Exception)
            await asyncio.sleep(0.3)
            await publish(connection, name, 1)
            # The stream confirms a message before its consumers count it; given, it is counted.
            await was_given.wait()
            assert await look() == Finding(is_good=True, found="1 waiting, none settled for 0 s")
            is_open.set()

    run_working(story)
