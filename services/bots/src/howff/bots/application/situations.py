"""What a seat knows when it has to decide, put together from what it is told."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, Final

from howff.bots.application.errors import BehindError, MootError, OtherRulesError
from howff.bots.application.ports import Look, Matches, Page
from howff.bots.policies.situation import Situation
from howff.contracts.matches import DecisionDue
from howff.engine.catalogue import game_of
from howff.engine.codec import from_json, from_tagged
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.match.commit import Commit
from howff.match.events import PlatformEvent
from howff.match.match import events_of

MOST_KEPT: Final = 1000
"""How many memories stay at hand."""


class Situations:
    """Puts situations together; keeps memories only to ask for less.

    What it has lost, or never had, it is told again.
    """

    def __init__(self, matches: Matches, most_kept: int = MOST_KEPT) -> None:
        self._matches = matches
        self._most_kept = most_kept
        self._memories: OrderedDict[tuple[str, Seat], tuple[int, Any]] = OrderedDict()

    async def of(self, due: DecisionDue) -> Situation:
        """Return the situation of the decision that is *due*.

        Raises:
            MootError: it is due no more.
            BehindError: it is due at a version that was not told of yet.
            OtherRulesError: its match goes by rules that are not installed here.
            UnknownGameError: its game is not installed here.
            ServerAwayError: it can't be told now.
        """
        game, seat = game_of(due.game), Seat(due.seat)
        look = await self._matches.look(due.match, seat)
        _check(look, due, game)
        options = await self._matches.options(due.match, seat)
        _check_version(options.version, due)
        memory = await self._memory(due, game, seat)
        moves = tuple(from_tagged(game.move, each) for each in options.moves)
        return Situation(game, seat, from_json(game.view_type, look.view), memory, moves)

    async def _memory(self, due: DecisionDue, game: AnyGame, seat: Seat) -> Any:
        """Return what *seat* remembers, with what it was told since it was last asked for."""
        known, memory = self._memories.get((due.match, seat), (0, game.memory()))
        page = await self._matches.told(due.match, seat, known)
        _check_version(page.version, due)
        for event in _events(game, page):
            memory = game.remember(memory, event, seat)
        self._memories[due.match, seat] = page.version, memory
        self._memories.move_to_end((due.match, seat))
        if len(self._memories) > self._most_kept:
            self._memories.popitem(last=False)
        return memory


def _check(look: Look, due: DecisionDue, game: AnyGame) -> None:
    _check_version(look.version, due)
    if due.seat not in look.to_act:
        raise MootError(f"seat {due.seat} to owe none")
    if look.rules_version != game.rules_version:
        raise OtherRulesError(due.game, game.rules_version, look.rules_version)


def _check_version(version: int, due: DecisionDue) -> None:
    if version < due.version:
        raise BehindError(due.version, version)
    if version > due.version:
        raise MootError(f"a match at version {version}, after {due.version}")


def _events(game: AnyGame, page: Page) -> Iterable[Any]:
    """Yield the events of the game that a seat was told."""
    commits: tuple[Commit, ...] = page.commits
    for commit in commits:
        for event in events_of(game, commit):
            if not isinstance(event, PlatformEvent):
                yield event
