"""Accounts and what proves that somebody is one, as the database keeps them."""

from dataclasses import dataclass, field, replace

from howff.lobby.domain.accounts.account import Standing
from howff.lobby.domain.accounts.scopes import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Somebody who plays; how it stands follows from its stream, the rest is known here alone."""

    id: str
    kind: Kind
    created_at: str
    name: str | None = None
    password_hash: str | None = field(default=None, repr=False)
    owner: str | None = None
    """Of a bot: the person whose it is."""
    is_administrator: bool = False
    is_suspended: bool = False
    erased_at: str | None = None
    """When what was known of a former account was overwritten as well."""
    standing_version: int = 0
    """How far the stream of the account has been read for it."""
    tokens_until: int = 0
    """All tokens issued up to and with this second are revoked."""
    newest_token: int = 0
    """The second in which the newest token was issued."""

    @property
    def has_tokens(self) -> bool:
        return self.newest_token > self.tokens_until

    def standing(self, standing: Standing, version: int) -> "Account":
        """Return the account as it stands at a *version* of its stream, or later."""
        if version <= self.standing_version:
            return self
        return replace(
            self,
            is_administrator=standing.is_administrator,
            is_suspended=standing.is_suspended,
            standing_version=version,
        )

    def next_token(self, second: int) -> int:
        """Return when a token that is issued in this *second* says that it was.

        It is later than all that were revoked, by a second at most unless clocks differ.
        """
        return max(second, self.tokens_until + 1)

    def issuing(self, second: int) -> "Account":
        """Return the account after it was issued a token in this *second*."""
        return replace(self, newest_token=max(self.next_token(second), self.newest_token))

    def without_tokens(self, second: int) -> "Account":
        """Return the account after all its tokens were revoked in this *second*."""
        return replace(self, tokens_until=max(second, self.newest_token))

    def forgotten(self) -> "Account":
        """Return what stays of the account when the person is gone."""
        return replace(self, kind="former", name=None, password_hash=None, is_administrator=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalToken:
    """What is known of a token that somebody made to keep; not the token itself."""

    id: str
    account: str
    name: str
    scopes: frozenset[str]
    created_at: str
    expires_at: int
    """Seconds since 1970."""
    last_used_on: str | None = None
    """The day on which the lobby has seen it last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshToken:
    """What is known of a token that gets the next access token, once."""

    digest: str
    """SHA-256 of it, in hex."""
    family: str
    """All that follow from one login."""
    account: str
    scopes: frozenset[str]
    expires_at: int
    access_token: str
    """The id of the access token that was issued with it."""
    access_expires_at: int
    is_used: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Revocation:
    """An entry of the bucket from which all services learn what is revoked."""

    entry: str
    value: int
    ends_at: int
    """From this second on no token lives that it would concern."""
    is_told: bool = False
    """Whether it stands in the bucket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """What an account speaks with from now on; both tokens are told once."""

    account: Account
    access_token: str = field(repr=False)
    expires_in: int
    refresh_token: str = field(repr=False)
    scopes: frozenset[str]
