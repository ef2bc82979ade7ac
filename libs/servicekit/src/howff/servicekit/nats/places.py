"""What stands newest on subjects of a stream, by ranks, whoever writes what it knew once."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from nats.js.errors import APIError

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import NatsUnavailableError
from howff.servicekit.nats.publishing import publish_after
from howff.servicekit.nats.reading import Delivery, stored_last

MOST_KNOWN: Final = 10_000
"""Subjects of which a process remembers what stands there, which spares it a read."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How new is what stands on a subject, and where it stands in the stream."""

    rank: int
    position: int


class Places:
    """The subjects of *stream*, each written only if nothing newer stands there.

    *rank_of* reads the rank of what stands there, and *replaces* tells of a rank whether it may
    follow another: `operator.gt` lets the first of one rank stay, `operator.ge` the last.
    """

    def __init__(
        self,
        connection: Connection,
        stream: str,
        rank_of: Callable[[Delivery], int],
        *,
        replaces: Callable[[int, int], bool],
    ) -> None:
        self._connection = connection
        self._stream = stream
        self._rank_of = rank_of
        self._replaces = replaces
        self._known: OrderedDict[str, Standing] = OrderedDict()
        """What this process has written."""

    async def put(
        self, subject: str, content: bytes, rank: int, headers: Mapping[str, str]
    ) -> None:
        """Publish *content* on *subject*, unless its *rank* has passed.

        What the client raises is for `answered`.

        Raises:
            NatsUnavailableError: another has written there at the time; it is worth another try.
        """
        standing = self._known.get(subject) or await self.standing(subject)
        if standing is not None and not self._replaces(rank, standing.rank):
            return
        after = standing.position if standing else 0
        try:
            position = await publish_after(self._connection, after, subject, content, headers)
        except (APIError, NatsUnavailableError):
            self.forget(subject)
            raise
        self._keep(subject, Standing(rank, position))

    async def standing(self, subject: str) -> Standing | None:
        """Return what stands on *subject*, as the leader of the stream has it.

        Raises:
            NatsUnavailableError: no answer came.
        """
        stored = await stored_last(self._connection, self._stream, subject)
        return None if stored is None else Standing(self._rank_of(stored), stored.position)

    def forget(self, subject: str) -> None:
        """Look again at what stands on *subject* before it is written."""
        self._known.pop(subject, None)

    def _keep(self, subject: str, standing: Standing) -> None:
        self._known[subject] = standing
        self._known.move_to_end(subject)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
