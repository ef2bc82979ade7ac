"""The feed of a match: commits, by their versions."""

from httpx_sse import ServerSentEvent

from howff.client.errors import JSON, BrokenFeedError
from howff.client.feeds import Lag, number_in, object_in


class MatchProgress:
    """How far the feed of a match has come, through the eyes that *query* names."""

    def __init__(self, version: int, query: dict[str, str], lag: float) -> None:
        self.version = version
        self.is_over = False
        self._query = query
        self._lag = Lag(lag)

    @property
    def is_lagging(self) -> bool:
        """Whether there are commits that were told of and have not come."""
        return self._lag.is_there

    @property
    def query(self) -> dict[str, str]:
        return self._query | {"after": str(self.version)}

    @property
    def last_id(self) -> str | None:
        return str(self.version) if self.version else None

    def after(self, frame: ServerSentEvent) -> JSON | None:
        """Return the commit in *frame*, if it brings the next one.

        Raises:
            BrokenFeedError: commits are missing.
        """
        match frame.event:
            case "commit":
                return self._after_commit(frame)
            case "heartbeat":
                self._after_heartbeat(number_in(frame, "version"))
            case "over":
                self._end(frame)
            case _:
                pass
        return None

    def _after_commit(self, frame: ServerSentEvent) -> JSON | None:
        version = number_in(frame, "version")
        self._check_next(version)
        if version <= self.version:
            return None
        self.version += 1
        self._lag.end()
        return object_in(frame)

    def _after_heartbeat(self, newest: int) -> None:
        if newest <= self.version:
            self._lag.end()
        elif self._lag.is_too_long():
            self._check_next(newest + 1)

    def _end(self, frame: ServerSentEvent) -> None:
        # Without data whoever comes back is told that there is no more.
        newest = number_in(frame, "version") if frame.data else self.version
        self._check_next(newest + 1)
        self.is_over = True

    def _check_next(self, version: int) -> None:
        """Refuse to go on with *version* where others should come before."""
        if version > self.version + 1:
            self._lag.end()
            expected = f"version {self.version + 1}"
            raise BrokenFeedError(expected=expected, found=f"version {version}")
