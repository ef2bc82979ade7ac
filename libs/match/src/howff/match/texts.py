"""The texts that stand in commits and headers: each has one form, and nothing that steers a screen.

Only ASCII counts as printable, so that every version of Python answers alike.
"""

import re

from howff.engine.codec import JSON

A_NAME = "1 to 100 printable ASCII characters"
A_HASH = "64 lower-case hex digits"
A_KEY_ID = "43 characters of base64url"
A_SIGNATURE = "86 characters of base64url"

_NAME = re.compile(r"[ -~]{1,100}")
_HASH = re.compile(r"[0-9a-f]{64}")
_SALT = re.compile(r"[0-9a-f]{32}")
_KEY_ID = re.compile(r"[A-Za-z0-9_-]{43}")
_SIGNATURE = re.compile(r"[A-Za-z0-9_-]{86}")


def is_name(text: JSON) -> bool:
    """Return whether *text* can be an id, a version, a game or a level."""
    return _is(_NAME, text)


def is_hash(text: JSON) -> bool:
    """Return whether *text* has the form of a hash, a commitment or a seed."""
    return _is(_HASH, text)


def is_salt(text: JSON) -> bool:
    """Return whether *text* has the form of a salt.

    All salts are equally long: else a byte could wander between a salt and its value.
    """
    return _is(_SALT, text)


def is_key_id(text: JSON) -> bool:
    """Return whether *text* has the form of a thumbprint."""
    return _is(_KEY_ID, text)


def is_signature(text: JSON) -> bool:
    """Return whether *text* has the form of a signature."""
    return _is(_SIGNATURE, text)


def _is(form: re.Pattern[str], text: JSON) -> bool:
    return isinstance(text, str) and form.fullmatch(text) is not None
