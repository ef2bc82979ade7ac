"""How failures are told in logs: where and what, and no text that may quote what is secret.

Events and states of running matches hold what nobody may know yet, and an unexpected error quotes
whatever met it: `KeyError`, or `assert_never`, a whole event. What `redact` would cover must not
come out by a log, so such texts are kept back. Refusals say only what they are made to say.
"""

import textwrap
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Final

from howff.engine.errors import RefusalError

SECRETIVE: Final = ("howff.engine.", "howff.match.", "howff.bots.policies.")
"""The modules that handle what is hidden: what comes out of them is told without its text."""
_QUOTING: Final = ("pydantic",)
"""The packages whose errors quote what they were given."""
KEPT_BACK: Final = "(text kept back)"


def failure_lines(error: BaseException) -> Iterator[str]:
    """Yield the lines that tell of *error*, of its cause, and of its parts if it is a group."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from failure_lines(cause)
        yield "\nOf that came:\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{type(error).__qualname__}: {failure_text(error)}\n"
    for part in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from (textwrap.indent(line, "  | ") for line in failure_lines(part))


def failure_text(error: BaseException) -> str:
    """Return what *error* says, unless that may quote what is hidden."""
    return str(error) if isinstance(error, RefusalError) or not _may_quote(error) else KEPT_BACK


def _may_quote(error: BaseException) -> bool:
    """Return whether the text of *error* may hold what is hidden, its own or that of its cause."""
    cause = error.__cause__ or error.__context__
    return (
        type(error).__module__.startswith(_QUOTING)
        or any(each.startswith(SECRETIVE) for each in _modules(error.__traceback__))
        or (cause is not None and _may_quote(cause))
    )


def _modules(trace: TracebackType | None) -> Iterator[str]:
    for frame, _ in traceback.walk_tb(trace):
        yield str(frame.f_globals.get("__name__", ""))
