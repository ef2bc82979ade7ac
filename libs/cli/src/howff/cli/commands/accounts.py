"""The commands that are about accounts: `login`, `logout`, `admin`."""

from pathlib import Path
from typing import Annotated

import typer

from howff.cli.commands.options import HERE, Server
from howff.cli.errors import WrongChoiceError, refusals_shown
from howff.cli.machine.granting import grant_on
from howff.cli.online.login import log_in, log_out
from howff.cli.terminal.console import terminal

accounts = typer.Typer()
admin = typer.Typer(no_args_is_help=True, help="What the owner of a server does.")

Name = Annotated[str | None, typer.Option(help="The name of the account.")]


@accounts.command()
def login(
    server: Server = HERE,
    name: Name = None,
    new: Annotated[bool, typer.Option("--new", help="Make the account first.")] = False,
    admin: Annotated[
        bool, typer.Option("--admin", help="For what administrators may do, too.")
    ] = False,
) -> None:
    """Keep a login for a server; the password is asked for."""
    with refusals_shown(terminal(stderr=True)):
        if new and admin:
            raise WrongChoiceError("options", expected="--new or --admin", found="both")
        log_in(server.rstrip("/"), name, terminal(), is_new=new, is_admin=admin)


@accounts.command()
def logout(server: Server = HERE, name: Name = None) -> None:
    """End the newest login for a server, or the one of a name."""
    with refusals_shown(terminal(stderr=True)):
        log_out(server.rstrip("/"), name, terminal())


@admin.command()
def grant(
    name: Annotated[str, typer.Argument(help="The name of an account.")],
    data: Annotated[Path, typer.Option(help="Where the server keeps its matches.")] = Path("var"),
) -> None:
    """Make an account an administrator of the server that runs on a folder of this machine."""
    with refusals_shown(terminal(stderr=True)):
        grant_on(data, name)
