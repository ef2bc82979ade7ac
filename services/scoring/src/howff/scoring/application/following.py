"""Following the archive: what came into it is projected soon after."""

import asyncio
import logging
from typing import Final, Protocol

from howff.engine.errors import RefusalError
from howff.servicekit.stopping import Stoppable, is_set_within

LOOKED_AFTER: Final = 1.0
"""Seconds after which the archive is looked at, even if nobody has said that there is more."""
_log = logging.getLogger(__name__)


class Steps(Protocol):
    """A projection, as it goes through the archive."""

    async def begin(self) -> None:
        """Make what it begins with, unless that is there."""
        ...

    async def step(self) -> int | None:
        """Project the next match; None if there is none."""
        ...


class Following(Stoppable):
    """Lets *projections* go on whenever the archive has more, each at its own pace."""

    def __init__(self, *projections: Steps) -> None:
        super().__init__()
        self._projections = projections
        self._nudges = tuple(asyncio.Event() for _ in projections)

    def nudge(self) -> None:
        """Say that the archive has more."""
        for each in self._nudges:
            each.set()

    async def stop(self) -> None:
        """Let what was begun come to its end; return when it has."""
        self.nudge()  # which nobody sees before the flag is set as well
        await super().stop()

    async def _rounds(self) -> None:
        async with asyncio.TaskGroup() as group:
            for projection, nudge in zip(self._projections, self._nudges, strict=True):
                group.create_task(self._follow(projection, nudge))

    async def _follow(self, projection: Steps, nudge: asyncio.Event) -> None:
        has_begun = False
        while not self._stopping.is_set():
            nudge.clear()
            try:
                if not has_begun:
                    await projection.begin()
                    has_begun = True
                while not self._stopping.is_set() and await projection.step() is not None:
                    pass
            except RefusalError as error:  # the next round may do
                _log.warning("nothing can be projected now: %s", error)
            await is_set_within(nudge, LOOKED_AFTER)
