"""What accounts and tokens need from outside."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from howff.lobby.application.accounts.values import (
    Account,
    PersonalToken,
    RefreshToken,
    Revocation,
)
from howff.lobby.domain.errors import LobbyError
from howff.servicekit.web.signing import SigningKey


class Rows(Protocol):
    """The database within one transaction.

    An account or a token that was looked at in one that writes stays as it is until its end.
    """

    async def account(self, account: str) -> Account | None: ...
    async def account_named(self, key: str) -> Account | None: ...
    async def accounts(self, ids: tuple[str, ...]) -> tuple[Account, ...]: ...
    async def bots_of(self, owner: str) -> tuple[Account, ...]: ...
    async def put_account(self, account: Account) -> None:
        """Store *account*, whatever stood under its id.

        Raises:
            NameTakenError: another account has its name.
        """
        ...

    async def personal_token(self, token: str) -> PersonalToken | None: ...
    async def personal_tokens(self, account: str) -> tuple[PersonalToken, ...]: ...
    async def put_personal_token(self, token: PersonalToken) -> None: ...
    async def delete_personal_token(self, token: str) -> None: ...
    async def note_uses(self, tokens: frozenset[str], day: str) -> None:
        """Store that personal *tokens* were used on a *day*."""
        ...

    async def refresh_token(self, digest: str) -> RefreshToken | None: ...
    async def refresh_tokens(self, account: str) -> tuple[RefreshToken, ...]: ...
    async def family(self, family: str) -> tuple[RefreshToken, ...]: ...
    async def put_refresh_token(self, token: RefreshToken) -> None: ...
    async def delete_family(self, family: str) -> None: ...
    async def delete_tokens(self, account: str) -> None:
        """Delete what is known of all tokens of *account*."""
        ...

    async def delete_expired(self, second: int) -> None:
        """Delete what is known of tokens that have expired by this *second*."""
        ...

    async def put_revocation(self, revocation: Revocation) -> None: ...
    async def revocation(self, entry: str) -> Revocation | None: ...
    async def untold_revocations(self) -> tuple[Revocation, ...]: ...
    async def ended_revocations(self, second: int) -> tuple[Revocation, ...]: ...
    async def delete_revocation(self, entry: str) -> None: ...


class Records(Protocol):
    """The database of accounts and tokens."""

    def writing(self) -> AbstractAsyncContextManager[Rows]:
        """Give a transaction that is committed at the end, unless something is raised."""
        ...

    def reading(self) -> AbstractAsyncContextManager[Rows]: ...

    async def forget(self) -> None:
        """Overwrite what was deleted before.

        Raises:
            DatabaseError: it could not be done now.
        """
        ...


class BusyError(LobbyError):
    """More passwords are to be checked than can be in time."""

    code = "busy"
    retry_after = 5

    def __init__(self, most: int) -> None:
        super().__init__("too many logins", expected=f"at most {most} at once", found="more")


class Passwords(Protocol):
    """Hashes of passwords, dear to make by design."""

    async def hash(self, password: str) -> str: ...
    async def is_right(self, password: str, hash: str | None) -> bool:  # noqa: A002
        """Tell whether *hash* is of *password*; without one it takes as long to say no."""
        ...

    def is_outdated(self, hash: str) -> bool:  # noqa: A002
        """Tell whether *hash* was made in another way than is wanted now."""
        ...


class Keys(Protocol):
    """The keys of the lobby."""

    def signing(self) -> SigningKey:
        """Return the key that signs now."""
        ...


class Board(Protocol):
    """The bucket from which all services learn which tokens are revoked."""

    async def change(self, key: str, changed: Callable[[bytes | None], bytes]) -> bytes: ...
    async def withdraw(self, key: str, value: bytes) -> None: ...
