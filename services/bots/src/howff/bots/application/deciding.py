"""How a decision comes about in time, whatever goes wrong on the way."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from howff.bots.application.ports import Decision, Thinkers
from howff.bots.application.thinking import Failure, Question
from howff.bots.policies.catalogue import play_of
from howff.bots.policies.errors import NotInstalledError
from howff.bots.policies.settings import Play, Setting, cheaper, setting_of
from howff.bots.policies.situation import Situation
from howff.bots.statements import SEED_BYTES, statement_of
from howff.contracts.matches import DecisionDue
from howff.servicekit.telemetry.metrics import record_thinking

CHOSEN: Final = "chosen"
LATE: Final = "late"
THINKER_DIED: Final = "thinker_died"
NOT_INSTALLED: Final = NotInstalledError.code
_logger = logging.getLogger(__name__)


class Deciding:
    """Decides by what the level of a bot asks for, or else by what can be had.

    A choice is asked for once more when the process died that should make it, and then a cheaper
    one, as for a decision that has taken *seconds*. After as long again, or when a policy has
    failed, it is the default move of the game. The statement says which of them it was.
    """

    def __init__(
        self, thinkers: Thinkers, *, seconds: float, new_secret: Callable[[], bytes]
    ) -> None:
        self._thinkers = thinkers
        self._seconds = seconds
        self._new_secret = new_secret

    async def decide(self, due: DecisionDue, situation: Situation, waited: float) -> Decision:
        """Return the decision that is *due*, which has *waited* for so many seconds already."""
        begun = time.perf_counter()
        decision = await self._decided(due, situation, waited)
        record_thinking(due.game, due.level, time.perf_counter() - begun)
        if decision.result != CHOSEN:
            _logger.warning("a decision in match %s: %s", due.match, decision.result)
        return decision

    async def _decided(self, due: DecisionDue, situation: Situation, waited: float) -> Decision:
        play, seed = play_of(due.game), self._new_secret()[:SEED_BYTES]
        result, tries = self._tries(play, due.level, situation, waited)
        while tries:
            setting = tries.pop(0)
            answer = await self._asked(due, situation, setting, seed)
            if isinstance(answer, int):
                statement = statement_of(play, due.level, setting, seed)
                return Decision(situation.moves[answer], statement, result)
            result = answer.code
            if result == LATE:
                tries = tries[-1:]
            elif result != THINKER_DIED:
                _logger.error("policy in match %s: %s, %s", due.match, result, answer.place)
                break
        move = situation.game.default_move(situation.view, situation.moves)
        return Decision(move, statement_of(play, due.level, None, seed), result)

    def _tries(
        self, play: Play, level: str, situation: Situation, waited: float
    ) -> tuple[str, list[Setting]]:
        """Return how it stands so far, and by which settings to choose, one after the other."""
        try:
            wanted = setting_of(play, level)
        except NotInstalledError:
            return NOT_INSTALLED, []
        quick = cheaper(wanted)
        if waited > self._seconds:
            return LATE, [quick]
        if len(situation.moves) == 1:  # there is nothing to search for
            return CHOSEN, [quick, quick]
        return CHOSEN, [wanted, wanted, quick]

    async def _asked(
        self, due: DecisionDue, situation: Situation, setting: Setting, seed: bytes
    ) -> int | Failure:
        parts = situation.seat, situation.view, situation.memory, situation.moves
        try:
            async with asyncio.timeout(self._seconds):
                return await self._thinkers.choose(Question(due.game, *parts, setting, seed))
        except TimeoutError:
            return Failure(LATE)
