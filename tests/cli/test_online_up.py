"""`howff up`: the server on one machine, started, stopped, broken and started again."""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from conftest import IS_LONG
from howff.cli.machine.folders import FolderTakenError, Holder, check_unlocked, locked
from howff.cli.machine.parts import PartEndedError, ServiceProcess
from howff.servicekit.nats.server import free_ports
from support.cli import howff
from support.howff_up import WITHIN, Up, running, started, wait_for
from support.online import FREYA, SHORT


def is_free(folder: Path) -> bool:
    try:
        check_unlocked(folder)
    except FolderTakenError:
        return False
    return True


def running_among(parts: list[int]) -> list[int]:
    return [part for part in parts if Path(f"/proc/{part}").exists()]


def ends_with_all_parts(server: Up, by: signal.Signals) -> bool:
    parts = server.parts
    assert len(parts) == 6
    return server.stop(by) == 0 and not running_among(parts)


def test_every_match_goes_on_after_ctrl_c_when_the_server_is_started_again(
    server: Up, tmp_path: Path
) -> None:
    output, file = tmp_path / "watched", tmp_path / "match.jsonl"
    freya = ("--server", server.url, *FREYA)
    left = howff("play", *SHORT, *freya, typed="1\nq\n")
    url = left.stdout.split(maxsplit=1)[0]
    match = url.rpartition("/")[2]
    with output.open("wb") as watched:
        watching = started("watch", url, output=watched)
    with watching, ExitStack() as ending:
        ending.callback(watching.kill)
        wait_for(lambda: "A match of" in output.read_text(), output)
        assert ends_with_all_parts(server, signal.SIGINT)
        assert server.output.endswith("Stopping\n")
        server.start()
        arguments = ("troedler", "--match", match, "--out", str(file), *freya)
        played = howff("play", *arguments, typed="1\n" * 60)
        assert played.exit_code == 0, played.output
        assert watching.wait(WITHIN) == 0, output.read_text()
    told = output.read_text()
    assert told.count("A match of") == told.count("Ranking") == 1
    assert "Waiting for the server" in told
    assert howff("verify", str(file)).exit_code == 0


@pytest.mark.skipif(not IS_LONG, reason="a whole server more; Ctrl-C ends it likewise")
def test_a_server_ends_with_its_terminal_whatever_else_asks_it_to(tmp_path: Path) -> None:
    with running(tmp_path / "var") as server:
        assert server.process is not None
        server.process.send_signal(signal.SIGHUP)
        assert ends_with_all_parts(server, signal.SIGTERM)
        assert server.output.endswith("Stopping\n")


@pytest.mark.skipif(not IS_LONG, reason="a whole server more; one part alone shows it too")
def test_a_part_that_dies_ends_the_others_and_is_named(tmp_path: Path) -> None:
    with running(tmp_path / "var") as server:
        parts = server.parts
        os.kill(parts[0], signal.SIGKILL)
        assert server.process is not None
        assert server.process.wait(WITHIN) == 1
        assert not running_among(parts)
        assert "Finished server process" in (server.data / "log" / "game.log").read_text()
        last = server.output.splitlines()[-1]
        assert last.startswith("nats_server_not_ready")
        assert "ended with code -9" in last
        assert "Traceback" not in server.output


@pytest.mark.skipif(not IS_LONG, reason="a whole server more")
def test_a_part_that_dies_while_a_demo_is_added_is_named(tmp_path: Path) -> None:
    output = tmp_path / "var.output"
    with running(tmp_path / "var", "--seed-demo") as server:
        wait_for(lambda: "Adding a demo" in server.output, output)
        parts = server.parts
        os.kill(parts[2], signal.SIGKILL)
        assert server.process is not None
        assert server.process.wait(WITHIN) == 1
        assert not running_among(parts)
        assert server.output.splitlines()[-1].startswith("part_ended  part 'game'")
        assert not (server.data / "demo.json").exists()


