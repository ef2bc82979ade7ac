"""`howff replay`: a recorded match again, through the eyes of a seat, of a spectator, or of all."""

from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.text import Text

from howff.cli.asking import answer
from howff.cli.drawing import show, show_board
from howff.cli.errors import CommandError, WrongChoiceError
from howff.cli.files import load_export
from howff.cli.offline import NAMES
from howff.cli.ranking import ranking
from howff.cli.telling import lines_of, show_commit
from howff.engine.seats import Seat, Viewer
from howff.match.commit import Commit, actor_of, seat_of
from howff.match.errors import NotReplayableError
from howff.match.events import SeedRevealed
from howff.match.export import SPECTATOR, WHOLE
from howff.match.match import Step, misfits_refused
from howff.match.redaction import redact_commit
from howff.match.replay import replay
from howff.match.report import Failure
from howff.match.verify import verify


class NotVerifiedError(CommandError):
    """The match is not what was recorded, so that telling it again would be a lie."""

    code = "not_verified"

    def __init__(self, failure: Failure) -> None:
        expected = "a match that verifies"
        super().__init__("not verified", expected=expected, found=str(failure))


@dataclass(frozen=True, slots=True)
class Eyes:
    """Through whose eyes a match is seen; those of all see every secret."""

    viewer: Viewer
    is_all: bool
    seed: bytes = field(repr=False)

    def told(self, step: Step) -> Commit:
        """Return the commit of *step* as it was told when it happened."""
        if self.is_all:
            return step.commit
        return redact_commit(step.match, step.commit, self.viewer, self.seed, told_live=True)


def replay_file(file: Path, who: str, *, step_by_step: bool, console: Console) -> None:
    """Tell the match in *file* as *who* (`seat:N`, `spectator`, `all`) has seen it.

    Raises:
        MatchError: the file is no export, or can't be folded.
        CommandError: *who* is nobody, or the file can't be read or does not verify.
    """
    export, game = load_export(file)
    if (failure := verify(export, game).failure) is not None:
        raise NotVerifiedError(failure)
    names = NAMES[: len(export.header.seats)]
    steps = tuple(replay(export, game))
    eyes = _eyes(who, len(names), steps)
    seats = ", ".join(f"{actor_of(Seat(seat))} is {name}" for seat, name in enumerate(names))
    console.print(Text(f"{game.title}: {seats}"))
    for step in steps:
        # What rules that are not installed have decided may fold and make no sense all the same.
        with misfits_refused(step.commit):
            _tell(step, eyes, names, console)
            if step_by_step or step is steps[-1]:
                _show_board(step, eyes, names, console)
        if step_by_step:
            answer(console, "Enter for the next commit ")
    if (outcome := steps[-1].match.outcome) is not None:
        show(ranking(outcome, names), console)


def _eyes(who: str, seats: int, steps: tuple[Step, ...]) -> Eyes:
    viewer = seat_of(who)
    if who not in {WHOLE, SPECTATOR} and viewer not in range(seats):
        expected = f"all, spectator or seat:0 to seat:{seats - 1}"
        raise WrongChoiceError("viewer", expected=expected, found=repr(who))
    last = steps[-1].events[-1]
    if not isinstance(last, SeedRevealed):
        raise NotReplayableError(steps[-1].commit.version)
    return Eyes(viewer, who == WHOLE, bytes.fromhex(last.seed))


def _tell(step: Step, eyes: Eyes, names: tuple[str, ...], console: Console) -> None:
    lines = lines_of(step.match, eyes.told(step), eyes.viewer, names)
    show_commit(step.commit, lines, names, console)


def _show_board(step: Step, eyes: Eyes, names: tuple[str, ...], console: Console) -> None:
    """Draw the board as the viewer sees it; for all, as the seat that has just moved."""
    viewer = step.commit.seat if eyes.is_all else eyes.viewer
    game = step.match.game
    show_board(game, game.view(step.match.state, viewer), names, console)
