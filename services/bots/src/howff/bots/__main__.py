"""Run a worker: `python -m howff.bots`."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from howff.bots.app import running_worker
from howff.bots.settings import Settings
from howff.servicekit.readiness import Readiness
from howff.servicekit.running import freeze, stop_signal
from howff.servicekit.starting import start


async def main(settings: Settings) -> None:
    """Play until SIGTERM or SIGINT."""
    async with running_worker(settings) as readiness, _probes(settings, readiness):
        freeze()
        logging.getLogger(__name__).info("playing at %s", settings.game_url)
        await stop_signal()


@asynccontextmanager
async def _probes(settings: Settings, readiness: Readiness) -> AsyncIterator[None]:
    if settings.health_port is None:
        yield
        return
    # What serves takes a second to load, which nobody should wait for who does not want it.
    from howff.servicekit.web.health import probes_served  # noqa: PLC0415

    async with probes_served(readiness, host=settings.host, port=settings.health_port):
        yield


if __name__ == "__main__":
    start("bots", Settings, main)
