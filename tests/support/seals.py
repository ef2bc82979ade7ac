"""Seals for tests of what is covered, where no commitment has to be opened; and events so told."""

from typing import Final, TypeVar

from howff.engine.codec import JSON, canonical, from_json, to_json
from howff.engine.redact import Seal, redact
from howff.engine.seats import Viewer

E = TypeVar("E")


class BlindSeal:
    """Seals all values alike, so that what is covered can't differ."""

    def commitment(self, field: str, value: JSON) -> str:  # noqa: ARG002 — a seal by its form
        return "commitment"

    def salt(self, field: str) -> str:  # noqa: ARG002 — a seal by its form
        return "salt"


class TellingSeal:
    """Seals each value by itself, so that a commitment shows whether a value has changed."""

    def commitment(self, field: str, value: JSON) -> str:
        return f"commitment to {field} {canonical(value)}"

    def salt(self, field: str) -> str:
        return f"salt of {field}"


BLIND: Final = BlindSeal()
TELLING: Final = TellingSeal()


def redacted(event: E, viewer: Viewer, *, told_live: bool, seal: Seal = BLIND) -> E:
    """Return *event* as *viewer* may know it, with `Sealed` in the fields that stay covered."""
    kind = type(event)
    told = redact(kind, to_json(kind, event), viewer, told_live=told_live, seal=seal)
    return from_json(kind, told.data)
