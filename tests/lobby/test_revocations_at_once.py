"""Revocations of one account that come while an earlier one is told, or taken away."""

from collections.abc import Awaitable, Callable
from typing import Final

import pytest

from howff.lobby.application.accounts.ports import Board
from howff.lobby.application.accounts.revocations import Revocations
from howff.lobby.application.accounts.values import Revocation
from howff.servicekit.web.trust import account_entry
from support.lobby import Lobby
from support.nats import unique

EARLIER: Final = 1_000
LATER: Final = 2_000


class Between:
    """The bucket of a process that is held up before it writes, or after it."""

    def __init__(self, board: Board, meanwhile: Callable[[], Awaitable[None]], when: str) -> None:
        self._board = board
        self._meanwhile = meanwhile
        self._when = when

    async def change(self, key: str, changed: Callable[[bytes | None], bytes]) -> bytes:
        await self._meanwhile()
        return await self._board.change(key, changed)

    async def withdraw(self, key: str, value: bytes) -> None:
        if self._when == "before":
            await self._meanwhile()
        await self._board.withdraw(key, value)
        if self._when == "after":
            await self._meanwhile()


@pytest.mark.parametrize(("act", "when"), [("tell", ""), ("sweep", "before"), ("sweep", "after")])
def test_the_later_one_stands(lobby: Lobby, act: str, when: str) -> None:
    entry = account_entry(unique("someone"))
    issuer = lobby.app.state.parts.accounts.issuer
    records, board = issuer._records, issuer._revocations._board

    async def revoke(second: int) -> None:
        # It ends at once, so that no other test finds it to be told.
        async with records.writing() as rows:
            await rows.put_revocation(Revocation(entry=entry, value=second, ends_at=second))

    async def revoke_later() -> None:
        if await board.get(entry) != b"%d" % LATER:
            await revoke(LATER)
            await Revocations(records, board).tell()

    async def story() -> bytes | None:
        await revoke(EARLIER)
        held_up = Revocations(records, Between(board, revoke_later, when))
        if act == "tell":
            await held_up.tell()
        else:
            await Revocations(records, board).tell()
            await held_up.sweep(EARLIER)
        async with records.reading() as rows:
            row = await rows.revocation(entry)
        assert row is not None
        assert row.value == LATER
        value: bytes | None = await board.get(entry)
        return value

    assert lobby.call(story()) == b"%d" % LATER
