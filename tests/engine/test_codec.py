import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NewType

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from howff.engine.codec import (
    JSON,
    canonical,
    classes_of,
    form_of,
    from_json,
    from_tagged,
    picked,
    shown,
    to_json,
    to_tagged,
)
from howff.engine.errors import MalformedError
from howff.engine.visibility import Sealed, hidden

Name = NewType("Name", str)


@dataclass(frozen=True, slots=True)
class Card:
    name: Name
    value: int = 1


@dataclass(frozen=True, slots=True)
class Played:
    card: Card
    at: tuple[int, int]
    mood: Literal["calm", "wild"] = "calm"


@dataclass(frozen=True, slots=True)
class Passed:
    pass


@dataclass(frozen=True, slots=True)
class Shuffled:
    order: Annotated[tuple[Card, ...] | None, hidden()]


@dataclass(frozen=True, slots=True)
class Everything:
    card: Card | None
    last: Played | Passed | None
    names: tuple[Name, ...]
    is_open: bool
    start: int | Literal["random"]
    colours: tuple[str, ...] | Literal["random"]
    anything: JSON


EVERYTHING = Everything(
    card=Card(Name("ox")),
    last=Passed(),
    names=(Name("a"), Name("b")),
    is_open=False,
    start="random",
    colours=("red",),
    anything={"free": [None, True]},
)
PLAIN = {
    "card": {"name": "ox", "value": 1},
    "last": {"type": "Passed", "data": {}},
    "names": ["a", "b"],
    "is_open": False,
    "start": "random",
    "colours": ["red"],
    "anything": {"free": [None, True]},
}


def test_a_dataclass_becomes_an_object_and_a_union_names_the_class() -> None:
    assert to_json(Everything, EVERYTHING) == PLAIN
    assert from_json(Everything, PLAIN) == EVERYTHING


@pytest.mark.parametrize(
    ("field", "plain", "value"),
    [
        ("card", None, None),
        ("last", None, None),
        ("start", 3, 3),
        ("colours", "random", "random"),
        ("colours", [], ()),
    ],
)
def test_each_side_of_a_union_is_read(field: str, plain: JSON, value: object) -> None:
    assert getattr(from_json(Everything, PLAIN | {field: plain}), field) == value


def test_a_field_with_a_default_may_be_left_out() -> None:
    assert from_json(Card, {"name": "ox"}) == Card(Name("ox"), 1)


@pytest.mark.parametrize(
    ("field", "plain", "path"),
    [
        ("card", {"name": 1}, "card.name"),
        ("card", {"name": "ox", "price": 2}, "card.price"),
        ("card", {}, "card.name"),
        ("card", [], "card"),
        ("names", ["a", 2], "names[1]"),
        ("names", "ab", "names"),
        ("is_open", 0, "is_open"),
        ("start", True, "start"),
        ("start", "first", "start"),
        ("start", 1.0, "start"),
        ("last", {"type": "Burnt", "data": {}}, "last.type"),
        ("last", {"type": ["Passed"], "data": {}}, "last.type"),
        ("last", {"type": "Passed"}, "last"),
        ("last", {"type": "Passed", "data": {"why": 1}}, "last.data.why"),
        ("last", {"type": "Played", "data": {"card": {"name": "x"}, "at": [1]}}, "last.data.at"),
    ],
)
def test_a_wrong_value_is_refused_with_its_path(field: str, plain: JSON, path: str) -> None:
    with pytest.raises(MalformedError) as refusal:
        from_json(Everything, PLAIN | {field: plain})
    assert refusal.value.path == path
    assert refusal.value.code == "malformed"


def test_a_refusal_says_what_was_expected_and_found() -> None:
    with pytest.raises(MalformedError, match="expected an integer below 2\\^53, found true"):
        from_json(Card, {"name": "ox", "value": True})
    with pytest.raises(MalformedError, match="malformed value at the top: expected an object"):
        from_json(Card, 3)


