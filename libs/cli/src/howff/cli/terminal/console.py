"""The terminal that commands write to."""

from rich.console import Console


def terminal(*, stderr: bool = False) -> Console:
    """Return a terminal that takes brackets and colons in a text for what they are."""
    return Console(stderr=stderr, markup=False, emoji=False)
