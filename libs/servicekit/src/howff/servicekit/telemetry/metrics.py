"""What is counted and measured, as `howff.<what>`; seconds are `s`.

The instruments cost next to nothing until somebody exports them. Each label has few values, all of
them named in code or by routes.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Final

from opentelemetry import metrics

from howff.servicekit import clock
from howff.servicekit.telemetry.tracing import SCOPE, code_of

NO_CODE: Final = "none"
"""The label `code` of what was not refused."""
_QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SLOW: Final = (*_QUICK, 30.0, 60.0, 300.0, 3600.0)

_HIT: Final = {"result": "hit"}
_MISS: Final = {"result": "miss"}

_meter = metrics.get_meter(SCOPE)
_requests = _meter.create_histogram(
    "howff.http.duration",
    "s",
    "Requests, until their answers begin.",
    explicit_bucket_boundaries_advisory=_QUICK,
)
_commands = _meter.create_counter("howff.commands", "{command}", "Commands that were handled.")
_baselines = _meter.create_counter(
    "howff.baselines", "{lookup}", "Looks for a folded aggregate that is kept."
)
_appends = _meter.create_histogram(
    "howff.append.duration",
    "s",
    "Appends of commits, until they are acknowledged or refused; conflicts among them.",
    explicit_bucket_boundaries_advisory=_QUICK,
)
_consumer_lag = _meter.create_histogram(
    "howff.consumer.lag",
    "s",
    "From when a message was recorded until it was handled.",
    explicit_bucket_boundaries_advisory=_SLOW,
)
_pending = _meter.create_gauge(
    "howff.consumer.pending", "{message}", "Messages that wait for a consumer or are in hand."
)
_feed_lag = _meter.create_histogram(
    "howff.feed.lag",
    "s",
    "From when a commit was recorded until it was told to those who watch.",
    explicit_bucket_boundaries_advisory=_SLOW,
)
_lateness = _meter.create_histogram(
    "howff.deadline.lateness",
    "s",
    "From when a deadline was due until it was acted on.",
    explicit_bucket_boundaries_advisory=_SLOW,
)
_decisions = _meter.create_counter(
    "howff.bot.decisions", "{decision}", "Decisions of bots, by how they ended."
)
_thinking = _meter.create_histogram(
    "howff.bot.thinking",
    "s",
    "From when a decision of a bot was begun until its move was chosen.",
    explicit_bucket_boundaries_advisory=_QUICK,
)
_ready = _meter.create_gauge(
    "howff.ready", "", "Whether a check of readiness finds what it has to: 1, else 0."
)


def record_request(method: str, route: str, status: int, seconds: float) -> None:
    """Record a request; *route* is a template, *status* 0 if there was no answer."""
    labels: dict[str, str | int] = {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
    }
    _requests.record(seconds, labels)


def counted_command(
    kind: str, labels: Callable[[], Mapping[str, str]]
) -> AbstractContextManager[None]:
    """Count a command of this *kind* by how it ends; the *labels* are asked for then."""
    return _ending(lambda code: _commands.add(1, {"kind": kind, "code": code, **labels()}))


def count_baseline(*, is_kept: bool) -> None:
    """Count a look for a baseline."""
    _baselines.add(1, _HIT if is_kept else _MISS)


def measured_append(journal: str) -> AbstractContextManager[None]:
    """Measure an append to the stream *journal*."""
    start = time.perf_counter()

    def tell(code: str) -> None:
        _appends.record(time.perf_counter() - start, {"journal": journal, "code": code})

    return _ending(tell)


def record_handled(consumer: str, recorded_at: datetime | None) -> None:
    """Record that *consumer* has handled a message, now."""
    if recorded_at is not None:
        _consumer_lag.record(_age(recorded_at), {"consumer": consumer})


def record_pending(consumer: str, count: int) -> None:
    """Record how many messages wait for *consumer*, or are in its hands."""
    _pending.set(count, {"consumer": consumer})


def record_told(recorded_at: datetime | None) -> None:
    """Record that a commit was told to those who watch, now."""
    if recorded_at is not None:
        _feed_lag.record(_age(recorded_at))


def record_late(seconds: float) -> None:
    """Record that a deadline was acted on so many *seconds* after it was due."""
    _lateness.record(max(0.0, seconds))


def count_decision(game: str, level: str, result: str) -> None:
    """Count a decision of a bot of *level*; *result* is one of not too many words."""
    _decisions.add(1, {"game": game, "level": level, "result": result})


def record_thinking(game: str, level: str, seconds: float) -> None:
    """Record how long the choice of a move of a bot of *level* took."""
    _thinking.record(seconds, {"game": game, "level": level})


def record_ready(check: str, *, is_good: bool) -> None:
    """Record what a check of readiness has found."""
    _ready.set(int(is_good), {"check": check})


def _age(recorded_at: datetime) -> float:
    """Return seconds; never less than none, for the clocks of two machines may differ."""
    return max(0.0, (clock.now() - recorded_at).total_seconds())


@contextmanager
def _ending(tell: Callable[[str], None]) -> Iterator[None]:
    """Call *tell* with the code by which the context ends."""
    try:
        yield
    except BaseException as error:
        tell(code_of(error))
        raise
    tell(NO_CODE)
