"""The commands of a match as the service gets them, bound to who sends them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from howff.engine.codec import JSON, from_tagged
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.game.application.orders import MoveOrder
from howff.game.domain.errors import NoSuchMatchError, StaleVersionError
from howff.game.domain.seating import seat_to_act
from howff.match.commands import PlayMove, StartMatch
from howff.match.commit import CommandId, Commit, Version, actor_of
from howff.match.decisions import started
from howff.match.errors import CommandIdReusedError
from howff.match.events import MatchStarted
from howff.match.match import Match, Step
from howff.match.notary import Notary
from howff.match.play import check_repeated, play, start
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

    def answered_by(self, match: Match) -> Version:  # noqa: ARG002 — whatever stands there
        """Return the version of the first commit: a match that is there has started."""
        return Version(1)

    def check_repeated(self, match: Match, commit: Commit) -> None:
        """Refuse to start another match under the id of one that has started."""
        if _terms(match.started) != _terms(started(self.game, self.start, self.notary.seed)):
            raise CommandIdReusedError(self.id, commit.version)

    def decide(self, match: Match | None) -> Decided[Match, Commit]:
        """Return the first commit."""
        assert match is None, "a match that is there answers for itself"
        return _decided(start(self.game, self.start, at=self.now(), notary=self.notary))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayCommand:
    """Make a move, as its order gives it."""

    order: MoveOrder
    notary: Notary
    now: Clock

    @property
    def id(self) -> CommandId:
        return self.order.id

    def answered_by(self, match: Match) -> Version | None:
        """Return the version of the commit that this command has made before."""
        return match.commands.version_of(actor_of(self._seat(match)), self.id)

    def check_repeated(self, match: Match, commit: Commit) -> None:
        """Refuse another move under the same id."""
        check_repeated(commit, self._command(match))

    def decide(self, match: Match | None) -> Decided[Match, Commit]:
        """Return the commit that the move makes."""
        if match is None:
            raise NoSuchMatchError
        command = self._command(match)
        expected = self.order.expected_version
        if expected is not None and expected != match.version:
            raise StaleVersionError(expected, match.version)
        return _decided(play(match, command, at=self.now(), notary=self.notary))

    def _command(self, match: Match) -> PlayMove:
        move = from_tagged(match.game.move, self.order.move)
        return PlayMove(id=self.id, seat=self._seat(match), move=move)

    def _seat(self, match: Match) -> Seat:
        return seat_to_act(match.started, self.order.account, self.order.seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotCommand:
    """Make the move that a bot chooses for *seat* in the match as it is at *version*."""

    version: Version
    seat: Seat
    choose: Callable[[Match, Seat], Any]
    policy: JSON
    notary: Notary
    now: Clock

    @property
    def id(self) -> CommandId:
        """The same for every worker that takes the same decision, so that only one can."""
        return CommandId(f"bot-{self.version}")

    def answered_by(self, match: Match) -> Version | None:
        """Return the version of the commit that answers this decision."""
        return match.commands.version_of(actor_of(self.seat), self.id)

    def check_repeated(self, match: Match, commit: Commit) -> None:
        """Take whatever was chosen first: another worker may have drawn another move."""

    def decide(self, match: Match | None) -> Decided[Match, Commit]:
        """Return the commit that the bot's move makes."""
        if match is None:
            raise NoSuchMatchError
        if match.version != self.version:
            raise StaleVersionError(self.version, match.version)
        move = self.choose(match, self.seat)
        command = PlayMove(id=self.id, seat=self.seat, move=move, bot=self.policy)
        return _decided(play(match, command, at=self.now(), notary=self.notary))


def _decided(step: Step) -> Decided[Match, Commit]:
    return Decided(step.commit, step.match)


def _terms(of: MatchStarted) -> MatchStarted:
    """Return what was asked for, whatever rules were installed when it was."""
    return replace(of, rules_version="", data_hash="")
