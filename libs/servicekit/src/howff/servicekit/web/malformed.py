"""What is wrong with a request that has not the form it should have, in words for who sent it.

Pydantic tells of a union what is wrong by each of its branches, under the name of a class. Whoever
sent the value meant one of them: the one whose fields it has.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from howff.engine.codec import shown

Error = Mapping[str, Any]
"""As pydantic tells of it: `type`, `loc`, `msg`, `input` and `ctx`."""
Place = tuple[Any, ...]

MOST_FIELDS: Final = 20
"""How many wrong fields of one request are told."""
MOST_TEXT: Final = 300
MOST_INPUT: Final = 80
_BRANCH: Final = re.compile(r"[A-Z][A-Za-z]+")
"""The name of a class: fields of ours are written small."""
_ANOTHER_BRANCH: Final = {"missing", "extra_forbidden"}
"""What a value is told that was meant by another branch."""
_EXPECTATIONS: Final[Mapping[str, str]] = {
    "missing": "a value",
    "extra_forbidden": "no such field",
    "union_tag_invalid": "one of {expected_tags}",
    "too_long": "at most {max_length} items",
    "too_short": "at least {min_length} items",
    "uuid_parsing": "a UUID",
    "uuid_type": "a UUID",
}
_PREFIXES: Final = ("Input should be ", "String should ", "Value error, ")


def field_problems(errors: Sequence[Error]) -> list[dict[str, str]]:
    """Return what is wrong with each field: `field`, `expected` and `found`."""
    return [_field_problem(each) for each in _of_branches_meant(errors)[:MOST_FIELDS]]


def cut(text: str, most: int) -> str:
    """Return *text*, of which no more than so many characters are told."""
    return text if len(text) <= most else f"{text[:most]}…"


def _of_branches_meant(errors: Sequence[Error]) -> list[Error]:
    """Return the errors without those of branches of unions that fit less than others."""
    misfits: defaultdict[Place, dict[str, int]] = defaultdict(dict)
    for error in errors:
        for union, branch in _branches(error):
            is_misfit = error["type"] in _ANOTHER_BRANCH
            misfits[union][branch] = misfits[union].get(branch, 0) + is_misfit
    meant = {union: min(counted, key=counted.__getitem__) for union, counted in misfits.items()}
    return [
        error
        for error in errors
        if all(meant[union] == branch for union, branch in _branches(error))
    ]


def _branches(error: Error) -> Iterator[tuple[Place, str]]:
    """Yield the places of the unions that the place of *error* leads through, and by which branch.

    A field that there is not is named last, as whoever sent it has written it.
    """
    place: Place = error["loc"]
    end = len(place) - (error["type"] == "extra_forbidden")
    for at in range(1, end if place[0] == "body" else 0):
        if isinstance(place[at], str) and _BRANCH.fullmatch(place[at]):
            yield place[:at], place[at]


def _field_problem(error: Error) -> dict[str, str]:
    expected, found = _expectation(error), shown(error["input"])
    if error["type"] == "missing":
        found = "nothing"
    return {"field": _field(error), "expected": cut(expected, MOST_TEXT), "found": found}


def _field(error: Error) -> str:
    unions = {len(union) for union, _ in _branches(error)}
    names = (str(name) for at, name in enumerate(error["loc"]) if at not in unions)
    return cut(".".join(names), MOST_INPUT)


def _expectation(error: Error) -> str:
    template = _EXPECTATIONS.get(error["type"])
    if template is not None:
        return template.format(**error.get("ctx", {}))
    message: str = error["msg"]
    for prefix in _PREFIXES:
        message = message.removeprefix(prefix)
    return message
