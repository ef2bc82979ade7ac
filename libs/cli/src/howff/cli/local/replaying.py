"""`howff replay`: a recorded match again, through the eyes of a seat, of a spectator, or of all."""

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from howff.cli.errors import CommandError, MatchNotOverError, WrongChoiceError
from howff.cli.files import load_export
from howff.cli.local.matches import NAMES
from howff.cli.local.stepping import Eyes, Telling, step_through, tell_all
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.match.commit import actor_of, seat_of
from howff.match.errors import NotReplayableError
from howff.match.events import SeedRevealed
from howff.match.export import SPECTATOR, WHOLE, Export
from howff.match.match import Step
from howff.match.replay import replay
from howff.match.report import Failure
from howff.match.verify import verify


class NotVerifiedError(CommandError):
    """The match is not what was recorded, so that telling it again would be a lie."""

    code = "not_verified"

    def __init__(self, failure: Failure) -> None:
        expected = "a match that verifies"
        super().__init__("not verified", expected=expected, found=str(failure))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How a match is to be told again."""

    who: str
    """Through whose eyes: `seat:N`, `spectator` or `all`."""
    at: int | None
    """The version at which to begin; None for the first."""
    step_by_step: bool


def replay_file(file: Path, wanted: Wanted, console: Console) -> None:
    """Tell the match in *file* again.

    Raises:
        MatchError: the file is no export, or can't be folded.
        CommandError: it can't be read or does not verify, the match went on when it was written,
            or it has not what is wanted.
    """
    export, game = load_export(file)
    if not export.is_whole:
        raise MatchNotOverError
    replay_whole(export, game, NAMES[: len(export.header.seats)], wanted, console)


def replay_whole(
    export: Export, game: AnyGame, names: tuple[str, ...], wanted: Wanted, console: Console
) -> None:
    """Tell the match of an *export* that is whole again; its seats are called by these *names*.

    Raises:
        MatchError: it can't be folded.
        CommandError: it does not verify, or has not what is wanted.
    """
    if (failure := verify(export, game).failure) is not None:
        raise NotVerifiedError(failure)
    steps = tuple(replay(export, game))
    eyes = _eyes(wanted.who, len(names), steps)
    at = _version(wanted.at, len(steps))
    telling = Telling(steps=steps, eyes=eyes, names=names, console=console)
    seats = ", ".join(f"{actor_of(Seat(seat))} is {name}" for seat, name in enumerate(names))
    console.print(Text(f"{game.title}: {seats}"))
    if wanted.step_by_step:
        step_through(telling, at)
    elif wanted.at is None:
        tell_all(telling)
    else:
        telling.show(at)


def _version(at: int | None, last: int) -> int:
    at = 1 if at is None else at
    if at not in range(1, last + 1):
        raise WrongChoiceError("version", expected=f"1 to {last}", found=str(at))
    return at


def _eyes(who: str, seats: int, steps: tuple[Step, ...]) -> Eyes:
    viewer = seat_of(who)
    if who not in {WHOLE, SPECTATOR} and viewer not in range(seats):
        expected = f"all, spectator or seat:0 to seat:{seats - 1}"
        raise WrongChoiceError("viewer", expected=expected, found=repr(who))
    last = steps[-1].events[-1]
    if not isinstance(last, SeedRevealed):
        raise NotReplayableError(steps[-1].commit.version)
    return Eyes(viewer, who == WHOLE, bytes.fromhex(last.seed))
