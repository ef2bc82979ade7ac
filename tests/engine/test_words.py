import pytest

from howff.engine.words import counted, listed


@pytest.mark.parametrize(
    ("parts", "expected"),
    [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_parts_are_listed_as_people_write_them(parts: list[str], expected: str) -> None:
    assert listed(parts) == expected


@pytest.mark.parametrize(("count", "expected"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards")])
def test_only_one_is_singular(count: int, expected: str) -> None:
    assert counted(count, "card") == expected
