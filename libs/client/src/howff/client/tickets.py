"""Tickets: waiting for others who would play the same."""

from howff.client.calls import Calls, segment
from howff.client.errors import JSON


class Tickets:
    """One's own tickets at a server. All that ask raise what those of `HowffClient` do."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def open(self, wish: JSON, *, command_id: str | None = None) -> JSON:
        """Wait for others; return the ticket.

        *wish* has `games` (`{"game": …, "options": …}`), `seats` (numbers of them) and `clocks`,
        and may have `rated`, `bots_after`, `bot_level` and `lifetime`.
        """
        return await self._calls.order("POST", "/v1/tickets", wish, command_id)

    async def all(self) -> JSON:
        """Return one's tickets, those that wait first."""
        return await self._calls.get("/v1/tickets")

    async def look(self, ticket: str) -> JSON:
        """Return one's own ticket as it stands."""
        return await self._calls.get(f"/v1/tickets/{segment(ticket)}")

    async def cancel(self, ticket: str, *, command_id: str | None = None) -> JSON:
        """Wait no longer; return the ticket."""
        return await self._calls.order("DELETE", f"/v1/tickets/{segment(ticket)}", None, command_id)
