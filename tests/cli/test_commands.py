import json
import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from howff.cli.app import app
from howff.cli.terminal.boards.catalogue import BOARDS
from howff.engine.catalogue import GAMES
from howff.match.export import Export, read_export, write_export
from support.cli import export_of_unknown_rules, howff, played_export, redacted_export


@pytest.fixture(scope="module")
def match_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("match") / "match.jsonl"
    file.write_bytes(write_export(played_export()))
    return file


def refused(result: Result, code: str) -> bool:
    """Return whether a command has ended as a refusal should: status 1, code, both sides."""
    shown = result.stderr
    return (
        result.exit_code == 1
        and shown.startswith(code)
        and "expected" in shown
        and "found" in shown
        and isinstance(result.exception, SystemExit)
    )


def test_games_are_listed_with_their_seats_and_options() -> None:
    result = howff("games")
    assert result.exit_code == 0
    assert "troedler" in result.stdout
    assert "2 to 4 seats" in result.stdout
    assert re.search(r'memory +"strict" +"strict" or "open"', result.stdout)


def test_the_demo_writes_a_match_that_verifies(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    result = howff("demo", "--seats", "2", "--option", "round_limit=1", "--out", str(file))
    assert result.exit_code == 0, result.output
    assert "Folded back" in result.stdout
    assert "Ranking" in result.stdout
    assert howff("verify", str(file)).exit_code == 0


def test_the_demo_can_use_every_option(tmp_path: Path) -> None:
    settings = ("dealing=auto", "memory=open", 'colours=["red","blue"]', "starting_dealer=1")
    options = [word for setting in (*settings, "round_limit=1") for word in ("-o", setting)]
    file = tmp_path / "match.jsonl"
    result = howff("demo", "--seats", "2", *options, "--out", str(file))
    assert result.exit_code == 0, result.output
    assert read_export(file.read_bytes()).header.options["colours"] == ["red", "blue"]


def test_by_default_every_seat_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    howff("demo", "-o", "round_limit=1", "--out", str(file))
    assert len(read_export(file.read_bytes()).header.seats) == 4


def test_a_list_may_be_told_with_commas(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    options = ("-o", "round_limit=1", "-o", "colours=blue,green")
    result = howff("demo", "--seats", "2", *options, "--out", str(file))
    assert result.exit_code == 0, result.output
    assert read_export(file.read_bytes()).header.options["colours"] == ["blue", "green"]


def test_every_game_has_a_board() -> None:
    assert BOARDS.keys() == GAMES.keys()


def test_a_narrow_terminal_gets_a_list_of_villages() -> None:
    wide = howff("play", "troedler", "-o", "starting_dealer=0", typed="q\n")
    narrow = howff("play", "troedler", "-o", "starting_dealer=0", typed="q\n", columns=50)
    assert "~~~" in wide.stdout
    assert "~~~" not in narrow.stdout
    assert "Tomnavoulin" in narrow.stdout
    board = narrow.stdout.partition("Your move")[0]
    assert max(map(len, board.splitlines())) <= 50


def test_the_version_is_told() -> None:
    assert re.fullmatch(r"howff \d+\.\d+\.\d+\n", howff("--version").stdout)


def test_a_person_can_play_a_match_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    answers = "2\n" + "1\n" * 200
    result = howff(
        "play", "troedler", "--seats", "2", "-o", "round_limit=1", "--out", str(file), typed=answers
    )
    assert result.exit_code == 0, result.output
    assert "Your hand" in result.stdout
    assert "1  Ivy" in result.stdout
    assert "Ranking" in result.stdout
    assert howff("verify", str(file)).exit_code == 0
    commits = read_export(file.read_bytes()).commits
    assert {commit.bot is None for commit in commits if commit.seat == 0} == {True}
    assert {commit.bot is None for commit in commits if commit.seat == 1} == {False}


def test_two_people_are_asked_to_change_places() -> None:
    result = howff("play", "troedler", "--seats", "2", "--bots", "0", typed="\n")
    assert "it is your turn" in result.stdout
    assert refused(result, "no_answer")


def test_on_a_shared_screen_nobodys_cards_are_told_to_all() -> None:
    typed = "\n1\n" * 12
    options = ("-o", "dealing=auto", "-o", "round_limit=1")
    result = howff("play", "troedler", "--seats", "2", "--bots", "0", *options, typed=typed)
    lines = [line for line in result.stdout.splitlines() if " takes pile" in line]
    told = [line for line in lines if not re.match(r" +\d", line)]
    assert len(told) == 2
    assert not [line for line in told if re.search(r"takes pile \d: ", line)]


def test_a_person_who_is_called_to_the_screen_may_leave() -> None:
    result = howff("play", "troedler", "--seats", "2", "--bots", "0", typed="q\n")
    assert result.exit_code == 0
    assert "Your hand" not in result.stdout


def test_whoever_leaves_a_match_is_told_that_nothing_was_written() -> None:
    result = howff("play", "troedler", "-o", "starting_dealer=0", typed="q\n")
    assert result.exit_code == 0
    assert "nothing was written" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("play", "chess"), "unknown_game"),
        (("play", "troedler", "--seats", "5"), "wrong_seat_count"),
        (("play", "troedler", "--seats", "2", "--bots", "3"), "wrong_choice"),
        (("play", "troedler", "-o", "memory=none"), "wrong_option"),
        (("play", "troedler", "-o", "speed=3"), "wrong_option"),
        (("play", "troedler", "-o", "memory"), "wrong_choice"),
        (("play", "troedler", "-o", "starting_dealer=4"), "wrong_option"),
        (("play", "troedler", "-o", "round_limit=0"), "wrong_option"),
        (("play", "troedler", "-o", "round_limit=99999999999999999999"), "wrong_option"),
        (("play", "troedler", "-o", "colours=" + "[" * 100_000), "wrong_option"),
        (("play", "troedler", "--out", "/nowhere/match.jsonl"), "unreadable_file"),
        (("play", "troedler", "--out", "/"), "unreadable_file"),
        (("demo", "--seats", "1"), "wrong_seat_count"),
        (("demo", "-o", "round_limit=1", "--out", "/nowhere/match.jsonl"), "unreadable_file"),
        (("verify", "/nowhere/match.jsonl"), "unreadable_file"),
        (("replay", "/nowhere/match.jsonl"), "unreadable_file"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_code(arguments: tuple[str, ...], code: str) -> None:
    assert refused(howff(*arguments), code)


@pytest.mark.parametrize("typed", ["0", "999", "x", "1.5", "-1", "", "²", "9" * 5000])
def test_a_number_that_was_not_offered_is_refused(typed: str) -> None:
    result = howff("play", "troedler", "-o", "starting_dealer=0", typed=f"{typed}\n")
    assert refused(result, "wrong_choice")


def test_a_match_that_is_as_recorded_verifies(match_file: Path) -> None:
    result = howff("verify", str(match_file))
    assert result.exit_code == 0
    assert result.stdout.count("passed") == 6
    key = played_export().header.keys[0].id
    assert f"Signed by {key} (the file itself names this key)" in result.stdout


def test_a_changed_byte_is_found(match_file: Path, tmp_path: Path) -> None:
    content = match_file.read_text().replace('"round":1', '"round":2', 1)
    edited = tmp_path / "edited.jsonl"
    edited.write_text(content)
    result = howff("verify", str(edited))
    assert result.exit_code == 1
    assert "broken_chain at version" in result.stdout


def test_a_match_that_breaks_off_is_refused(match_file: Path, tmp_path: Path) -> None:
    content = match_file.read_bytes()
    cut = tmp_path / "cut.jsonl"
    for length in (0, 10, len(content) // 2, len(content) - 1):
        cut.write_bytes(content[:length])
        assert refused(howff("verify", str(cut)), "truncated_export")
    lines = content.splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[:-1]))
    assert refused(howff("verify", str(cut)), "truncated_export")


def test_a_file_that_is_no_match_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text("Dear diary\n")
    assert refused(howff("verify", str(other)), "malformed_export")


def test_signatures_of_other_keys_than_the_pinned_ones_fail(
    match_file: Path, tmp_path: Path
) -> None:
    export = played_export()
    pinned = tmp_path / "keys.json"
    key = export.header.keys[0]
    jwk = {"crv": key.crv, "kty": key.kty, "x": key.x, "kid": key.id, "use": "sig"}
    pinned.write_text(json.dumps({"keys": [jwk]}))
    assert howff("verify", str(match_file), "--keys", str(pinned)).exit_code == 0
    pinned.write_text(json.dumps([{"crv": key.crv, "kty": key.kty, "x": "A" * 43}]))
    result = howff("verify", str(match_file), "--keys", str(pinned))
    assert result.exit_code == 1
    assert "unknown_key" in result.stdout
    for other in ('{"keys": [{"kty": "RSA"}]}', '["\\ud800"]', "[" * 100_000, "3", "{}"):
        pinned.write_text(other)
        assert refused(howff("verify", str(match_file), "--keys", str(pinned)), "wrong_choice")


@pytest.mark.parametrize("viewer", ["seat:0", "seat:1", "spectator", "all"])
def test_a_match_is_told_again_through_anyones_eyes(match_file: Path, viewer: str) -> None:
    result = howff("replay", str(match_file), "--as", viewer)
    assert result.exit_code == 0
    assert "seat:1 is Freya" in result.stdout
    assert "Ranking" in result.stdout
    assert f"{len(played_export().commits):4}  2026" in result.stdout


def test_a_replay_shows_a_taken_pile_to_its_taker_alone(match_file: Path) -> None:
    def piles(viewer: str) -> list[str]:
        lines = howff("replay", str(match_file), "--as", viewer).stdout.splitlines()
        return [line.strip() for line in lines if re.search(r"takes pile \d: ", line)]

    assert all(line.startswith("Ivy") for line in piles("seat:0"))
    assert piles("seat:0")
    assert not piles("spectator")
    assert len(piles("all")) == 2 * len(piles("seat:0"))


def test_a_replay_tells_what_was_momentary_as_it_was_told_live(match_file: Path) -> None:
    lines = howff("replay", str(match_file), "--as", "spectator").stdout
    assert re.search(r"Pile \d gets (a|an|the|special) ", lines)
    assert "gets a card" not in lines


def test_a_replay_shows_the_board_of_its_viewer(match_file: Path) -> None:
    boards = {
        viewer: howff("replay", str(match_file), "--as", viewer).stdout
        for viewer in ("seat:0", "seat:1", "spectator")
    }
    assert "Ivy (you)" in boards["seat:0"]
    assert "Freya (you)" in boards["seat:1"]
    assert "Your hand" not in boards["spectator"]


def test_a_match_that_does_not_verify_is_not_told_again(match_file: Path, tmp_path: Path) -> None:
    edited = tmp_path / "edited.jsonl"
    edited.write_text(match_file.read_text().replace('"round":1', '"round":2', 1))
    result = howff("replay", str(edited))
    assert refused(result, "not_verified")
    assert "broken_chain" in result.stderr


def test_events_of_unknown_rules_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "strange.jsonl"
    file.write_bytes(write_export(export_of_unknown_rules()))
    verified = howff("verify", str(file))
    assert verified.exit_code == 0
    assert "NOT decided again" in verified.stdout
    assert refused(howff("replay", str(file)), "not_foldable")


def test_only_a_plain_file_is_written_over(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert refused(howff("demo", "-o", "round_limit=1", "--out", str(pipe)), "unreadable_file")
    assert pipe.is_fifo()


def test_a_link_still_points_where_the_match_is_written(tmp_path: Path) -> None:
    file, link = tmp_path / "match.jsonl", tmp_path / "latest.jsonl"
    link.symlink_to(file)
    howff("demo", "-o", "round_limit=1", "--out", str(link))
    assert link.is_symlink()
    assert howff("verify", str(file)).exit_code == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["latest.jsonl", "match.jsonl"]


def test_nobody_else_can_be_looked_through(match_file: Path) -> None:
    for viewer in ("seat:2", "seat:-1", "nobody"):
        assert refused(howff("replay", str(match_file), "--as", viewer), "wrong_choice")


def test_a_redacted_match_verifies_but_is_not_replayable(tmp_path: Path) -> None:
    file = tmp_path / "seat.jsonl"
    redacted: Export = redacted_export()
    file.write_bytes(write_export(redacted))
    verified = howff("verify", str(file))
    assert verified.exit_code == 0
    assert "not checked" in verified.stdout
    told = howff("replay", str(file))
    assert refused(told, "match_not_over")
    assert "`howff watch`" in told.stderr


def test_what_is_none_of_the_choices_is_told_in_plain_words() -> None:
    told = howff("play", "troedler", "--level", "hard")
    assert told.exit_code == 2
    assert "'--level': 'hard' is not one of" in told.stderr


def test_the_command_alone_shows_its_help() -> None:
    result = CliRunner().invoke(app, [])
    assert "Usage" in result.output
    assert "replay" in result.output
