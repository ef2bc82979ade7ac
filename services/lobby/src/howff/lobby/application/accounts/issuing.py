"""Issuing tokens: access tokens for an hour, refresh tokens for one use, personal ones to keep."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from howff.lobby.application.accounts.ports import Keys, Records, Rows
from howff.lobby.application.accounts.revocations import Revocations, revoke_token
from howff.lobby.application.accounts.values import (
    Account,
    Admission,
    PersonalToken,
    RefreshToken,
)
from howff.lobby.domain.accounts.errors import (
    InvalidGrantError,
    SuspendedGrantError,
    TooManyTokensError,
)
from howff.lobby.domain.accounts.scopes import most_scopes, scopes_wanted
from howff.servicekit.eventstore.commits import time_text
from howff.servicekit.web.signing import base64url
from howff.servicekit.web.tokens import AUDIENCE, LOBBY_ISSUER, Caller, Claims

ACCESS_LIFETIME: Final = 3600
REFRESH_LIFETIME: Final = 30 * 24 * 3600
"""Seconds."""
MOST_PERSONAL: Final = 50
"""Personal tokens of one account."""
_DAY: Final = 24 * 3600
_EXPECTED: Final = "a refresh token that was not used before, and has not expired"


@dataclass(frozen=True, slots=True)
class Sources:
    """Time, luck and ids."""

    now: Callable[[], datetime]
    new_id: Callable[[], str]
    new_secret: Callable[[], bytes]

    def second(self) -> int:
        """Return the seconds since 1970."""
        return int(self.now().timestamp())


@dataclass(frozen=True, slots=True)
class TokenWanted:
    """What a personal token is to be."""

    name: str
    scopes: frozenset[str]
    days: int


@dataclass(frozen=True, slots=True)
class _Token:
    id: str
    text: str = field(repr=False)
    expires_at: int
    account: Account
    """The account after it was issued the token."""


class Issuer:
    """Issues the tokens of all accounts."""

    def __init__(
        self, records: Records, revocations: Revocations, keys: Keys, sources: Sources
    ) -> None:
        self._records = records
        self._revocations = revocations
        self._keys = keys
        self._sources = sources

    async def admit(
        self,
        rows: Rows,
        account: Account,
        scopes: frozenset[str],
        follows: RefreshToken | None = None,
    ) -> Admission:
        """Return tokens for *account*; those that follow on others are of the same login."""
        token = self._token(account, scopes, ACCESS_LIFETIME)
        await rows.put_account(token.account)
        secret = base64url(self._sources.new_secret())
        await rows.put_refresh_token(
            RefreshToken(
                digest=digest_of(secret),
                family=follows.family if follows else self._sources.new_id(),
                account=account.id,
                scopes=follows.scopes if follows else scopes,
                expires_at=self._sources.second() + REFRESH_LIFETIME,
                access_token=token.id,
                access_expires_at=token.expires_at,
            )
        )
        return Admission(
            account=token.account,
            access_token=token.text,
            expires_in=ACCESS_LIFETIME,
            refresh_token=secret,
            scopes=scopes,
        )

    async def personal(
        self, rows: Rows, account: Account, wanted: TokenWanted
    ) -> tuple[PersonalToken, str]:
        """Return a token for *account* to keep, as it is known and as it is told this once.

        Raises:
            TooManyTokensError: there are too many.
        """
        if len(await rows.personal_tokens(account.id)) >= MOST_PERSONAL:
            raise TooManyTokensError(MOST_PERSONAL)
        token = self._token(account, wanted.scopes, wanted.days * _DAY)
        await rows.put_account(token.account)
        known = PersonalToken(
            id=token.id,
            account=account.id,
            name=wanted.name,
            scopes=wanted.scopes,
            created_at=time_text(self._sources.now()),
            expires_at=token.expires_at,
        )
        await rows.put_personal_token(known)
        return known, token.text

    def _token(self, account: Account, scopes: frozenset[str], lifetime: int) -> "_Token":
        second, token = self._sources.second(), self._sources.new_id()
        issued = account.next_token(second)
        claims = Claims(
            iss=LOBBY_ISSUER,
            aud=AUDIENCE,
            sub=account.id,
            iat=issued,
            nbf=issued,
            exp=issued + lifetime,
            jti=token,
            scope=" ".join(sorted(scopes)),
            bot=account.kind == "bot",
        )
        text = self._keys.signing().sign(claims)
        return _Token(token, text, issued + lifetime, account.issuing(second))

    async def refresh(self, secret: str, scope: str | None) -> Admission:
        """Return the next tokens for a refresh token, for all of its scopes or those wanted.

        Raises:
            InvalidGrantError: it is unknown or has expired, or it was used before: then all that
                followed from that login has ended.
            InvalidScopeError: more is wanted than it gives.
        """
        async with self._records.writing() as rows:
            admission = await self._refreshed(rows, secret, scope)
        if admission is None:
            await self._revocations.tell()
            raise InvalidGrantError(_EXPECTED)
        return admission

    async def _refreshed(self, rows: Rows, secret: str, scope: str | None) -> Admission | None:
        """Return what `refresh` does; None if it was stolen, which has to be stored."""
        known = await rows.refresh_token(digest_of(secret))
        if known is None or known.expires_at <= self._sources.second():
            raise InvalidGrantError(_EXPECTED)
        if known.is_used:
            await self._end_family(rows, known.family)
            return None
        account = await rows.account(known.account)
        assert account is not None, "a token has an account"
        check_standing(account)
        most = known.scopes & most_scopes(account.kind, is_administrator=account.is_administrator)
        wanted = scopes_wanted(scope, most, most)
        await rows.put_refresh_token(replace(known, is_used=True))
        return await self.admit(rows, account, wanted, known)

    async def revoke(self, token: str, caller: Caller | None) -> None:
        """Let *token* be good no longer: that of *caller*, or else a refresh token, if it is one.

        All tokens of a login end with its refresh token.
        """
        async with self._records.writing() as rows:
            if caller is not None:
                expires_at = int(caller.expires_at.timestamp())
                await rows.delete_personal_token(caller.token)
                await revoke_token(rows, caller.token, expires_at)
            elif known := await rows.refresh_token(digest_of(token)):
                await self._end_family(rows, known.family)
        await self._revocations.tell()

    async def _end_family(self, rows: Rows, family: str) -> None:
        second = self._sources.second()
        for each in await rows.family(family):
            if each.access_expires_at > second:
                await revoke_token(rows, each.access_token, each.access_expires_at)
        await rows.delete_family(family)


def digest_of(secret: str) -> str:
    """Return what is stored of a refresh token."""
    return hashlib.sha256(secret.encode()).hexdigest()


def check_standing(account: Account) -> None:
    """Refuse tokens to an account that is suspended or gone.

    Raises:
        SuspendedGrantError: it is suspended.
        InvalidGrantError: it was erased.
    """
    if account.is_suspended:
        raise SuspendedGrantError
    if account.kind == "former":
        raise InvalidGrantError("an account that is there")
