"""An event store in memory: the model of the real one, for tests and for search in them."""

from typing import Generic

from howff.servicekit.eventstore.errors import ConflictError, UnavailableError
from howff.servicekit.eventstore.store import (
    C,
    CommitForm,
    Mark,
    Position,
    Recorded,
    StreamId,
)


class MemoryStore(Generic[C]):
    """Keeps commits as bytes, so that whatever can't be written and read back shows at once."""

    def __init__(self, form: CommitForm[C]) -> None:
        self._form = form
        self._streams: dict[StreamId, list[tuple[Position, bytes]]] = {}
        self._last = Position(0)

    async def append(self, stream: StreamId, commit: C, after: Mark) -> Mark:
        """Record *commit* as the one after *after*."""
        commits = self._streams.get(stream, [])
        if after.position != (commits[-1][0] if commits else 0):
            raise ConflictError(stream, after.version)
        content = self._form.encode(commit)
        self._last = Position(self._last + 1)
        self._streams[stream] = [*commits, (self._last, content)]
        return Mark(commit.version, self._last)

    async def tail(self, stream: StreamId, after: Mark) -> list[Recorded[C]]:
        """Return the commits that follow *after*."""
        return [
            Recorded(self._form.read(content), position)
            for position, content in self._streams.get(stream, [])
            if position > after.position
        ]

    async def read(self, stream: StreamId, at: Mark) -> C:
        """Return the commit that stands at *at*."""
        content = dict(self._streams.get(stream, [])).get(at.position)
        if content is None:
            raise UnavailableError(expected=f"version {at.version}", found="nothing")
        return self._form.read(content)
