"""Tables that stand open for too long, and what is done about them."""

from collections.abc import Awaitable, Callable
from datetime import datetime

from howff.engine.errors import RefusalError
from howff.lobby.application.ledgers import TableLedger
from howff.lobby.domain.tables.commands import DissolveTable
from howff.servicekit.retries import log_failure

DueTables = Callable[[datetime], Awaitable[tuple[str, ...]]]
"""Returns open tables that were opened before a time, as far as lists know of them."""


class Sweeper:
    """Closes tables that nobody has started in time."""

    def __init__(self, tables: TableLedger, due: DueTables) -> None:
        self._tables = tables
        self._due = due

    async def sweep(self, opened_before: datetime) -> None:
        """Close all tables that stand open since before *opened_before*.

        One that can't be closed is logged and passed by; the next sweep tries it again.

        Raises:
            RefusalError: it can't be told which they are.
        """
        for table in await self._due(opened_before):
            expired = DissolveTable(because="expired")
            try:
                await self._tables.react(table, expired, cause=f"{table}\nexpired")
            except RefusalError as refusal:
                log_failure(f"closing table {table}", refusal)
