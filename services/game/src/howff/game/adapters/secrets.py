"""Seeds and keys, in buckets that nobody but this service may read."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from howff.game.domain.errors import MatchStartedError, SeedDiscardedError
from howff.match.commit import MatchId
from howff.match.decisions import SEED_BYTES
from howff.match.signatures import Signer
from howff.servicekit.nats.kv import Bucket

MOST_KEPT: Final = 10_000
CLAIMED: Final = b"!"
"""Stands behind a seed that a match starts with."""
DISCARDED: Final = b""
"""Stands where a seed was thrown away."""


class BucketSeeds:
    """The seeds of matches, the newest of them at hand.

    A seed that a match starts with has a mark behind it, one that was thrown away is empty. Each
    is written in place of what was read, so that of a start and a discard at once one wins.
    """

    def __init__(self, bucket: Bucket, new_secret: Callable[[], bytes]) -> None:
        self._bucket = bucket
        self._new_secret = new_secret
        self._kept: OrderedDict[MatchId, bytes] = OrderedDict()

    async def prepare(self, match: MatchId) -> bytes:
        """Return the seed of *match*, made now if there was none; always the same one.

        Raises:
            SeedDiscardedError: it was thrown away.
        """
        new = self._new_secret()
        return self._keep(match, await self._bucket.change(match, lambda found: _seed(found, new)))

    async def claim(self, match: MatchId) -> bytes:
        """Return the seed of *match* likewise, for its start: from now on nobody discards it.

        Raises:
            SeedDiscardedError: it was thrown away.
        """
        new = self._new_secret()

        def claimed(found: bytes | None) -> bytes:
            return _seed(found, new)[:SEED_BYTES] + CLAIMED

        return self._keep(match, await self._bucket.change(match, claimed))

    async def discard(self, match: MatchId) -> None:
        """Throw the seed of *match* away for good, whether there is one or not.

        Raises:
            MatchStartedError: it was claimed.
        """
        await self._bucket.change(match, _discarded)
        self._kept.pop(match, None)

    async def seed_of(self, match: MatchId) -> bytes | None:
        """Return the seed of *match*; None if none was ever prepared, or it was thrown away."""
        seed = self._kept.get(match)
        if seed is None:
            seed = await self._bucket.get(match)
        return self._keep(match, seed) if seed else None

    def _keep(self, match: MatchId, value: bytes) -> bytes:
        seed = self._kept[match] = value[:SEED_BYTES]
        self._kept.move_to_end(match)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return seed


def _seed(found: bytes | None, new: bytes) -> bytes:
    if found == DISCARDED:
        raise SeedDiscardedError
    return new if found is None else found


def _discarded(found: bytes | None) -> bytes:
    if found is not None and found.endswith(CLAIMED) and len(found) > SEED_BYTES:
        raise MatchStartedError
    return DISCARDED


async def signer_in(bucket: Bucket, new_secret: Callable[[], bytes]) -> Signer:
    """Return the signer of commits: all processes of the service have the same one."""
    return Signer.of(await bucket.create("receipts", new_secret()))


async def issuer_key_in(bucket: Bucket, new_secret: Callable[[], bytes]) -> bytes:
    """Return the private key of the development issuer: all processes have the same one."""
    return await bucket.create("development_issuer", new_secret())
