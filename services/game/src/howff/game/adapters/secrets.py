"""Seeds and keys, in buckets that nobody but this service may read."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from howff.match.commit import MatchId
from howff.match.signatures import Signer
from howff.servicekit.nats.kv import Bucket

MOST_KEPT: Final = 10_000


class BucketSeeds:
    """The seeds of matches, the newest of them at hand."""

    def __init__(self, bucket: Bucket, new_secret: Callable[[], bytes]) -> None:
        self._bucket = bucket
        self._new_secret = new_secret
        self._kept: OrderedDict[MatchId, bytes] = OrderedDict()

    async def prepare(self, match: MatchId) -> bytes:
        """Return the seed of *match*, made now if there was none; always the same one."""
        seed = self._kept.get(match)
        if seed is None:
            seed = await self._bucket.create(match, self._new_secret())
        return self._keep(match, seed)

    async def seed_of(self, match: MatchId) -> bytes | None:
        """Return the seed of *match*, or None if none was ever prepared."""
        seed = self._kept.get(match)
        if seed is None:
            seed = await self._bucket.get(match)
        return None if seed is None else self._keep(match, seed)

    def _keep(self, match: MatchId, seed: bytes) -> bytes:
        self._kept[match] = seed
        self._kept.move_to_end(match)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return seed


async def signer_in(bucket: Bucket, new_secret: Callable[[], bytes]) -> Signer:
    """Return the signer of commits: all processes of the service have the same one."""
    return Signer.of(await bucket.create("receipts", new_secret()))


async def issuer_key_in(bucket: Bucket, new_secret: Callable[[], bytes]) -> bytes:
    """Return the private key of the development issuer: all processes have the same one."""
    return await bucket.create("development_issuer", new_secret())
