"""Run the service: `python -m howff.lobby`.

`grant NAME` makes an administrator instead, `rotate-keys` a new key that signs tokens, and
`migrate` brings the tables of the database to the form that this version wants.
"""

import argparse
import sys
from functools import partial

from howff.lobby.app import make_administrator, migrate, rotate_keys, running_service
from howff.lobby.settings import Settings
from howff.servicekit.starting import start
from howff.servicekit.web.running import serve_service


async def serve_lobby(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT."""
    await serve_service(running_service(settings), settings)


async def grant(name: str, settings: Settings) -> None:
    """Make an administrator of whoever is called *name*."""
    await make_administrator(settings, name)
    sys.stdout.write(f"{name} is an administrator\n")


async def rotate(settings: Settings) -> None:
    """Make a new key."""
    key = await rotate_keys(settings)
    sys.stdout.write(f"{key} signs in a minute\n")


def main(arguments: list[str]) -> None:
    """Do what the *arguments* say."""
    parser = argparse.ArgumentParser(prog="python -m howff.lobby")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("grant", help="make an administrator").add_argument("name")
    commands.add_parser("rotate-keys", help="make a new key that signs tokens")
    commands.add_parser("migrate", help="bring the tables to the form that this version wants")
    wanted = parser.parse_args(arguments)
    match wanted.command:
        case "grant":
            start("lobby", Settings, partial(grant, wanted.name))
        case "rotate-keys":
            start("lobby", Settings, rotate)
        case "migrate":
            start("lobby", Settings, migrate)
        case _:
            start("lobby", Settings, serve_lobby)


if __name__ == "__main__":
    main(sys.argv[1:])
