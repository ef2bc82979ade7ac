"""What requests about accounts and tokens tell, and what answers do."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from howff.contracts.ids import JSON
from howff.lobby.application.accounts.revocations import LONGEST_LIFE
from howff.lobby.application.accounts.values import Account, Admission, PersonalToken
from howff.lobby.domain.accounts.names import NAME_FORM
from howff.lobby.domain.accounts.scopes import Kind
from howff.lobby.domain.reasons import Reason
from howff.servicekit.eventstore.commits import time_text
from howff.servicekit.web.bodies import Listed, StrictModel
from howff.servicekit.web.scopes import TokenScope

Name = Annotated[str, StringConstraints(pattern=NAME_FORM)]
Password = str
"""Of 8 to 128 characters, which is not checked here: a refusal would repeat it."""


class RegisterBody(StrictModel):
    """Somebody who wants to be known by a name."""

    name: Name
    password: Password


class BotBody(StrictModel):
    """A bot that wants to be known by a name."""

    name: Name


class PasswordBody(StrictModel):
    """The password that goes, and the one that comes."""

    old: Password
    new: Password


class EraseBody(StrictModel):
    """The password, for accounts that have one."""

    password: Password | None = None


class SuspendBody(StrictModel):
    """Why an account is suspended."""

    reason: Reason


class TokenBody(StrictModel):
    """A personal token as it is wanted."""

    name: Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]{1,60}$")]
    scopes: Annotated[Listed[TokenScope], Field(min_length=1, max_length=5)]
    days: Annotated[int, Field(ge=1, le=LONGEST_LIFE // 86400)]


class Profile(BaseModel):
    """What everybody may know of an account; a guest and a former account have no name."""

    id: str
    name: str | None
    kind: Kind

    @classmethod
    def of(cls, account: Account) -> "Profile":
        """Return what everybody may know of *account*."""
        return cls(id=account.id, name=account.name, kind=account.kind)


class ProfilesAnswer(BaseModel):
    """Profiles, in the order in which they were asked for."""

    items: list[Profile]


class TokensAnswer(BaseModel):
    """Tokens to speak with; each is told once."""

    access_token: str
    token_type: Literal["Bearer"] = "Bearer"  # noqa: S105 — no secret
    expires_in: int
    """Seconds."""
    refresh_token: str
    scope: str

    @classmethod
    def of(cls, admission: Admission) -> "TokensAnswer":
        """Return the tokens of an admission."""
        return cls(**_tokens(admission))


class AdmissionAnswer(TokensAnswer):
    """Tokens to speak with, and for whom they are."""

    account: Profile

    @classmethod
    def of(cls, admission: Admission) -> "AdmissionAnswer":
        """Return an admission."""
        return cls(**_tokens(admission), account=Profile.of(admission.account))


class PersonalTokenView(BaseModel):
    """A personal token, without what it is itself."""

    id: str
    name: str
    scopes: list[str]
    created_at: str
    expires_at: str
    last_used_on: str | None
    """The last day on which the lobby has seen it."""


class PersonalTokenTold(PersonalTokenView):
    """A personal token as it is told once."""

    token: str


class PersonalTokensAnswer(BaseModel):
    """The personal tokens of an account, the newest first."""

    items: list[PersonalTokenView]


class BotAnswer(BaseModel):
    """A bot, and the token that it speaks with."""

    account: Profile
    token: PersonalTokenTold


class MeAnswer(BaseModel):
    """Who speaks, and what the token is for."""

    account: Profile
    scopes: list[str]
    is_administrator: bool
    owner: str | None


class ExportAnswer(BaseModel):
    """Everything that is stored about an account; further parts of the lobby add theirs."""

    model_config = {"extra": "allow"}

    account: JSON
    bots: list[JSON]
    personal_tokens: list[JSON]
    refresh_tokens: list[JSON]
    history: list[JSON]


class KeysAnswer(BaseModel):
    """The keys that sign access tokens, as JSON Web Key Set (RFC 7517)."""

    keys: list[dict[str, str]]


def token_view(known: PersonalToken) -> PersonalTokenView:
    """Return what is known of a personal token."""
    return PersonalTokenView(**_personal(known))


def token_told(known: PersonalToken, text: str) -> PersonalTokenTold:
    """Return a personal token with what it is itself."""
    return PersonalTokenTold(**_personal(known), token=text)


def _tokens(admission: Admission) -> dict[str, JSON]:
    return {
        "access_token": admission.access_token,
        "expires_in": admission.expires_in,
        "refresh_token": admission.refresh_token,
        "scope": " ".join(sorted(admission.scopes)),
    }


def _personal(known: PersonalToken) -> dict[str, JSON]:
    return {
        "id": known.id,
        "name": known.name,
        "scopes": sorted(known.scopes),
        "created_at": known.created_at,
        "expires_at": time_text(datetime.fromtimestamp(known.expires_at, UTC)),
        "last_used_on": known.last_used_on,
    }
