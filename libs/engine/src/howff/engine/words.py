"""Words for lines that people read."""

from collections.abc import Sequence


def listed(parts: Sequence[str]) -> str:
    """Return *parts*, at least one, as "a", "a and b" or "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def counted(count: int, noun: str) -> str:
    """Return "1 card" or "2 cards", for nouns with a regular plural."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
