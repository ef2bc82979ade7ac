"""The key by which workers sign in tests, and tokens by it."""

from pathlib import Path
from typing import Final

from howff.servicekit import clock, ids
from howff.servicekit.web.parts import PartTokens
from howff.servicekit.web.signing import SigningKey
from howff.servicekit.web.tokens import WORKERS

KEY: Final = SigningKey(bytes(range(64, 96)))
KEYS_FILE: Final = Path(__file__).with_name("worker_keys.json")
"""Its public part, as services read it."""


def worker_bearer(key: SigningKey = KEY) -> dict[str, str]:
    """Return the header of a worker."""
    token = PartTokens(WORKERS, key, now=clock.now, new_id=ids.new_id).current()
    return {"Authorization": f"Bearer {token}"}
