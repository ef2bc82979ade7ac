"""Personal tokens: for programs that speak in an account's name for longer than an hour."""

from typing import Final

from howff.lobby.application.accounts.accounts import in_good_standing
from howff.lobby.application.accounts.callers import check_login, is_kept
from howff.lobby.application.accounts.issuing import (
    Issuer,
    Sources,
    TokenWanted,
)
from howff.lobby.application.accounts.ports import Records
from howff.lobby.application.accounts.revocations import Revocations, revoke_token
from howff.lobby.application.accounts.values import PersonalToken
from howff.lobby.domain.accounts.errors import NoSuchTokenError, PersonalTokenError
from howff.servicekit.web.errors import MissingScopeError
from howff.servicekit.web.tokens import Caller

MOST_NOTED: Final = 100_000
"""Tokens whose use waits to be stored."""


class PersonalTokens:
    """The personal tokens of all accounts."""

    def __init__(
        self, records: Records, issuer: Issuer, revocations: Revocations, sources: Sources
    ) -> None:
        self._records = records
        self._issuer = issuer
        self._revocations = revocations
        self._sources = sources
        self._used: set[str] = set()

    async def all(self, account: str) -> tuple[PersonalToken, ...]:
        """Return the tokens of *account*."""
        async with self._records.reading() as rows:
            return await rows.personal_tokens(account)

    async def make(self, caller: Caller, wanted: TokenWanted) -> tuple[PersonalToken, str]:
        """Return a token of *caller*, as it is known and as it is told this once.

        Raises:
            MissingScopeError: it would be for more than the token of the caller.
            PersonalTokenError: that one is a personal token itself.
            TooManyTokensError: there are too many.
            SuspendedError: the account of the caller is suspended.
        """
        for scope in sorted(wanted.scopes - caller.scopes):
            raise MissingScopeError(scope, caller.scopes)
        if is_kept(caller):
            raise PersonalTokenError
        async with self._records.writing() as rows:
            account = await in_good_standing(rows, caller.account)
            return await self._issuer.personal(rows, account, wanted)

    async def end(self, caller: Caller, token: str) -> None:
        """Let a token of *caller* be good no longer; a personal one may end itself alone.

        Raises:
            NoSuchTokenError: it has none of this id.
            PersonalTokenError: the token of *caller* is a personal one, and another.
        """
        if caller.token != token:
            check_login(caller)
        async with self._records.writing() as rows:
            known = await rows.personal_token(token)
            if known is None or known.account != caller.account:
                raise NoSuchTokenError
            await rows.delete_personal_token(token)
            await revoke_token(rows, token, known.expires_at)
        await self._revocations.tell()

    def note(self, caller: Caller) -> None:
        """Remember that the token of *caller* was used, if it is a personal one."""
        if is_kept(caller) and len(self._used) < MOST_NOTED:
            self._used.add(caller.token)

    async def store_uses(self) -> None:
        """Store on which day tokens were used."""
        used, self._used = frozenset(self._used), set()
        if used:
            async with self._records.writing() as rows:
                await rows.note_uses(used, self._sources.now().date().isoformat())
