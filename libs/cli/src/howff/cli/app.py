"""The `howff` command."""

import sys
from importlib import metadata
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from howff.cli.demo import demo as run_demo
from howff.cli.errors import refusals_shown
from howff.cli.listing import show_games
from howff.cli.offline import seating_of
from howff.cli.playing import play as play_match
from howff.cli.replaying import replay_file
from howff.cli.verifying import verify_file

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Settings = Annotated[
    list[str],
    typer.Option(
        "--option", "-o", help="An option of the game, as name=value.", show_default=False
    ),
]
Seats = Annotated[
    int | None, typer.Option(help="How many seats the match has; by default as many as can be.")
]
Export = Annotated[Path, typer.Argument(help="An export, such as match.jsonl.", readable=False)]


@app.callback(invoke_without_command=True)
def main(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Board games whose every match can be replayed and checked."""
    if version:
        Console().print(f"howff {metadata.version('howff-cli')}")
        raise typer.Exit


@app.command()
def games() -> None:
    """List the games, with their seats and options."""
    show_games(Console())


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="The key of a game; `howff games` lists them.")],
    seats: Seats = None,
    bots: Annotated[int | None, typer.Option(help="How many bots; all but one seat.")] = None,
    option: Settings = [],  # noqa: B006 — typer copies it
    out: Annotated[Path | None, typer.Option(help="Where to write the finished match.")] = None,
) -> None:
    """Play a match here, with people at this terminal and random bots."""
    with refusals_shown(Console(stderr=True)):
        seating = seating_of(game, seats, bots)
        play_match(game, seating, settings=option, file=out, console=Console())


@app.command()
def demo(
    game: Annotated[str, typer.Option(help="The key of a game.")] = "troedler",
    seats: Seats = None,
    option: Settings = [],  # noqa: B006 — typer copies it
    out: Annotated[Path, typer.Option(help="Where to write the match.")] = Path("match.jsonl"),
) -> None:
    """Let random players play a match; write it, fold it back, verify it."""
    with refusals_shown(Console(stderr=True)):
        seating = seating_of(game, seats, bots=None)
        run_demo(game, seating.seats, option, out, Console())


@app.command()
def replay(
    file: Export,
    who: Annotated[
        str, typer.Option("--as", help="Through whose eyes: seat:N, spectator or all.")
    ] = "spectator",
    step: Annotated[bool, typer.Option("--step", help="Stop after each commit.")] = False,
) -> None:
    """Tell a recorded match again, as a viewer has seen it."""
    with refusals_shown(Console(stderr=True)):
        replay_file(file, who, step_by_step=step, console=Console())


@app.command()
def verify(
    file: Export,
    keys: Annotated[
        Path | None,
        typer.Option(help="Trust these public keys only (JSON list of JWKs).", readable=False),
    ] = None,
) -> None:
    """Check a recorded match: its chain, signatures, seed, and every decision."""
    with refusals_shown(Console(stderr=True)):
        verify_file(file, keys, Console())


def run() -> None:
    """Run the command line; a terminal that lacks a character gets another in its place."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        sys.exit(f"unwritable_output  output: expected a place to write to, found {reason}")
