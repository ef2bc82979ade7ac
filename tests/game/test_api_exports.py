import asyncio
from functools import partial
from typing import Final

import pytest

from howff.engine.catalogue import GAMES
from howff.engine.seats import Viewer
from howff.match.export import Export, export_for, read_export, write_export
from howff.match.journal import MATCHES
from howff.match.signatures import PublicKey, public_key_from_jwk
from howff.match.verify import verify
from howff.servicekit.nats.connection import Connection
from support.service import SERVED, Service, Table
from support.web import problem_of

EVERY_GAME: Final = pytest.mark.parametrize("game", SERVED)


def published(service: Service) -> tuple[PublicKey, ...]:
    answer = service.eyes(None).get("/.well-known/howff-receipts.json")
    return tuple(map(public_key_from_jwk, answer.json()["keys"]))


def exported(table: Table, viewer: int | None) -> bytes:
    answer = table.eyes(viewer).get(f"{table.path}/export")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/jsonl"
    assert answer.headers["content-disposition"] == f'attachment; filename="match-{table.id}.jsonl"'
    assert "no-cache" in answer.headers["cache-control"]
    return answer.content


def verified(table: Table, export: Export) -> dict[str, str]:
    """Return what checking *export* by the published keys has found, by the name of the check."""
    report = verify(export, table.match.game, published(table.service))
    assert report.failure is None
    return {check.name: check.result for check in report.checks}


@EVERY_GAME
def test_the_export_of_a_finished_match_is_whole_and_proves_every_decision(
    service: Service, game: str
) -> None:
    table = service.table(game, GAMES[game].seats[0])
    table.advance()
    contents = {exported(table, viewer) for viewer in table.viewers}
    assert len(contents) == 1
    export = read_export(contents.pop())
    assert export.is_whole
    assert export.commits == table.commits
    assert set(verified(table, export).values()) == {"passed"}


@EVERY_GAME
def test_the_export_of_a_running_match_tells_what_its_viewer_may_know(
    service: Service, game: str
) -> None:
    table = service.table(game, GAMES[game].seats[0])
    table.advance(20)
    log, keys = table.log, published(service)
    told: dict[Viewer, bytes] = {}
    for viewer in table.viewers:
        told[viewer] = exported(table, viewer)
        wanted = export_for(log.known.match, log.commits, viewer, log.known.seed, keys)
        assert told[viewer] == write_export(wanted)
        results = verified(table, read_export(told[viewer]))
        assert results["chain"] == results["signatures"] == "passed"
        assert results["decisions"] == "not checked"
    assert len(set(told.values())) == len(told)


def test_a_player_may_export_what_a_spectator_sees(service: Service) -> None:
    table = service.table()
    table.advance(4)
    answer = table.eyes(0).get(f"{table.path}/export?as=spectator")
    assert answer.content == exported(table, None)
    problem_of(table.eyes(0).get(f"{table.path}/export?as=seat:1"), 404, "no_such_match")


def test_a_flipped_byte_of_an_export_does_not_verify(service: Service) -> None:
    table = service.table()
    table.advance(3)
    content = exported(table, 0)
    export = read_export(content.replace(b'"draws":{', b'"draws":{"a":1,', 1))
    report = verify(export, table.match.game, published(service))
    assert report.failure is not None
    assert report.failure.code == "broken_chain"


def test_a_log_is_not_read_for_somebody_who_may_not_see_it(service: Service) -> None:
    table = service.table(watch="private")
    table.advance(3)

    def reads(viewer: int) -> list[int]:
        """Return the status of an export, and how often commits were read for it."""

        async def story(connection: Connection) -> list[int]:
            spying = await connection.client.subscribe(f"$JS.API.DIRECT.GET.{MATCHES}")
            await connection.client.flush()
            ask = partial(eyes.get, f"{table.path}/export")
            answer = await asyncio.to_thread(ask)
            await connection.client.flush()
            return [answer.status_code, spying.pending_msgs]

        eyes = table.eyes(viewer) if viewer >= 0 else service.eyes("a-stranger")
        return service.on_nats(story)

    assert reads(0) == [200, 1]
    assert reads(-1) == [404, 0]
