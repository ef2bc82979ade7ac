"""The command as a process of its own: what a user's shell sees."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import IS_LONG
from howff.cli.app import run as run_here
from support.howff_up import WITHIN
from support.terminals import at_a_terminal

HOWFF = Path(sys.executable).with_name("howff")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 — the command under test
        [str(HOWFF), *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_refusal_goes_to_standard_error_with_status_1(tmp_path: Path) -> None:
    ended = run("verify", str(tmp_path / "missing.jsonl"))
    assert ended.returncode == 1
    assert not ended.stdout
    assert ended.stderr.startswith("unreadable_file")
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(not IS_LONG, reason="a process more")
def test_a_wrong_command_has_status_2_and_no_traceback() -> None:
    ended = run("juggle")
    assert ended.returncode == 2
    assert "No such command" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_the_demo_runs_from_the_shell(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    ended = run("demo", "--option", "round_limit=1", "--out", str(file))
    assert ended.returncode == 0, ended.stderr
    assert file.stat().st_size > 10_000


@pytest.mark.skipif(not IS_LONG, reason="a process more")
def test_a_terminal_without_umlauts_gets_other_signs() -> None:
    ended = run("games", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert ended.returncode == 0, ended.stderr
    assert "Tr?dler" in ended.stdout


def test_a_full_disk_is_no_traceback() -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(  # noqa: S603 — the command under test
            [str(HOWFF), "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ended.returncode == 1
    assert ended.stderr.startswith("unwritable_output")
    assert "Traceback" not in ended.stderr


def test_what_is_no_fault_of_the_output_is_not_called_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", "elsewhere")

    monkeypatch.setattr("howff.cli.app.app", fail)
    with pytest.raises(FileNotFoundError, match="elsewhere"):
        run_here()


@pytest.mark.skipif(not IS_LONG, reason="a process more")
def test_certificates_that_are_not_there_are_named(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.pem")
    ended = run("watch", "http://localhost:1/v1/matches/m", SSL_CERT_FILE=missing)
    assert ended.returncode == 1
    assert ended.stderr.startswith("wrong_setting")
    assert missing in ended.stderr
    assert "Traceback" not in ended.stderr


def test_ctrl_c_leaves_a_match_as_q_does() -> None:
    with at_a_terminal("play", "troedler", "--option", "starting_dealer=0") as terminal:
        terminal.read_until("Your move")
        terminal.interrupt_until("\r\nLeft before the end; nothing was written\r\n")
        assert terminal.process.wait(WITHIN) == 130
