"""The canonical form of plain JSON, and how bytes stand in it."""

import hashlib
from collections.abc import Iterable
from typing import Final, NoReturn

import orjson
import rfc8785

from howff.engine.codec import JSON
from howff.match.errors import UnrecordableError

DEEPEST: Final = 32
"""How deep the values of a line may be nested; no game comes near."""
LARGEST: Final = 2**53 - 1
"""The largest integer that every reader of JSON keeps."""


def canonical_bytes(plain: JSON) -> bytes:
    """Return *plain*, which `check_plain` accepts, as canonical JSON (RFC 8785).

    It is not checked here, where each commit comes by some ten times: what comes from outside is
    checked before.
    """
    return orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)


def canonical_line(plain: JSON) -> bytes:
    """Return *plain* as canonical JSON, if it is what a line of an export may tell.

    Every line that is written or read goes through here.

    Raises:
        UnrecordableError: *plain* is nested too deep, or holds what has no form there.
    """
    check_plain(plain)
    return rfc8785.dumps(plain)


def check_plain(plain: JSON, depth: int = DEEPEST) -> None:
    """Refuse what no line of an export may tell.

    Lines tell null, true, false, integers of less than 2^53, Unicode, lists, and objects whose keys
    are ASCII, nested at most *depth* deep. Of these orjson makes the bytes of RFC 8785;
    it would take tuples, floats and subclasses too, and give something else back.

    Raises:
        UnrecordableError: *plain* is or holds something else.
    """
    if type(plain) is str:
        _check_unicode(plain)
    elif type(plain) is int:
        if abs(plain) > LARGEST:
            _refuse("integers of less than 2^53", f"one of {plain.bit_length()} bits")
    elif type(plain) in {list, dict}:
        if not depth:
            _refuse(f"values nested at most {DEEPEST} deep", "deeper ones")
        for child in _children(plain):
            check_plain(child, depth - 1)
    elif plain is not None and type(plain) is not bool:
        _refuse("null, true, false, integers, strings, lists and objects", type(plain).__name__)


def sha256_hex(content: bytes) -> str:
    """Return the SHA-256 of *content* in lower-case hex."""
    return hashlib.sha256(content).hexdigest()


def bytes_of_hex(text: str) -> bytes:
    """Return the bytes that lower-case hex tells.

    Raises:
        ValueError: *text* is anything else; `bytes.fromhex` alone takes capitals and spaces too.
    """
    content = bytes.fromhex(text)
    if content.hex() != text:
        message = f"not lower-case hex: {text!r}"
        raise ValueError(message)
    return content


def _check_unicode(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        expected, found = "strings of Unicode", "half of a character"
        raise UnrecordableError("a value", expected=expected, found=found) from error


def _children(plain: list[JSON] | dict[JSON, JSON]) -> Iterable[JSON]:
    if isinstance(plain, list):
        return plain
    for key in plain:
        # RFC 8785 sorts by UTF-16, orjson by UTF-8: ASCII has the same order in both.
        if type(key) is not str or not key.isascii():
            _refuse("keys in ASCII", ascii(key)[:_SHOWN])
    return plain.values()


def _refuse(expected: str, found: str) -> NoReturn:
    raise UnrecordableError("a value", expected=expected, found=found)


_SHOWN = 60
