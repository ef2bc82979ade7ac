"""What a viewer may know of an event: the only way out of a match for a secret."""

from dataclasses import dataclass, fields
from typing import Any, Generic, Protocol, TypeVar

from howff.engine.codec import JSON, forms_of
from howff.engine.seats import Viewer
from howff.engine.visibility import Sealed, is_visible, visibilities

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
class Redacted(Generic[E]):
    """An event as told to one viewer.

    `event` holds `Sealed` in the fields that stay covered; `salts` opens, by field, the
    commitments of the secret fields that are shown.
    """

    event: E
    salts: dict[str, str]


def redact(event: E, viewer: Viewer, *, told_live: bool, seal: Seal) -> Redacted[E]:
    """Return *event* as *viewer* may know it.

    *told_live* says whether momentary fields are still open for the viewer. A sealed field tells
    nothing of its value, not even whether there is one.
    """
    declared = visibilities(type(event))
    if not declared:
        return Redacted(event, {})
    forms = forms_of(type(event))
    covered: dict[str, Sealed] = {}
    salts: dict[str, str] = {}
    for name, visibility in declared.items():
        if is_visible(event, visibility, viewer, told_live=told_live):
            salts[name] = seal.salt(name)
        else:
            value = forms[name].encode(getattr(event, name))
            covered[name] = Sealed(seal.commitment(name, value))
    return Redacted(with_fields(event, covered), salts)


def with_fields(event: E, changes: dict[str, Any]) -> E:
    """Return *event* with the fields named in *changes* replaced, whatever their types."""
    values = {field.name: getattr(event, field.name) for field in fields(event)}  # type: ignore[arg-type]
    return type(event)(**(values | changes))
