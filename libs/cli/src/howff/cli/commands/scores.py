"""The commands about matches that are over: `leaderboard`, `statistics` and `projections`."""

from typing import Annotated, Literal

import typer

from howff.cli.commands.options import HERE, Account, Server, Token
from howff.cli.errors import refusals_shown
from howff.cli.online import scores, statistics
from howff.cli.server.callers import caller_of
from howff.cli.terminal.console import terminal

leaderboards = typer.Typer()
projections = typer.Typer(no_args_is_help=True, help="What is made of matches that are over.")

Projection = Annotated[str, typer.Argument(help="The name of a projection, such as ratings.")]
Kind = Annotated[
    scores.Kind,
    typer.Option("--kind", help="Matches in one sitting, over days, or of bots."),
]


@leaderboards.command()
def leaderboard(
    game: Annotated[str, typer.Argument(help="The key of a game; `howff games` lists them.")],
    kind: Kind = "live",
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many places.")] = 20,
    server: Server = HERE,
    token: Token = None,
    account: Account = None,
) -> None:
    """Show who is best at a game."""
    with refusals_shown(terminal(stderr=True)):
        scores.show_leaderboard(caller_of(server, token, account), game, kind, limit)


@leaderboards.command("statistics")
def show_statistics(
    game: Annotated[str, typer.Argument(help="The key of a game; `howff games` lists them.")],
    seats: Annotated[
        int | None, typer.Option(min=1, max=100, help="Of matches with so many seats.")
    ] = None,
    who: Annotated[
        Literal["people", "bots", "mixed"] | None,
        typer.Option("--who", help="Of matches of people, of bots, or of both."),
    ] = None,
    server: Server = HERE,
    token: Token = None,
    account: Account = None,
) -> None:
    """Show how a game is played: how long, from which seats best; with both options which moves."""
    with refusals_shown(terminal(stderr=True)):
        statistics.show_statistics(caller_of(server, token, account), game, seats, who)


@projections.command("list")
def list_projections(server: Server = HERE, token: Token = None, account: Account = None) -> None:
    """Show how far projections are, and which matches stand aside."""
    with refusals_shown(terminal(stderr=True)):
        scores.show_projections(caller_of(server, token, account))


@projections.command()
def retry(
    projection: Projection,
    position: Annotated[int, typer.Argument(min=1, help="Where the match stands.")],
    server: Server = HERE,
    token: Token = None,
    account: Account = None,
) -> None:
    """Try a match again that stands aside, as an administrator."""
    with refusals_shown(terminal(stderr=True)):
        scores.retry(caller_of(server, token, account), projection, position)


@projections.command()
def rebuild(
    projection: Projection, server: Server = HERE, token: Token = None, account: Account = None
) -> None:
    """Make all rows of a projection anew, as an administrator; say which differ."""
    with refusals_shown(terminal(stderr=True)):
        scores.rebuild(caller_of(server, token, account), projection, terminal(stderr=True))
