from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NewType

import pytest

from howff.engine.codec import JSON
from howff.engine.schema import schema_of, tagged_schema_of
from howff.engine.visibility import hidden

Name = NewType("Name", str)


@dataclass(frozen=True, slots=True)
class Card:
    """A card of the game.

    More about it.
    """

    name: Name
    value: int = 3


@dataclass(frozen=True, slots=True)
class Passed:
    """Nothing is done."""


CARD = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "value": {"type": "integer", "default": 3}},
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        (bool, {"type": "boolean"}),
        (Name, {"type": "string"}),
        (JSON, {}),
        (Literal["a", 2], {"enum": ["a", 2]}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Annotated[int, "no visibility"], {"type": "integer"}),
        (Card, CARD),
        (Card | None, {"anyOf": [CARD, {"type": "null"}]}),
    ],
)
def test_each_type_has_its_schema(kind: Any, schema: JSON) -> None:
    assert schema_of(kind) == schema


def test_a_tuple_of_fixed_length_says_its_length() -> None:
    assert schema_of(tuple[int, str]) == {
        "type": "array",
        "prefixItems": [{"type": "integer"}, {"type": "string"}],
        "minItems": 2,
        "maxItems": 2,
    }


def test_a_union_of_classes_is_told_by_type() -> None:
    schema = tagged_schema_of(Card | Passed)
    assert [each["properties"]["type"]["const"] for each in schema["oneOf"]] == ["Card", "Passed"]
    assert schema["oneOf"][0]["properties"]["data"] == CARD
    assert schema["oneOf"][0]["description"] == "A card of the game."
    assert schema_of(Card | Passed | None)["anyOf"][:2] == schema["oneOf"]


def test_a_field_that_may_be_covered_may_be_sealed() -> None:
    value, sealed = schema_of(Annotated[int, hidden()])["anyOf"]
    assert value == {"type": "integer"}
    assert sealed["required"] == ["sealed"]


def test_a_default_that_is_made_is_a_default() -> None:
    @dataclass(frozen=True)
    class Made:
        cards: tuple[int, ...] = field(default_factory=tuple)

    schema = schema_of(Made)
    assert schema["required"] == []
    assert schema["properties"]["cards"]["default"] == []
