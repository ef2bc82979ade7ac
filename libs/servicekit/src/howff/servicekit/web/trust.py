"""Trust in the tokens of the lobby: its keys and revocations, as a bucket tells them.

Tokens are verified without asking anybody. Whoever issues them writes into bucket `TOKENS`, and
every process that takes them follows it:

| entry | value |
|---|---|
| `key_<key id>` | a public key as JSON Web Key; deleted when no token by it is to hold any more |
| `token_<token id>` | a token is revoked; the second in which it would have expired |
| `account_<account id>` | all tokens of an account issued up to and with this second are revoked |

Seconds are those since 1970 in UTC, in decimal digits. What a token would not outlive may be
deleted.
"""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from howff.servicekit.nats.checks import followed
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.kv import Bucket
from howff.servicekit.readiness import Check
from howff.servicekit.web.errors import TrustNotReadyError, WrongKeysError
from howff.servicekit.web.tokens import keys_of

BUCKET: Final = "TOKENS"
"""The bucket that the lobby writes and every service follows."""
PATIENCE: Final = 5.0
"""Seconds for which the bucket may be silent, or ahead, until a process is not ready."""
_KEY: Final = "key_"
_TOKEN: Final = "token_"  # noqa: S105 — the beginning of a name
_ACCOUNT: Final = "account_"
_logger = logging.getLogger(__name__)


def key_entry(key_id: str) -> str:
    """Return the entry of a key by which tokens are signed."""
    return _KEY + key_id


def token_entry(token_id: str) -> str:
    """Return the entry of a token that is revoked."""
    return _TOKEN + token_id


def account_entry(account: str) -> str:
    """Return the entry of an account whose tokens are revoked."""
    return _ACCOUNT + account


class TokenTrust:
    """The keys of the lobby and what it has revoked, in memory, as long as `run` runs.

    A source of keys and of revocations for `Tokens`. While the line to the bucket is down it tells
    what it knew at last.
    """

    def __init__(self, bucket: Bucket) -> None:
        self._follower = bucket.follow(self._change, began=self._begin, caught_up=self._catch_up)
        self._known = _Known()
        self._coming = self._known
        """What the bucket tells now; all of it is known once it has told everything."""
        self._told: list[Callable[[], None]] = []

    async def run(self) -> None:
        """Follow the bucket until `stop` is called.

        Raises:
            ConnectionLostError: the connection has ended for good.
        """
        await self._follower.run()

    async def stop(self) -> None:
        """Follow no longer; return when `run` has ended."""
        await self._follower.stop()

    async def wait_until_known(self) -> None:
        """Wait until everything that stands in the bucket is known."""
        await self._follower.caught_up.wait()

    def current(self) -> Mapping[str, Ed25519PublicKey]:
        """Return the keys by their ids.

        Raises:
            TrustNotReadyError: they are not known yet.
        """
        if not self._follower.caught_up.is_set():
            raise TrustNotReadyError
        return self._known.keys

    def is_revoked(self, token: str, account: str, issued_at: datetime) -> bool:
        """Tell whether the *token* of this id was revoked, alone or with all of its *account*."""
        until = self._known.accounts.get(account)
        is_of_those = until is not None and int(issued_at.timestamp()) <= until
        return is_of_those or token in self._known.tokens

    def tell(self, changed: Callable[[], None]) -> None:
        """Call *changed* from now on when something was revoked, or a key is none any more."""
        self._told.append(changed)

    def check(self, connection: Connection, patience: float = PATIENCE) -> Check:
        """Return a check that everything is known but for the last seconds."""
        return followed(connection, self._follower, patience)

    def _begin(self) -> None:
        self._coming = _Known()

    def _catch_up(self) -> None:
        self._known = self._coming
        self._tell_all()

    async def _change(self, entry: str, value: bytes | None) -> None:
        try:
            ends_some = self._coming.change(entry, value)
        except ValueError:
            # What can't be read is no reason to forget the rest.
            kind = entry.partition("_")[0]
            _logger.exception("an entry of kind %r in bucket %r can't be read", kind, BUCKET)
            return
        if ends_some and self._coming is self._known:
            self._tell_all()

    def _tell_all(self) -> None:
        for changed in self._told:
            changed()


@dataclass(frozen=True, slots=True)
class _Known:
    keys: dict[str, Ed25519PublicKey] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)
    accounts: dict[str, int] = field(default_factory=dict)

    def change(self, entry: str, value: bytes | None) -> bool:
        """Take in what an entry is now, None if it was deleted; tell whether it can end tokens.

        Raises:
            ValueError: it can't be read.
        """
        kind, _, name = entry.partition("_")
        if not name:
            raise ValueError
        match kind, value:
            case "key", bytes(content):
                self.keys[name] = _key(name, content)
            case "key", None:
                self.keys.pop(name, None)
            case "token", bytes():
                self.tokens.add(name)
            case "token", None:
                self.tokens.discard(name)
            case "account", bytes(content):
                self.accounts[name] = int(content)
            case "account", None:
                self.accounts.pop(name, None)
            case _:
                raise ValueError
        return (value is None) == (kind == "key")


def _key(key_id: str, content: bytes) -> Ed25519PublicKey:
    try:
        found = keys_of({"keys": [json.loads(content)]})
    except WrongKeysError as error:
        raise ValueError from error
    if key_id not in found:
        raise ValueError
    return found[key_id]
