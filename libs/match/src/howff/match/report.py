"""What verifying an export has found."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from howff.engine.codec import JSON, canonical, shown
from howff.engine.errors import RefusalError

Code = Literal[
    "wrong_header",
    "wrong_seed",
    "broken_chain",
    "unknown_key",
    "bad_signature",
    "unlawful_commit",
    "wrong_outcome",
]
Result = Literal["passed", "failed", "not checked"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where in an export something stands; *event* counts from 0 in its commit."""

    version: int | None = None
    event: int | None = None
    field: str | None = None

    def __str__(self) -> str:
        parts = {"version": self.version, "event": self.event, "field": self.field}
        return ", ".join(f"{name} {part}" for name, part in parts.items() if part is not None)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an export is not what it claims to be."""

    code: Code
    place: Place
    expected: str
    found: str

    def __str__(self) -> str:
        where = f" at {self.place}" if str(self.place) else ""
        return f"{self.code}{where}: expected {self.expected}, found {self.found}"


@dataclass(frozen=True, slots=True)
class Check:
    """One of the questions put to an export, and the answer."""

    name: str
    result: Result
    detail: str
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All checks of an export, in order."""

    checks: tuple[Check, ...]
    keys: tuple[str, ...]
    """The thumbprints of the keys that the signatures were checked with."""

    @property
    def failure(self) -> Failure | None:
        """The first thing that is wrong."""
        return next((check.failure for check in self.checks if check.failure), None)


def passed(name: str, detail: str) -> Check:
    """Return a check that found nothing wrong."""
    return Check(name, "passed", detail)


def failed(name: str, failure: Failure) -> Check:
    """Return a check that found something wrong."""
    return Check(name, "failed", str(failure), failure)


def not_checked(name: str, why: str) -> Check:
    """Return a check that could not be made."""
    return Check(name, "not checked", why)


def mismatch(code: Code, place: Place, expected: JSON, found: JSON) -> Failure:
    """Return the failure that *found* stands where *expected* should."""
    return Failure(code, place, shown(expected), shown(found))


def differ(expected: JSON, found: JSON) -> bool:
    """Return whether two values differ, compared as text, since to Python 1 and true are equal."""
    return canonical(expected) != canonical(found)


class FailureError(Exception):
    """Ends a check that has found something wrong; it never leaves `verify`."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


@contextmanager
def refusals_fail(place: Place, code: Code = "unlawful_commit") -> Generator[None, None, None]:
    """Let what is refused at *place* end the check."""
    try:
        yield
    except RefusalError as error:
        raise FailureError(Failure(code, place, error.expected, error.found)) from error
