"""What has to be done again and again for accounts and tokens, whatever was lost in between."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

from howff.engine.errors import RefusalError
from howff.lobby.application.accounts.issuing import Sources
from howff.lobby.application.accounts.personal import PersonalTokens
from howff.lobby.application.accounts.ports import Records
from howff.lobby.application.accounts.revocations import Revocations
from howff.servicekit.stopping import Stoppable

EVERY: Final = 30.0
"""Seconds."""
_log = logging.getLogger(__name__)


class Upkeep(Stoppable):
    """Tells revocations that were not told, and lets go of what has ended."""

    def __init__(
        self,
        records: Records,
        revocations: Revocations,
        tokens: PersonalTokens,
        sources: Sources,
        retire_keys: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__()
        self._records = records
        self._revocations = revocations
        self._tokens = tokens
        self._sources = sources
        self._retire_keys = retire_keys

    async def work(self) -> None:
        """Do all of it once; what can't be done now is left for the next time."""
        second = self._sources.second()
        await self._try("revocations", self._revocations.tell)
        await self._try("old revocations", lambda: self._revocations.sweep(second))
        await self._try("expired tokens", lambda: self._delete_expired(second))
        await self._try("uses of tokens", self._tokens.store_uses)
        await self._try("old keys", self._retire_keys)

    async def _rounds(self) -> None:
        while not self._stopping.is_set():
            await self.work()
            await self._pause(EVERY)
        await self._try("uses of tokens", self._tokens.store_uses)

    async def _delete_expired(self, second: int) -> None:
        async with self._records.writing() as rows:
            await rows.delete_expired(second)

    async def _try(self, what: str, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except RefusalError as error:
            _log.warning("%s have to wait: %s", what, error)
