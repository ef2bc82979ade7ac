"""Tokens for anybody who asks, to try things out with; never where real people play."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel

from howff.engine.codec import JSON
from howff.servicekit.web.bodies import StrictModel
from howff.servicekit.web.errors import DevelopmentTokensError
from howff.servicekit.web.signing import SigningKey
from howff.servicekit.web.tokens import AUDIENCE, AccountId, Claims

Mode = Literal["one_machine", "test", "cluster"]

ISSUER: Final = "howff-development"
LIFETIME: Final = timedelta(hours=12)


class DevelopmentIssuer:
    """Issues tokens in the name of any account, signed with the Ed25519 key *secret*."""

    def __init__(
        self, secret: bytes, *, mode: Mode, issuer: str = ISSUER, audience: str = AUDIENCE
    ) -> None:
        """Take the key from 32 bytes; two replicas with the same ones accept each other's tokens.

        Raises:
            DevelopmentTokensError: the mode is that of a cluster.
        """
        if mode == "cluster":
            raise DevelopmentTokensError(mode)
        self._key = SigningKey(secret)
        self.issuer = issuer
        self.audience = audience

    def issue(
        self,
        account: str,
        scopes: frozenset[str],
        now: datetime,
        lifetime: timedelta = LIFETIME,
        *,
        is_bot: bool = False,
    ) -> str:
        """Return a token that *account* may use for *scopes* from *now* on."""
        from_now = int(now.timestamp())
        claims = Claims(
            iss=self.issuer,
            aud=self.audience,
            sub=account,
            iat=from_now,
            nbf=from_now,
            exp=from_now + int(lifetime.total_seconds()),
            scope=" ".join(sorted(scopes)),
            bot=is_bot,
        )
        return self._key.sign(claims)

    def jwks(self) -> JSON:
        """Return the public key as a JSON Web Key Set (RFC 7517)."""
        return {"keys": [self._key.jwk]}


class TokenWanted(StrictModel):
    """Whom a token should name."""

    account: AccountId


class TokenIssued(BaseModel):
    """A token; it expires in so many seconds."""

    access_token: str
    token_type: Literal["Bearer"] = "Bearer"  # noqa: S105 — no secret
    expires_in: int


def development_router(
    issuer: DevelopmentIssuer, *, scopes: frozenset[str], now: Callable[[], datetime]
) -> APIRouter:
    """Return the route that gives a token for *scopes* to anybody who asks."""
    router = APIRouter(tags=["development"])

    @router.post("/v1/development/tokens")
    async def issue_development_token(wanted: TokenWanted, response: Response) -> TokenIssued:
        """Issue a token for any account; only for trying things out."""
        response.headers["Cache-Control"] = "no-store"
        token = issuer.issue(wanted.account, scopes, now())
        return TokenIssued(access_token=token, expires_in=int(LIFETIME.total_seconds()))

    return router
