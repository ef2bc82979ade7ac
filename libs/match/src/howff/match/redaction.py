"""A commit as a viewer may know it: the only way by which commits leave the system."""

from dataclasses import dataclass, field
from typing import Annotated

from howff.engine.codec import JSON
from howff.engine.game import memory_option
from howff.engine.redact import Redacted, redact
from howff.engine.seats import Seat, Viewer
from howff.engine.values import replace
from howff.engine.visibility import Sealed, hidden, secret_to, visibilities
from howff.match.commit import Commit
from howff.match.errors import NoSuchSeatError
from howff.match.events import kinds_of_events
from howff.match.match import Match
from howff.match.seals import SeedSeal, is_sealed


@dataclass(frozen=True, slots=True)
class CommandTold:
    """What a commit tells of its command beside the events, with who may know it."""

    seat: Seat | None
    move: Annotated[JSON, secret_to("seat", momentary=True)]
    bot: Annotated[JSON, hidden()]


def redact_commit(
    match: Match, commit: Commit, viewer: Viewer, seed: bytes, *, told_live: bool = False
) -> Commit:
    """Return *commit* as *viewer* may know it while *match* stands as it does.

    *told_live* opens what is shown once: it is for the answer to the command, and for the feed
    when the commit is new. After the match everything is open to everybody.

    Raises:
        NoSuchSeatError: the match has no seat *viewer*.
    """
    seats = len(match.started.seats)
    if viewer is not None and viewer not in range(seats):
        raise NoSuchSeatError(seats, viewer)
    if match.is_over:
        return commit
    telling = _Telling(match, commit, viewer, seed, told_live)
    own, salts = telling.command()
    events = tuple(telling.event(at) for at in range(len(commit.events)))
    return replace(commit, **own, events=events, salts=salts or None)


def command_told(told: Commit) -> CommandTold:
    """Return what the commit *told* to a viewer says of its command."""
    return CommandTold(told.seat, _read(told.move), _read(told.bot))


@dataclass(frozen=True, slots=True)
class _Telling:
    """Whom a commit is told to, and when."""

    match: Match
    commit: Commit
    viewer: Viewer
    seed: bytes = field(repr=False)
    told_live: bool

    def command(self) -> tuple[dict[str, JSON], dict[str, str]]:
        """Return the move and how a bot came to it, and the salts of what is shown of both.

        A move may tell what a momentary field of its events does, so it closes with the first.
        """
        commit = self.commit
        data = {"seat": commit.seat, "move": commit.move, "bot": commit.bot}
        told = self._told(CommandTold, data, None)
        del told.data["seat"]
        return told.data, told.salts

    def event(self, at: int) -> JSON:
        """Return the event that stands at place *at*."""
        stored = self.commit.events[at]
        kind = kinds_of_events(self.match.game.event)[stored["type"]]
        if not visibilities(kind):
            return stored  # all of it is public
        told = self._told(kind, stored["data"], at)
        event = {"type": stored["type"], "data": told.data}
        return event | {"salts": told.salts} if told.salts else event

    def _told(self, kind: type, data: dict[str, JSON], at: int | None) -> Redacted:
        seal = SeedSeal(self.seed, self.commit.match, self.commit.version, at)
        return redact(kind, data, self.viewer, told_live=self._is_open(at), seal=seal)

    def _is_open(self, at: int | None) -> bool:
        moment = (self.commit.version, at or 0)
        return (
            self.told_live
            or memory_option(self.match.options) == "open"
            or self.match.turns.is_open(self.viewer, moment)
        )


def _read(stored: JSON) -> JSON:
    return Sealed(stored["sealed"]) if is_sealed(stored) else stored
