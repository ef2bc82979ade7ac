"""Forms without ambiguity: what any two readers would understand in different ways is refused."""

import re
from typing import Final
from urllib.parse import unquote_plus

from howff.servicekit.web.errors import MalformedFormError

MOST_FIELDS: Final = 20
_PART: Final = re.compile(r"(?:[A-Za-z0-9*+._~!$'(),:;@/?-]|%[0-9A-Fa-f]{2})*")
"""What a name or a value consists of once it is encoded."""


def strict_form(raw: bytes) -> dict[str, str]:
    """Return the fields that *raw* tells: `application/x-www-form-urlencoded`, each name once.

    Raises:
        MalformedFormError: it is no such form, not UTF-8, or has a field twice, or too many.
    """
    fields: dict[str, str] = {}
    parts = raw.decode("latin-1").split("&") if raw else []
    if len(parts) > MOST_FIELDS:
        raise MalformedFormError(expected=f"at most {MOST_FIELDS} fields", found="more")
    for part in parts:
        name, equals, value = part.partition("=")
        if not (name and equals):
            raise MalformedFormError(expected="fields such as name=value", found="another part")
        name, value = _decoded(name), _decoded(value)
        if name in fields:
            raise MalformedFormError(expected="each field once", found="one twice")
        fields[name] = value
    return fields


def _decoded(part: str) -> str:
    if not _PART.fullmatch(part):
        raise MalformedFormError(expected="encoded names and values", found="another character")
    try:
        text = unquote_plus(part, errors="strict")
    except UnicodeDecodeError as error:
        raise MalformedFormError(expected="UTF-8", found="another encoding") from error
    if "\0" in text:
        raise MalformedFormError(expected="texts without NUL", found="one with it")
    return text
