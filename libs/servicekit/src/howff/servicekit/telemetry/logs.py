"""Logs: lines for people, or JSON for machines; both name the trace that they belong to."""

import json
import logging
import sys
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, Literal, TextIO

from opentelemetry import trace
from opentelemetry.trace import format_span_id, format_trace_id

from howff.servicekit.telemetry.failures import failure_lines

LogFormat = Literal["text", "json"]
ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)

EXPORT_SILENCE: Final = 300.0
"""Seconds between two lines about telemetry itself: without a collector it would tell much."""
_QUIET: Final = ("aiosqlite", "alembic", "httpx", "sqlalchemy", "urllib3")
"""They would tell each of our own questions, and each look at the form of a database."""


def set_up_logs(form: LogFormat, stream: TextIO = sys.stderr) -> None:
    """Let all loggers of this process write to *stream*, from INFO on."""
    logging.basicConfig(level=logging.INFO, handlers=[handler_for(form, stream)], force=True)
    sys.excepthook = _log_end
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def handler_for(form: LogFormat, stream: TextIO) -> logging.Handler:
    """Return a handler that writes lines of this *form* to *stream*."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    handler.addFilter(Seldom("opentelemetry", EXPORT_SILENCE))
    handler.addFilter(_without_quotes)
    return handler


class TextLines(logging.Formatter):
    """Lines for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatException(self, ei: ExceptionInfo) -> str:  # noqa: N802 — logging's own name
        return _told(ei)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 — logging's own name
        line = super().formatMessage(record)
        ids = _trace_ids()
        return f"{line} trace={ids[0]}" if ids else line


class JsonLines(logging.Formatter):
    """One JSON object a line. What a record carries beside its message is not told."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if ids := _trace_ids():
            told["trace_id"], told["span_id"] = ids
        if record.exc_info:
            told["exception"] = _told(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


class Seldom(logging.Filter):
    """Lets one line pass in so many *seconds* of what the loggers under *name* tell."""

    def __init__(self, name: str, seconds: float) -> None:
        super().__init__(name)
        self._seconds = seconds
        self._next = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        if not super().filter(record):
            return True
        if record.created < self._next:
            return False
        self._next = record.created + self._seconds
        return True


def _without_quotes(record: logging.LogRecord) -> bool:
    """Leave of what asyncio says of a failed task the first line: the rest quotes the error."""
    if record.name == "asyncio" and record.exc_info:
        record.msg, record.args = record.getMessage().partition("\n")[0], ()
    return True


def _told(ei: ExceptionInfo) -> str:
    error = ei[1]
    return "" if error is None else "".join(failure_lines(error)).rstrip("\n")


def _log_end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Log what has ended the process, in the words of all other failures."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    logging.getLogger(__name__).critical("the process ends", exc_info=error)


def _trace_ids() -> tuple[str, str] | None:
    """Return the ids of the current trace and span, as they are written; None outside of any."""
    span = trace.get_current_span().get_span_context()
    if not span.is_valid:
        return None
    return format_trace_id(span.trace_id), format_span_id(span.span_id)
