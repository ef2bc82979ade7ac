"""What the tests of workers share: a service without bots, and one with a worker."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.service import nats_server, service_on
from support.working_bots import Hall, Working


@pytest.fixture(scope="session")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """Give a service for which nobody plays but whom a test starts."""
    with _hall(tmp_path_factory.mktemp("hall")) as hall:
        yield hall


@pytest.fixture(scope="session")
def at_work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Hall, Working]]:
    """Give a service, and a worker that plays for it."""
    with _hall(tmp_path_factory.mktemp("played")) as hall, hall.working() as worker:
        yield hall, worker


@pytest.fixture(scope="session")
def played_hall(at_work: tuple[Hall, Working]) -> Hall:
    return at_work[0]


@pytest.fixture(scope="session")
def worker(at_work: tuple[Hall, Working]) -> Working:
    return at_work[1]


@contextmanager
def _hall(folder: Path) -> Iterator[Hall]:
    with nats_server() as nats, service_on(nats) as service:
        yield Hall(service, folder)
