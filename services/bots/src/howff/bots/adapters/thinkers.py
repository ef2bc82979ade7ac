"""Processes that think; they import rules and policies alone."""

from typing import Final

from howff.bots.application.thinking import Failure, Question, chosen
from howff.servicekit.pools import PoolDiedError, ProcessPool

DIED: Final = Failure("thinker_died")


class ProcessThinkers:
    """Up to so many *processes*; each is started when it is needed first."""

    def __init__(self, processes: int) -> None:
        self._pool = ProcessPool(processes)

    async def choose(self, question: Question) -> int | Failure:
        """Return which move is chosen, or why none is."""
        try:
            return await self._pool.call(chosen, question)
        except PoolDiedError:
            return DIED

    def close(self) -> None:
        """End all processes, whatever they are at."""
        self._pool.close()
