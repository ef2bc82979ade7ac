"""A real PostgreSQL for tests: one that a test process shares, with a database for each test."""

import atexit
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import psycopg
import pytest
from psycopg import sql

from howff.servicekit.nats.server import free_ports
from support.nats import unique

STARTED_WITHIN: Final = 30
"""Seconds."""
_OWNER: Final = "howff"
_FOREIGN: Final = "nobody"
"""Who runs the server where tests are run by root, whom PostgreSQL refuses."""


def postgres_address() -> str:
    """Return the address of a new database on the server that the tests of this process share.

    A test that asks for one is skipped where PostgreSQL is not installed.
    """
    name, port = unique("howff_"), _shared_server()
    with psycopg.connect(_dsn(port, "postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return f"postgresql://{_OWNER}@127.0.0.1:{port}/{name}"


def postgres_kind() -> str:
    """Tell which PostgreSQL is used: `pgserver`, `system`, or `none`."""
    found = _programs()
    if found is None:
        return "none"
    return "pgserver" if "pgserver" in found.parts else "system"


@cache
def _shared_server() -> int:
    """Return the port of a server that ends with the process."""
    held = ExitStack()
    folder = held.enter_context(tempfile.TemporaryDirectory(prefix="howff-pg-"))
    port = held.enter_context(_server(Path(folder)))
    atexit.register(held.close)  # now, so that it comes before what else cleans the folder up
    return port


@contextmanager
def _server(folder: Path) -> Iterator[int]:
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: no pgserver, nothing under /usr/lib/postgresql")
    user = _FOREIGN if os.geteuid() == 0 else None
    if user is not None:
        shutil.chown(folder, user)
    (port,) = free_ports(1)
    data = folder / "data"
    login = ["--auth=trust", f"--username={_OWNER}", "--no-sync", "--encoding=UTF8"]
    _run((programs / "initdb", "--no-locale", *login, data), user, folder)
    options = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off -c max_connections=50"
    bounded = ["--wait", f"--timeout={STARTED_WITHIN}", f"--pgdata={data}"]
    control: tuple[Path | str, ...] = (programs / "pg_ctl", *bounded)
    _run((*control, f"--log={folder / 'log'}", f"--options={options}", "start"), user, folder)
    try:
        yield port
    finally:
        _run((*control, "--mode=immediate", "stop"), user, folder)


def _run(command: tuple[Path | str, ...], user: str | None, folder: Path) -> None:
    """Run *command* as *user* to its end; fail with what it has said."""
    group = None if user is None else pwd.getpwnam(user).pw_gid
    with (folder.parent / f"{folder.name}.said").open("w+b") as said:
        # A server that is started keeps what it inherits, so that a pipe would never end.
        done = subprocess.run(  # noqa: S603 — of programs that were looked up
            command, stdout=said, stderr=said, user=user, group=group, cwd=folder, check=False
        )
        said.seek(0)
        assert done.returncode == 0, said.read().decode()
    (folder.parent / f"{folder.name}.said").unlink()


@cache
def _programs() -> Path | None:
    """Return the folder of PostgreSQL's programs: of the package pgserver, or of the system."""
    package = find_spec("pgserver")
    if package is not None and package.origin is not None:
        found = Path(package.origin).parent / "pginstall" / "bin"
        if (found / "postgres").exists():
            return found
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


def _dsn(port: int, database: str) -> str:
    return f"host=127.0.0.1 port={port} user={_OWNER} dbname={database}"
