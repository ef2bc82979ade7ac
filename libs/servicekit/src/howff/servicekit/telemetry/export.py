"""Export of traces and metrics: to a collector, by OTLP over HTTP, or to who asks for metrics."""

from threading import Thread
from typing import Final

from opentelemetry import metrics, trace
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricReader, PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

ENDED_WITHIN: Final = 3.0
"""Seconds that the collector has for what is left at the end."""


class Export:
    """What tells the telemetry of this process, in threads of its own; one a process.

    *is_sent*: traces go to the collector, and metrics too unless they are told elsewhere.
    *is_scraped*: that is to whoever reads the registry of `prometheus_client`.
    """

    def __init__(self, service: str, instance: str, *, is_sent: bool, is_scraped: bool) -> None:
        named = {"service.namespace": "howff", "service.name": service}
        resource = Resource.create({**named, "service.instance.id": instance})
        self._traces = TracerProvider(resource=resource, shutdown_on_exit=False)
        if is_sent:
            self._traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
            trace.set_tracer_provider(self._traces)
        self._metrics = MeterProvider(
            [_reader(is_scraped=is_scraped)], resource, shutdown_on_exit=False
        )
        metrics.set_meter_provider(self._metrics)

    def end(self) -> None:
        """Send what is left, and end; after a few seconds whether it was taken or not."""
        # Their own ends would wait for a collector that doesn't answer, 30 seconds each.
        ends = [Thread(target=each.shutdown, daemon=True) for each in (self._traces, self._metrics)]
        for each in ends:
            each.start()
        for each in ends:
            each.join(ENDED_WITHIN)


def _reader(*, is_scraped: bool) -> MetricReader:
    if is_scraped:
        return PrometheusMetricReader(scope_info_enabled=False)
    return PeriodicExportingMetricReader(OTLPMetricExporter())
