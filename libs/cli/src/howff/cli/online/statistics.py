"""`howff statistics`: how a game is played, as tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from howff.cli.server.admitting import calling
from howff.cli.server.callers import Caller
from howff.cli.terminal.drawing import show
from howff.engine.codec import JSON, picked

NONE = "-"
KIND = ("Seats", "Who")
MEASURED = ("Commits", "Minutes, live", "Minutes, days", "Score")
SPREAD = ("10 %", "Median", "90 %")


@dataclass(frozen=True, slots=True)
class _Statistics:
    groups: tuple[JSON, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    seats: int
    who: str
    matches: int
    finished: int
    resigned: int
    aborted: int
    commits: JSON
    minutes_live: JSON
    minutes_days: JSON
    scores: JSON
    by_seat: tuple[JSON, ...]
    moves: tuple[JSON, ...]


@dataclass(frozen=True, slots=True)
class _Distribution:
    p10: int
    median: int
    p90: int


@dataclass(frozen=True, slots=True)
class _Seat:
    seat: int
    matches: int
    wins: int
    mean_place: JSON
    mean_score: JSON


@dataclass(frozen=True, slots=True)
class _Moves:
    kind: str
    total: int
    per_match: JSON
    most: int


def show_statistics(caller: Caller, game: str, seats: int | None, who: str | None) -> None:
    """Show how matches of a game end, how long they last, and how each seat does.

    Which moves are made is shown where that leaves one kind of matches.
    """
    with calling(caller) as server:
        told = server.ask(server.client.scores.statistics(game, seats=seats, who=who))
    groups = [picked(_Group, each) for each in picked(_Statistics, told).groups]
    if not groups:
        caller.console.print("Nothing is over yet that it could tell of")
        return
    show(_ends(groups), caller.console)
    show(_lengths(groups), caller.console)
    if any(group.by_seat for group in groups):
        show(_balance(groups), caller.console)
    if len(groups) == 1 and groups[0].moves:
        show(_moves(groups[0]), caller.console)


def _ends(groups: Sequence[_Group]) -> Table:
    table = _table("How they end", *KIND, "Matches", "Finished", "Resigned", "Aborted")
    for each in groups:
        counts = (each.matches, each.finished, each.resigned, each.aborted)
        table.add_row(str(each.seats), Text(each.who), *map(str, counts))
    return table


def _lengths(groups: Sequence[_Group]) -> Table:
    table = _table("The median, and what 10 and 90 of 100 are below", *KIND, "Figure", *SPREAD)
    for each in groups:
        measured = (each.commits, each.minutes_live, each.minutes_days, each.scores)
        for name, told in zip(MEASURED, measured, strict=True):
            if told is not None:
                spread = picked(_Distribution, told)
                figures = (spread.p10, spread.median, spread.p90)
                table.add_row(str(each.seats), Text(each.who), name, *map(str, figures))
    return table


def _balance(groups: Sequence[_Group]) -> Table:
    table = _table("By seat, with means", *KIND, "Seat", "Matches", "First", "Place", "Score")
    for group in groups:
        for each in (picked(_Seat, seat) for seat in group.by_seat):
            shares = (f"{each.wins / max(1, each.matches):.0%}", _mean(each.mean_place))
            counts = (str(each.seat), str(each.matches))
            row = (*counts, *shares, _mean(each.mean_score))
            table.add_row(str(group.seats), Text(group.who), *row)
    return table


def _moves(group: _Group) -> Table:
    table = _table("Moves", "Kind", "In all", "A match", "At most")
    for each in (picked(_Moves, moves) for moves in group.moves):
        figures = (str(each.total), _mean(each.per_match), str(each.most))
        table.add_row(Text(each.kind), *figures)
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, box=SIMPLE_HEAD)
    for each in columns:
        table.add_column(each, justify="left" if each in {"Who", "Figure", "Kind"} else "right")
    return table


def _mean(told: JSON) -> str:
    return f"{told:.2f}" if isinstance(told, int | float) else NONE
