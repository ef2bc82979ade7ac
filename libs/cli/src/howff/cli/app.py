"""The `howff` command."""

import errno
import os
import sys
from importlib import metadata
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperGroup

from howff.cli.commands.accounts import accounts, admin
from howff.cli.commands.lobby import lobby, tables
from howff.cli.commands.options import (
    Account,
    Clock,
    Export,
    Flag,
    Keys,
    Leave,
    Level,
    MatchUrl,
    Port,
    Seats,
    Settings,
    Token,
    Viewer,
)
from howff.cli.commands.scores import leaderboards, projections
from howff.cli.errors import WrongChoiceError, refusals_shown
from howff.cli.local.blindness import check_bots
from howff.cli.local.demo import demo as run_demo
from howff.cli.local.listing import show_games
from howff.cli.local.matches import STEADY, plain_options, seating_of
from howff.cli.local.playing import play as play_match
from howff.cli.local.replaying import Wanted, replay_file
from howff.cli.local.verifying import verify_file
from howff.cli.machine.up import Wish
from howff.cli.machine.up import up as run_all
from howff.cli.online.auditing import audit_match
from howff.cli.online.branching import branch_match
from howff.cli.online.exporting import export_match
from howff.cli.online.playing import Visit, play_new, play_on
from howff.cli.online.replaying import replay_served
from howff.cli.online.watching import watch_match
from howff.cli.server.addresses import match_address
from howff.cli.server.callers import Caller, caller_of
from howff.cli.server.terms import STAND_IN, USUAL, terms_from
from howff.cli.terminal.console import terminal
from howff.servicekit import ids


class _Commands(TyperGroup):
    """The commands; what is wrong with their options is told in plain words."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(accounts)
app.add_typer(admin, name="admin")
app.add_typer(tables, name="table")
app.add_typer(lobby)
app.add_typer(leaderboards)
app.add_typer(projections, name="projections")

_BROKEN_OUTPUT = {errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""What a disk that is full, a reader that has left or a terminal that is gone says."""


