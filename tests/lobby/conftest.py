"""What the tests of the lobby share: one that runs for all tests of a process."""

from collections.abc import Iterator

import pytest

from support.lobby import Lobby, own_lobby


@pytest.fixture(scope="session")
def lobby() -> Iterator[Lobby]:
    """Give the lobby that all tests of this process speak to."""
    with own_lobby(heartbeat_seconds=0.3) as lobby:
        yield lobby


@pytest.fixture
def soon_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what reads streams look often whether it is to stop."""
    for module in ("projections", "nats.kv"):
        monkeypatch.setattr(f"howff.servicekit.{module}.READ_WITHIN", 0.05)
