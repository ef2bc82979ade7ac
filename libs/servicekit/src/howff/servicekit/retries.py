"""Trying again what has failed: after how long, and how the failure is told."""

import logging
from typing import Final

from howff.engine.errors import RefusalError

logger = logging.getLogger(__name__)

FIRST_RETRY: Final = 0.1
LONGEST_RETRY: Final = 30.0
"""Seconds between two tries of what fails; the first doubles up to the last."""
MOST_DOUBLINGS: Final = 16


def wait_asked_for(error: BaseException) -> float | None:
    """Return after how many seconds a refusal says to try again; None if *error* says nothing."""
    asked = getattr(error, "retry_after", None) if isinstance(error, RefusalError) else None
    return None if asked is None else float(asked)


def retry_delay(error: BaseException, tries: int) -> float:
    """Return how many seconds to wait after the last of *tries* has failed with *error*."""
    asked = wait_asked_for(error)
    if asked is not None:
        return asked
    return min(FIRST_RETRY * (1 << min(tries - 1, MOST_DOUBLINGS)), LONGEST_RETRY)


def log_failure(what: str, error: BaseException) -> None:
    """Log that *what* has failed: with its trace, unless it is a refusal to be tried again."""
    if wait_asked_for(error) is None:
        logger.error("%s failed", what, exc_info=error)
    else:
        logger.info("%s: %s", what, error)
