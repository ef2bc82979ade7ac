"""What is revoked, written down with the reason for it, and then told to all services.

A revocation stands in the database in the same transaction that makes it so. Whoever is killed
before it is told leaves that to the next one who looks.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from howff.lobby.application.accounts.ports import Board, Records, Rows
from howff.lobby.application.accounts.values import Account, Revocation
from howff.servicekit.web.trust import account_entry, token_entry

LONGEST_LIFE: Final = 366 * 24 * 3600
"""Seconds for which a token may be good."""


async def revoke_token(rows: Rows, token: str, expires_at: int) -> None:
    """Let the *token* of this id be good no longer."""
    entry = token_entry(token)
    await rows.put_revocation(Revocation(entry=entry, value=expires_at, ends_at=expires_at))


async def revoke_tokens(rows: Rows, account: Account, second: int) -> Account:
    """Let no token of *account* be good that was issued until now; return the account after it."""
    ended = account.without_tokens(second)
    await rows.put_account(ended)
    await rows.delete_tokens(account.id)
    until = ended.tokens_until
    await rows.put_revocation(
        Revocation(entry=account_entry(account.id), value=until, ends_at=until + LONGEST_LIFE)
    )
    return ended


class Revocations:
    """Tells the *board* what is revoked."""

    def __init__(self, records: Records, board: Board) -> None:
        self._records = records
        self._board = board

    async def tell(self) -> None:
        """Tell whatever has not been told yet.

        Raises:
            NatsUnavailableError: no answer came; it has to be tried again.
        """
        while True:
            async with self._records.reading() as rows:
                untold = await rows.untold_revocations()
            if not untold:
                return
            for each in untold:
                await self._board.change(each.entry, _raised_to(each.value))
                await self._mark_told(each)

    async def sweep(self, second: int) -> None:
        """Take away what no token lives any more for in this *second*.

        Raises:
            NatsUnavailableError: no answer came; it has to be tried again.
        """
        async with self._records.reading() as rows:
            ended = await rows.ended_revocations(second)
        for each in ended:
            await self._board.withdraw(each.entry, _content(each.value))
            await self._forget(each)

    async def _mark_told(self, told: Revocation) -> None:
        """Mark it, unless the entry has come to tell more in the meantime."""
        async with self._records.writing() as rows:
            if await rows.revocation(told.entry) == told:
                await rows.put_revocation(replace(told, is_told=True))

    async def _forget(self, ended: Revocation) -> None:
        """Forget it, unless the entry has come to tell more in the meantime."""
        async with self._records.writing() as rows:
            if await rows.revocation(ended.entry) == ended:
                await rows.delete_revocation(ended.entry)


def _content(value: int) -> bytes:
    return b"%d" % value


def _raised_to(value: int) -> Callable[[bytes | None], bytes]:
    """Return what an entry comes to tell: never less than it does, whoever tells it late."""
    return lambda standing: _content(max(value, int(standing or 0)))
