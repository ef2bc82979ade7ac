"""Values of a bucket that only ever get newer, however late somebody writes what it knew once."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from nats.js.errors import APIError

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import NatsUnavailableError
from howff.servicekit.nats.kv import DELETED, open_bucket, stream_of, subject_in
from howff.servicekit.nats.reading import stored_last
from howff.servicekit.nats.streams import EXPECTED_SEQUENCE, MOVED_ON, answered, patiently

RANK: Final = "Howff-Rank"
"""The header that says how new a value is; also of the mark that a deleted one leaves behind."""
MOST_KNOWN: Final = 10_000
"""Values whose place in the bucket a process remembers, which spares it a read."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """How new a value is, and where it stands."""

    rank: int
    position: int


class RankedBucket:
    """A bucket whose values have ranks; made by `open_ranked`. It is read as any bucket is."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._name = name
        self._known: OrderedDict[str, _Standing] = OrderedDict()
        """The values that this process has written."""

    async def put(self, key: str, value: bytes | None, rank: int) -> None:
        """Store *value* under *key*, or delete it if there is none, unless its *rank* has passed.

        Of one rank the first stays. A deletion is always stored: a late writer has to find it.

        Raises:
            WrongKeyError: *key* is none.
            NatsUnavailableError: no answer came in time for an election; it may have been stored.
            JetStreamRefusedError: the server doesn't take the value.
        """
        subject = subject_in(self._name, key)
        what = f"bucket {self._name!r}"
        await patiently(lambda: answered(what, self._put(subject, value, rank)))

    async def _put(self, subject: str, value: bytes | None, rank: int) -> None:
        standing = self._known.get(subject) or await self._standing(subject)
        if standing is not None and standing.rank >= rank:
            return
        headers = {
            EXPECTED_SEQUENCE: str(standing.position if standing else 0),
            RANK: str(rank),
            **(DELETED if value is None else {}),
        }
        try:
            publish = self._connection.jetstream.publish
            ack = await publish(subject, value or b"", headers=headers)
        except APIError as error:
            self._known.pop(subject, None)
            if error.err_code not in MOVED_ON:
                raise
            raise NatsUnavailableError(subject, found="another write at the time") from error
        self._keep(subject, _Standing(rank, ack.seq))

    async def _standing(self, subject: str) -> _Standing | None:
        stored = await stored_last(self._connection, stream_of(self._name), subject)
        if stored is None:
            return None
        return _Standing(int(stored.headers.get(RANK, "0")), stored.position)

    def _keep(self, subject: str, standing: _Standing) -> None:
        self._known[subject] = standing
        self._known.move_to_end(subject)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)


async def open_ranked(connection: Connection, name: str, *, replicas: int) -> RankedBucket:
    """Return the bucket *name*, made if there is none, to be written by rank.

    Raises:
        WrongKeyError: *name* is none.
        StreamDiffersError: it is configured in another way.
        NatsUnavailableError: the server didn't answer.
    """
    await open_bucket(connection, name, replicas=replicas)
    return RankedBucket(connection, name)
