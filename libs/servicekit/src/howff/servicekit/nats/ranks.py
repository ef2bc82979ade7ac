"""Values of a bucket that only ever get newer, however late somebody writes what it knew once."""

from functools import partial
from operator import gt
from typing import Final

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.kv import DELETED, open_bucket, stream_of, subject_in
from howff.servicekit.nats.places import Places
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.nats.streams import answered, patiently

RANK: Final = "Howff-Rank"
"""The header that says how new a value is; also of the mark that a deleted one leaves behind."""


class RankedBucket:
    """A bucket whose values have ranks; made by `open_ranked`. It is read as any bucket is."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._name = name
        self._places = Places(connection, stream_of(name), _rank_of, replaces=gt)

    async def put(self, key: str, value: bytes | None, rank: int) -> None:
        """Store *value* under *key*, or delete it if there is none, unless its *rank* has passed.

        Of one rank the first stays. A deletion is always stored: a late writer has to find it.

        Raises:
            WrongKeyError: *key* is none.
            NatsUnavailableError: no answer came in time for an election; it may have been stored.
            JetStreamRefusedError: the server doesn't take the value.
        """
        subject = subject_in(self._name, key)
        headers = {RANK: str(rank), **(DELETED if value is None else {})}
        put = partial(self._places.put, subject, value or b"", rank, headers)
        await patiently(lambda: answered(f"bucket {self._name!r}", put()))


def _rank_of(stored: Delivery) -> int:
    return int(stored.headers.get(RANK, "0"))


async def open_ranked(connection: Connection, name: str, *, replicas: int) -> RankedBucket:
    """Return the bucket *name*, made if there is none, to be written by rank.

    Raises:
        WrongKeyError: *name* is none.
        StreamDiffersError: it is configured in another way.
        NatsUnavailableError: the server didn't answer.
    """
    await open_bucket(connection, name, replicas=replicas)
    return RankedBucket(connection, name)
