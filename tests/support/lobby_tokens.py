"""Tokens as the lobby issues and revokes them."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt import PyJWS

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.kv import Bucket, open_bucket
from howff.servicekit.web import trust
from howff.servicekit.web.issuer import DevelopmentIssuer
from howff.servicekit.web.tokens import ALGORITHM, AUDIENCE, LOBBY_ISSUER, TOKEN_TYPE, Claims

MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class LobbyKey:
    """A key by which the lobby signs, made of 32 bytes."""

    secret: bytes

    @property
    def jwk(self) -> dict[str, str]:
        found: dict[str, str] = DevelopmentIssuer(self.secret, mode="test").jwks()["keys"][0]
        return found

    @property
    def entry(self) -> str:
        return trust.key_entry(self.jwk["kid"])

    def token(  # noqa: PLR0913 — all that a token tells
        self,
        account: str,
        token_id: str,
        now: datetime,
        lifetime: timedelta = MINUTE,
        issuer: str = LOBBY_ISSUER,
        scope: str = "play read",
    ) -> str:
        """Return a token of this id, issued *now*."""
        issued = int(now.timestamp())
        claims = Claims(
            iss=issuer,
            aud=AUDIENCE,
            sub=account,
            iat=issued,
            nbf=issued,
            exp=issued + int(lifetime.total_seconds()),
            jti=token_id,
            scope=scope,
        )
        headers = {"typ": TOKEN_TYPE, "kid": self.jwk["kid"]}
        key = Ed25519PrivateKey.from_private_bytes(self.secret)
        return PyJWS().encode(claims.model_dump_json().encode(), key, ALGORITHM, headers)


@dataclass(frozen=True, slots=True)
class LobbyBucket:
    """The bucket as the lobby writes it."""

    bucket: Bucket

    @classmethod
    async def on(cls, connection: Connection, name: str = trust.BUCKET) -> "LobbyBucket":
        return cls(await open_bucket(connection, name, replicas=1))

    async def tell(self, key: LobbyKey) -> None:
        await self.bucket.put(key.entry, json.dumps(key.jwk).encode())

    async def withdraw(self, key: LobbyKey) -> None:
        await self.bucket.delete(key.entry)

    async def revoke(self, token_id: str, expires: datetime) -> None:
        await self.bucket.put(trust.token_entry(token_id), _seconds(expires))

    async def revoke_all(self, account: str, until: datetime) -> None:
        await self.bucket.put(trust.account_entry(account), _seconds(until))


def _seconds(at: datetime) -> bytes:
    return b"%d" % int(at.timestamp())
