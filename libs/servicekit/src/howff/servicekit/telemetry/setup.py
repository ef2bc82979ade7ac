"""Telemetry of a process: exported where the environment asks for it, else there is none at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""The variable that names the collector; further ones of OpenTelemetry are read by its SDK."""
METRICS: Final = "OTEL_METRICS_EXPORTER"
"""The variable by which `prometheus` has metrics told beside the probes, and to no collector."""


def are_metrics_scraped() -> bool:
    """Return whether metrics are to be answered to who asks for them."""
    return os.environ.get(METRICS) == "prometheus"


@contextmanager
def exported(service: str, instance: str) -> Iterator[None]:
    """Export traces and metrics of *service* while the context is open, if that is asked for.

    *instance* tells the processes of a service apart. Nothing waits for the collector: what it
    does not take is dropped. At the end it has seconds for the rest.
    """
    is_sent, is_scraped = bool(os.environ.get(ENDPOINT)), are_metrics_scraped()
    if not (is_sent or is_scraped):
        yield
        return
    # The SDK takes half a second to load, which nobody should wait for who does not want it.
    from howff.servicekit.telemetry.export import Export  # noqa: PLC0415

    export = Export(service, instance, is_sent=is_sent, is_scraped=is_scraped)
    try:
        yield
    finally:
        export.end()
