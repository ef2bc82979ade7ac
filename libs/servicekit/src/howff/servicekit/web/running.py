"""A service as it runs: served until it is asked to end, with its probes beside it."""

from contextlib import AbstractAsyncContextManager

from fastapi import FastAPI

from howff.servicekit.running import freeze
from howff.servicekit.web.health import probes_served, readiness_of
from howff.servicekit.web.serving import serve
from howff.servicekit.web.settings import ServiceSettings


async def serve_service(
    running: AbstractAsyncContextManager[FastAPI], settings: ServiceSettings
) -> None:
    """Serve the application that *running* gives until SIGTERM or SIGINT.

    Raises:
        RefusalError: it can't begin or go on, or nobody can listen where *settings* say.
    """
    async with (
        running as app,
        probes_served(readiness_of(app), host=settings.host, port=settings.health_port),
    ):
        freeze()
        await serve(app, host=settings.host, port=settings.port)
