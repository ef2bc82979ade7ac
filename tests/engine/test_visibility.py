from dataclasses import dataclass, make_dataclass
from typing import Annotated, Any

import pytest

from howff.engine.codec import to_json
from howff.engine.redact import Redacted, redact
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import (
    Sealed,
    Visibility,
    hidden,
    is_visible,
    momentary,
    secret_to,
    told,
    visibilities,
)
from support.seals import TELLING, redacted


@dataclass(frozen=True, slots=True)
class Everything:
    seat: Seat
    other: Seat | None
    public: int = 1
    own: Annotated[int, secret_to("seat")] = 2
    shared: Annotated[int | None, secret_to("seat", "other")] = 3
    covered: Annotated[int, hidden()] = 4
    shown: Annotated[int, momentary()] = 5
    glimpsed: Annotated[int, secret_to("seat", momentary=True)] = 6


@dataclass(frozen=True, slots=True)
class Public:
    seat: Seat


EVENT = Everything(Seat(1), Seat(2))
OWN = {"own", "shared", "shown", "glimpsed"}


def shown_to(viewer: Viewer, *, told_live: bool = True) -> set[str]:
    """Return the declared fields that *viewer* is shown."""
    event = redacted(EVENT, viewer, told_live=told_live)
    fields = visibilities(Everything)
    return {name for name in fields if not isinstance(getattr(event, name), Sealed)}


def test_declarations_are_read_from_the_class_in_order() -> None:
    assert dict(visibilities(Everything)) == {
        "own": Visibility(("seat",)),
        "shared": Visibility(("seat", "other")),
        "covered": Visibility(()),
        "shown": Visibility(None, momentary=True),
        "glimpsed": Visibility(("seat",), momentary=True),
    }
    assert dict(visibilities(Public)) == {}


@pytest.mark.parametrize(
    ("viewer", "fields"),
    [(Seat(1), OWN), (Seat(2), {"shared", "shown"}), (Seat(0), {"shown"}), (None, {"shown"})],
)
def test_a_viewer_is_told_live_what_is_declared_for_it(viewer: Viewer, fields: set[str]) -> None:
    assert shown_to(viewer) == fields


@pytest.mark.parametrize(
    ("viewer", "fields"),
    [(Seat(1), {"own", "shared"}), (Seat(2), {"shared"}), (Seat(0), set()), (None, set())],
)
def test_a_momentary_field_is_blank_when_read_again(viewer: Viewer, fields: set[str]) -> None:
    assert shown_to(viewer, told_live=False) == fields


def test_a_secret_to_nobody_is_no_secret_of_a_spectator() -> None:
    event = Everything(Seat(1), None)
    assert not is_visible(event, secret_to("other"), None, told_live=True)


def told_data(event: object, viewer: Viewer, *, told_live: bool = True) -> Redacted:
    """Return the fields of *event* as *viewer* may know them."""
    kind = type(event)
    return redact(kind, to_json(kind, event), viewer, told_live=told_live, seal=TELLING)


def test_a_covered_field_tells_its_commitment_and_nothing_else() -> None:
    data = told_data(EVENT, Seat(0)).data
    assert data["covered"] == {"sealed": "commitment to covered 4"}
    assert data["own"] == {"sealed": "commitment to own 2"}
    assert (data["seat"], data["public"]) == (1, 1)


def test_null_is_covered_like_any_value() -> None:
    data = told_data(Everything(Seat(1), Seat(2), shared=None), Seat(0)).data
    assert data["shared"] == {"sealed": "commitment to shared null"}


def test_salts_open_exactly_the_secrets_that_are_shown() -> None:
    told = told_data(EVENT, Seat(2))
    assert told.salts == {"shared": "salt of shared", "shown": "salt of shown"}


def test_an_event_without_declarations_stays_as_it_is() -> None:
    told = told_data(Public(Seat(1)), None, told_live=False)
    assert (told.data, told.salts) == ({"seat": 1}, {})


def test_a_field_that_an_old_event_does_not_have_is_neither_told_nor_covered() -> None:
    old = {"seat": 1, "other": 2, "own": 3}
    told = redact(Everything, old, Seat(2), told_live=True, seal=TELLING)
    assert told.data == {**old, "own": {"sealed": "commitment to own 3"}}
    assert told.salts == {}


def test_what_is_sealed_is_not_told() -> None:
    assert told(Sealed("ab12")) is None
    assert told(0) == 0


@dataclass(frozen=True, slots=True)
class Inner:
    card: Annotated[int, hidden()]


@pytest.mark.parametrize(
    "hint",
    [
        Annotated[int, hidden()] | None,
        tuple[Annotated[int, hidden()], ...],
        Annotated[int, hidden],
        Annotated[int, hidden(), momentary()],
        Inner,
        tuple[Inner, ...],
        Annotated[int, secret_to("nobody")],
        Annotated[int, secret_to("seats")],
        Annotated[int, secret_to("covered")],
        Annotated[int, secret_to("word")],
    ],
)
def test_a_declaration_that_would_not_be_heeded_is_refused(hint: Any) -> None:
    fields = (
        ("seats", tuple[Seat, ...]),
        ("covered", Annotated[Seat, hidden()]),
        ("word", str),
        ("field", hint),
    )
    kind = make_dataclass("Misdeclared", fields, frozen=True)
    with pytest.raises(TypeError, match=r"visibility of Misdeclared\.field"):
        visibilities(kind)
