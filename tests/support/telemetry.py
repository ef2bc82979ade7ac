"""Telemetry as tests see it: what this process would have exported, kept in memory instead."""

import io
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from howff.servicekit.telemetry.logs import LogFormat, handler_for

MOST_SPANS: Final = 20_000
CLIENTS: Final = ("httpx", "httpcore", "asyncio")
"""Whoever asks in tests logs what it sends and gets."""


@dataclass(frozen=True, slots=True)
class Captured:
    """What was told since the capture began."""

    exporter: InMemorySpanExporter
    reader: InMemoryMetricReader
    lines: io.StringIO = field(default_factory=io.StringIO)

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        return self.exporter.get_finished_spans()

    def named(self, name: str, trace_id: int | None = None) -> list[ReadableSpan]:
        """Return the spans of this name, of any trace or of one."""
        spans = [each for each in self.spans if each.name == name]
        return [each for each in spans if trace_id in (None, ids_of(each)[0])]

    def metrics(self) -> dict[str, Any]:
        """Return all metrics of the process as JSON."""
        data = self.reader.get_metrics_data()
        told: dict[str, Any] = {} if data is None else json.loads(data.to_json())
        return told

    def points(self, metric: str, **labels: str | float) -> list[dict[str, Any]]:
        """Return the points of *metric* that have these *labels*."""
        return [
            point
            for resource in self.metrics().get("resource_metrics", [])
            for scope in resource["scope_metrics"]
            for each in scope["metrics"]
            if each["name"] == metric
            for point in each["data"]["data_points"]
            if labels.items() <= point["attributes"].items()
        ]

    def count(self, metric: str, **labels: str | float) -> float:
        """Return how often something was counted or measured since the process began."""
        points = self.points(metric, **labels)
        counts = [each["count"] if "count" in each else each["value"] for each in points]
        return float(sum(counts))

    def logged(self) -> list[dict[str, Any]]:
        """Return what was logged, line by line."""
        lines = [json.loads(each) for each in self.lines.getvalue().splitlines()]
        return [each for each in lines if not each["logger"].startswith(CLIENTS)]


@cache
def _providers() -> tuple[InMemorySpanExporter, InMemoryMetricReader]:
    """Let this process tell what it does: there can be one provider of each kind, once set."""
    exporter, reader = InMemorySpanExporter(MOST_SPANS), InMemoryMetricReader()
    tracing = TracerProvider(shutdown_on_exit=False)
    tracing.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(tracing)
    metrics.set_meter_provider(MeterProvider([reader], shutdown_on_exit=False))
    return exporter, reader


@contextmanager
def captured() -> Iterator[Captured]:
    """Give what is told while the context is open."""
    exporter, reader = _providers()
    exporter.clear()
    captured = Captured(exporter, reader)
    root = logging.getLogger()
    handler, level = handler_for("json", captured.lines), root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield captured
    finally:
        root.setLevel(level)
        root.removeHandler(handler)


def ids_of(span: ReadableSpan) -> tuple[int, int]:
    """Return the ids of a span: its trace, and itself."""
    context = span.context
    assert context is not None, span
    return context.trace_id, context.span_id


def attributes_of(span: ReadableSpan) -> Mapping[str, Any]:
    return span.attributes or {}


def parent_of(span: ReadableSpan) -> int | None:
    """Return the id of the span that *span* is a part of."""
    return None if span.parent is None else span.parent.span_id


def traceparent(trace_id: int, span_id: int = 1) -> str:
    """Return the header that carries a trace."""
    return f"00-{trace_id:032x}-{span_id:016x}-01"


@contextmanager
def logging_to(form: LogFormat, name: str) -> Iterator[tuple[logging.Logger, io.StringIO]]:
    """Give a logger, and what it writes in this *form*."""
    stream, logger = io.StringIO(), logging.getLogger(name)
    handler = handler_for(form, stream)
    logger.addHandler(handler)
    try:
        yield logger, stream
    finally:
        logger.removeHandler(handler)
