"""Tables that stand open for too long."""

import logging
from datetime import datetime
from typing import Any

import pytest

from howff.lobby.application.ledgers import TABLE_PREFIX
from howff.lobby.application.sweeping import Sweeper
from howff.servicekit.eventstore.store import Position, StreamId
from support.claims import Claims
from support.rng import LocalRng
from support.running import run


def test_a_table_that_cannot_be_closed_keeps_no_other_open(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story() -> None:
        claims = Claims(LocalRng(1))
        store: Any = claims.table_ledger.aggregates._store
        store._streams[StreamId(f"{TABLE_PREFIX}broken")] = [(Position(1), b"{}")]
        for ticket in ("A-1", "B-1"):
            await claims.open(ticket[0], ticket)
        await claims.propose("table-1", ("A-1", "B-1"))

        async def due(_: datetime) -> tuple[str, ...]:
            return "broken", "table-1"

        await Sweeper(claims.table_ledger, due).sweep(claims.now)
        assert (await claims.table("table-1")).closed_because == "expired"

    with caplog.at_level(logging.ERROR):
        run(story)
    assert "closing table broken" in caplog.text
