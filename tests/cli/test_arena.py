import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import IS_LONG
from howff.bots.arena.tournaments import play_pairing, tournament_of
from support.cli import howff
from support.service import wait_until

WITHIN = 120
HOWFF = Path(sys.executable).with_name("howff")


def test_an_arena_tells_who_is_better_and_writes_it_all(tmp_path: Path) -> None:
    file = tmp_path / "arena.json"
    options = ("-o", "round_limit=1", "--processes", "2", "--json", str(file))
    result = howff("arena", "troedler", "random", "greedy:2", "--groups", "2", *options)

    assert result.exit_code == 0, result.output
    assert "Mean place" in result.stdout
    assert "Groups won" in result.stdout
    told = json.loads(file.read_text())
    assert told["is_complete"] is True
    assert told["options"] == {"round_limit": 1}
    assert [each["name"] for each in told["entrants"]] == ["random", "greedy:2"]
    assert {each["name"] for each in told["standings"]} == {"random", "greedy:2"}
    assert len(told["duels"]) == 1
    # Two processes have played what one would have.
    contest = tournament_of(
        "troedler",
        ("random", "greedy:2"),
        options={"round_limit": 1},
        seats=None,
        groups=2,
        seed="howff",
    )
    assert [(each["seating"], each["places"], each["decisions"]) for each in told["matches"]] == [
        (
            [contest.entrants[number].name for number in each.pairing.seating],
            list(each.course.outcome.places),
            list(each.course.decisions),
        )
        for each in (play_pairing(contest, pairing, lambda: 0) for pairing in contest.pairings)
    ]


def test_what_no_arena_can_be_of_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    for arguments, code in (
        (("chess", "random", "casual"), "unknown_game"),
        (("troedler", "random"), "wrong_entrants"),
        (("troedler", "random", "divine"), "wrong_entrants"),
        (("troedler", "random", "casual", "--seats", "7"), "wrong_seat_count"),
        (("troedler", "random", "casual", "-o", "speed"), "wrong_choice"),
        (("troedler", "random", "casual", "--json", str(tmp_path)), "unreadable_file"),
    ):
        result = howff("arena", *arguments)
        assert result.exit_code == 1
        assert result.stderr.startswith(code)
        assert "expected" in result.stderr


@pytest.mark.skipif(not IS_LONG, reason="processes more, which have to be in the middle of it")
def test_ctrl_c_keeps_the_groups_that_were_played(tmp_path: Path) -> None:
    file = tmp_path / "arena.json"
    options = ("--groups", "200", "-o", "round_limit=1", "--processes", "1")
    screen, terminal = os.openpty()
    arena = subprocess.Popen(  # noqa: S603 — the command under test
        [HOWFF, "arena", "troedler", "random", "random", *options, "--json", file],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
        start_new_session=True,
    )
    os.close(terminal)
    try:
        shown = shown_until(screen, rb"([4-9]|\d\d+)/400")
        os.killpg(arena.pid, signal.SIGINT)
        output, _ = arena.communicate(timeout=WITHIN)
        shown += shown_until(screen, None)
    finally:
        if arena.poll() is None:
            os.killpg(arena.pid, signal.SIGKILL)
            arena.wait()
        os.close(screen)

    assert arena.returncode == 130, shown
    assert b"Traceback" not in shown
    assert b"Mean place" in output
    told = json.loads(file.read_text())
    groups = len({each["group"] for each in told["matches"]})
    assert told["is_complete"] is False
    assert 0 < groups < 200
    assert len(told["matches"]) == 2 * groups
    assert f"Stopped after {groups} of 200 groups" in re.sub(r"\x1b\[[\d;]*m", "", shown.decode())


def shown_until(screen: int, wanted: bytes | None) -> bytes:
    """Return what a terminal shows until *wanted* is there, or all until nobody shows anything."""
    shown = b""
    while wanted is None or not re.search(wanted, shown):
        try:
            more = os.read(screen, 4096)
        except OSError:  # nobody has the terminal any more
            more = b""
        if not more:
            assert wanted is None, shown
            break
        shown += more
    return shown


def test_processes_that_play_end_with_the_arena_however_it_ends() -> None:
    options = ("--groups", "1000", "--processes", "1")
    with subprocess.Popen(  # noqa: S603 — the command under test
        [HOWFF, "arena", "troedler", "random", "random", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as arena:
        children = Path(f"/proc/{arena.pid}/task/{arena.pid}/children")
        try:
            wait_until(lambda: has_played(children.read_text().split()))
            processes = [Path(f"/proc/{each}") for each in children.read_text().split()]
        finally:
            arena.kill()
    wait_until(lambda: not any(each.exists() for each in processes))


def has_played(processes: list[str]) -> bool:
    """Tell whether one of the *processes* has worked for more than it takes to start."""
    ticks = [int(Path(f"/proc/{each}/stat").read_text().split()[13]) for each in processes]
    return max(ticks, default=0) > 2 * os.sysconf("SC_CLK_TCK")
