from dataclasses import dataclass, make_dataclass
from typing import Annotated, Any

import pytest

from howff.engine.codec import to_json
from howff.engine.redact import redact, with_fields
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
from support.seals import TELLING


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
    redacted = redact(EVENT, viewer, told_live=told_live, seal=TELLING)
    fields = visibilities(Everything)
    return {name for name in fields if not isinstance(getattr(redacted.event, name), Sealed)}


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


def test_a_covered_field_tells_its_commitment_and_nothing_else() -> None:
    plain = to_json(Everything, redact(EVENT, Seat(0), told_live=True, seal=TELLING).event)
    assert plain["covered"] == {"sealed": "commitment to covered 4"}
    assert plain["own"] == {"sealed": "commitment to own 2"}
    assert (plain["seat"], plain["public"]) == (1, 1)


def test_null_is_covered_like_any_value() -> None:
    event = Everything(Seat(1), Seat(2), shared=None)
    plain = to_json(Everything, redact(event, Seat(0), told_live=True, seal=TELLING).event)
    assert plain["shared"] == {"sealed": "commitment to shared null"}


def test_salts_open_exactly_the_secrets_that_are_shown() -> None:
    redacted = redact(EVENT, Seat(2), told_live=True, seal=TELLING)
    assert redacted.salts == {"shared": "salt of shared", "shown": "salt of shown"}


def test_an_event_without_declarations_stays_as_it_is() -> None:
    event = Public(Seat(1))
    redacted = redact(event, None, told_live=False, seal=TELLING)
    assert redacted.event is event
    assert redacted.salts == {}


def test_only_the_named_fields_are_replaced() -> None:
    assert with_fields(EVENT, {"public": 9}) == Everything(Seat(1), Seat(2), public=9)


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
