"""Clients for tests, in more of a hurry than those of people."""

from dataclasses import replace
from itertools import count
from typing import Final

from howff.client.admission import Admission
from howff.client.client import HowffClient
from howff.client.patience import Patience

HURRIED: Final = Patience(
    answer=0.5, trying=5, first_pause=0.001, longest_pause=0.02, silence=0.3, lag=0.05
)
IMPATIENT: Final = Patience(
    answer=0.05, trying=0.2, first_pause=0.001, longest_pause=0.02, silence=0.05, lag=0.01
)

SOON_TIRED: Final = replace(IMPATIENT, silence=5.0)
"""Impatient, but with lines that are slow since the machine is busy."""


def client(
    url: str, token: str | Admission | None = None, patience: Patience = HURRIED
) -> HowffClient:
    """Return a client whose ids are numbered."""
    numbers = count(1)
    return HowffClient(url, token, ids=lambda: f"command-{next(numbers)}", patience=patience)
