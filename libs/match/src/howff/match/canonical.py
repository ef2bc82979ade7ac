"""The canonical form of plain JSON, and how bytes stand in it."""

import hashlib
from collections.abc import Iterable
from typing import cast

import rfc8785

from howff.engine.codec import JSON


def canonical_bytes(plain: JSON) -> bytes:
    """Return *plain* as canonical JSON (RFC 8785).

    Raises:
        ValueError: *plain* has no canonical form: an integer is too big, a string no Unicode.
    """
    return rfc8785.dumps(plain)


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


def is_nested_deeper(plain: JSON, most: int) -> bool:
    """Return whether lists and objects stand more than *most* deep within each other."""
    level = [plain]
    for _ in range(most):
        level = [child for each in level for child in _children(each)]
    return any(isinstance(each, dict | list) for each in level)


def _children(plain: JSON) -> list[JSON]:
    if isinstance(plain, dict):
        return list(cast("dict[str, JSON]", plain).values())
    return list(cast("Iterable[JSON]", plain)) if isinstance(plain, list) else []
