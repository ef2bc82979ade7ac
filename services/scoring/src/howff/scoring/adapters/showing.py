"""What a restore drill shows in a terminal."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from howff.scoring.application.drilling import Drilled
from howff.scoring.domain.restoring import Difference


@contextmanager
def progress_shown(
    console: Console, title: str, matches: int
) -> Iterator[Callable[[Drilled], None]]:
    """Show how many of *matches* are done, and commits with them, until the context ends.

    Gives what is to be told of each match that is done.
    """
    columns = (
        *Progress.get_default_columns()[:2],
        MofNCompleteColumn(),
        TextColumn("{task.fields[commits]} commits"),
        TimeRemainingColumn(),
    )
    is_unseen = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=is_unseen) as progress:
        bar = progress.add_task(title, total=matches, commits=0)
        commits = 0

        def tell(drilled: Drilled) -> None:
            nonlocal commits
            commits += drilled.commits
            progress.update(bar, advance=1, commits=commits)

        yield tell


def show_outcome(console: Console, drilled: Sequence[Drilled], seconds: float) -> None:
    """Show what has become of all matches."""
    differences = [each.difference for each in drilled if each.difference is not None]
    equal = len(drilled) - len(differences)
    commits = sum(each.commits for each in drilled)
    told = f"{_counted(equal, 'match', 'matches')} with {_counted(commits, 'commit', 'commits')}"
    console.print(f"{told} equal: commits, head hashes, export files; {seconds:.1f} s")
    if differences:
        console.print(_table(differences))


def _table(differences: Sequence[Difference]) -> Table:
    table = Table("match", "differs in", "version", "expected", "found", box=None, pad_edge=False)
    for column in table.columns:
        column.overflow = "fold"
    for each in differences:
        version = "" if each.version is None else str(each.version)
        row = (each.match, each.side, version, each.expected, each.found)
        table.add_row(*map(_printable, row))
    return table


def _printable(text: str) -> str:
    # What is damaged may hold anything, also what a terminal would take as a command.
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
