"""`howff arena`: a tournament between policies and levels, on this machine."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from howff.bots.arena.results import Duel, Standing, duels_of, standings_of, whole_groups
from howff.bots.arena.running import run
from howff.bots.arena.tournaments import Played, Tournament
from howff.bots.policies.catalogue import play_of
from howff.bots.policies.settings import version_of
from howff.cli.files import check_writable, save
from howff.engine.codec import JSON

_INTERRUPTED = 130
"""The status of a command that Ctrl-C has ended, as shells give it."""


@dataclass(frozen=True, slots=True)
class Result:
    """What has come of a *tournament*: all matches of the groups that were played to their end."""

    tournament: Tournament
    played: list[Played]
    is_complete: bool


def hold(
    tournament: Tournament, processes: int, file: Path | None, console: Console, beside: Console
) -> None:
    """Play the matches of *tournament* and show who is how strong; all goes to *file*, if named.

    *beside* shows how far it has come. Ctrl-C ends it with the groups that were played by then.

    Raises:
        CommandError: the file can't be written.
    """
    if file is not None:
        check_writable(file)
    result = _played(tournament, processes, beside)
    if result.played:
        _show(result, console)
    if file is not None:
        save(json.dumps(_plain(result), indent=1).encode() + b"\n", file)
    if not result.is_complete:
        groups = len({each.pairing.group for each in result.played})
        beside.print(f"Stopped after {groups} of {tournament.groups} groups")
        raise typer.Exit(_INTERRUPTED)


def _played(tournament: Tournament, processes: int, console: Console) -> Result:
    played: list[Played] = []
    total = tournament.groups * len(tournament.seatings)
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with (
            Progress(*columns, console=console, transient=True) as progress,
            closing(run(tournament, processes)) as matches,
        ):
            for each in progress.track(matches, total, description="Matches"):
                played.append(each)  # noqa: PERF402 — what was played before Ctrl-C is kept
    except KeyboardInterrupt:
        return Result(tournament, whole_groups(tournament, played), is_complete=False)
    return Result(tournament, whole_groups(tournament, played), is_complete=True)


def _show(result: Result, console: Console) -> None:
    tournament = result.tournament
    standings = standings_of(tournament, result.played)
    console.print(_table(("Entrant", "Mean place", "Rating", "ms a decision"), _rows(standings)))
    duels = duels_of(tournament, result.played)
    console.print(_table(("Better", "Worse", "Groups won", "95 % of cases"), _duel_rows(duels)))


def _rows(standings: Sequence[Standing]) -> Iterator[tuple[str, ...]]:
    for each in standings:
        rating = f"{each.rating:.1f} ± {each.rating_interval:.1f}"
        yield each.name, f"{each.mean_place:.2f}", rating, f"{each.milliseconds:.1f}"


def _duel_rows(duels: Sequence[Duel]) -> Iterator[tuple[str, ...]]:
    for each in duels:
        interval = f"{each.low:.0%} to {each.high:.0%}"
        yield each.better, each.worse, f"{each.share:.0%} of {each.groups}", interval


def _table(titles: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> Table:
    table = Table(box=SIMPLE_HEAD)
    for title in titles:
        table.add_column(
            title, justify="left" if title in {"Entrant", "Better", "Worse"} else "right"
        )
    for row in rows:
        table.add_row(*row)
    return table


def _plain(result: Result) -> JSON:
    tournament = result.tournament
    standings = standings_of(tournament, result.played) if result.played else []
    duels = duels_of(tournament, result.played) if result.played else []
    return {
        "game": tournament.game,
        "options": tournament.options,
        "seats": tournament.seats,
        "seed": tournament.seed,
        "groups": tournament.groups,
        "is_complete": result.is_complete,
        "version": version_of(play_of(tournament.game)),
        "entrants": [{"name": each.name, **asdict(each.setting)} for each in tournament.entrants],
        "standings": [asdict(each) for each in standings],
        "duels": [asdict(each) for each in duels],
        "matches": [_match(tournament, each) for each in result.played],
    }


def _match(tournament: Tournament, played: Played) -> JSON:
    course = played.course
    return {
        "group": played.pairing.group,
        "seating": [tournament.entrants[number].name for number in played.pairing.seating],
        "places": course.outcome.places,
        "figures": [{each.name: each.value for each in seat} for seat in course.outcome.figures],
        "decisions": course.decisions,
        "nanoseconds": course.nanoseconds,
    }
