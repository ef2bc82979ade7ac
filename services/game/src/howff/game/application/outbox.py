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
from howff.match.commit import Commit, MatchId
from howff.match.events import Bot, MatchEnded
from howff.match.match import Match
from howff.servicekit.eventstore.store import Position
from howff.servicekit.telemetry.tracing import apart

Choose = Callable[[Match, Seat], Any]


class Outbox:
    """Does what follows from commits."""

    def __init__(self, matches: Matches, *, publisher: Publisher, choose: Choose) -> None:
        self._matches = matches
        self._publisher = publisher
        self._choose = choose

    async def on_commit(self, match: MatchId, position: Position) -> None:
        """Do what follows from the commit of *match* that stands at *position*.

        It is not read again: the match tells what it needs, and most often is at hand.

        Raises:
            EventStoreError: it could not be done now; the commit has to come again.
        """
        known = await self._matches.find(match, through=position)
        version, is_over = known.base.version_at(position), known.match.is_over
        is_newest = version == known.match.version
        if version == 1 or (is_newest and is_over):
            # Told before the end too: another process may still have the first commit in hand.
            first = await self._matches.first_commit(known)
            await self._publisher.publish(_started(known.match, first))
        if is_newest and is_over:
            await self._publisher.publish(_ended(known.match, known.base.newest.commit))
        elif is_newest:
            for seat in known.match.to_act:
                await self._ask(known.match, seat)

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
            with apart("bot move"):
                await self._matches.play_bot(match.id, match.version, seat, self._choose)
        except StaleVersionError:
            return  # moot: the commit that came between asks for what is due after it


def _started(match: Match, first: Commit) -> contracts.MatchStarted:
    return contracts.MatchStarted(
        match=match.id,
        game=match.game.key,
        seats=tuple(map(seat_message, match.started.seats)),
        rated=match.started.rated,
        at=first.at,
    )


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
