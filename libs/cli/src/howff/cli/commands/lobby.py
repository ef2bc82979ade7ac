"""The commands by which matches come about: `table` and `quick`."""

from typing import Annotated

import typer

from howff.cli.commands.options import (
    HERE,
    Account,
    Clock,
    Flag,
    Leave,
    Rated,
    Seats,
    Server,
    Settings,
    Token,
)
from howff.cli.errors import WrongChoiceError, refusals_shown
from howff.cli.local.matches import options_from, seating_of
from howff.cli.online import table_acts
from howff.cli.online.quick import play_quick, wish_of
from howff.cli.server.addresses import TableAddress, table_address
from howff.cli.server.callers import Caller, caller_of
from howff.cli.server.terms import STAND_IN, terms_from
from howff.cli.terminal.console import terminal
from howff.engine.catalogue import game_of
from howff.engine.codec import to_json

lobby = typer.Typer()
tables = typer.Typer(no_args_is_help=True, help="Tables, where people come together for a match.")

Place = Annotated[str, typer.Argument(help="The address of a table, or its id on the server.")]
Wait = Annotated[bool, typer.Option("--wait", help="Be ready, and go into the match with it.")]
Seat = Annotated[int | None, typer.Option(help="The number of a seat; any without it.")]


@tables.command()
def create(
    game: Annotated[str, typer.Argument(help="The key of a game; `howff games` lists them.")],
    seats: Seats = None,
    bots: Annotated[int, typer.Option(help="How many bots sit down.")] = 0,
    option: Settings = [],  # noqa: B006 — typer copies it
    time: Clock = None,
    on_flag: Flag = "resign",
    on_leave: Leave = "default_moves",
    private: Annotated[bool, typer.Option("--private", help="By invitation only.")] = False,
    rated: Annotated[bool, typer.Option("--rated", help="The match counts.")] = False,
    wait: Wait = False,
    server: Server = HERE,
    token: Token = None,
    account: Account = None,
) -> None:
    """Open a table, and sit down in its first seat."""
    with refusals_shown(terminal(stderr=True)):
        seating = seating_of(game, seats, bots, STAND_IN)
        if rated and seating.bots:
            raise WrongChoiceError("bots", expected="none at a rated table", found=str(bots))
        options = options_from(game_of(game), option)
        order = {
            "game": game,
            "options": to_json(game_of(game).options, options),
            "seats": seating.seats,
            "visibility": "invitation" if private else "public",
            "watch": "private" if private else "public",
            "rated": rated,
            **terms_from(time, on_flag, on_leave),
        }
        caller = caller_of(server, token, account)
        table_acts.create(caller, order, seating.bots, has_to_wait=wait)


@tables.command("list")
def list_tables(
    game: Annotated[str | None, typer.Option(help="Of this game alone.")] = None,
    server: Server = HERE,
    token: Token = None,
    account: Account = None,
) -> None:
    """List the tables where anybody may sit down."""
    with refusals_shown(terminal(stderr=True)):
        table_acts.show_open(caller_of(server, token, account), game)


@tables.command()
def show(place: Place, server: Server = HERE, token: Token = None, account: Account = None) -> None:
    """Show a table, and who sits there."""
    with refusals_shown(terminal(stderr=True)):
        table_acts.look(*_there(place, server, token, account))


@tables.command()
def join(
    place: Place,
    seat: Seat = None,
    wait: Wait = False,
    server: Server = HERE,
    token: Token = None,
    account: Account = None,
) -> None:
    """Sit down at a table."""
    with refusals_shown(terminal(stderr=True)):
        table_acts.join(*_there(place, server, token, account), seat, has_to_wait=wait)


@tables.command()
def ready(
    place: Place,
    wait: Wait = False,
    server: Server = HERE,
    token: Token = None,
    account: Account = None,
) -> None:
    """Be ready, once all seats are taken."""
    with refusals_shown(terminal(stderr=True)):
        table_acts.tell_ready(*_there(place, server, token, account), has_to_wait=wait)


@tables.command()
def start(
    place: Place, server: Server = HERE, token: Token = None, account: Account = None
) -> None:
    """Start the match, as the host, once everybody is ready."""
    with refusals_shown(terminal(stderr=True)):
        table_acts.start(*_there(place, server, token, account))


@tables.command()
def leave(
    place: Place, server: Server = HERE, token: Token = None, account: Account = None
) -> None:
    """Leave a table; the next one is the host then."""
    with refusals_shown(terminal(stderr=True)):
        table_acts.leave(*_there(place, server, token, account))


@tables.command()
def invite(
    place: Place,
    seat: Seat = None,
    server: Server = HERE,
    token: Token = None,
    account: Account = None,
) -> None:
    """Tell an address with which somebody may sit down, as the host."""
    with refusals_shown(terminal(stderr=True)):
        table_acts.invite(*_there(place, server, token, account), seat)


@lobby.command()
def quick(
    games: Annotated[list[str], typer.Argument(help="The keys of games, any of which will do.")],
    seats: Annotated[
        str | None, typer.Option(help="How many seats would do, as in 2,3; any without it.")
    ] = None,
    time: Annotated[
        list[str], typer.Option("--clock", help="A clock that would do; none without it.")
    ] = [],  # noqa: B006 — typer copies it
    rated: Rated = "either",
    bots_after: Annotated[
        int | None, typer.Option(min=0, help="Let bots fill up after so many seconds.")
    ] = None,
    server: Server = HERE,
    token: Token = None,
    account: Account = None,
) -> None:
    """Wait for others who would play the same, and play."""
    with refusals_shown(terminal(stderr=True)):
        if rated == "yes" and bots_after is not None:
            expected = "no or either where bots may fill up"
            raise WrongChoiceError("rated", expected=expected, found="yes")
        wish = wish_of(games, seats, time, rated, bots_after)
        play_quick(caller_of(server, token, account), wish)


def _there(
    place: str, server: str, token: str | None, account: str | None
) -> tuple[Caller, TableAddress]:
    address = table_address(place, server.rstrip("/"))
    return caller_of(address.server, token, account), address