@pytest.mark.parametrize("value", [2**53, -(2**53)])
def test_an_integer_that_not_every_reader_keeps_is_refused(value: int) -> None:
    assert from_json(int, 2**53 - 1) == 2**53 - 1
    with pytest.raises(MalformedError, match="below 2"):
        from_json(int, value)


def test_half_a_character_is_refused() -> None:
    assert from_json(str, "h\u00f6ff \U0001f3b2") == "h\u00f6ff \U0001f3b2"
    with pytest.raises(MalformedError, match="a string of Unicode"):
        from_json(str, json.loads('"\\ud800"'))


Pair = NewType("Pair", tuple[int, int])


def test_a_new_type_of_a_tuple_may_stand_in_a_union() -> None:
    kind: Any = Pair | None
    assert from_json(kind, to_json(kind, (1, 2))) == (1, 2)
    assert from_json(kind, None) is None


def test_tuples_that_cannot_be_told_apart_have_no_form() -> None:
    with pytest.raises(TypeError, match="told apart"):
        form_of(tuple[int, ...] | tuple[str, ...])


@pytest.mark.parametrize(
    "value",
    [Passed(), Played(Card(Name("ox"), 3), (1, 2), "wild")],
)
def test_a_tagged_value_comes_back(value: object) -> None:
    plain = json.loads(canonical(to_tagged(value)))
    assert plain["type"] == type(value).__name__
    assert from_tagged(Played | Passed, plain) == value


def test_a_lone_class_is_a_union_of_one() -> None:
    assert classes_of(Passed) == (Passed,)
    assert from_tagged(Passed, {"type": "Passed", "data": {}}) == Passed()


def test_a_sealed_field_comes_back_sealed() -> None:
    sealed: Any = Shuffled(Sealed("ab12"))  # type: ignore[arg-type]
    plain = to_json(Shuffled, sealed)
    assert plain == {"order": {"sealed": "ab12"}}
    assert from_json(Shuffled, plain) == sealed
    assert from_json(Shuffled, {"order": None}) == Shuffled(None)


def test_only_a_declared_field_may_be_sealed() -> None:
    with pytest.raises(MalformedError):
        from_json(Card, {"name": {"sealed": "ab12"}})


@pytest.mark.parametrize("kind", [float, dict[str, int], list[int], object])
def test_other_types_have_no_form(kind: Any) -> None:
    with pytest.raises(TypeError, match="no JSON form"):
        form_of(kind)


_KEYS = st.text(st.characters(codec="utf-8", max_codepoint=0xFFFF))
"""Beyond these RFC 8785 sorts by UTF-16; names of fields never go there."""
_PLAIN_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(_PLAIN_VALUES)
def test_canonical_text_is_that_of_rfc_8785(plain: JSON) -> None:
    assert canonical(plain).encode() == rfc8785.dumps(plain)


def test_a_float_that_is_no_number_has_no_canonical_text() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical(float("nan"))


def test_a_long_value_is_shown_short() -> None:
    assert shown([1, "é"]) == '[1, "é"]'
    assert shown("x" * 100) == '"' + "x" * 79 + "…"


@given(_PLAIN_VALUES)
def test_whatever_comes_in_is_read_or_refused(plain: JSON) -> None:
    try:
        value = from_json(Everything, PLAIN | {"last": plain, "anything": plain})
    except MalformedError as refusal:
        path = refusal.path
    else:
        path = "last"
        assert to_json(Everything, value)["anything"] == plain
    assert path.startswith("last")


@dataclass(frozen=True, slots=True)
class Weight:
    stones: int


@dataclass(frozen=True, slots=True)
class Weighed:
    pounds: float


def test_a_field_without_a_form_is_named() -> None:
    with pytest.raises(TypeError, match=r"Weighed\.pounds: no JSON form for <class 'float'>"):
        form_of(Weighed)


def test_whoever_picks_leaves_what_a_class_does_not_know() -> None:
    assert picked(Weight, {"stones": 11, "ounces": 3}) == Weight(11)
    for plain in ({"ounces": 3}, {"stones": "11"}, [11], None):
        with pytest.raises(MalformedError):
            picked(Weight, plain)
