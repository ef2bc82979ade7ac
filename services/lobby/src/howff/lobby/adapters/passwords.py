"""Passwords as Argon2id keeps them; each hash takes 64 MiB for a moment, by design."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from howff.lobby.application.accounts.ports import BusyError

T = TypeVar("T")

AT_ONCE: Final = 2
"""Hashes that are made at once by a process."""
MOST_WAITING: Final = 50
"""Those that wait for it; more would not be answered in time."""


class ArgonPasswords:
    """Hashes by Argon2id, made with *memory_kibibytes* each."""

    def __init__(self, memory_kibibytes: int) -> None:
        self._hasher = PasswordHasher(memory_cost=memory_kibibytes)
        self._nobodys = self._hasher.hash("nobody's password")
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """Return a hash of *password*.

        Raises:
            BusyError: too many wait.
        """
        return await self._in_turn(lambda: self._hasher.hash(password))

    async def is_right(self, password: str, hash: str | None) -> bool:  # noqa: A002
        """Tell whether *hash* is of *password*; without one it takes as long to say no.

        Raises:
            BusyError: too many wait.
        """
        fits = await self._in_turn(lambda: self._fits(hash or self._nobodys, password))
        return fits and hash is not None

    def is_outdated(self, hash: str) -> bool:  # noqa: A002
        """Tell whether *hash* was made in another way than is wanted now."""
        return self._hasher.check_needs_rehash(hash)

    def _fits(self, hash: str, password: str) -> bool:  # noqa: A002
        try:
            return self._hasher.verify(hash, password)
        except VerifyMismatchError:
            return False

    async def _in_turn(self, work: Callable[[], T]) -> T:
        if self._waiting >= MOST_WAITING:
            raise BusyError(MOST_WAITING)
        self._waiting += 1
        try:
            async with self._turns:
                return await asyncio.to_thread(work)
        finally:
            self._waiting -= 1
