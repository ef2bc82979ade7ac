"""Backups of JetStream: on another server, restored, everything goes on where it was."""

from functools import partial
from pathlib import Path
from typing import Any

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.server import NatsServer
from support.nats import own_server
from support.scoring import Scoring, scoring_beside
from support.service import Table, nats_server, on_nats, service_on, wait_until
from support.snapshots import Snapshot, restore, snapshots_of


def saved(server: NatsServer) -> list[Snapshot]:
    return on_nats(server, snapshots_of)


def restored(snapshots: list[Snapshot], server: NatsServer) -> None:
    async def story(connection: Connection) -> None:
        for each in snapshots:
            await restore(connection, each)

    on_nats(server, story)


def is_listed(scoring: Scoring, table: Table) -> bool:
    """Tell whether a match is in the archive, and among those that its players have ended."""
    items = scoring.get(f"/v1/players/{table.accounts[0]}/matches").json()["items"]
    return [each["match"] for each in items] == [table.id]


def test_from_a_backup_matches_and_ratings_go_on_on_another_server(tmp_path: Path) -> None:
    """Databases are of an earlier moment than the streams: they catch up.

    The service has stopped before: whatever it had not told yet, it tells on the other server.
    """
    terms: dict[str, Any] = {"options": {"round_limit": 1}, "clock": {"turn_days": 3}}
    with nats_server() as first:
        with service_on(first) as game:
            with scoring_beside(game, tmp_path) as scoring:
                over, going = game.table(**terms), game.table(**terms)
                assert over.advance().is_over
                wait_until(partial(is_listed, scoring, over))
            later = game.table(**terms)
            assert later.advance().is_over
            going.advance(2)
            before = going.match
        snapshots = saved(first)
    with own_server(tmp_path / "second") as second:
        restored(snapshots, second)
        with service_on(second) as game, scoring_beside(game, tmp_path) as scoring:
            there = Table(game, going.id, going.accounts, going.answer)
            assert there.match == before
            assert there.advance().is_over
            for table in (over, later, going):
                wait_until(partial(is_listed, scoring, table))
