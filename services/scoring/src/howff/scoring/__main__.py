"""Run the service: `python -m howff.scoring`.

`migrate` brings the tables of the database to the form that this version wants instead.
"""

import argparse
import sys

from howff.scoring.app import migrate, running_service
from howff.scoring.settings import Settings
from howff.servicekit.starting import start
from howff.servicekit.web.running import serve_service


async def serve_scoring(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT."""
    await serve_service(running_service(settings), settings)


def main(arguments: list[str]) -> None:
    """Do what the *arguments* say."""
    parser = argparse.ArgumentParser(prog="python -m howff.scoring")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("migrate", help="bring the tables to the form that this version wants")
    wanted = parser.parse_args(arguments)
    start("scoring", Settings, migrate if wanted.command == "migrate" else serve_scoring)


if __name__ == "__main__":
    main(sys.argv[1:])
