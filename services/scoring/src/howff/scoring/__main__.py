"""Run the service: `python -m howff.scoring`.

`migrate` brings the tables of the database to the form that this version wants instead.
"""

import argparse
import gc
import logging
import sys

from howff.scoring.app import migrate, running_service
from howff.scoring.settings import Settings
from howff.servicekit.starting import start
from howff.servicekit.web.health import probes_served, readiness_of
from howff.servicekit.web.serving import serve


async def serve_scoring(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT."""
    async with (
        running_service(settings) as app,
        probes_served(readiness_of(app), host=settings.host, port=settings.health_port),
    ):
        # What lives as long as the process need not be looked through at every collection.
        gc.collect()
        gc.freeze()
        await serve(app, host=settings.host, port=settings.port, told=_tell)


def _tell(url: str) -> None:
    logging.getLogger(__name__).info("serving on %s", url)


def main(arguments: list[str]) -> None:
    """Do what the *arguments* say."""
    parser = argparse.ArgumentParser(prog="python -m howff.scoring")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("migrate", help="bring the tables to the form that this version wants")
    wanted = parser.parse_args(arguments)
    start("scoring", Settings, migrate if wanted.command == "migrate" else serve_scoring)


if __name__ == "__main__":
    main(sys.argv[1:])
