"""What a viewer may know of an event: the only way out of a match for a secret."""

from dataclasses import dataclass, fields
from typing import Any, Generic, Protocol, TypeVar

from howff.engine.codec import JSON, forms_of
from howff.engine.seats import Viewer
from howff.engine.visibility import Sealed, is_visible, visibilities

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Sealing:
    """A commitment to a value, and the salt that opens it; both lower-case hex."""

    commitment: str
    salt: str


class Seal(Protocol):
    """Seals the *value* (plain JSON) of a *field* of an event; `howff.match` has the real one.

    A seal is bound to one event, so that equal values elsewhere have other commitments.
    """

    def __call__(self, field: str, value: JSON) -> Sealing: ...


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
        sealing = seal(name, forms[name].encode(getattr(event, name)))
        if is_visible(event, visibility, viewer, told_live=told_live):
            salts[name] = sealing.salt
        else:
            covered[name] = Sealed(sealing.commitment)
    return Redacted(with_fields(event, covered), salts)


def with_fields(event: E, changes: dict[str, Any]) -> E:
    """Return *event* with the fields named in *changes* replaced, whatever their types."""
    values = {field.name: getattr(event, field.name) for field in fields(event)}  # type: ignore[arg-type]
    return type(event)(**(values | changes))
