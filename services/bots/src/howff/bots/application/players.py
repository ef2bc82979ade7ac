"""Playing for the bots of the platform, one decision at a time."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any

from howff.bots.application.deciding import Deciding
from howff.bots.application.errors import HandedBackError, MootError
from howff.bots.application.ports import Matches
from howff.bots.application.situations import Situations
from howff.contracts.matches import DecisionDue
from howff.servicekit.telemetry.metrics import count_decision


class Player:
    """Makes decisions, each at least so many seconds (*pace*) after it was taken up."""

    def __init__(
        self, matches: Matches, deciding: Deciding, *, now: Callable[[], datetime], pace: float
    ) -> None:
        self._matches = matches
        self._situations = Situations(matches)
        self._deciding = deciding
        self._now = now
        self._pace = pace
        self._running: set[asyncio.Task[Any]] = set()

    async def on_due(self, due: DecisionDue, asked_at: datetime) -> None:
        """Make the decision that is *due* since *asked_at*, unless nobody waits for it any more.

        Raises:
            WorkerError: it can't be made here and now.
            UnknownGameError: its game is not installed here.
        """
        task = asyncio.create_task(self._play(due, asked_at))
        self._running.add(task)
        try:
            await task
        except MootError as moot:
            count_decision(due.game, due.level, moot.code)
        except asyncio.CancelledError:
            if not task.cancelled():
                task.cancel()
                raise
            raise HandedBackError from None
        finally:
            self._running.discard(task)

    def hand_back(self) -> None:
        """Let go of the decisions that are not made yet."""
        for task in self._running:
            task.cancel()

    async def _play(self, due: DecisionDue, asked_at: datetime) -> None:
        loop = asyncio.get_running_loop()
        taken_up = loop.time()
        situation = await self._situations.of(due)
        waited = (self._now() - asked_at).total_seconds()
        decision = await self._deciding.decide(due, situation, waited)
        await asyncio.sleep(max(0.0, taken_up + self._pace - loop.time()))
        await self._matches.play(due, decision)
        count_decision(due.game, due.level, decision.result)
