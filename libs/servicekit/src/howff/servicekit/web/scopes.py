"""What tokens of people and bots may be for."""

from typing import Final, Literal

TokenScope = Literal["play", "table", "bot", "read", "admin"]
ADMIN: Final = "admin"
"""What administrators alone may do: abort any match, say, or close any table."""
