"""What the application needs from outside."""

from collections.abc import Awaitable, Callable
from typing import Literal, Protocol

from howff.contracts.matches import StartMatch
from howff.servicekit.eventstore.store import Position


class Seeds(Protocol):
    """The seeds of matches, which the match service keeps."""

    async def commitment(self, match: str) -> str:
        """Return SHA-256 of the seed of *match* in hex; asked again, it is the same.

        Raises:
            NatsUnavailableError: nobody answers.
        """
        ...

    async def discard(self, match: str) -> None:
        """Let the seed of a match that will not be played be thrown away.

        Raises:
            NatsUnavailableError: nobody answers.
        """
        ...


class Starter(Protocol):
    """Asks for matches."""

    async def publish(self, message: StartMatch) -> None:
        """Ask for a match, for good; asked again, it starts nothing more."""
        ...


TablesOf = Callable[[str, Position], Awaitable[tuple[str, ...]]]
"""Returns the tables where an account has a part, as of a position of the stream or later.

Refuses with `retry_after` while that has not been read yet.
"""


Gone = Literal["suspended", "erased"]
"""Why nobody may do anything in the name of an account."""


class Accounts(Protocol):
    """What follows for names, credentials and tokens from how an account stands."""

    async def settle(self, account: str) -> None:
        """Let everything be as the account's stream says that it stands.

        Raises:
            RefusalError: it can't be done now.
        """
        ...

    async def bots_of(self, account: str) -> tuple[str, ...]:
        """Return the bots of which *account* is the owner."""
        ...

    async def gone_because(self, account: str) -> Gone | None:
        """Return why nobody may do anything in the name of *account*; None if somebody may.

        Raises:
            RefusalError: it can't be known now.
        """
        ...