@app.callback(invoke_without_command=True)
def main(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Board games whose every match can be replayed and checked."""
    if version:
        terminal().print(f"howff {metadata.version('howff-cli')}")
        raise typer.Exit


@app.command()
def games() -> None:
    """List the games, with their seats and options."""
    show_games(terminal())


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="The key of a game; `howff games` lists them.")],
    seats: Seats = None,
    bots: Annotated[int | None, typer.Option(help="How many bots; all but one seat.")] = None,
    level: Level = None,
    option: Settings = [],  # noqa: B006 — typer copies it
    out: Annotated[Path | None, typer.Option(help="Where to write the finished match.")] = None,
    server: Annotated[
        str | None,
        typer.Option(
            help="Play on a server, such as http://localhost:8000; without it here, whatever"
            " HOWFF_SERVER says."
        ),
    ] = None,
    match: Annotated[
        str | None, typer.Option(help="Go on with this match: its URL, or its id on the server.")
    ] = None,
    time: Clock = None,
    on_flag: Flag = "resign",
    on_leave: Leave = "default_moves",
    token: Token = None,
    account: Account = None,
) -> None:
    """Play a match, here or on a server, with people at this terminal and bots."""
    with refusals_shown(terminal(stderr=True)):
        terms = terms_from(time, on_flag, on_leave)
        if match is not None:
            if terms != USUAL:
                expected = "--clock, --on-flag and --on-leave with a new match"
                raise WrongChoiceError("options", expected=expected, found="--match")
            caller, found = _there(match, token, account, server)
            play_on(Visit(caller, out), game, found)
        elif server is not None:
            seating = seating_of(game, seats, bots, level or STAND_IN)
            visit = Visit(caller_of(server, token, account), out)
            play_new(visit, game, seating, option, terms)
        elif account is not None or terms != USUAL:
            expected = "--server with --account, --clock, --on-flag and --on-leave"
            raise WrongChoiceError("options", expected=expected, found="none")
        else:
            seating = seating_of(game, seats, bots, level or STEADY)
            play_match(game, seating, settings=option, file=out, console=terminal())


@app.command()
def watch(
    url: MatchUrl,
    who: Viewer = None,
    board: Annotated[
        bool, typer.Option("--board", help="Show the board after each commit.")
    ] = False,
    token: Token = None,
    account: Account = None,
) -> None:
    """Watch a match on a server as it is played."""
    with refusals_shown(terminal(stderr=True)):
        watch_match(*_there(url, token, account), who, with_boards=board)


@app.command()
def export(
    url: MatchUrl,
    out: Annotated[Path, typer.Option(help="Where to write the match.")] = Path("match.jsonl"),
    who: Viewer = None,
    token: Token = None,
    account: Account = None,
) -> None:
    """Save the log of a match on a server; `howff verify` checks it."""
    with refusals_shown(terminal(stderr=True)):
        export_match(*_there(url, token, account), who, out)


@app.command()
def up(
    port: Port = 8000,
    nats_port: Port = 4222,
    data: Annotated[Path, typer.Option(help="Where matches and logs are kept.")] = Path("var"),
    bots: Annotated[int, typer.Option(min=0, help="How many workers play for bots.")] = 2,
    seed_demo: Annotated[
        bool, typer.Option("--seed-demo", help="Add players, open tables and matches to look at.")
    ] = False,
) -> None:
    """Run a server on this machine, until Ctrl-C."""
    wish = Wish(data, port, nats_port, bots, has_demo=seed_demo)
    with refusals_shown(terminal(stderr=True)):
        run_all(wish, terminal())


@app.command()
def secrets(
    file: Annotated[Path, typer.Option(help="Where they are written.")] = Path(".env"),
) -> None:
    """Make the passwords and keys of a server in containers, for `docker compose`."""
    # It loads what no other command needs.
    from howff.cli.machine.secret_file import make_secrets  # noqa: PLC0415

    with refusals_shown(terminal(stderr=True)):
        make_secrets(file, ids.new_secret)
        terminal().print(Text(f"{file}: new secrets, for docker compose"), soft_wrap=True)


@app.command()
def demo(
    game: Annotated[str, typer.Option(help="The key of a game.")] = "troedler",
    seats: Seats = None,
    option: Settings = [],  # noqa: B006 — typer copies it
    out: Annotated[Path, typer.Option(help="Where to write the match.")] = Path("match.jsonl"),
) -> None:
    """Let bots play a match; write it, fold it back, verify it."""
    with refusals_shown(terminal(stderr=True)):
        seating = seating_of(game, seats, None, STEADY)
        run_demo(game, seating.seats, option, out, terminal())


@app.command()
def branch(
    url: MatchUrl,
    at: Annotated[int, typer.Option(min=1, help="After which version it begins.")],
    seats: Annotated[
        str | None,
        typer.Option(
            help="Who sits where: me, bot or the ids of accounts; by default you for all people."
        ),
    ] = None,
    token: Token = None,
    account: Account = None,
) -> None:
    """Start a practice match from where one on a server, which is over, once stood."""
    with refusals_shown(terminal(stderr=True)):
        branch_match(*_there(url, token, account), at, seats)


@app.command()
def replay(
    place: Annotated[
        str, typer.Argument(help="An export, such as match.jsonl, or the URL of a match.")
    ],
    who: Annotated[
        str, typer.Option("--as", help="Through whose eyes: seat:N, spectator or all.")
    ] = "spectator",
    at: Annotated[
        int | None, typer.Option(help="The version to show; with --step, to begin with.")
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Stop after each commit.")] = False,
    token: Token = None,
    account: Account = None,
) -> None:
    """Tell a match that is over again, as a viewer has seen it."""
    with refusals_shown(terminal(stderr=True)):
        wanted = Wanted(who=who, at=at, step_by_step=step)
        if "://" in place:
            replay_served(*_there(place, token, account), wanted)
        else:
            replay_file(Path(place), wanted, terminal())


@app.command()
def audit(
    url: MatchUrl,
    who: Viewer = None,
    keys: Keys = None,
    token: Token = None,
    account: Account = None,
) -> None:
    """Let a server check its log of a match; when that is over, check the export here too."""
    with refusals_shown(terminal(stderr=True)):
        audit_match(*_there(url, token, account), who, keys)


@app.command()
def arena(
    game: Annotated[str, typer.Argument(help="The key of a game.")],
    entrants: Annotated[
        list[str], typer.Argument(help="Levels, or greedy:WORLDS or mcts:NODES; two or more.")
    ],
    groups: Annotated[
        int, typer.Option(min=1, help="How often everybody sits everywhere, each time by new luck.")
    ] = 20,
    seats: Annotated[
        int | None, typer.Option(help="How many seats; by default one for each, if it can be.")
    ] = None,
    option: Settings = [],  # noqa: B006 — typer copies it
    seed: Annotated[str, typer.Option(help="All luck follows from it.")] = "howff",
    processes: Annotated[
        int, typer.Option(min=1, help="How many matches are played at the same time.")
    ] = os.cpu_count() or 1,
    out: Annotated[Path | None, typer.Option("--json", help="Where to write all of it.")] = None,
) -> None:
    """Let bots play many matches against each other, to see who is better and how surely."""
    # They load what no other command needs.
    from howff.bots.arena.tournaments import tournament_of  # noqa: PLC0415
    from howff.cli.local.arena import hold  # noqa: PLC0415

    with refusals_shown(terminal(stderr=True)):
        options = plain_options(option)
        tournament = tournament_of(
            game, entrants, options=options, seats=seats, groups=groups, seed=seed
        )
        hold(tournament, processes, out, console=terminal(), beside=terminal(stderr=True))


@app.command()
def verify(
    file: Export,
    keys: Keys = None,
    bots: Annotated[
        bool, typer.Option("--bots", help="Choose the moves of bots again: did they see too much?")
    ] = False,
) -> None:
    """Check a recorded match: its chain, signatures, seed, and every decision."""
    with refusals_shown(terminal(stderr=True)):
        match, rules = verify_file(file, keys, terminal())
        if bots:
            check_bots(match, rules, terminal())


def _there(
    place: str, token: str | None, account: str | None, server: str | None = None
) -> tuple[Caller, str]:
    """Return who asks for the match that *place* names, if need be on *server*, and its id."""
    address = match_address(place, server)
    return caller_of(address.server, token, account), address.match


def run() -> None:
    """Run the command line; a terminal that lacks a character gets another in its place."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except OSError as error:
        if error.filename is not None or error.errno not in _BROKEN_OUTPUT:
            raise
        reason = (error.strerror or str(error)).lower()
        _drop_what_was_not_taken()
        sys.exit(f"unwritable_output  output: expected a place to write to, found {reason}")


def _drop_what_was_not_taken() -> None:
    """Let Python write it nowhere when it ends, instead of trying again and ending with 120."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
