"""What follows from the commits about accounts, and for accounts that had a part too late.

An account that is suspended or erased loses all its parts. What it did in the same moment may be
recorded after that, so each new part is looked at once more by whoever reads it.
"""

from howff.lobby.application.ledgers import TableLedger, TicketLedger
from howff.lobby.application.ports import Accounts, Gone, TablesOf
from howff.lobby.domain.accounts.events import AccountErased, AccountEvent, AccountSuspended
from howff.lobby.domain.tables.commands import RemoveAccount
from howff.lobby.domain.tables.events import SeatTaken, TableEvent, TableOpened
from howff.lobby.domain.tickets.commands import EndAllTickets
from howff.lobby.domain.tickets.events import TicketEvent, TicketOpened
from howff.servicekit.eventstore.commits import PlainCommit
from howff.servicekit.eventstore.store import Position


class AccountOutbox:
    """Does what follows from commits about accounts."""

    def __init__(
        self,
        tables: TableLedger,
        tickets: TicketLedger,
        *,
        accounts: Accounts,
        tables_of: TablesOf,
    ) -> None:
        self._tables = tables
        self._tickets = tickets
        self._accounts = accounts
        self._tables_of = tables_of

    async def on_commit(
        self, account: str, commit: PlainCommit[AccountEvent], position: Position
    ) -> None:
        """Do what follows from a *commit* about an account.

        Raises:
            RefusalError: it could not be done now; the commit has to come again.
        """
        await self._accounts.settle(account)
        cause = f"{account}\n{commit.version}"
        for event in commit.events:
            match event:
                case AccountSuspended():
                    for each in (account, *await self._accounts.bots_of(account)):
                        await self._remove(each, "suspended", f"{each}\n{cause}", position)
                case AccountErased():
                    await self._remove(account, "erased", cause, position)
                case _:
                    pass

    async def on_table(self, table: str, commit: PlainCommit[TableEvent]) -> None:
        """Let nobody who is gone keep a part that *commit* gives at *table*.

        Raises:
            RefusalError: it could not be done now; the commit has to come again.
        """
        for event in commit.events:
            match event:
                case TableOpened(host=account) | SeatTaken(account=account):
                    because = await self._accounts.gone_because(account)
                    if because is not None:
                        remove = RemoveAccount(account=account, because=because)
                        cause = f"{table}\n{account}\n{commit.version}"
                        await self._tables.react(table, remove, cause=cause)
                case _:
                    pass

    async def on_tickets(self, account: str, commit: PlainCommit[TicketEvent]) -> None:
        """Let nobody who is gone wait with a ticket that *commit* opens.

        Raises:
            RefusalError: it could not be done now; the commit has to come again.
        """
        if any(isinstance(each, TicketOpened) for each in commit.events):
            because = await self._accounts.gone_because(account)
            if because is not None:
                end = EndAllTickets(because=because)
                await self._tickets.react(account, end, cause=f"{account}\n{commit.version}")

    async def _remove(self, account: str, because: Gone, cause: str, position: Position) -> None:
        """Let *account* wait for nothing and sit nowhere any more."""
        await self._tickets.react(account, EndAllTickets(because=because), cause=cause)
        for table in await self._tables_of(account, position):
            remove = RemoveAccount(account=account, because=because)
            await self._tables.react(table, remove, cause=f"{cause}\n{table}")
