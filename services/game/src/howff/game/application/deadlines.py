"""Deadlines: what happens to a match by its clocks alone, if no command comes before.

No process waits for one. Each is a scheduled message, set when a commit has moved it, and what is
due becomes a command like any other. Whoever finds a message or a match twice does no harm: what
has happened is not due any more.
"""

import logging
from typing import Final

from howff.engine.errors import MatchOverError, RefusalError
from howff.game.application.matches import Matches
from howff.game.application.ports import Register, Schedules
from howff.game.domain.errors import TooEarlyError
from howff.match.clocks import SECOND, Milliseconds, time_at
from howff.match.commit import MatchId
from howff.match.errors import NotDueError
from howff.match.match import Match
from howff.servicekit.eventstore.errors import UnavailableError
from howff.servicekit.nats.errors import NatsError

_log = logging.getLogger(__name__)
SOON: Final[Milliseconds] = 60 * SECOND
"""A message that comes too early by less is handed back; else there will be another one."""


class Deadlines:
    """Sets deadlines, and does what they say."""

    def __init__(self, matches: Matches, *, schedules: Schedules, register: Register) -> None:
        self._matches = matches
        self._schedules = schedules
        self._register = register

    async def begin(self, match: Match) -> None:
        """Enter *match* in the register, by which `sweep` finds what got lost.

        Raises:
            NatsUnavailableError: no answer came.
        """
        if match.clocks is not None and not match.is_over:
            await self._register.add(match.id)

    async def follow(self, match: Match) -> None:
        """Set the deadline of *match* as it stands, instead of any before.

        Raises:
            NatsUnavailableError: no answer came.
        """
        if match.clocks is None:
            return
        if match.due is None:
            await self._schedules.clear(match.id, match.version)
        else:
            await self._schedules.put(match.id, time_at(match.due), match.version)
        if match.is_over:
            await self._register.remove(match.id)

    async def on_due(self, match: MatchId) -> None:
        """Let happen what is due in *match*.

        Raises:
            TooEarlyError: something will be, soon; the message has to come again.
            EventStoreError: it could not be done now; the message has to come again.
        """
        remaining = await self._expire(match)
        if remaining is not None and remaining <= SOON:
            raise TooEarlyError(remaining)
        if remaining is not None:
            await self._set_again(match)

    async def sweep(self) -> int:
        """Find the matches whose deadlines are missing, and mend that; return how many they were.

        Among them are some whose message has just come, and is being worked on.

        Raises:
            NatsError, UnavailableError: no answer came.
        """
        missing = await self._register.keys() - await self._schedules.keys()
        for match in missing:
            try:
                await self._expire(MatchId(match))
                await self._set_again(MatchId(match))
            except (NatsError, UnavailableError):
                raise
            except RefusalError as error:
                _log.error("the deadline of match %s can't be mended: %s", match, error)
            except Exception:  # noqa: BLE001 — of one match, which is no reason to leave the others
                _log.exception("the deadline of match %s can't be mended", match)
        return len(missing)

    async def _expire(self, match: MatchId) -> Milliseconds | None:
        """Let happen what is due; return after how long something will be, if it is not yet."""
        try:
            await self._matches.expire(match)
        except NotDueError as early:
            return early.remaining
        except MatchOverError:
            return None
        return None

    async def _set_again(self, match: MatchId) -> None:
        known = await self._matches.find(match)
        await self.follow(known.match)
