"""Tests that need a container engine: `make test-containers` runs them, `make test` does not."""

import os
from collections.abc import Iterator

import pytest

from support.composed import Composed, composed

IS_WANTED = bool(os.environ.get("HOWFF_CONTAINER_TESTS"))
if not IS_WANTED:
    collect_ignore_glob = ["test_*"]


@pytest.fixture(scope="module")
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Composed]:
    """Give a server of containers with the profiles that the module names."""
    profiles: tuple[str, ...] = getattr(request.module, "PROFILES", ())
    failed = request.session.testsfailed
    with composed(tmp_path_factory.mktemp("server"), *profiles) as server:
        server.up()
        yield server
        if request.session.testsfailed > failed:
            print(server.logs())  # noqa: T201 — shown with what has failed


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which containers were rendered and linted alone; their images can't be had everywhere."""
    if IS_WANTED:
        terminalreporter.write_line("rendered and linted, not run: grafana, collector, jaeger")
