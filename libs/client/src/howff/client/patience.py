"""How long a client waits, and how it tries again."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from howff.client.admission import Renewal, no_renewal
from howff.client.errors import ClientError, ProblemError


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a client waits, all in seconds."""

    answer: float = 10.0
    """For a whole answer."""
    trying: float = 30.0
    """For a service that is away, with as many tries as fit."""
    starting: float = 0.0
    """The same, if that is longer, where a server of Howff answers that it is away (503)."""
    first_pause: float = 0.1
    """Between two tries; doubled for each that follows."""
    longest_pause: float = 2.0
    silence: float = 25.0
    """For the next frame of a feed; a live one tells its newest version every ten seconds."""
    lag: float = 5.0
    """For commits that are there, by what the feed itself says."""


PATIENCE: Final = Patience()
UNAVAILABLE: Final = HTTPStatus.SERVICE_UNAVAILABLE


class Pauses:
    """The pauses between tries, longer each time, until patience ends.

    *when_away* is told of the first of them.
    """

    def __init__(
        self,
        patience: Patience,
        when_away: Callable[[ClientError], None],
        renewal: Renewal = no_renewal,
    ) -> None:
        self._patience = patience
        self._when_away = when_away
        self._renewal = renewal
        self.reset()

    def reset(self) -> None:
        """Begin anew, since something went well."""
        self._begun = time.monotonic()
        self._pause = self._patience.first_pause
        self._is_first = True
        self._is_renewed = False

    async def after(self, error: ClientError) -> None:
        """Pause before the next try; raise *error* if none is worth it, or patience has ended.

        A token that has ended is renewed once, without a pause.
        """
        if not self._is_renewed and await self._renewal(error):
            self._is_renewed = True
            return
        pause = max(self._pause, error.retry_after)
        if not error.is_temporary or time.monotonic() + pause > self._deadline(error):
            raise error
        if self._is_first:
            self._when_away(error)
            self._is_first = False
        await asyncio.sleep(pause)
        self._pause = min(2 * self._pause, self._patience.longest_pause)

    def _deadline(self, error: ClientError) -> float:
        patience = self._patience
        is_there = isinstance(error, ProblemError) and error.status == UNAVAILABLE
        return self._begun + max(patience.trying, patience.starting if is_there else 0.0)
