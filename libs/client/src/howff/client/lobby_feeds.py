"""The feeds of the lobby: what changes, by numbers that count from a snapshot on."""

import re
from dataclasses import dataclass
from typing import Final

from httpx_sse import ServerSentEvent

from howff.client.errors import JSON, BrokenFeedError, UnsendableError
from howff.client.feeds import Lag, number_in, object_in

_ID: Final = re.compile(r"(?P<epoch>[A-Za-z0-9_-]{1,64})\.(?P<number>\d{1,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a feed of the lobby tells: of what *kind* it is, and its *content*.

    A `snapshot` comes first, and whenever what came between can't be told any more; what was known
    before counts for nothing then. With its *id* a feed goes on after it.
    """

    kind: str
    id: str
    content: JSON


class LobbyProgress:
    """How far a feed of the lobby has come; it has no end."""

    is_over = False

    def __init__(self, after: str | None, lag: float) -> None:
        """Begin after the entry with the id *after*, or with a snapshot.

        Raises:
            UnsendableError: *after* is no id of an entry.
        """
        self.last_id = after
        self._lag = Lag(lag)
        if after is not None and not _ID.fullmatch(after):
            raise UnsendableError(found=repr(after[:80]))

    @property
    def is_lagging(self) -> bool:
        """Whether there are entries that were told of and have not come."""
        return self._lag.is_there

    @property
    def query(self) -> dict[str, str]:
        return {}

    def after(self, frame: ServerSentEvent) -> Entry | None:
        """Return the entry in *frame*, if it is the next one, or a snapshot.

        Raises:
            BrokenFeedError: entries are missing.
        """
        if frame.event == "heartbeat":
            self._after_heartbeat(number_in(frame, "number"))
            return None
        entry = Entry(frame.event, frame.id, object_in(frame))
        epoch, number = _parts(frame.id)
        if entry.kind != "snapshot":
            own_epoch, own = self._place()
            if epoch == own_epoch and number <= own:
                return None
            if (epoch, number) != (own_epoch, own + 1):
                self._refuse(frame.id)
        self.last_id = frame.id
        self._lag.end()
        return entry

    def _after_heartbeat(self, newest: int) -> None:
        if newest <= self._place()[1]:
            self._lag.end()
        elif self._lag.is_too_long():
            self._refuse(str(newest))

    def _place(self) -> tuple[str, int]:
        return ("", 0) if self.last_id is None else _parts(self.last_id)

    def _refuse(self, found: str) -> None:
        self._lag.end()
        expected = f"what comes after {self.last_id or 'a snapshot'}"
        raise BrokenFeedError(expected=expected, found=found)


def _parts(entry: str) -> tuple[str, int]:
    parts = _ID.fullmatch(entry)
    if parts is None:
        raise BrokenFeedError(expected="an id such as EPOCH.17", found=repr(entry[:80]))
    return parts["epoch"], int(parts["number"])
