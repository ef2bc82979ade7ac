"""What the service does with the tickets that accounts open."""

from howff.engine.codec import JSON, to_tagged
from howff.lobby.application.ledgers import TicketLedger
from howff.lobby.domain.errors import UnknownLevelError
from howff.lobby.domain.tickets.commands import EndTicket, OpenTicket
from howff.lobby.domain.tickets.events import Wish
from howff.lobby.domain.tickets.tickets import Tickets
from howff.servicekit.ids import id_from


class TicketDesk:
    """The tickets of all accounts, wherever they are kept."""

    def __init__(self, ledger: TicketLedger, levels: tuple[str, ...]) -> None:
        self._ledger = ledger
        self._levels = levels

    async def open(self, wish: Wish, lifetime: int, *, by: str, key: str) -> tuple[str, Tickets]:
        """Open a ticket, if it has not been opened under *key* yet.

        Return its id, and the tickets of *by*.

        Raises:
            RefusalError: the wish makes no sense, or there are too many open tickets.
        """
        if wish.bot_level is not None and wish.bot_level not in self._levels:
            raise UnknownLevelError(self._levels, wish.bot_level)
        ticket = id_from(f"ticket\n{by}\n{key}")
        command = OpenTicket(ticket=ticket, wish=wish, lifetime=lifetime)
        return ticket, (await self._ledger.order(by, command, by=by, key=key)).state

    async def cancel(self, ticket: str, *, by: str, key: str) -> Tickets:
        """Wait no longer with *ticket*; return the tickets of *by*.

        Raises:
            NoSuchTicketError: *by* has no such ticket open.
            TicketClaimedError: a match is being made of it.
        """
        command = EndTicket(ticket=ticket, because="cancelled")
        return (await self._ledger.order(by, command, by=by, key=key)).state

    async def all(self, *, by: str) -> Tickets:
        """Return the tickets of *by*."""
        folded = await self._ledger.find(by)
        return Tickets() if folded is None else folded.state

    async def export(self, account: str) -> JSON:
        """Return all that was ever recorded about the tickets of *account*."""
        return [
            {"at": each.at, **to_tagged(event)}
            for each in await self._ledger.history(account)
            for event in each.events
        ]
