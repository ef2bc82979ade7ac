"""How accounts stand: what administrators order, what erasure takes away, and what follows."""

from contextlib import suppress
from dataclasses import replace

from howff.lobby.application.accounts.issuing import Sources
from howff.lobby.application.accounts.ports import Records, Rows
from howff.lobby.application.accounts.revocations import Revocations, revoke_tokens
from howff.lobby.application.accounts.values import Account
from howff.lobby.application.ledgers import PLATFORM, AccountLedger
from howff.lobby.application.ports import Gone
from howff.lobby.domain.accounts.account import (
    AccountCommand,
    Erase,
    MakeAdministrator,
    Reinstate,
    Suspend,
)
from howff.lobby.domain.accounts.errors import NoSuchAccountError
from howff.lobby.domain.accounts.names import name_key
from howff.lobby.domain.errors import NothingChangesError
from howff.lobby.domain.reasons import Reason
from howff.servicekit.eventstore.commits import time_text

_ERASURE = "erasure"
"""The id of the one command that erases an account."""


class Standings:
    """Gives the commands about accounts, and does what follows from them.

    What follows is read from the account's stream, and done again and again until it is so:
    whoever is killed in between leaves the rest to the outbox, which calls `settle`.
    """

    def __init__(
        self, ledger: AccountLedger, records: Records, revocations: Revocations, sources: Sources
    ) -> None:
        self._ledger = ledger
        self._records = records
        self._revocations = revocations
        self._sources = sources

    async def make_administrator(self, name: str, key: str) -> None:
        """Let whoever is called *name* do what administrators do.

        Raises:
            NoSuchAccountError: nobody is called so.
        """
        async with self._records.reading() as rows:
            known = await rows.account_named(name_key(name))
        if known is None:
            raise NoSuchAccountError
        await self._order(known.id, MakeAdministrator(by=None), by=PLATFORM, key=key)

    async def suspend(self, account: str, reason: Reason, *, by: str, key: str) -> None:
        """Let nobody do anything in the name of *account*.

        Raises:
            NoSuchAccountError: there is none.
        """
        await self._check(account)
        await self._order(account, Suspend(by=by, reason=reason), by=by, key=key)

    async def reinstate(self, account: str, *, by: str, key: str) -> None:
        """Take a suspension back.

        Raises:
            NoSuchAccountError: there is none.
        """
        await self._check(account)
        await self._order(account, Reinstate(by=by), by=by, key=key)

    async def bots_of(self, account: str) -> tuple[str, ...]:
        """Return the bots of which *account* is the owner."""
        async with self._records.reading() as rows:
            return tuple(bot.id for bot in await rows.bots_of(account))

    async def erase(self, account: str) -> None:
        """Let name, credentials and tokens of *account* be gone, and its bots as well."""
        await self._ledger.order(account, Erase(), by=account, key=_ERASURE)
        await self.settle(account)

    async def settle(self, account: str) -> None:
        """Do what follows from how *account* stands: for its row, its tokens, its name and bots."""
        folded = await self._ledger.find(account)
        if folded is None:
            return
        async with self._records.writing() as rows:
            known = await rows.account(account)
            if known is None:
                return
            known = known.standing(folded.state, folded.version)
            await rows.put_account(known)
            if folded.state.is_erased:
                known = await self._forget(rows, known)
            elif known.is_suspended and known.has_tokens:
                await self._end_tokens(rows, known)
        await self._revocations.tell()
        if known.kind == "former":
            await self._finish(known)
        elif known.is_suspended:
            await self._end_tokens_of_bots(account)

    async def gone_because(self, account: str) -> Gone | None:
        """Return why nobody may do anything in the name of *account*, if so: by its owner, too."""
        because = await self._gone_because(account)
        if because is not None:
            return because
        async with self._records.reading() as rows:
            known = await rows.account(account)
        if known is None or known.owner is None:
            return None
        return await self._gone_because(known.owner)

    async def _gone_because(self, account: str) -> Gone | None:
        folded = await self._ledger.find(account)
        if folded is None:
            return None
        if folded.state.is_erased:
            return "erased"
        return "suspended" if folded.state.is_suspended else None

    async def _order(self, account: str, command: AccountCommand, *, by: str, key: str) -> None:
        with suppress(NothingChangesError):  # what is wanted is so
            await self._ledger.order(account, command, by=by, key=key)
        await self.settle(account)

    async def _check(self, account: str) -> None:
        async with self._records.reading() as rows:
            known = await rows.account(account)
        if known is None or known.kind == "former":
            raise NoSuchAccountError

    async def _forget(self, rows: Rows, known: Account) -> Account:
        if known.kind == "former":
            return known
        return await self._end_tokens(rows, known.forgotten())

    async def _finish(self, former: Account) -> None:
        """Erase the bots, and overwrite what was deleted; nobody makes bots for it any more."""
        async with self._records.reading() as rows:
            bots = await rows.bots_of(former.id)
        for bot in bots:
            if bot.erased_at is None:
                await self.erase(bot.id)
        if former.erased_at is not None:
            return
        await self._records.forget()
        async with self._records.writing() as rows:
            erased = await rows.account(former.id)
            assert erased is not None, "no account is ever deleted"
            await rows.put_account(replace(erased, erased_at=time_text(self._sources.now())))

    async def _end_tokens_of_bots(self, owner: str) -> None:
        async with self._records.writing() as rows:
            for bot in await rows.bots_of(owner):
                if bot.has_tokens:
                    await self._end_tokens(rows, bot)
        await self._revocations.tell()

    async def _end_tokens(self, rows: Rows, known: Account) -> Account:
        return await revoke_tokens(rows, known, self._sources.second())
