"""The image: how large it is, who runs in it, and what it says."""

import json
import subprocess
from collections.abc import Sequence
from typing import Any

from support.composed import IMAGE


def docker(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        ["docker", *arguments],  # noqa: S607 — the engine that the tests are for
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def ran(*arguments: str, options: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    """Return how a container ends that may write nothing but to its /tmp."""
    return docker("run", "--rm", "--read-only", "--tmpfs", "/tmp", *options, IMAGE, *arguments)  # noqa: S108


def described() -> dict[str, Any]:
    (image,) = json.loads(docker("image", "inspect", IMAGE).stdout)
    found: dict[str, Any] = image
    return found


def test_it_is_smaller_than_250_megabytes() -> None:
    assert described()["Size"] < 250_000_000


def test_nobody_in_it_is_root() -> None:
    assert described()["Config"]["User"] == "10001:10001"
    assert ran(
        "-c", "import os; print(os.getuid())", options=("--entrypoint", "python")
    ).stdout == ("10001\n")


def test_it_has_no_tools_of_development_and_no_server_of_nats() -> None:
    found = ran(
        "-c", "ls /opt/howff/bin /opt/howff/lib/*/site-packages", options=("--entrypoint", "sh")
    )
    names = set(found.stdout.split())
    assert {"fastapi", "howff", "uvicorn"} <= names
    assert not names & {"pytest", "ruff", "mypy", "pip", "uv", "nats-server"}


def test_a_service_without_nats_says_so_in_one_line() -> None:
    key = ("--env", f"HOWFF_BOT_KEY={'A' * 43}")
    ended = ran("bots", options=(*key, "--env", "HOWFF_LOG_FORMAT=text"))
    assert ended.returncode == 1, ended.stderr
    assert ended.stderr.startswith("nats_not_connected  connection 'bots'")
    assert len(ended.stderr.splitlines()) == 1


def test_another_word_is_refused_in_one_line() -> None:
    ended = ran("chess")
    assert (ended.returncode, ended.stdout) == (2, "")
    expected = "howff: expected lobby, game, scoring, bots, migrate or drill, found 'chess'\n"
    assert ended.stderr == expected
