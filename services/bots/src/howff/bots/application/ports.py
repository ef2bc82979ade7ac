"""What workers need of the world."""

from dataclasses import dataclass
from typing import Any, Protocol

from howff.bots.application.thinking import Failure, Question
from howff.bots.statements import Statement
from howff.contracts.matches import DecisionDue
from howff.engine.codec import JSON
from howff.engine.seats import Seat
from howff.match.commit import Commit


@dataclass(frozen=True, slots=True)
class Look:
    """A match as a seat sees it at *version*."""

    version: int
    rules_version: str
    to_act: tuple[Seat, ...]
    view: JSON


@dataclass(frozen=True, slots=True)
class Options:
    """What a seat may do at *version*; nothing if it owes no decision."""

    version: int
    moves: tuple[JSON, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """What a seat was told up to *version*, each commit as it was told when it was new."""

    version: int
    commits: tuple[Commit, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A *move* of a game, and how the bot came to it."""

    move: Any
    statement: Statement
    result: str
    """`chosen`, or why it was not chosen as its level would have it."""


class Matches(Protocol):
    """The matches of the platform, through the eyes of the seats that bots have.

    All that ask raise:
        MootError: there is no such seat of a bot, or it owes no such decision any more.
        ServerAwayError: ask again later.
    """

    async def look(self, match: str, seat: Seat) -> Look:
        """Return a match as *seat* sees it now."""
        ...

    async def options(self, match: str, seat: Seat) -> Options:
        """Return what *seat* may do now."""
        ...

    async def told(self, match: str, seat: Seat, after: int) -> Page:
        """Return what *seat* was told after version *after*."""
        ...

    async def play(self, due: DecisionDue, decision: Decision) -> None:
        """Make the move that is *due*, once however often it is asked for."""
        ...


class Thinkers(Protocol):
    """Whoever chooses moves, beside the process that asks."""

    async def choose(self, question: Question) -> int | Failure:
        """Return which move is chosen, or why none is: `thinker_died` if it may be asked again."""
        ...
