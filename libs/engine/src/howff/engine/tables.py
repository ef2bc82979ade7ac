"""The tables of a game, from `data.toml` in its package."""

import hashlib
import tomllib
from importlib.resources import files
from typing import Any

from howff.engine.codec import canonical


def read_tables(package: str) -> dict[str, Any]:
    """Return the tables of the game in *package*."""
    return tomllib.loads(files(package).joinpath("data.toml").read_text("utf-8"))


def hash_of_tables(tables: dict[str, Any]) -> str:
    """Return the SHA-256 of *tables* in lower-case hex; comments in the file do not count."""
    return hashlib.sha256(canonical(tables).encode()).hexdigest()
