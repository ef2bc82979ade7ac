"""What happens in a match, in lines for people."""

from collections.abc import Iterator
from typing import Any, Final

from howff.engine.game import AnyGame
from howff.match.clocks import Clock, PerMatch, PerMove, PerTurn
from howff.match.commit import Commit
from howff.match.events import (
    ClockPaused,
    ClockStarted,
    FlagFallen,
    MatchAborted,
    MatchBranched,
    MatchEnded,
    MatchStarted,
    PlatformEvent,
    RulesChanged,
    SeatGivenBack,
    SeatResigned,
    SeatTakenOver,
    SeedRevealed,
    TimeCredited,
    WishTold,
)
from howff.match.match import events_of
from howff.match.presence import Wish

WISHES: Final[dict[Wish, str]] = {
    "pause": "to pause the match",
    "abort": "to end the match without a result",
}
"""What seats may want, in words."""


def lines_beside(game: AnyGame, view: Any, told: Commit, names: tuple[str, ...]) -> Iterator[str]:
    """Yield a line for each event of the commit *told* to somebody whose *view* is this now."""
    for event in events_of(game, told):
        if isinstance(event, PlatformEvent):
            yield platform_line(event, game.title, names)
        else:
            yield game.explain(view, None, event, names)


def platform_line(  # noqa: C901, PLR0911, PLR0912
    event: PlatformEvent, title: str, names: tuple[str, ...]
) -> str:
    """Return one line for people on an *event* of the platform in a match of the game *title*."""
    match event:
        case MatchStarted():
            return f"A match of {title} starts{_terms(event)}"
        case MatchBranched(parent, version):
            return f"It goes on from where match {parent} stood at version {version}"
        case RulesChanged(rules_version):
            return f"From here on version {rules_version} of the rules decides"
        case FlagFallen(seat):
            return f"The time of {names[seat]} has run out"
        case SeatResigned(seat):
            return f"{names[seat]} leaves the match for good"
        case SeatTakenOver(seat, level):
            return f"A bot ({level}) takes over from {names[seat]}"
        case SeatGivenBack(seat):
            return f"{names[seat]} is back"
        case WishTold():
            return _wish_line(event, names)
        case ClockPaused():
            return "All agree: the match is paused"
        case ClockStarted():
            return "The match goes on, and the clocks run again"
        case TimeCredited(seat, milliseconds):
            return f"{names[seat]} gets {milliseconds / 1000:g} seconds"
        case MatchAborted("agreement"):
            return "All agree: the match is over, and counts for nothing"
        case MatchAborted(_, reason):
            why = "" if reason is None else f" ({reason})"
            return f"The match was aborted by an administrator{why}, and counts for nothing"
        case MatchEnded("resigned"):
            return "The match has ended, since the others have left"
        case MatchEnded():
            return "The match has ended"
        case SeedRevealed(seed):
            return f"The seed of its luck was {seed}"


def _terms(event: MatchStarted) -> str:
    clock = "" if event.clock is None else f" and {_clock_line(event.clock)}"
    return f", by version {event.rules_version} of its rules{clock}"


def _clock_line(clock: Clock) -> str:
    match clock:
        case PerMove(seconds):
            return f"{seconds} seconds a move"
        case PerMatch(seconds, increment):
            return f"{seconds} seconds a seat, and {increment} more for each move"
        case PerTurn(days):
            return f"{days} days a turn"


def _wish_line(event: WishTold, names: tuple[str, ...]) -> str:
    verb = "wants" if event.is_wanted else "no longer wants"
    return f"{names[event.seat]} {verb} {WISHES[event.wish]}"
