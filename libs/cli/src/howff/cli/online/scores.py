"""`howff leaderboard` and `howff projections`: what they ask, and how it looks."""

import time
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from howff.cli.server.admitting import calling
from howff.cli.server.callers import Caller
from howff.cli.server.servers import Server
from howff.cli.terminal.drawing import show
from howff.engine.codec import JSON, picked

Kind = Literal["live", "days", "bots"]
"""Of which matches a leaderboard is made."""
LOOKED_AFTER: Final = 0.2
"""Seconds between two looks at a rebuild."""
_DIFFERENT: Final = 1
"""The status of a rebuild after which rows are not as they were."""


@dataclass(frozen=True, slots=True)
class _Page:
    items: tuple[JSON, ...]


@dataclass(frozen=True, slots=True)
class _Ranked:
    rank: int
    player: str
    name: str | None
    rating: int
    deviation: int
    sure_rating: int
    matches: int


@dataclass(frozen=True, slots=True)
class _States:
    projections: tuple[JSON, ...]


@dataclass(frozen=True, slots=True)
class _PutAside:
    position: int
    match: str | None
    error: str


@dataclass(frozen=True, slots=True)
class _Rebuilding:
    generation: int
    position: int


@dataclass(frozen=True, slots=True)
class _Rebuilt:
    generation: int
    rows: int
    differing: int
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _State:
    projection: str
    position: int
    lag: int
    generation: int | None
    rebuilding: JSON
    rebuilt: JSON
    put_aside: tuple[JSON, ...]


@dataclass(frozen=True, slots=True)
class _Begun:
    generation: int


def show_leaderboard(caller: Caller, game: str, kind: Kind, limit: int) -> None:
    """Show the best players of a game, by what they are called."""
    with calling(caller) as server:
        asked: Any = server.client.scores.leaderboard(game, kind=kind, limit=limit)
        ranked = [picked(_Ranked, each) for each in picked(_Page, server.ask(asked)).items]
    if not ranked:
        others = " or ".join(f"--kind {each}" for each in get_args(Kind) if each != kind)
        caller.console.print(Text(f"Nobody is rated there yet; {others} shows another board"))
        return
    table = Table(box=SIMPLE_HEAD)
    for title in ("#", "Player", "Rating", "±", "At least", "Matches"):
        table.add_column(title, justify="left" if title == "Player" else "right")
    for each in ranked:
        figures = (each.rating, each.deviation, each.sure_rating, each.matches)
        name = each.player if kind == "bots" else each.name or f"a guest ({each.player[:8]})"
        table.add_row(str(each.rank), Text(name), *map(str, figures))
    show(table, caller.console)


def show_projections(caller: Caller) -> None:
    """Show how far the archive and its projections are, and what stands aside."""
    with calling(caller) as server:
        states = _states(server)
    table = Table(box=SIMPLE_HEAD)
    for title in ("Projection", "Position", "Behind", "Aside"):
        table.add_column(title, justify="left" if title == "Projection" else "right")
    for state in states:
        figures = (state.position, state.lag, len(state.put_aside))
        table.add_row(Text(state.projection), *map(str, figures))
    show(table, caller.console)
    for state in states:
        for each in (picked(_PutAside, aside) for aside in state.put_aside):
            line = f"{state.projection} at {each.position}: {each.error}"
            if each.match is not None:
                line += f", match {each.match}"
            caller.console.print(Text(line), soft_wrap=True)


def retry(caller: Caller, projection: str, position: int) -> None:
    """Try a match again that stands aside."""
    with calling(caller) as server:
        server.ask(server.client.scores.retry(projection, position))
    caller.console.print("It stands aside no more")


def rebuild(caller: Caller, projection: str, beside: Console) -> None:
    """Make the rows of a projection anew; say which differ, and end with 1 if some do."""
    with calling(caller) as server:
        begun = picked(_Begun, server.ask(server.client.scores.rebuild(projection)))
        rebuilt = _followed(server, projection, begun.generation, beside)
    if not rebuilt.differing:
        caller.console.print(f"All {rebuilt.rows} rows are as they were")
        return
    caller.console.print(f"{rebuilt.differing} of {rebuilt.rows} rows are not as they were:")
    for each in rebuilt.differences:
        caller.console.print(Text(f"  {each}"), soft_wrap=True)
    raise typer.Exit(_DIFFERENT)


def _followed(server: Server, projection: str, generation: int, beside: Console) -> _Rebuilt:
    """Show how far a rebuild is until it has come to its end, and return to which."""
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=beside, transient=True) as progress:
        bar = progress.add_task(f"Making {projection} anew", total=None)
        while True:
            state = next(each for each in _states(server) if each.projection == projection)
            if (state.generation or 0) >= generation:
                return picked(_Rebuilt, state.rebuilt)
            if state.rebuilding is not None:
                position = picked(_Rebuilding, state.rebuilding).position
                progress.update(bar, total=state.position, completed=position)
            time.sleep(LOOKED_AFTER)


def _states(server: Server) -> list[_State]:
    told = picked(_States, server.ask(server.client.scores.projections()))
    return [picked(_State, each) for each in told.projections]
