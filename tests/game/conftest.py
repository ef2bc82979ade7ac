"""What the tests of the match service share: one that runs for all tests of a process."""

from collections.abc import Iterator

import pytest

from support.bots import playing
from support.service import Service, nats_server, service_on


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """Give the service that all tests of this process speak to."""
    with nats_server() as nats, service_on(nats, heartbeat_seconds=0.3) as service:
        yield service


@pytest.fixture(scope="session")
def played_service() -> Iterator[Service]:
    """Give a service for whose bots somebody plays."""
    with nats_server() as nats, service_on(nats) as service, playing(service):
        yield service
