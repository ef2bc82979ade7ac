"""One trace from a move to whoever is told of it; and nothing of a match in all telemetry."""

import asyncio
import base64
import json
from collections.abc import Iterator
from typing import Any, Final

import httpx
import pytest

from howff.contracts.matches import CONTRACTS
from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON, canonical
from howff.match.canonical import canonical_bytes
from howff.match.commit import commit_to_json
from howff.match.events import covered_fields
from howff.match.journal import MATCHES
from howff.match.seals import SeedSeal
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.reading import stored_last
from support.feeds import following
from support.leaving import asked, done
from support.running import run
from support.service import SERVED, Service, Table, new_key, wait_until
from support.telemetry import Captured, attributes_of, captured, ids_of, parent_of, traceparent

SEED: Final = bytes.fromhex("c0ffee5eed" * 6 + "4711")
TRACE: Final = 0x5EED_0000_0000_0000_0000_0000_0000_0001
MOVES: Final = "POST /v1/matches/{match_id}/moves"
OPTIONS: Final[dict[str, JSON]] = {"troedler": {"round_limit": 1}}
MOST_MOVES: Final = 120
"""Enough for a whole match of two of the games."""
PLANTED: Final = "a-card-of-somebody"


@pytest.fixture
def told() -> Iterator[Captured]:
    with captured() as told:
        yield told


def send_traced(table: Table, trace_id: int) -> None:
    seat, move = table.to_act()
    answer = table.eyes(seat).post(
        f"{table.path}/moves", {"move": move}, new_key(), traceparent=traceparent(trace_id)
    )
    assert answer.status_code == 200, answer.text


def test_one_trace_goes_from_a_move_through_the_stream_to_the_outbox_and_the_feed(
    service: Service, told: Captured
) -> None:
    table = service.table()

    async def story() -> None:
        async with (
            httpx.AsyncClient(base_url=service.url) as http,
            following(http, f"{table.path}/events") as frames,
        ):
            assert (await anext(frames)).version == 1
            await asyncio.to_thread(send_traced, table, TRACE)
            while (await anext(frames)).kind == "heartbeat":
                pass

    run(story)
    readers = ("process outbox", "process feed")
    wait_until(lambda: all(told.named(each, TRACE) for each in readers))
    (request,) = told.named(MOVES, TRACE)
    (append,) = told.named("send MATCHES", TRACE)
    assert parent_of(request) == 1
    assert parent_of(append) == ids_of(request)[1]
    for name in readers:
        (read,) = told.named(name, TRACE)
        assert parent_of(read) == ids_of(append)[1]
        assert [each.context.span_id for each in read.links] == [ids_of(append)[1]]
    assert told.count("howff.feed.lag") >= 1
    assert told.count("howff.consumer.lag", consumer="outbox") >= 1


def test_the_trace_stands_beside_a_commit_and_changes_nothing_of_it(
    service: Service, told: Captured
) -> None:
    table = service.table()
    send_traced(table, TRACE)
    assert told.named(MOVES, TRACE)

    async def story(connection: Connection) -> tuple[bytes, str]:
        found = await stored_last(connection, MATCHES, f"match.{table.id}")
        assert found is not None
        return found.payload, found.headers["traceparent"]

    payload, header = service.on_nats(story)
    assert payload == canonical_bytes(commit_to_json(table.commits[-1]))
    assert header.split("-")[1] == f"{TRACE:032x}"


def test_what_is_told_to_other_services_carries_the_trace_on(
    service: Service, told: Captured
) -> None:
    table = service.table()
    subject = f"contract.match_started.{table.id}"

    async def story(connection: Connection) -> str | None:
        found = await stored_last(connection, CONTRACTS, subject)
        return None if found is None else found.headers["traceparent"]

    wait_until(lambda: service.on_nats(story) is not None)
    carried = service.on_nats(story)
    wait_until(lambda: bool(told.named("send contract.match_started")))
    (sent,) = [
        each
        for each in told.named("send contract.match_started")
        if attributes_of(each)["messaging.destination.name"] == subject
    ]
    trace_id, span_id = ids_of(sent)
    assert carried is not None
    assert carried.rpartition("-")[0] == traceparent(trace_id, span_id).rpartition("-")[0]
    assert trace_id in {ids_of(each)[0] for each in told.named("POST /v1/matches")}


