"""What a viewer may know of an event: the only way out of a match for a secret."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeVar

from howff.engine.codec import JSON
from howff.engine.seats import Viewer
from howff.engine.visibility import Sealed, is_visible, may_know, visibilities

E = TypeVar("E")


class Seal(Protocol):
    """Seals the fields of one event, by their names; `howff.match` has the real one.

    It is bound to the event, so that equal values elsewhere have other commitments.
    """

    def commitment(self, field: str, value: JSON) -> str:
        """Return the commitment to the *value* (plain JSON) of *field*, in lower-case hex."""
        ...

    def salt(self, field: str) -> str:
        """Return what opens the commitment to *field*, in lower-case hex."""
        ...


@dataclass(frozen=True, slots=True)
class Redacted:
    """An event as told to one viewer, its fields as plain JSON.

    `data` holds commitments in the fields that stay covered; `salts` opens, by field, the
    commitments of the secret fields that are shown.
    """

    data: dict[str, JSON]
    salts: dict[str, str]


def redact(
    kind: type, data: Mapping[str, JSON], viewer: Viewer, *, told_live: bool, seal: Seal
) -> Redacted:
    """Return an event of the class *kind*, whose fields are *data*, as *viewer* may know it.

    *told_live* says whether momentary fields are still open for the viewer. A sealed field tells
    nothing of its value, not even whether there is one.

    The fields are those that were written once: one that younger rules have declared does not
    stand in older events, and what they read into an old value was not committed to.
    """
    told, salts = dict(data), dict[str, str]()
    for name, visibility in visibilities(kind).items():
        if name not in data:
            continue
        if may_know(visibility, data.get, viewer, told_live=told_live):
            salts[name] = seal.salt(name)
        else:
            told[name] = sealed(seal.commitment(name, data[name]))
    return Redacted(told, salts)


def sealed(commitment: str) -> JSON:
    """Return what stands in the place of a sealed value."""
    return {"sealed": commitment}


COVERED: Final = Sealed("")
"""What stands in a covered field where nobody will ever ask for what opens it."""


def cover(event: E, viewer: Viewer, *, told_live: bool) -> E:
    """Return *event* as *viewer* may know it, for play within one process: nothing is sealed."""
    covered = {
        name: COVERED
        for name, visibility in visibilities(type(event)).items()
        if not is_visible(event, visibility, viewer, told_live=told_live)
    }
    return replace(event, **covered) if covered else event  # type: ignore[type-var]
