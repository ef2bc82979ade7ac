"""The keys that sign tokens: secret in a bucket of the lobby, public in that of all services.

An entry of the secret bucket is `signing_<name>`. A key that is a minute old signs, for until then
not every service may know it. The one before verifies on until the longest token has ended.
"""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final

from howff.lobby.application.accounts.revocations import LONGEST_LIFE
from howff.servicekit.nats.kv import Bucket
from howff.servicekit.web.signing import SigningKey, base64url
from howff.servicekit.web.trust import key_entry

SIGNS_AFTER: Final = 60
"""Seconds."""
PREFIX: Final = "signing_"
_FIRST: Final = PREFIX + "first"
_RETIRED: Final = b"retired "
"""What stands in the place of a secret, with the id of its key, once that is used no more."""


@dataclass(frozen=True, slots=True)
class KnownKey:
    """A key, and since which second there is one."""

    entry: str
    key: SigningKey
    made_at: int


class SigningKeys:
    """The keys of the lobby, as they stand in the bucket *secrets* as long as `run` runs."""

    def __init__(self, secrets: Bucket, public: Bucket, now: Callable[[], datetime]) -> None:
        self._secrets = secrets
        self._public = public
        self._now = now
        self._known: dict[str, KnownKey] = {}
        self._follower = secrets.follow(self._learn)

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
        """Wait until all keys that there are are known."""
        await self._follower.caught_up.wait()

    async def prepare(self, secret: bytes) -> None:
        """Make the first key of *secret* if there has never been one, and know it.

        Raises:
            NatsUnavailableError: no answer came; asked again it will.
        """
        content = await self._secrets.create(_FIRST, self._content(secret))
        await self._learn(_FIRST, content)

    async def rotate(self, secret: bytes) -> str:
        """Make a key of *secret*, which signs in a minute; return its id.

        Raises:
            NatsUnavailableError: no answer came; there may be such a key.
        """
        entry, content = PREFIX + SigningKey(secret).id, self._content(secret)
        await self._secrets.put(entry, content)
        await self._learn(entry, content)
        return SigningKey(secret).id

    def signing(self) -> SigningKey:
        """Return the key that signs now: the newest that every service knows."""
        known, now = self._by_age(), self._second()
        old_enough = [each for each in known if each.made_at + SIGNS_AFTER <= now]
        return (old_enough[-1] if old_enough else known[0]).key

    def public(self) -> list[dict[str, str]]:
        """Return the public keys by which tokens may be signed, the newest first."""
        return [each.key.jwk for each in reversed(self._by_age())]

    async def retire(self) -> None:
        """Take away the keys whose last token has ended.

        Raises:
            NatsUnavailableError: no answer came; it has to be tried again.
        """
        known = self._by_age()
        for each, following in pairwise(known):
            last_signed = following.made_at + SIGNS_AFTER
            if last_signed + LONGEST_LIFE + SIGNS_AFTER <= self._second():
                content = _RETIRED + each.key.id.encode()
                await self._secrets.put(each.entry, content)
                await self._learn(each.entry, content)

    async def _learn(self, entry: str, content: bytes | None) -> None:
        if not entry.startswith(PREFIX) or content is None:
            return
        if content.startswith(_RETIRED):
            await self._forget(entry, content.removeprefix(_RETIRED).decode())
            return
        told = json.loads(content)
        key = SigningKey(base64.urlsafe_b64decode(told["secret"] + "="))
        # Whoever has made the key may have died before it was published.
        await self._public.create(key_entry(key.id), json.dumps(key.jwk).encode())
        self._known[entry] = KnownKey(entry, key, told["made_at"])

    async def _forget(self, entry: str, key: str) -> None:
        """Take the public *key* away: another process may have published it late."""
        self._known.pop(entry, None)
        if await self._public.get(key_entry(key)) is not None:
            await self._public.delete(key_entry(key))

    def _content(self, secret: bytes) -> bytes:
        told = {"secret": base64url(secret), "made_at": self._second()}
        return json.dumps(told).encode()

    def _by_age(self) -> list[KnownKey]:
        def age(known: KnownKey) -> tuple[int, bool, str]:
            return known.made_at, known.entry != _FIRST, known.entry

        return sorted(self._known.values(), key=age)

    def _second(self) -> int:
        return int(self._now().timestamp())
