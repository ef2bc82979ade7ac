"""Traces: one from a request through the messages that follow from it.

What carries a trace on is the header `traceparent` (W3C Trace Context) and nothing beside it:
`tracestate` and `baggage` would pass on whatever a stranger has written there.

Spans tell of errors by their code or class alone. What an error says may quote a move.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context, attach, detach
from opentelemetry.trace import Link, Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import AttributeValue

from howff.engine.errors import RefusalError

TRACEPARENT: Final = "traceparent"
SCOPE: Final = "howff"
"""Under which name spans and metrics are told."""

_tracer = trace.get_tracer(SCOPE)
_form = TraceContextTextMapPropagator()


def carried() -> dict[str, str]:
    """Return the headers by which a message carries the current trace; none if there is none."""
    headers: dict[str, str] = {}
    _form.inject(headers)
    return {TRACEPARENT: headers[TRACEPARENT]} if headers else headers


def carried_by(headers: Mapping[str, str]) -> Context:
    """Return the context of the trace that *headers* carry; an empty one if they carry none."""
    parent = headers.get(TRACEPARENT)
    return Context() if parent is None else _form.extract({TRACEPARENT: parent}, Context())


def started(name: str, kind: SpanKind, headers: Mapping[str, str]) -> Span:
    """Start a span that goes on with the trace in *headers*, without making it the current one."""
    return _tracer.start_span(name, carried_by(headers), kind)


@contextmanager
def current(span: Span) -> Iterator[None]:
    """Let *span*, which somebody else ends, be the current one."""
    with trace.use_span(span, record_exception=False, set_status_on_exception=False):
        yield


@contextmanager
def sending(destination: str, subject: str) -> Iterator[dict[str, str]]:
    """Give the headers of a message while it is sent to *subject*, one of many of *destination*."""
    attributes = _messaging("send", subject)
    with _spanned(f"send {destination}", SpanKind.PRODUCER, attributes=attributes):
        yield carried()


@contextmanager
def receiving(reader: str, subject: str, headers: Mapping[str, str]) -> Iterator[None]:
    """Go on with the trace in the *headers* of a message while *reader* does what it asks for.

    OpenTelemetry's conventions want a link to the span that has sent the message, and allow to make
    it the parent as well where a span is about one message. Here each is, and a trace that does not
    end at the stream is what traces are for: so both.
    """
    context = carried_by(headers)
    sender = trace.get_current_span(context).get_span_context()
    with _spanned(
        f"process {reader}",
        SpanKind.CONSUMER,
        context=context,
        links=[Link(sender)] if sender.is_valid else [],
        attributes={**_messaging("process", subject), "messaging.consumer.group.name": reader},
    ):
        yield


@contextmanager
def apart(name: str) -> Iterator[None]:
    """Begin a trace of its own, linked to the current one, for what may go on without end.

    Two bots answer each other until their match is over: as one trace, nobody could look at it.
    """
    cause = trace.get_current_span().get_span_context()
    links = [Link(cause)] if cause.is_valid else []
    with _spanned(name, SpanKind.INTERNAL, context=Context(), links=links):
        yield


def mark_failed(error: BaseException, span: Span | None = None) -> None:
    """Let *span*, or the current one, tell that *error* was raised."""
    failed = trace.get_current_span() if span is None else span
    failed.set_attribute("error.type", code_of(error))
    failed.set_status(StatusCode.ERROR)


def code_of(error: BaseException) -> str:
    """Return the code of a refusal, or the class of another error: one of not too many words."""
    return error.code if isinstance(error, RefusalError) else type(error).__name__


@contextmanager
def _spanned(
    name: str,
    kind: SpanKind,
    *,
    context: Context | None = None,
    links: list[Link] | None = None,
    attributes: Mapping[str, AttributeValue] | None = None,
) -> Iterator[None]:
    span = _tracer.start_span(name, context, kind, attributes, links)
    token = attach(trace.set_span_in_context(span, context))
    try:
        yield
    except BaseException as error:
        mark_failed(error, span)
        raise
    finally:
        detach(token)
        span.end()


def _messaging(operation: str, subject: str) -> dict[str, AttributeValue]:
    return {
        "messaging.system": "nats",
        "messaging.operation.type": operation,
        "messaging.destination.name": subject,
    }
