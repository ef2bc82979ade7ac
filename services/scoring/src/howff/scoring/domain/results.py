"""What a match that is over says of its seats, as its log tells it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from howff.engine.codec import JSON, classes_of, form_of
from howff.engine.outcome import Figure, Outcome
from howff.engine.seats import Seat
from howff.match.clocks import Speed, speed_of
from howff.match.commit import Commit
from howff.match.events import (
    Account,
    Bot,
    FlagFallen,
    MatchAborted,
    MatchBranched,
    MatchEnded,
    MatchStarted,
    PlatformEvent,
    SeatGivenBack,
    SeatResigned,
    SeatTakenOver,
)
from howff.match.export import Export
from howff.scoring.domain.errors import UnfinishedError

Holder = Account | Bot
Reason = Literal["finished", "resigned", "aborted"]
Stay = Literal["stayed", "resigned", "replaced"]
"""Whether a seat was played to the end: its holder may have resigned, or a bot have taken over and
kept it."""
_PLATFORM: Final = form_of(PlatformEvent)
_PLATFORM_NAMES: Final = frozenset(kind.__name__ for kind in classes_of(PlatformEvent))


@dataclass(frozen=True, slots=True)
class MoveCount:
    """How many moves of a kind a seat has made."""

    kind: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResult:
    """What became of one seat."""

    holder: Holder
    place: int | None
    """From 1, shared by equals; None where the match was aborted."""
    figures: tuple[Figure, ...]
    """The numbers of its final account, in the game's order; the first is its score."""
    stay: Stay
    flags: int
    """How often its time has run out."""
    moves: tuple[MoveCount, ...]
    """What it has decided, its stand-ins too, in the order in which each kind came first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """What became of a match."""

    match: str
    game: str
    speed: Speed
    options: JSON
    is_public: bool
    """Whether everybody may know of it, or its seats alone."""
    is_rated: bool
    """Whether it counts: it was to be rated, is no branch, and was not aborted."""
    is_branch: bool
    reason: Reason
    started_at: str
    ended_at: str
    commits: int
    seats: tuple[SeatResult, ...]


def result_of(export: Export) -> MatchResult:
    """Return what the whole export of a match that is over says.

    Raises:
        UnfinishedError: it is not over.
        MalformedError: an event of the platform has not its form.
    """
    if not export.is_whole:
        raise UnfinishedError(export.header.match)
    course = _Course(len(export.header.seats))
    for commit in export.commits:
        course.add(commit)
    return course.result(export)


@dataclass(slots=True)
class _Course:
    """What has happened so far to a match of so many *seats*."""

    seats: int
    started: MatchStarted | None = None
    is_branch: bool = False
    end: MatchEnded | MatchAborted | None = None
    left: dict[Seat, Stay] = field(default_factory=dict[Seat, Stay])
    flags: Counter[Seat] = field(default_factory=Counter[Seat])
    moves: dict[Seat, Counter[str]] = field(default_factory=dict[Seat, Counter[str]])

    def add(self, commit: Commit) -> None:
        if commit.move is not None and commit.seat is not None:
            self.moves.setdefault(commit.seat, Counter())[commit.move["type"]] += 1
        for event in _platform_events(commit.events):
            self._happen(event)

    def _happen(self, event: object) -> None:
        match event:
            case MatchStarted():
                self.started = event
            case MatchBranched():
                self.is_branch = True
            case MatchEnded() | MatchAborted():
                self.end = event
            case FlagFallen(seat):
                self.flags[seat] += 1
            case SeatResigned(seat):
                self.left[seat] = "resigned"
            case SeatTakenOver(seat):
                self.left.setdefault(seat, "replaced")
            case SeatGivenBack(seat):
                del self.left[seat]
            case _:
                pass

    def result(self, export: Export) -> MatchResult:
        started, end, commits = self.started, self.end, export.commits
        if started is None or end is None:
            raise UnfinishedError(export.header.match)
        outcome = end.outcome if isinstance(end, MatchEnded) else None
        return MatchResult(
            match=export.header.match,
            game=started.game,
            speed=speed_of(started.clock),
            options=started.options,
            is_public=started.watch == "public",
            is_rated=started.rated and outcome is not None and not self.is_branch,
            is_branch=self.is_branch,
            reason=end.reason if isinstance(end, MatchEnded) else "aborted",
            started_at=commits[0].at,
            ended_at=commits[-1].at,
            commits=len(commits),
            seats=tuple(
                self._seat(Seat(seat), holder, outcome) for seat, holder in enumerate(started.seats)
            ),
        )

    def _seat(self, seat: Seat, holder: Holder, outcome: Outcome | None) -> SeatResult:
        return SeatResult(
            holder=holder,
            place=None if outcome is None else outcome.places[seat],
            figures=() if outcome is None else outcome.figures[seat],
            stay=self.left.get(seat, "stayed"),
            flags=self.flags[seat],
            moves=tuple(MoveCount(*each) for each in self.moves.get(seat, Counter()).items()),
        )


def _platform_events(events: Iterable[JSON]) -> Iterator[object]:
    """Yield those of the events of a commit that are not the game's."""
    for stored in events:
        if stored["type"] in _PLATFORM_NAMES:
            yield _PLATFORM.decode({"type": stored["type"], "data": stored["data"]}, "event")
