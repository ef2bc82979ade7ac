"""What follows from the commits of matches: messages, and decisions that bots owe.

Commits arrive at least once, and after a redelivery not in order. So whatever is done here is done
once by its own identity: a message of a kind once a match, a bot's move once a version and seat.
"""

from collections.abc import Callable
from typing import Any

from howff.contracts import matches as contracts
from howff.engine.seats import Seat
from howff.game.application.matches import Matches
from howff.game.application.orders import PRACTICE_LEVELS, seat_message
from howff.game.application.ports import Publisher
from howff.game.domain.errors import StaleVersionError
from howff.match.commit import Commit
from howff.match.events import Bot, MatchEnded
from howff.match.match import Match

Choose = Callable[[Match, Seat], Any]


class Outbox:
    """Does what follows from commits."""

    def __init__(self, matches: Matches, *, publisher: Publisher, choose: Choose) -> None:
        self._matches = matches
        self._publisher = publisher
        self._choose = choose

    async def on_commit(self, commit: Commit) -> None:
        """Do what follows from *commit*.

        Raises:
            EventStoreError: it could not be done now; the commit has to come again.
        """
        match = (await self._matches.find(commit.match, at_least=commit.version)).match
        if commit.version == 1:
            await self._publisher.publish(_started(match, commit))
        if _ends(commit):
            await self._publisher.publish(_ended(match, commit))
        elif match.version == commit.version:
            for seat in match.to_act:
                await self._ask(match, seat)

    async def _ask(self, match: Match, seat: Seat) -> None:
        """Bring the decision that *seat* owes before whoever takes it, if that is a bot."""
        holder = match.started.seats[seat]
        if not isinstance(holder, Bot):
            return
        if holder.level in PRACTICE_LEVELS and not match.started.rated:
            await self._play(match, seat)
        else:
            await self._publisher.publish(_due(match, seat, holder.level))

    async def _play(self, match: Match, seat: Seat) -> None:
        try:
            await self._matches.play_bot(match.id, match.version, seat, self._choose)
        except StaleVersionError:
            return  # moot: the commit that came between asks for what is due after it


def _started(match: Match, commit: Commit) -> contracts.MatchStarted:
    return contracts.MatchStarted(
        match=match.id,
        game=match.game.key,
        seats=tuple(map(seat_message, match.started.seats)),
        rated=match.started.rated,
        at=commit.at,
    )


def _ends(commit: Commit) -> bool:
    return any(event["type"] == MatchEnded.__name__ for event in commit.events)


def _ended(match: Match, commit: Commit) -> contracts.MatchEnded:
    ended = next(event for event in commit.events if event["type"] == MatchEnded.__name__)
    return contracts.MatchEnded(
        match=match.id,
        game=match.game.key,
        seats=tuple(map(seat_message, match.started.seats)),
        rated=match.started.rated,
        reason=ended["data"]["reason"],
        outcome=ended["data"]["outcome"],
        version=commit.version,
        at=commit.at,
    )


def _due(match: Match, seat: Seat, level: str) -> contracts.DecisionDue:
    return contracts.DecisionDue(
        match=match.id, version=match.version, seat=seat, game=match.game.key, level=level
    )
