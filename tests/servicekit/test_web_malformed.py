"""Wrong requests in words for who sent them, also where one of several forms is expected."""

import json
from typing import Annotated, Any, Final
from uuid import UUID

import pytest
from pydantic import Field, ValidationError

from howff.servicekit.web.bodies import StrictModel
from howff.servicekit.web.malformed import field_problems


class PerMove(StrictModel):
    move_seconds: Annotated[int, Field(ge=1)]


class PerMatch(StrictModel):
    match_seconds: Annotated[int, Field(ge=1)]
    increment_seconds: int = 0


class PerTurn(StrictModel):
    turn_days: Annotated[int, Field(ge=1, le=30)]


class Wish(StrictModel):
    clocks: Annotated[list[PerMove | PerMatch | PerTurn | None], Field(min_length=1, max_length=2)]
    table: UUID | None = None


TURN: Final = {"turn_days": 3}


def problems(wish: Any) -> list[dict[str, str]]:
    with pytest.raises(ValidationError) as caught:
        Wish.model_validate_json(json.dumps(wish))
    return field_problems(
        [{**each, "loc": ("body", *each["loc"])} for each in caught.value.errors()]
    )


@pytest.mark.parametrize(
    ("clock", "field", "expected", "found"),
    [
        ({"turn_days": 31}, "turn_days", "less than or equal to 30", "31"),
        ({"turn_days": 3, "hours": 2}, "hours", "no such field", "2"),
        ({"match_seconds": 0}, "match_seconds", "greater than or equal to 1", "0"),
        ({"increment_seconds": 5}, "match_seconds", "a value", "nothing"),
        ({"move_seconds": 5, "PerMatch": 1}, "PerMatch", "no such field", "1"),
    ],
)
def test_of_several_forms_it_is_told_of_the_one_that_was_meant(
    clock: dict[str, int], field: str, expected: str, found: str
) -> None:
    told = {"field": f"body.clocks.1.{field}", "expected": expected, "found": found}
    assert problems({"clocks": [TURN, clock]}) == [told]


def test_numbers_of_items_and_ids_are_told_in_our_words() -> None:
    few, many = problems({"clocks": []}), problems({"clocks": [TURN] * 3, "table": "here"})
    assert [each["expected"] for each in few] == ["at least 1 items"]
    assert [each["expected"] for each in many] == ["at most 2 items", "a UUID"]
    assert many[1]["found"] == '"here"'
