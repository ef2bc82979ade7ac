"""One description of the whole site, of what its services tell of themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from howff.engine.codec import JSON
from howff.servicekit.web.merging import merged

VERSION: Final = "1"
IS_FOR: Final = {
    "lobby": "accounts and tables",
    "game": "matches",
    "scoring": "results and ratings",
}
"""The services of the site, and what each is for."""
_INTRODUCTION: Final = """\
Turn-based board games for people and bots: accounts and tables, matches, and what became of them.

Changes carry an `Idempotency-Key`, so that what is sent again happens once. Every refusal is a
problem document with a `code` that never changes. What is told live, as Server-Sent Events and
between the services, stands in `/asyncapi.json`."""


@dataclass(frozen=True, slots=True)
class Described:
    """A service, what it is for, and what it has told of itself the last time that it did."""

    service: str
    """One of `IS_FOR`."""
    document: dict[str, Any] | None
    """Its OpenAPI document; None if it has never told one."""
    trouble: str | None = None
    """Why it can't be asked now; None if it can."""

    @property
    def is_for(self) -> str:
        return IS_FOR[self.service]

    @property
    def state(self) -> str:
        """Whether it answers, and if not, whether what it told before is known."""
        if self.trouble is None:
            return "answers"
        return "away" if self.document is None else "remembered"

    @property
    def line(self) -> str:
        """What is said of it to people."""
        match self.state:
            case "answers":
                return "answers"
            case "remembered":
                return f"does not answer now ({self.trouble}); what it told before stands here"
            case _:
                return f"does not answer now ({self.trouble}), so that its calls are missing here"


def described(services: Sequence[Described]) -> dict[str, Any]:
    """Return one OpenAPI document of all *services*, which says what of them it could not have."""
    documents = {each.service: each.document for each in services if each.document is not None}
    return merged(documents, _info(services))


def _info(services: Sequence[Described]) -> JSON:
    troubles = [each for each in services if each.trouble is not None]
    lines = [f"* **{each.service}** ({each.is_for}) {each.line}." for each in troubles]
    return {
        "title": "Howff",
        "version": VERSION,
        "summary": "All that its services can be asked.",
        "description": "\n\n".join([_INTRODUCTION, *(["\n".join(lines)] if lines else [])]),
        "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
        "x-howff-services": [
            {"service": each.service, "is_for": each.is_for, "state": each.state}
            for each in services
        ],
    }


class Neighbours(Protocol):
    """The other services of the site."""

    async def described(self) -> list[Described]:
        """Return what each has told of itself, at once or before; it never fails."""
        ...
