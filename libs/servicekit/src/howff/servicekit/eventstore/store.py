"""What an event store promises: streams of commits, each appended after the one it builds on.

A stream is the history of one aggregate. Two stores keep these promises, one in memory and one on
JetStream, and the same tests run on both.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, NewType, Protocol, TypeVar

from howff.engine.errors import RefusalError
from howff.servicekit.eventstore.errors import UnreadableCommitError

StreamId = NewType("StreamId", str)
"""The subject that keeps one aggregate's commits, such as `match.7c9e6679`."""
Position = NewType("Position", int)
"""Where a commit stands in the whole store; rises with every commit of any stream, from 1."""


class CommitLike(Protocol):
    """What a store has to know of a commit; the rest is the business of those who wrote it."""

    @property
    def version(self) -> int: ...


C = TypeVar("C", bound=CommitLike)


class Mark(NamedTuple):
    """How far a stream has been read: the version of a commit, and its position."""

    version: int
    position: Position


BEGINNING = Mark(0, Position(0))
"""The mark before the first commit of any stream."""


@dataclass(frozen=True, slots=True)
class Recorded(Generic[C]):
    """A commit, and where it stands."""

    commit: C
    position: Position

    @property
    def mark(self) -> Mark:
        return Mark(self.commit.version, self.position)


@dataclass(frozen=True, slots=True)
class CommitForm(Generic[C]):
    """How commits of one kind are written as bytes and read back."""

    encode: Callable[[C], bytes]
    decode: Callable[[bytes], C]
    """Raises ValueError or a refusal where the bytes tell no commit."""

    def read(self, content: bytes) -> C:
        """Return the commit that *content* tells.

        Raises:
            UnreadableCommitError: it tells none.
        """
        # Without a cause: that would quote what stands there.
        try:
            return self.decode(content)
        except RefusalError as refusal:
            raise UnreadableCommitError(refusal.code) from None
        except ValueError:
            raise UnreadableCommitError("malformed") from None


class EventStore(Protocol[C]):
    """Streams of commits."""

    async def append(self, stream: StreamId, commit: C, after: Mark) -> Mark:
        """Record *commit* as the one after *after*, for good, and return its mark.

        Raises:
            ConflictError: the stream has moved past *after*; nothing was recorded.
            UnknownOutcomeError: no answer came; the commit may stand in the stream, or come to.
            UnavailableError: the store can't be reached; nothing was recorded.
        """
        ...

    async def tail(self, stream: StreamId, after: Mark) -> list[Recorded[C]]:
        """Return the commits that follow *after*, up to the newest at the time of the call.

        Whatever was acknowledged before the call is among them, whichever replica took it.

        Raises:
            BrokenStreamError: the versions do not follow on *after* without a gap.
            UnavailableError: the store can't be reached.
        """
        ...

    async def read(self, stream: StreamId, at: Mark) -> C:
        """Return the commit of *stream* that stands at a mark which was acknowledged before.

        Raises:
            BrokenStreamError: another one stands there.
            UnavailableError: the store can't be reached, or does not have that version.
        """
        ...
