"""Restore matches of the archive into another server, and prove that they are equal.

`python -m howff.scoring.drill nats://TARGET` does it with the newest matches.
"""

import argparse
import sys
import time
from functools import partial
from typing import Final

from rich.console import Console

from howff.scoring.adapters.shelf import opened_shelf
from howff.scoring.adapters.showing import progress_shown, show_outcome
from howff.scoring.adapters.target import addresses_in, check_elsewhere, prepare, store_on
from howff.scoring.application.drilling import FEW, Choice, Drill, Drilled
from howff.scoring.domain.errors import NotEqualError
from howff.scoring.settings import DrillSettings
from howff.servicekit.nats.connection import connect
from howff.servicekit.starting import start

NAME: Final = "drill"
REACHED_WITHIN: Final = 5.0
"""Seconds for the target to answer."""


async def drill(wanted: argparse.Namespace, settings: DrillSettings) -> None:
    """Do what is *wanted* of a drill, and show what has come of it.

    Raises:
        NotEqualError: a match differs.
        RefusalError: the archive can't be read, or the target is none that may be written to.
    """
    began = time.perf_counter()
    target = addresses_in(wanted.target)
    if settings.has_nats and not wanted.compare_only:
        check_elsewhere(target, settings.nats_urls)
    async with opened_shelf(settings.database_url) as shelf:
        matches = await shelf.chosen(_choice(wanted))
        async with await connect(
            target, name=NAME, credentials=settings.target_credentials, within=REACHED_WITHIN
        ) as connection:
            if not wanted.compare_only:
                is_empty = not wanted.into_existing
                await prepare(connection, matches, replicas=wanted.replicas, is_empty=is_empty)
            made = Drill(shelf, store_on(connection))
            drilled = await _drilled(made, matches, is_written=not wanted.compare_only)
    show_outcome(_console(), drilled, time.perf_counter() - began)
    differing = sum(each.difference is not None for each in drilled)
    if differing:
        raise NotEqualError(len(drilled), differing)


async def _drilled(drill: Drill, matches: list[str], *, is_written: bool) -> list[Drilled]:
    title, step = ("Restoring", drill.restore) if is_written else ("Comparing", drill.compare)
    drilled: list[Drilled] = []
    with progress_shown(_console(stderr=True), title, len(matches)) as tell:
        for match in matches:
            drilled.append(await step(match))
            tell(drilled[-1])
    return drilled


def _choice(wanted: argparse.Namespace) -> Choice:
    return Choice(tuple(wanted.match or ()), None if wanted.all else wanted.sample)


def _console(*, stderr: bool = False) -> Console:
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


def parser() -> argparse.ArgumentParser:
    """Return how the command is typed."""
    made = argparse.ArgumentParser(
        prog="python -m howff.scoring.drill",
        description="Put matches of the archive (HOWFF_DATABASE_URL) into another server of NATS, "
        "read them back, and prove that they are equal.",
    )
    made.add_argument("target", help="its address; several of one cluster are separated by commas")
    which = made.add_mutually_exclusive_group()
    which.add_argument("--match", action="append", metavar="ID", help="this match; may be repeated")
    which.add_argument("--all", action="store_true", help="all matches of the archive")
    which.add_argument(
        "--sample",
        type=_positive,
        default=FEW,
        metavar="N",
        help=f"the newest N; {FEW} if not said",
    )
    how = made.add_mutually_exclusive_group()
    how.add_argument(
        "--into-existing", action="store_true", help="the target may have other matches already"
    )
    how.add_argument(
        "--compare-only", action="store_true", help="write nothing: compare what the target has"
    )
    made.add_argument(
        "--replicas", type=_positive, default=1, metavar="N", help="of the stream, where it is made"
    )
    return made


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


_positive.__name__ = "positive number"
"""What argparse calls a wrong one."""


def main(arguments: list[str]) -> None:
    """Do what the *arguments* say; exit with 1 and a line if a match differs, or can't be tried."""
    start(NAME, DrillSettings, partial(drill, parser().parse_args(arguments)))


if __name__ == "__main__":
    main(sys.argv[1:])
