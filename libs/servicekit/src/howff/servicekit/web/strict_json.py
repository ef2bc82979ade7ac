"""JSON without ambiguity: what any two readers would understand in different ways is refused."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from howff.engine.codec import JSON
from howff.servicekit.web.errors import MalformedJsonError

DEEPEST: Final = 32
"""How many lists and objects may stand in each other."""
LARGEST: Final = 2**53 - 1
"""The largest integer that every reader keeps."""

# A string may lack its end, so that no text is looked at twice.
_STRING_OR_BRACKET: Final = re.compile(r'"(?:[^"\\]+|\\.)*+"?|[\[\]{}]', re.DOTALL)
_UNWANTED: Final = re.compile("[\0\ud800-\udfff]")
_MOST_DIGITS: Final = 17


def strict_json(raw: bytes) -> JSON:
    """Return the value that *raw* tells: JSON in UTF-8, each key once in its object.

    Raises:
        MalformedJsonError: it is not JSON, is too deep, has a number that not every reader keeps,
            a key twice, or in a text half of a character or a NUL.
    """
    text = _text(raw)
    _check_depth(text)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        found = f"{error.msg.lower()} at character {error.pos}"
        raise MalformedJsonError(expected="JSON", found=found) from error
    # Unescaped, UTF-8 and JSON themselves rule these characters out.
    if "\\u" in text and any(map(_UNWANTED.search, _texts(value))):
        raise MalformedJsonError(expected="texts of whole characters, none NUL", found="another")
    return value


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"byte {raw[error.start]:#04x} at {error.start}"
        raise MalformedJsonError(expected="UTF-8", found=found) from error


def _check_depth(text: str) -> None:
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        match token[0]:
            case "[" | "{":
                depth += 1
            case "]" | "}":
                depth -= 1
            case _:
                pass
        if depth > DEEPEST:
            expected = f"at most {DEEPEST} lists and objects in each other"
            raise MalformedJsonError(expected=expected, found="more")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) < len(pairs):
        raise MalformedJsonError(expected="each key once in an object", found="one twice")
    return plain


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS or abs(int(digits)) > LARGEST:
        raise MalformedJsonError(expected=f"integers up to {LARGEST}", found="a larger one")
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise MalformedJsonError(expected="numbers that a double holds", found="a larger one")
    return number


def _constant(name: str) -> NoReturn:
    raise MalformedJsonError(expected="a number", found=name)


def _texts(value: JSON) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _texts(item)
        case dict():
            for key, item in value.items():
                yield key
                yield from _texts(item)
        case _:
            pass


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_fraction,
    parse_constant=_constant,
)
