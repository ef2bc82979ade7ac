"""A recorded match, step by step."""

import re
from pathlib import Path

import pytest
from typer.testing import Result

from howff.match.export import write_export
from support.cli import howff, played_export
from support.clocked import clocked_export
from support.online import refused

LAST = len(played_export().commits)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("match") / "match.jsonl"
    path.write_bytes(write_export(played_export()))
    return path


@pytest.fixture(scope="module")
def clocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("match") / "clocked.jsonl"
    path.write_bytes(write_export(clocked_export()))
    return path


def versions_in(result: Result) -> list[int]:
    """Return the versions that were shown, in order."""
    return list(map(int, re.findall(r"(\d+)  20\d\d-\d\d-\d\dT", result.stdout)))


def test_a_replay_goes_on_back_and_anywhere_until_somebody_quits(file: Path) -> None:
    result = howff("replay", str(file), "--step", typed="\n\nb\n40\nb\n1\nb\nq\n")
    assert result.exit_code == 0, result.output
    assert versions_in(result) == [1, 2, 3, 2, 40, 39, 1, 1]
    assert result.stdout.count("Still to deal") == 8
    assert "Ranking" not in result.stdout


def test_a_replay_step_by_step_ends_after_the_last_step(file: Path) -> None:
    result = howff("replay", str(file), "--step", "--at", str(LAST - 1), typed="\n\n")
    assert result.exit_code == 0, result.output
    assert versions_in(result) == [LAST - 1, LAST]
    assert result.stdout.count("Ranking") == 1


def test_a_replay_at_one_version_shows_what_led_there_and_the_board(file: Path) -> None:
    result = howff("replay", str(file), "--as", "seat:0", "--at", "7")
    assert result.exit_code == 0, result.output
    assert versions_in(result) == [7]
    assert "Your hand" in result.stdout
    assert "Ranking" not in result.stdout
    shown = [howff("replay", str(file), "--as", "seat:0", "--at", at).stdout for at in ("6", "8")]
    assert len({result.stdout, *shown}) == 3


@pytest.mark.parametrize("version", [-1, 0, LAST + 1, 10**30])
def test_a_version_that_the_match_has_not_is_refused(file: Path, version: int) -> None:
    assert refused(howff("replay", str(file), f"--at={version}"), "wrong_choice")


@pytest.mark.parametrize("typed", ["0", str(LAST + 1), "x", "-1", "1.5", "9" * 5000, "²"])
def test_a_step_that_there_is_not_is_refused(file: Path, typed: str) -> None:
    assert refused(howff("replay", str(file), "--step", typed=f"{typed}\n"), "wrong_choice")


def test_a_replay_that_runs_out_of_answers_is_refused(file: Path) -> None:
    result = howff("replay", str(file), "--step", typed="\n\n")
    assert versions_in(result) == [1, 2, 3]
    assert refused(result, "no_answer")


def test_a_replay_tells_whose_clock_has_how_much_after_each_commit(clocked: Path) -> None:
    result = howff("replay", str(clocked))
    assert result.exit_code == 0, result.output
    times = [line.strip() for line in result.stdout.splitlines() if "Time left" in line]
    assert times == [
        "Time left: Ivy 1:40 (running), Freya 1:40, Jack 1:40",
        "Time left: Ivy 1:10 (running), Freya 1:40, Jack 1:40",
        "Time left: Ivy 1:00, Freya 1:40, Jack 1:40; paused",
        "Time left: Ivy 1:00, Freya 1:40, Jack 1:40; paused",
        "Time left: Ivy 1:00 (running), Freya 1:40, Jack 1:40",
        "Time left: Ivy 1:40 (running), Freya 1:40, Jack 1:40",
        "Time left: Ivy 1:39 (running), Freya 1:40, Jack 1:40",
        "Time left: Ivy 1:38 (running), Jack 1:40",
        "Time left: Jack 1:40",
    ]


def test_a_replay_tells_flags_pauses_and_leaving_in_words(clocked: Path) -> None:
    told = howff("replay", str(clocked)).stdout
    for line in (
        "Ivy wants to pause the match",
        "All agree: the match is paused",
        "The match goes on, and the clocks run again",
        "The time of Ivy has run out",
        "A bot (random) takes over from Ivy",
        "Ivy is back",
        "Freya leaves the match for good",
        "The match has ended, since the others have left",
    ):
        assert told.count(line) == 1, line
    assert re.search(r"1 +Jack *\n +2 +Ivy *\n +3 +Freya", told)


def test_a_step_tells_who_is_not_there_and_who_wants_what(clocked: Path) -> None:
    told = {at: howff("replay", str(clocked), "--at", str(at)).stdout for at in (2, 6, 8)}
    assert "\n  Ivy wants to pause the match" in told[2]
    assert "A bot (random) plays for Ivy" in told[6]
    assert "Freya has left" in told[8]
