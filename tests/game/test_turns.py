"""Whom matches wait for, as others read it: the newest commit's word, and no older one."""

import json
from typing import Any, Final

from howff.contracts.turns import TURNS, TurnsTold
from howff.engine.codec import JSON
from howff.match.clocks import time_at
from howff.match.commit import time_text
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.kv import open_bucket, stream_of
from howff.servicekit.nats.ranks import RankedBucket
from support.leaving import asked, done
from support.messages import start_by_queue
from support.service import Service, Table, new_key, wait_until

CLOCK: Final[JSON] = {"turn_days": 2}
SHORT: Final[dict[str, JSON]] = {"round_limit": 2}


def turns(service: Service, match: str) -> TurnsTold | None:
    async def story(connection: Connection) -> bytes | None:
        return await (await open_bucket(connection, TURNS, replicas=1)).get(match)

    found = service.on_nats(story)
    return None if found is None else TurnsTold.model_validate_json(found)


def expected(table: Table) -> dict[str, Any]:
    match = table.match
    return {
        "match": table.id,
        "version": match.version,
        "waits_for": [
            {"seat": seat, "account": table.accounts[seat], "due": due(table)}
            for seat in match.to_act
        ],
    }


def due(table: Table) -> str | None:
    clocks = table.match.clocks
    if clocks is None:
        return None
    assert clocks.due is not None
    return time_text(time_at(clocks.due))


def wait_until_told(table: Table) -> None:
    """Wait until it is told whom the match waits for as it is now."""

    def is_so() -> bool:
        found = turns(table.service, table.id)
        return found is not None and json.loads(found.model_dump_json()) == expected(table)

    wait_until(is_so)


def wait_until_gone(table: Table) -> None:
    wait_until(lambda: turns(table.service, table.id) is None)


def test_each_commit_tells_whom_the_match_waits_for(service: Service) -> None:
    table = service.table()
    for _ in range(4):
        wait_until_told(table)
        table.play()
    wait_until_told(table)


def test_it_is_told_until_when_an_account_may_take_its_time(service: Service) -> None:
    table = service.table(clock=CLOCK)
    wait_until_told(table)
    (seat,) = turns(service, table.id).waits_for  # type: ignore[union-attr]
    assert seat.due is not None
    assert seat.due.endswith("Z")


def test_a_match_that_is_over_waits_for_nobody(service: Service) -> None:
    table = service.table(options=SHORT)
    wait_until_told(table)
    table.advance()
    wait_until_gone(table)


def test_a_match_that_is_paused_waits_for_nobody(service: Service) -> None:
    table = service.table(clock=CLOCK)
    wait_until_told(table)
    for seat in (0, 1):
        done(asked(table, seat, "pause"))
    wait_until_gone(table)
    done(asked(table, 0, "pause", wanted=False))
    done(asked(table, 1, "pause", wanted=False))
    wait_until_told(table)


def test_a_match_that_waits_for_the_bot_of_somebody_else_waits_for_no_account(
    service: Service,
) -> None:
    match = f"strong-{new_key()}"
    start_by_queue(service, match, rated=True, options={"starting_dealer": 0})
    answer = service.eyes("dora").get(f"/v1/matches/{match}")
    table = Table(service, match, ("dora", "x"), answer)
    wait_until_told(table)
    while table.match.to_act == (0,):
        table.play()
    wait_until_gone(table)


async def messages_about(connection: Connection, match: str) -> bool:
    info = await connection.jetstream.stream_info(
        stream_of(TURNS), subjects_filter=f"$KV.TURNS.{match}"
    )
    return bool(info.state.subjects)


def test_nothing_is_told_of_matches_that_bots_play(played_service: Service) -> None:
    service = played_service
    bots: list[JSON] = [{"bot": "random"}, {"bot": "random"}]
    content = {"game": "troedler", "seats": bots, "options": SHORT}
    match = service.eyes("dora").post("/v1/matches", content, new_key()).json()["match"]
    wait_until(lambda: service.match(match).is_over)
    table = service.table()  # whose commit the outbox takes after the others
    wait_until_told(table)
    assert not service.on_nats(lambda connection: messages_about(connection, match))
    assert service.on_nats(lambda connection: messages_about(connection, table.id))


def test_who_knew_less_takes_nothing_back(service: Service) -> None:
    table = service.table()
    table.advance(5)
    wait_until_told(table)

    async def write(version: int) -> None:
        async with await connect(service.nats.url, name="late") as connection:
            await RankedBucket(connection, TURNS).put(table.id, b"late", version)

    for version in range(1, table.match.version + 1):
        service.call(write(version))
    assert json.loads(turns(service, table.id).model_dump_json()) == expected(table)  # type: ignore[union-attr]
