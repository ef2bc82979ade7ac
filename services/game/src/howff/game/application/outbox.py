"""What follows from the commits of matches: messages, and decisions that bots owe.

Commits arrive at least once, and after a redelivery not in order. So whatever is done here is done
once by its own identity: a message of a kind once a match, a default move once a version and seat.
Only bots may be asked again for the same decision; whoever plays for them makes one move of it.
"""

from contextlib import suppress

from howff.contracts import matches as contracts
from howff.contracts.turns import AwaitedSeat, TurnsTold
from howff.engine.codec import to_json
from howff.engine.outcome import Outcome
from howff.engine.seats import Seat
from howff.game.application.deadlines import Deadlines
from howff.game.application.matches import Matches
from howff.game.application.orders import seat_message
from howff.game.application.ports import Publisher, Turns
from howff.game.domain.errors import StaleVersionError
from howff.match.clocks import time_at
from howff.match.commit import Commit, MatchId, time_text
from howff.match.events import Account, Bot, MatchEnded
from howff.match.match import Match
from howff.servicekit.eventstore.store import Position
from howff.servicekit.telemetry.tracing import apart


class Outbox:
    """Does what follows from commits."""

    def __init__(
        self,
        matches: Matches,
        deadlines: Deadlines,
        *,
        turns: Turns,
        publisher: Publisher,
    ) -> None:
        self._matches = matches
        self._deadlines = deadlines
        self._turns = turns
        self._publisher = publisher

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
            await self._deadlines.begin(known.match)
        if not is_newest:
            return
        await self._deadlines.follow(known.match)
        if is_over:
            await self._publisher.publish(_ended(known.match, known.base.newest.commit))
        elif not known.match.is_paused and await self._ask_all(known.match):
            return  # the commit that has come since tells whom the match waits for
        await self._tell_turns(known.match)

    async def _ask_all(self, match: Match) -> bool:
        """Ask for all decisions that *match* waits for; return whether it has gone on already."""
        has_gone_on = [await self._ask(match, seat) for seat in match.to_act]
        return any(has_gone_on)

    async def _ask(self, match: Match, seat: Seat) -> bool:
        """Bring the decision that *seat* owes before whoever takes it, if that is no person.

        Returns whether it was taken, or something has come before it.
        """
        match match.decider_of(seat):
            case Account():
                return False
            case Bot(level):
                await self._publisher.publish(_due(match, seat, level))
                return False
            case None:
                await self._decide(match, seat)
                return True

    async def _decide(self, match: Match, seat: Seat) -> None:
        # If it is moot, the commit that came between asks for what is due after it.
        with suppress(StaleVersionError), apart("default move"):
            await self._matches.play_default(match.id, match.version, seat)

    async def _tell_turns(self, match: Match) -> None:
        """Keep which accounts *match* waits for, where others look."""
        if any(isinstance(holder, Account) for holder in match.started.seats):
            told = turns_of(match)
            value = told.model_dump_json().encode() if told.waits_for else None
            await self._turns.put(match.id, value, match.version)


def turns_of(match: Match) -> TurnsTold:
    """Return which accounts have to decide in *match*, and until when."""
    deciders = {} if match.is_over or match.is_paused else _deciders(match)
    awaited = tuple(
        AwaitedSeat(seat=seat, account=account, due=_flag(match, seat))
        for seat, account in deciders.items()
    )
    return TurnsTold(match=match.id, version=match.version, waits_for=awaited)


def _deciders(match: Match) -> dict[Seat, str]:
    found = {seat: match.decider_of(seat) for seat in match.to_act}
    return {seat: each.account for seat, each in found.items() if isinstance(each, Account)}


def _flag(match: Match, seat: Seat) -> str | None:
    due = None if match.clocks is None else match.clocks.flag_of(seat)
    return None if due is None else time_text(time_at(due))


def _started(match: Match, first: Commit) -> contracts.MatchStarted:
    return contracts.MatchStarted(
        match=match.id,
        game=match.game.key,
        seats=tuple(map(seat_message, match.started.seats)),
        watch=match.started.watch,
        rated=match.started.rated,
        at=first.at,
    )


def _ended(match: Match, commit: Commit) -> contracts.MatchEnded:
    reason = "aborted"
    for event in commit.events:
        if event["type"] == MatchEnded.__name__:
            reason = event["data"]["reason"]
    return contracts.MatchEnded(
        match=match.id,
        game=match.game.key,
        seats=tuple(map(seat_message, match.started.seats)),
        rated=match.started.rated and not match.is_aborted,
        reason=reason,
        outcome=to_json(Outcome | None, match.outcome),
        version=commit.version,
        at=commit.at,
    )


def _due(match: Match, seat: Seat, level: str) -> contracts.DecisionDue:
    return contracts.DecisionDue(
        match=match.id, version=match.version, seat=seat, game=match.game.key, level=level
    )
