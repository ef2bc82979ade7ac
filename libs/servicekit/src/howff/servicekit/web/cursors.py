"""Cursors: where a page of a list ends, as an opaque word for whoever asks for the next one."""

import base64
import binascii
import hashlib
from typing import Final

from howff.engine.codec import canonical
from howff.servicekit.web.errors import MalformedJsonError, WebError
from howff.servicekit.web.strict_json import strict_json

MOST_CHARACTERS: Final = 500
_CHECK_BYTES: Final = 12

Place = tuple[str, str]
"""What items are ordered by, and the id of one."""


class WrongCursorError(WebError):
    """A cursor is not one that was given for the same list with the same filters."""

    code = "wrong_cursor"
    status = 422

    def __init__(self) -> None:
        expected = "a cursor as it was given, for the same list"
        super().__init__("wrong cursor", expected=expected, found="another")


def cursor_of(listed: str, place: Place) -> str:
    """Return the cursor of a *place* in the list *listed*, a text that names its filters too.

    It holds a check and no secret: whoever makes one up sees no more than the list shows.
    """
    content = canonical(list(place)).encode()
    return base64.urlsafe_b64encode(_check(listed, content) + content).decode().rstrip("=")


def place_of(listed: str, cursor: str) -> Place:
    """Return the place in the list *listed* that *cursor* stands for.

    Raises:
        WrongCursorError: it was not given for this list.
    """
    try:
        text = cursor[:MOST_CHARACTERS].encode("ascii")
        raw = base64.b64decode(text + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise WrongCursorError from error
    check, content = raw[:_CHECK_BYTES], raw[_CHECK_BYTES:]
    if check != _check(listed, content):
        raise WrongCursorError
    place = _place(content)
    if cursor_of(listed, place) != cursor:  # several texts are the same bytes
        raise WrongCursorError
    return place


def _place(content: bytes) -> Place:
    """Return the place that *content* tells: the check before it could be anybody's."""
    try:
        told = strict_json(content)
    except MalformedJsonError as error:
        raise WrongCursorError from error
    match told:
        case [str(order), str(item)]:
            return order, item
        case _:
            raise WrongCursorError


def _check(listed: str, content: bytes) -> bytes:
    return hashlib.sha256(canonical(listed).encode() + b"\n" + content).digest()[:_CHECK_BYTES]
