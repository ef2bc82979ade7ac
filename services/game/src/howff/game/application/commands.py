"""The commands of a match as the service gets them, bound to who sends them."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from howff.engine.codec import from_tagged
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.game.application.orders import (
    MoveWanted,
    PlatformOrder,
    ResignationWanted,
    ReturnWanted,
    SeatOrder,
    WishWanted,
)
from howff.game.domain.errors import NoSuchMatchError, StaleVersionError
from howff.game.domain.seating import seat_to_act
from howff.match.commands import (
    Command,
    ExpireDeadline,
    PlatformCommand,
    PlayDefault,
    PlayMove,
    Resign,
    SeatCommand,
    StartMatch,
    TakeBack,
    TellWish,
    actor_giving,
)
from howff.match.commit import CommandId, Commit, Version, actor_of
from howff.match.decisions import started
from howff.match.errors import CommandIdReusedError
from howff.match.events import MatchStarted
from howff.match.match import Match, Step
from howff.match.notary import Notary
from howff.match.play import check_repeated, due_first, play, start
from howff.servicekit.aggregates import Decided

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCommand:
    """Start a match; its id is that of the match, so that it can only happen once."""

    game: AnyGame
    start: StartMatch
    notary: Notary
    now: Clock

    @property
    def id(self) -> CommandId:
        return self.start.id

    @property
    def kind(self) -> str:
        return type(self.start).__name__

    def answered_by(self, match: Match) -> Version:  # noqa: ARG002 — whatever stands there
        """Return the version of the first commit: a match that is there has started."""
        return Version(1)

    def check_repeated(self, match: Match, commit: Commit) -> None:
        """Refuse to start another match under the id of one that has started."""
        asked, stands = started(self.game, self.start, self.notary.seed), match.started
        origin = self.start.origin
        parent = None if origin is None else (origin.parent, origin.version)
        if _terms(stands) != _terms(asked) or match.parent != parent:
            raise CommandIdReusedError(self.id, commit.version)

    def decide(self, match: Match | None) -> Decided[Match, Commit]:
        """Return the first commit."""
        assert match is None, "a match that is there answers for itself"
        return _decided(start(self.game, self.start, at=self.now(), notary=self.notary))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCommand(ABC):
    """A command to a match that has started."""

    notary: Notary
    now: Clock

    @property
    def kind(self) -> str:
        return type(self).__name__

    @abstractmethod
    def command_on(self, match: Match) -> Command:
        """Return what is asked of *match* as it stands."""

    def decide(self, match: Match | None) -> Decided[Match, Commit]:
        """Return the commit that the command makes, or one that is due before by the clocks."""
        if match is None:
            raise NoSuchMatchError
        command, now = self.command_on(match), self.now()
        first = due_first(match, now)
        step = play(match, first or command, at=now, notary=self.notary)
        return _decided(step, is_answer=first is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatCommandOf(MatchCommand):
    """Do for a seat what its account orders."""

    order: SeatOrder

    @property
    def id(self) -> CommandId:
        return self.order.id

    @property
    def kind(self) -> str:
        return type(self.order.wanted).__name__.removesuffix("Wanted")

    def answered_by(self, match: Match) -> Version | None:
        """Return the version of the commit that this command has made before."""
        return match.commands.version_of(actor_of(self._seat(match)), self.id)

    def check_repeated(self, match: Match, commit: Commit) -> None:
        """Refuse another command under the same id."""
        check_repeated(commit, self._command(match))

    def command_on(self, match: Match) -> Command:
        """Return what is asked of *match*, unless it has moved on."""
        command = self._command(match)
        expected = self.order.expected_version
        if expected is not None and expected != match.version:
            raise StaleVersionError(expected, match.version)
        return command

    def _command(self, match: Match) -> SeatCommand:
        seat = self._seat(match)
        match self.order.wanted:
            case MoveWanted(move, bot):
                read = from_tagged(match.game.move, move)
                return PlayMove(id=self.id, seat=seat, move=read, bot=bot)
            case ResignationWanted():
                return Resign(id=self.id, seat=seat)
            case WishWanted(wish, is_wanted):
                return TellWish(id=self.id, seat=seat, wish=wish, is_wanted=is_wanted)
            case ReturnWanted():
                return TakeBack(id=self.id, seat=seat)

    def _seat(self, match: Match) -> Seat:
        return seat_to_act(match, self.order.asker, self.order.seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformCommandOf(MatchCommand):
    """Do what an administrator orders."""

    order: PlatformOrder

    @property
    def id(self) -> CommandId:
        return self.order.command.id

    @property
    def kind(self) -> str:
        return type(self.order.command).__name__

    def answered_by(self, match: Match) -> Version | None:
        """Return the version of the commit that this command has made before."""
        return match.commands.version_of(actor_giving(self.order.command), self.id)

    def check_repeated(self, match: Match, commit: Commit) -> None:  # noqa: ARG002
        """Refuse another command under the same id."""
        check_repeated(commit, self.order.command)

    def command_on(self, match: Match) -> PlatformCommand:
        """Return what is asked of *match*, if it has the seat that it is about."""
        self.order.check_seat(match)
        return self.order.command


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultCommand(MatchCommand):
    """Take the decision that *seat*, which has resigned, owes in the match as it is at *version*.

    Its id is the same for every process that takes this decision, so that only one can.
    """

    version: Version
    seat: Seat

    @property
    def id(self) -> CommandId:
        return CommandId(f"default-{self.version}")

    def answered_by(self, match: Match) -> Version | None:
        """Return the version of the commit that answers this decision."""
        return match.commands.version_of(actor_of(self.seat), self.id)

    def check_repeated(self, match: Match, commit: Commit) -> None:
        """Take whatever was decided first: after another version of the rules it may differ."""

    def command_on(self, match: Match) -> Command:
        """Return the order to move by default, unless the decision is owed no more."""
        if match.version != self.version:
            raise StaleVersionError(self.version, match.version)
        return PlayDefault(id=self.id, seat=self.seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpireCommand:
    """Let happen what is due by the clocks, if anything is."""

    notary: Notary
    now: Clock

    @property
    def id(self) -> CommandId:
        return CommandId("deadline")

    @property
    def kind(self) -> str:
        return ExpireDeadline.__name__

    def answered_by(self, match: Match) -> None:
        """Return None: what has happened is not due any more."""

    def check_repeated(self, match: Match, commit: Commit) -> None:
        """Refuse nothing, since nothing was answered before."""

    def decide(self, match: Match | None) -> Decided[Match, Commit]:
        """Return the commit of what is due."""
        if match is None:
            raise NoSuchMatchError
        now = self.now()
        command = due_first(match, now) or ExpireDeadline(id=self.id)  # which is refused then
        return _decided(play(match, command, at=now, notary=self.notary))


def _decided(step: Step, *, is_answer: bool = True) -> Decided[Match, Commit]:
    return Decided(step.commit, step.match, is_answer)


def _terms(of: MatchStarted) -> MatchStarted:
    """Return what was asked for, whatever rules were installed when it was."""
    return replace(of, rules_version="", data_hash="")