def test_each_default_move_is_a_trace_of_its_own_linked_to_its_cause(
    service: Service, told: Captured
) -> None:
    table = service.table("troedler", 3, options={"round_limit": 2})
    gone = table.match.to_act[0]
    done(asked(table, gone, "resign"))

    def is_decided() -> bool:
        match = table.match
        return match.is_over or gone not in match.to_act

    while not table.match.is_over:
        wait_until(is_decided)
        if not table.match.is_over:
            table.play()
    moves = told.named("default move")
    outbox = {ids_of(each) for each in told.named("process outbox")}
    assert len(moves) >= 5
    assert len({ids_of(each)[0] for each in moves}) == len(moves)
    links = {(each.context.trace_id, each.context.span_id) for span in moves for each in span.links}
    # The span of the outbox ends after the one of the move, and the last one later than the match.
    assert len(links - outbox) <= 1


def test_commands_are_counted_by_kind_game_and_refusal(service: Service, told: Captured) -> None:
    def counted(code: str) -> float:
        return told.count("howff.commands", kind="Move", game="troedler", code=code)

    before, refused = counted("none"), counted("stale_version")
    hits = told.count("howff.baselines", result="hit")
    appends = told.count("howff.append.duration", journal=MATCHES, code="none")
    table = service.table()
    table.play()
    seat, move = table.to_act()
    assert table.send(seat, move, expected_version=1).status_code == 409
    assert counted("none") == before + 1
    assert counted("stale_version") == refused + 1
    assert told.count("howff.baselines", result="hit") > hits
    assert told.count("howff.append.duration", journal=MATCHES, code="none") >= appends + 2


@pytest.mark.parametrize("game", SERVED)
def test_no_telemetry_tells_anything_of_a_match(
    service: Service, told: Captured, game: str
) -> None:
    table = service.table(game, GAMES[game].seats[0], seed=SEED, options=OPTIONS.get(game, {}))
    run(lambda: asyncio.to_thread(play_over_http, table), within=60)
    secrets = secrets_of(table)
    wait_until(lambda: len(told.named(MOVES)) >= len(table.commits) - 1)
    text = text_of(told)
    assert MOVES in text
    assert "process outbox" in text
    assert "refused: " in text
    assert not [each for each in secrets if each in text]


def play_over_http(table: Table) -> None:
    """Play to the end or for long, with a refused move and a malformed one now and then."""
    for turn in range(MOST_MOVES):
        if table.match.is_over:
            break
        if turn % 12 == 0:
            seat, move = table.to_act()
            wrong: JSON = {"type": move["type"], "data": {"card": PLANTED}}
            eyes = table.eyes(seat)
            assert table.send(seat, wrong).status_code >= 400
            other = (seat + 1) % len(table.accounts)
            if other not in table.match.to_act:
                assert table.send(other, move).status_code >= 400
            assert eyes.get(f"/v1/{PLANTED}?as={PLANTED}").status_code == 404
            headers = {"Authorization": f"Bearer {PLANTED}", "traceparent": PLANTED}
            assert eyes.get(table.path, headers).status_code == 401
        table.play()


def secrets_of(table: Table) -> set[str]:
    """Return what must be told nowhere, in the forms in which it might be written."""
    log = table.log
    covered = covered_fields(log.known.match.game.event)
    secrets = {SEED.hex(), base64.b64encode(SEED).decode().rstrip("="), repr(SEED)[2:12], PLANTED}
    for account in table.accounts:
        secrets.add(table.service.eyes(account).headers["Authorization"].removeprefix("Bearer "))
    secrets |= {"Bearer", "eyJ"}
    for commit in log.commits:
        fields: list[tuple[int | None, str, Any]] = [(None, "move", commit.move)]
        for number, event in enumerate(commit.events):
            names = covered.get(event["type"], ())
            fields += [(number, name, event["data"][name]) for name in names]
        for at, name, value in fields:
            secrets.add(SeedSeal(SEED, commit.match, commit.version, at).salt(name))
            secrets |= forms_of(value)
        if commit.move is not None:
            secrets.add(f'"{commit.move["type"]}"')
    return secrets


def forms_of(value: Any) -> set[str]:
    """Return how *value* might be written; what is as short as a number says nothing."""
    forms = {json.dumps(value), canonical(value), repr(value), json.dumps(json.dumps(value))[1:-1]}
    return {each for each in forms if len(each) > len("null")}


def text_of(told: Captured) -> str:
    """Return all that was told, as it would be read."""
    spans = [each.to_json() for each in told.spans]
    lines = [json.dumps(each) for each in told.logged()]
    return "\n".join([*spans, json.dumps(told.metrics()), *lines])
