"""Probes: whether a process is alive, and whether it is ready, at an address of their own.

There its metrics are told too, where they are asked for (`OTEL_METRICS_EXPORTER=prometheus`).
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

from howff.servicekit.readiness import Readiness
from howff.servicekit.telemetry.metrics import record_ready
from howff.servicekit.telemetry.setup import are_metrics_scraped
from howff.servicekit.web.app import NO_TELEMETRY
from howff.servicekit.web.serving import serving

logger = logging.getLogger(__name__)


def readiness_of(app: FastAPI) -> Readiness:
    """Return the readiness of the process that *app* is served by, as its parts were wired."""
    return cast("Readiness", app.state.readiness)


@asynccontextmanager
async def probes_served(
    readiness: Readiness, *, host: str, port: int | None
) -> AsyncIterator[str | None]:
    """Serve `/healthz` and `/readyz` while the context is open; gives the URL.

    Port 0 takes a free one. Without a port nothing is served.

    Raises:
        WrongAddressError: nobody can listen there.
    """
    if port is None:
        yield None
        return
    async with serving(health_app(readiness), host=host, port=port) as url:
        logger.info("probes on %s", url)
        yield url


def health_app(readiness: Readiness) -> FastAPI:
    """Return an application that answers probes."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, telemetry=NO_TELEMETRY)
    app.state.stopping = asyncio.Event()

    @app.get("/healthz")
    async def tell_alive() -> JSONResponse:
        return JSONResponse({"status": "alive"})

    @app.get("/readyz")
    async def tell_ready() -> JSONResponse:
        findings = await readiness.findings()
        is_ready = all(each.is_good for each in findings.values())
        checks = {
            name: {"ok": each.is_good, "found": each.found} for name, each in findings.items()
        }
        content = {"status": "ready" if is_ready else "not_ready", "checks": checks}
        return JSONResponse(content, 200 if is_ready else 503)

    if are_metrics_scraped():
        _add_metrics(app, readiness)
    return app


def _add_metrics(app: FastAPI, readiness: Readiness) -> None:
    # It takes its time to load, as all that exports.
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest  # noqa: PLC0415

    @app.get("/metrics")
    async def tell_metrics() -> Response:
        for check, finding in (await readiness.findings()).items():
            record_ready(check, is_good=finding.is_good)
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
