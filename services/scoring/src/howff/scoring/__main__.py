"""Run the service: `python -m howff.scoring`."""

import gc
import logging

from howff.scoring.app import running_service
from howff.scoring.settings import Settings
from howff.servicekit.starting import start
from howff.servicekit.web.health import probes_served, readiness_of
from howff.servicekit.web.serving import serve


async def main(settings: Settings) -> None:
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


if __name__ == "__main__":
    start("scoring", Settings, main)
