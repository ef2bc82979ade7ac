"""Tests that need a container engine: `make test-containers` runs them, `make test` does not."""

import os
import subprocess
from collections.abc import Iterator

import pytest
import yaml  # type: ignore[import-untyped]

from support.composed import ROOT, Composed, composed

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
    """Say which containers were rendered and linted alone, for want of an image."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    images = {name: each["image"] for name, each in services.items() if "profiles" in each}
    for name, image in images.items():
        if IS_WANTED and not _is_had(image):
            terminalreporter.write_line(f"rendered and linted, not run: {name}, no image {image}")


def _is_had(image: str) -> bool:
    command = ["docker", "image", "inspect", image]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603
