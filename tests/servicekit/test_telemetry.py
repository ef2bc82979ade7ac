"""Traces and metrics of the parts that all services share, and how logs are written."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi.responses import StreamingResponse
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import SpanKind, StatusCode

from howff.servicekit.aggregates import Aggregates
from howff.servicekit.consumers import Work
from howff.servicekit.eventstore.errors import ConflictError
from howff.servicekit.eventstore.jetstream import JetStreamStore, recorded_at
from howff.servicekit.eventstore.memory import MemoryStore
from howff.servicekit.eventstore.store import BEGINNING, StreamId
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.reading import Delivery, stored_at
from howff.servicekit.nats.streams import ensure_stream, locked
from howff.servicekit.projections import Checkpoint, Projector
from howff.servicekit.telemetry.logs import EXPORT_SILENCE
from howff.servicekit.telemetry.metrics import record_late, record_told
from howff.servicekit.telemetry.tracing import apart, receiving, sending
from howff.servicekit.web.serving import serving
from support.ledger import FORM, Add, Entry, Ledger, OverdrawnError, fold_entry
from support.nats import shared_server, unique
from support.running import run, until
from support.telemetry import (
    Captured,
    attributes_of,
    captured,
    ids_of,
    logging_to,
    parent_of,
    traceparent,
)
from support.web import Shop
from support.working import FinalError, consuming, run_working

TRACE = 0x0AF7_6519_16CD_43DD_8448_EB21_1C80_319C


@pytest.fixture
def told() -> Iterator[Captured]:
    with captured() as told:
        yield told


def answer(method: str, path: str, **request: Any) -> httpx.Response:
    shop = Shop()

    async def story() -> httpx.Response:
        async with shop.client() as client:
            return await client.request(method, path, **request)

    return run(story)


def only(spans: list[ReadableSpan]) -> ReadableSpan:
    (span,) = spans
    return span


def test_a_request_is_a_span_named_by_its_route_that_goes_on_with_the_callers_trace(
    told: Captured,
) -> None:
    answer("GET", "/things/lamp?pieces=3", headers={"traceparent": traceparent(TRACE, 7)})
    span = only(told.named("GET /things/{thing}"))
    assert (ids_of(span)[0], parent_of(span)) == (TRACE, 7)
    assert span.kind is SpanKind.SERVER
    assert attributes_of(span) == {
        "http.request.method": "GET",
        "http.route": "/things/{thing}",
        "http.response.status_code": 200,
    }
    labels = {**attributes_of(span)}
    assert told.count("howff.http.duration", **labels) >= 1


@pytest.mark.parametrize("header", ["", "00-0-0-00", "x" * 500, f"{traceparent(TRACE)}-more"])
def test_a_header_that_carries_no_trace_begins_a_new_one(told: Captured, header: str) -> None:
    answer("GET", "/things/lamp", headers={"traceparent": header})
    span = only(told.named("GET /things/{thing}"))
    assert parent_of(span) is None
    assert ids_of(span)[0] != TRACE


def test_nothing_but_the_ids_is_taken_from_the_headers_of_others(told: Captured) -> None:
    headers = {"traceparent": traceparent(TRACE), "tracestate": "a=secret", "baggage": "b=secret"}
    answer("GET", "/things/lamp", headers=headers)
    with receiving("reader", "ledger.1", headers), sending("LEDGERS", "ledger.1") as carried:
        assert carried.keys() == {"traceparent"}
    assert {ids_of(each)[0] for each in told.spans} == {TRACE}
    assert "secret" not in "".join(each.to_json() for each in told.spans)


def test_a_path_that_is_no_route_gives_neither_span_nor_metric_a_name(told: Captured) -> None:
    assert answer("GET", "/nowhere/secret?x=secret").status_code == 404
    assert answer("BREW", "/nowhere").status_code == 404
    labels = {"http.request.method": "_OTHER", "http.route": "none"}
    assert {each.name for each in told.spans} == {"GET", "_OTHER"}
    assert told.count("howff.http.duration", **labels) >= 1
    assert "secret" not in "".join(each.to_json() for each in told.spans)


def test_a_head_is_told_by_its_own_method_and_the_route(told: Captured) -> None:
    assert answer("HEAD", "/things/lamp").status_code == 200
    assert len(told.named("HEAD /things/{thing}")) == 1


def test_a_mistake_is_told_by_its_status_alone_and_its_log_names_the_trace(
    told: Captured,
) -> None:
    assert answer("GET", "/bug").status_code == 500
    span = only(told.named("GET /bug"))
    assert span.status.status_code is StatusCode.ERROR
    assert not span.events
    assert "4711" not in span.to_json()
    line = only_line(told, "ERROR")
    assert line["trace_id"] == f"{ids_of(span)[0]:032x}"
    assert "ValueError: the seed is 4711" in line["exception"]


def only_line(told: Captured, level: str) -> dict[str, Any]:
    (line,) = [each for each in told.logged() if each["level"] == level]
    return line


def test_all_that_is_told_of_a_request_is_told_by_us(told: Captured) -> None:
    """FastAPI has telemetry of its own, which would tell paths and queries."""
    answer("GET", "/things/lamp")
    scopes = {each.instrumentation_scope and each.instrumentation_scope.name for each in told.spans}
    assert scopes == {"howff"}
    assert "http.server" not in json.dumps(told.metrics())


def test_the_span_of_a_feed_ends_when_its_answer_begins(told: Captured) -> None:
    app = Shop().app
    over = asyncio.Event()

    async def lines() -> Any:
        yield b"first\n"
        await over.wait()

    @app.get("/feed")
    async def follow() -> Any:
        return StreamingResponse(lines())

    async def story() -> None:
        async with (
            serving(app) as url,
            httpx.AsyncClient(base_url=url) as http,
            http.stream("GET", "/feed") as feed,
        ):
            assert await anext(feed.aiter_bytes()) == b"first\n"
            assert told.named("GET /feed")
            over.set()

    run(story)
    assert len(told.named("GET /feed")) == 1


def test_a_message_is_the_child_of_what_has_sent_it_and_linked_to_it(told: Captured) -> None:
    with sending("LEDGERS", "ledger.1") as headers:
        pass
    with apart("another trace"), receiving("reader", "ledger.1", headers):
        pass
    sent, read = only(told.named("send LEDGERS")), only(told.named("process reader"))
    assert (ids_of(read)[0], parent_of(read)) == ids_of(sent)
    assert [(each.context.trace_id, each.context.span_id) for each in read.links] == [ids_of(sent)]
    assert (sent.kind, read.kind) == (SpanKind.PRODUCER, SpanKind.CONSUMER)
    assert attributes_of(read)["messaging.destination.name"] == "ledger.1"


def test_a_message_without_a_trace_begins_one_wherever_it_is_read(told: Captured) -> None:
    with apart("another trace"), receiving("reader", "ledger.1", {}):
        pass
    read = only(told.named("process reader"))
    assert parent_of(read) is None
    assert not read.links
    assert ids_of(read)[0] != ids_of(only(told.named("another trace")))[0]


def test_a_refused_append_is_told_by_its_code(told: Captured) -> None:
    name = unique("LEDGERS")

    async def story() -> None:
        async with await connect(shared_server().url, name="ledgers") as connection:
            await ensure_stream(connection, locked(name, [f"{name}.*"], replicas=1))
            store = JetStreamStore(connection.client, name, FORM)
            stream, entry = StreamId(f"{name}.one"), Entry(1, "a", 5)
            await store.append(stream, entry, BEGINNING)
            with pytest.raises(ConflictError):
                await store.append(stream, entry, BEGINNING)

    run(story)
    good, refused = told.named(f"send {name}")
    assert good.status.status_code is StatusCode.UNSET
    assert attributes_of(refused)["error.type"] == "conflict"
    assert not refused.events
    for code in ("none", "conflict"):
        assert told.count("howff.append.duration", journal=name, code=code) == 1


def test_a_handler_that_fails_is_told_by_its_code_at_each_try(told: Captured) -> None:
    tries: list[str] = []

    async def handle(delivery: Delivery) -> None:
        tries.append(delivery.subject)
        if len(tries) == 1:
            raise FinalError

    async def story(connection: Connection, name: str) -> None:
        with sending(name, f"{name}.a") as headers:
            await connection.jetstream.publish(f"{name}.a", b"0", headers=headers)
        async with consuming(connection, Work(name, name, key=str), handle) as consumer:
            await until(lambda: consumer.handled == 1)

    run_working(story)
    failed, good = told.named(f"process {tries[0].partition('.')[0]}")
    name = attributes_of(good)["messaging.consumer.group.name"]
    assert attributes_of(failed)["error.type"] == "final"
    assert good.status.status_code is StatusCode.UNSET
    assert parent_of(failed) == parent_of(good) == ids_of(only(told.named(f"send {name}")))[1]
    assert told.count("howff.consumer.lag", consumer=name) == 1
    assert [point["value"] for point in told.points("howff.consumer.pending", consumer=name)] == [0]
    line = only_line(told, "ERROR")
    assert line["span_id"] == f"{ids_of(failed)[1]:016x}"


class Applied:
    """A projection that counts."""

    def __init__(self) -> None:
        self.stored: Checkpoint | None = None

    async def checkpoint(self) -> Checkpoint | None:
        return self.stored

    async def begin(self, checkpoint: Checkpoint) -> None:
        self.stored = checkpoint

    async def apply(self, position: int, subject: str, payload: bytes) -> None:
        assert self.stored is not None, (subject, payload)
        self.stored = Checkpoint(position, self.stored.created)

    async def quarantine(self, position: int, subject: str, error: Exception) -> None:
        raise AssertionError((position, subject, error))


def test_a_projection_goes_on_with_the_trace_of_each_message(told: Captured) -> None:
    name = unique("TOLD")

    async def story() -> None:
        async with await connect(shared_server().url, name="told") as connection:
            await ensure_stream(connection, locked(name, [f"{name}.*"], replicas=1))
            headers = {"traceparent": traceparent(TRACE, 9)}
            await connection.jetstream.publish(f"{name}.a", b"0", headers=headers)
            found = await stored_at(connection, name, 1)
            assert found is not None
            assert found.recorded_at is not None
            assert datetime.now(UTC) - found.recorded_at < timedelta(minutes=1)  # noqa: TID251
            projector = Projector(connection, name, Applied())
            running = asyncio.create_task(projector.run())
            await until(lambda: projector.position == 1)
            await projector.stop()
            await running

    run(story)
    span = only(told.named("process projector", TRACE))
    assert parent_of(span) == 9
    assert told.count("howff.consumer.lag", consumer=f"projector of {name}") == 1


def test_commands_are_counted_by_their_end_and_by_what_the_service_says_of_them(
    told: Captured,
) -> None:
    label = unique("ledger-")
    stream = StreamId("ledger.1")

    def labels(_: Ledger) -> dict[str, str]:
        return {"ledger": label}

    async def story() -> None:
        ledgers = Aggregates(MemoryStore(FORM), fold_entry, most_kept=1, labels=labels)
        await ledgers.handle(stream, Add("a", 5))
        await ledgers.handle(stream, Add("a", 5))
        with contextlib.suppress(OverdrawnError):
            await ledgers.handle(stream, Add("b", -50))

    before = {result: told.count("howff.baselines", result=result) for result in ("hit", "miss")}
    run(story)
    counted = {
        point["attributes"]["code"]: point["value"]
        for point in told.points("howff.commands", kind="Add", ledger=label)
    }
    assert counted == {"none": 2, OverdrawnError.code: 1}
    assert told.count("howff.baselines", result="miss") == before["miss"] + 1
    assert told.count("howff.baselines", result="hit") == before["hit"] + 2


def test_lateness_and_lags_are_never_less_than_none(told: Captured) -> None:
    late, lag = told.count("howff.deadline.lateness"), told.count("howff.feed.lag")
    record_late(0.25)
    record_late(-3)
    record_told(datetime.now(UTC) + timedelta(hours=1))  # noqa: TID251
    record_told(None)
    assert told.count("howff.deadline.lateness") == late + 2
    assert told.count("howff.feed.lag") == lag + 1
    for metric in ("howff.deadline.lateness", "howff.feed.lag"):
        assert all(point["min"] >= 0 for point in told.points(metric))


def test_the_servers_time_of_a_commit_that_is_told_again_is_read_to_the_microsecond() -> None:
    time = recorded_at({"Nats-Time-Stamp": "2026-11-28T12:20:33.498388149Z"})
    assert time == datetime(2026, 11, 28, 12, 20, 33, 498388, tzinfo=UTC)
    assert recorded_at({"Nats-Time-Stamp": "2026-11-28T12:20:33Z"}) is not None
    assert recorded_at({}) is None


def test_a_line_of_json_has_what_machines_look_for_and_nothing_beside(told: Captured) -> None:
    with logging_to("json", "howff.test") as (logger, stream):
        logger.error("two\nlines of %s", "text", extra={"seed": "secret"})
        with apart("work"):
            logger.error("within")
    plain, within = map(json.loads, stream.getvalue().splitlines())
    assert plain.keys() == {"time", "level", "logger", "message"}
    assert (plain["level"], plain["logger"]) == ("ERROR", "howff.test")
    assert plain["message"] == "two\nlines of text"
    assert datetime.fromisoformat(plain["time"]).tzinfo is not None
    trace_id, span_id = ids_of(only(told.named("work")))
    assert within["trace_id"] == f"{trace_id:032x}"
    assert within["span_id"] == f"{span_id:016x}"


def test_a_line_for_people_names_the_trace_if_there_is_one(told: Captured) -> None:
    with logging_to("text", "howff.test") as (logger, stream):
        logger.error("before")
        with apart("work"):
            logger.error("within")
    before, within = stream.getvalue().splitlines()
    assert before.endswith("ERROR howff.test before")
    assert within.endswith(f"within trace={ids_of(only(told.named('work')))[0]:032x}")


def test_little_is_logged_about_telemetry_itself() -> None:
    with logging_to("text", "opentelemetry.sdk") as (logger, stream):
        for _ in range(5):
            logger.error("no collector")
        record = logger.makeRecord("opentelemetry.sdk", 40, "", 0, "still none", (), None)
        record.created += EXPORT_SILENCE + 1
        logger.handle(record)
    assert [each.split()[-1] for each in stream.getvalue().splitlines()] == ["collector", "none"]
