"""A recorded match step by step: what happened, whose clock had how much, and the board."""

from dataclasses import dataclass, field

from rich.console import Console

from howff.cli.terminal.choosing import show_beside
from howff.cli.terminal.commits import lines_of, show_commit
from howff.cli.terminal.drawing import show, show_board
from howff.cli.terminal.prompts import mistaken, natural, typed
from howff.cli.terminal.ranking import ranking
from howff.cli.terminal.standings import Standings, standings_of
from howff.engine.seats import Viewer
from howff.match.commit import Commit
from howff.match.match import Step, misfits_refused
from howff.match.redaction import redact_commit


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """The *steps* of a match, the first of them version 1, as they are told again."""

    steps: tuple[Step, ...]
    eyes: Eyes
    names: tuple[str, ...]
    console: Console

    @property
    def last(self) -> int:
        """The version of the last step."""
        return len(self.steps)

    def tell(self, version: int) -> None:
        """Tell what happened at *version*, and whose clock has how much then.

        Raises:
            NotFoldableError: rules that are not installed have made what makes no sense here.
        """
        self._tell_commit(version)
        show_beside(self._standings(version).clock_lines(self.names), self.console)

    def show(self, version: int) -> None:
        """Show the board at *version*, what led there, and how the seats stand beside the game.

        Raises:
            NotFoldableError: rules that are not installed have made what makes no sense here.
        """
        self.draw(version)
        self._tell_commit(version)
        show_beside(self._standings(version).lines(self.names), self.console)
        if version == self.last:
            self.rank()

    def draw(self, version: int) -> None:
        """Draw the board at *version* as the viewer sees it; for all, as the seat that has moved.

        Raises:
            NotFoldableError: rules that are not installed have made what makes no sense here.
        """
        step = self.steps[version - 1]
        viewer = step.commit.seat if self.eyes.is_all else self.eyes.viewer
        game = step.match.game
        with misfits_refused(step.commit):
            show_board(game, game.view(step.match.state, viewer), self.names, self.console)

    def rank(self) -> None:
        """Show the ranking, if there is one."""
        if (outcome := self.steps[-1].match.outcome) is not None:
            show(ranking(outcome, self.names), self.console)

    def _tell_commit(self, version: int) -> None:
        step = self.steps[version - 1]
        with misfits_refused(step.commit):
            lines = lines_of(step.match, self.eyes.told(step), self.eyes.viewer, self.names)
            show_commit(step.commit, lines, self.names, self.console)

    def _standings(self, version: int) -> Standings:
        return standings_of(self.steps[version - 1].match)


def tell_all(telling: Telling) -> None:
    """Tell all steps, and show the board at the end."""
    for version in range(1, telling.last + 1):
        telling.tell(version)
    telling.draw(telling.last)
    telling.rank()


def step_through(telling: Telling, version: int) -> None:
    """Show one step after the other, the first to *version*, as somebody asks for them.

    Raises:
        WrongChoiceError: there is no such step, and nobody is there to correct it.
        NoAnswerError: the input has ended.
    """
    wanted: int | None = version
    while wanted is not None:
        telling.show(wanted)
        wanted = _next(telling, wanted)


def _next(telling: Telling, version: int) -> int | None:
    """Return the version that is to be shown after *version*; None ends it."""
    console, last = telling.console, telling.last
    following = None if version == last else version + 1
    enter = "ends" if following is None else "goes on"
    others = f"b back, 1 to {last} goes there, q quits"
    answers: dict[str, int | None] = {"": following, "b": max(version - 1, 1), "q": None}
    while True:
        line = typed(console, f"{version} of {last}: Enter {enter}, {others}: ")
        if line in answers:
            return answers[line]
        if (chosen := natural(line)) in range(1, last + 1):
            return chosen
        mistaken(console, "step", expected=f"Enter, {others}", found=line)
