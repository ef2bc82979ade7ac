"""The canonical form of plain JSON, and how bytes stand in it."""

import hashlib
from collections.abc import Iterable
from typing import Final

import rfc8785

from howff.engine.codec import JSON
from howff.match.errors import UnrecordableError

DEEPEST: Final = 32
"""How deep the values of a line may be nested; no game comes near."""


def canonical_bytes(plain: JSON) -> bytes:
    """Return *plain* as canonical JSON (RFC 8785).

    Raises:
        ValueError: *plain* has no canonical form: an integer is too big, a string no Unicode.
    """
    return rfc8785.dumps(plain)


def canonical_line(plain: JSON) -> bytes:
    """Return *plain* as canonical JSON, if it is what a line of an export may tell.

    Whatever is recorded goes through here, and so does whatever is read: what one accepts, the
    other does.

    Raises:
        UnrecordableError: *plain* is nested too deep, or holds what has no form there.
    """
    _check_plain(plain, DEEPEST)
    try:
        return canonical_bytes(plain)
    except ValueError as error:
        expected = "keys of text, integers of less than 2^53, Unicode"
        raise UnrecordableError("a value", expected=expected, found=str(error)) from error


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


def _check_plain(plain: JSON, depth: int) -> None:
    # The canonical form would take tuples, floats and subclasses too, and give something else back.
    if plain is None or type(plain) in {str, int, bool}:
        return
    if type(plain) not in {list, dict}:
        expected = "null, true, false, integers, strings, lists and objects"
        found = type(plain).__name__
        raise UnrecordableError("a value", expected=expected, found=found)
    if depth == 0:
        expected = f"values nested at most {DEEPEST} deep"
        raise UnrecordableError("a value", expected=expected, found="deeper ones")
    for child in _children(plain):
        _check_plain(child, depth - 1)


def _children(plain: list[JSON] | dict[JSON, JSON]) -> Iterable[JSON]:
    return plain if isinstance(plain, list) else (*plain, *plain.values())