@pytest.mark.skipif(not IS_LONG, reason="a whole server more; one part alone shows it too")
def test_parts_that_outlive_their_parent_keep_the_folder_and_are_named(tmp_path: Path) -> None:
    with running(tmp_path / "var") as server, ExitStack() as ending:
        parts = server.parts
        for part in parts:
            ending.callback(os.kill, part, signal.SIGKILL)
        assert server.stop(signal.SIGKILL) == -signal.SIGKILL
        for again in (server, Up(server.data)):
            refused = howff(*again.arguments)
            assert refused.exit_code == 1
            assert refused.stderr.startswith("folder_taken")
            assert "in use by what is left of a server, which `kill" in refused.stderr
            assert all(f"(process {part})" in refused.stderr for part in parts)
            assert "howff.lobby (process" in refused.stderr
        ending.close()
        wait_for(lambda: is_free(server.data), tmp_path / "var.output")


def test_the_folder_is_its_owners_alone(tmp_path: Path) -> None:
    with locked(tmp_path / "var"):
        assert (tmp_path / "var").stat().st_mode & 0o777 == 0o700


def test_what_services_keep_is_their_owners_alone_also_in_a_folder_of_others(server: Up) -> None:
    for name in ("lobby.db", "scoring.db"):
        assert (server.data / name).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["howff", "howff.cli"])
def test_a_server_is_known_by_how_it_was_started_and_ends_its_parts(name: str) -> None:
    holders = (Holder(6, "nats-server"), Holder(5, name))
    assert "a server at work, which `kill 5` ends" in str(FolderTakenError(Path("var"), holders))


def test_one_part_alone_keeps_the_folder(tmp_path: Path) -> None:
    sleeping = "import time; time.sleep(60)"
    with locked(tmp_path) as lock:
        part = subprocess.Popen([sys.executable, "-c", sleeping], pass_fds=(lock,))  # noqa: S603
    with part, ExitStack() as ending:
        ending.callback(part.kill)
        with pytest.raises(FolderTakenError, match=rf"\(process {part.pid}\)"):
            check_unlocked(tmp_path)


@pytest.mark.parametrize(
    ("place", "code"), [("log", "unreadable_file"), ("nats", "nats_server_not_ready")]
)
def test_a_file_where_a_folder_should_be_is_named(tmp_path: Path, place: str, code: str) -> None:
    (tmp_path / place).touch()
    output = tmp_path / "output"
    with output.open("wb") as file, started(*Up(tmp_path).arguments, output=file) as refused:
        assert refused.wait(WITHIN) == 1
    assert f"\n{code}" in f"\n{output.read_text()}"
    assert repr(str(tmp_path / place)) in output.read_text()


def test_a_service_that_ends_is_named_with_the_end_of_its_log(tmp_path: Path) -> None:
    log = tmp_path / "log" / "poem.log"
    service = ServiceProcess("poem", "this", {}, log)
    service.start()
    with pytest.raises(PartEndedError, match=r"'poem'.* code 0.*Namespaces are one honking great"):
        service.wait_until_answers(free_ports(1)[0], "/")
    service.stop()


def test_a_service_that_ends_is_not_named_with_what_an_earlier_run_has_logged(
    tmp_path: Path,
) -> None:
    log = tmp_path / "mute.log"
    log.write_text("all is well\n")
    service = ServiceProcess("mute", "howff", {}, log)  # a package that can't be run
    service.start()
    with pytest.raises(PartEndedError, match=r"the end of \S+: \S.*cannot be directly") as refused:
        service.wait_until_answers(free_ports(1)[0], "/")
    service.stop()
    assert "all is well" not in str(refused.value)


def test_a_service_that_can_not_start_is_named_with_its_reason(tmp_path: Path) -> None:
    environment = {"HOWFF_REPLICAS": "many"}
    service = ServiceProcess("game", "howff.game", environment, tmp_path / "game.log")
    service.start()
    with pytest.raises(PartEndedError, match=r"code 1;.*wrong_setting  HOWFF_REPLICAS"):
        service.wait_until_answers(free_ports(1)[0], "/v1/games")
    service.stop()
