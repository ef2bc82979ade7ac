"""The time: the one place of the services that asks the system for it."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the time in UTC."""
    return datetime.now(UTC)
