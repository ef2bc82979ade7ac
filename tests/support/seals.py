"""Seals for tests of what is covered, where no commitment has to be opened."""

from typing import Final

from howff.engine.codec import JSON, canonical


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
