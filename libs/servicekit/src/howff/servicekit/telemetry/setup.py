"""Telemetry of a process: exported where a collector is named, else there is none at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""The variable that names the collector; further ones of OpenTelemetry are read by its SDK."""


@contextmanager
def exported(service: str, instance: str) -> Iterator[None]:
    """Export traces and metrics of *service* while the context is open, if a collector is named.

    *instance* tells the processes of a service apart. Nothing waits for the collector: what it
    does not take is dropped. At the end it has seconds for the rest.
    """
    if not os.environ.get(ENDPOINT):
        yield
        return
    # The SDK takes half a second to load, which nobody should wait for who does not want it.
    from howff.servicekit.telemetry.export import Export  # noqa: PLC0415

    export = Export(service, instance)
    try:
        yield
    finally:
        export.end()
