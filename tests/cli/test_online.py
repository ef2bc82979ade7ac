"""The commands that work with a server, on a real one."""

import re
import signal
import socket
from functools import partial
from pathlib import Path

import pytest

from howff.match.export import read_export
from support.cli import howff
from support.howff_up import WITHIN, Up, in_the_background, wait_for
from support.online import FREYA, SHORT, asking_as, play, refused, url_in
from support.running import run

LONG = 70_000 * "m"


def is_told(sign: str, output: Path) -> bool:
    return sign in output.read_text()


def test_a_whole_match_is_played_watched_saved_and_verified(server: Up, tmp_path: Path) -> None:
    kept, saved = tmp_path / "kept.jsonl", tmp_path / "saved.jsonl"
    clans = ("highland_clans", "--seats", "3", "--out", str(kept))
    played = play(server, *clans, typed="1\n" * 500)
    assert played.exit_code == 0, played.output
    assert "seat:0 is freya, seat:1 is Bot 1, seat:2 is Bot 2" in played.stdout
    assert "the whole match" in played.stdout
    assert howff("verify", str(kept)).exit_code == 0
    url = url_in(played.stdout)
    watched = howff("watch", url)
    assert watched.exit_code == 0, watched.output
    commits = read_export(kept.read_bytes()).commits
    told = re.findall(r"^ +(\d+)  \d{4}-", watched.stdout, re.MULTILINE)
    assert list(map(int, told)) == [commit.version for commit in commits]
    ranking = played.stdout.partition("Ranking")[2].partition("Written")[0].strip()
    assert ranking in watched.stdout
    assert "The end" in played.stdout, "the board is shown once more"
    assert howff("export", url, "--out", str(saved)).exit_code == 0
    assert saved.read_bytes() == kept.read_bytes()


def test_moves_are_asked_for_as_in_a_match_without_a_server(server: Up) -> None:
    played = play(server, *SHORT, typed="1\n" * 60)
    assert played.exit_code == 0, played.output
    assert "freya (you)" in played.stdout
    assert "A match of Die Trödler aus den Highlands starts" in played.stdout
    assert re.search(r"^ +1  freya ", played.stdout, re.MULTILINE)
    assert "`howff export http" in played.stdout


def test_whoever_leaves_a_match_can_go_on_with_it(server: Up, tmp_path: Path) -> None:
    left = play(server, *SHORT, typed="q\n")
    assert left.exit_code == 0
    match = url_in(left.stdout).rpartition("/")[2]
    assert f"It goes on with --match {match}" in left.stdout
    file = tmp_path / "match.jsonl"
    again = play(server, "troedler", "--match", match, "--out", str(file), typed="1\n" * 60)
    assert again.exit_code == 0, again.output
    assert howff("verify", str(file)).exit_code == 0


def test_whoever_runs_out_of_answers_is_told_how_to_go_on(server: Up) -> None:
    left = play(server, *SHORT, typed="1\n")
    assert refused(left, "no_answer")
    match = url_in(left.stdout).rpartition("/")[2]
    assert f"It goes on with --match {match}" in left.stdout


def test_people_at_one_terminal_are_asked_in_turn_and_shown_their_own_cards(server: Up) -> None:
    both = play(server, *SHORT, "--bots", "0", typed="\n1\n" * 60)
    assert both.exit_code == 0, both.output
    assert "freya 0, it is your turn" in both.stdout
    assert "freya 1, it is your turn" in both.stdout
    assert "freya 1 (you)" in both.stdout


def test_what_a_seat_may_know_of_a_running_match_can_be_saved(server: Up, tmp_path: Path) -> None:
    url = url_in(play(server, *SHORT, typed="q\n").stdout)
    file = tmp_path / "match.jsonl"
    for viewer in ("seat:0", "spectator"):
        saved = howff("export", url, "--as", viewer, "--out", str(file), *FREYA)
        assert saved.exit_code == 0, saved.output
        assert f"redacted for {viewer}" in saved.stdout
        assert read_export(file.read_bytes()).header.viewer == viewer
        assert howff("verify", str(file)).exit_code == 0


def test_a_match_is_watched_with_its_board_while_it_is_played(server: Up, tmp_path: Path) -> None:
    left = play(server, *SHORT, typed="q\n")
    url = url_in(left.stdout)
    output = tmp_path / "watched"
    with in_the_background("watch", url, "--board", output=output) as watching:
        wait_for(lambda: "Still to deal" in output.read_text(), output)
        match = url.rpartition("/")[2]
        assert play(server, "troedler", "--match", match, typed="1\n" * 60).exit_code == 0
        assert watching.wait(WITHIN) == 0
    told = output.read_text()
    assert told.count("Still to deal") > 3
    assert "Ranking" in told


def test_a_move_that_was_made_elsewhere_is_not_made_again(server: Up, tmp_path: Path) -> None:
    match = url_in(play(server, *SHORT, typed="q\n").stdout).rpartition("/")[2]
    output = tmp_path / "played"
    command = ("play", "troedler", "--match", match, "--server", server.url, *FREYA)
    with in_the_background(*command, output=output) as playing:
        assert playing.stdin is not None
        wait_for(lambda: "Your move" in output.read_text(), output)

        async def move_elsewhere() -> None:
            async with asking_as(server, "freya") as client:
                moves = await client.moves(match)
                await client.play(match, moves["moves"][0]["move"])

        run(move_elsewhere)
        playing.stdin.write(b"1\n" * 60)
        playing.stdin.flush()
        assert playing.wait(WITHIN) == 0, output.read_text()
    assert "Something has happened meanwhile" in output.read_text()


def test_ctrl_c_ends_a_match_and_a_watch_without_a_traceback(server: Up, tmp_path: Path) -> None:
    url = url_in(play(server, *SHORT, typed="q\n").stdout)
    match = url.rpartition("/")[2]
    for sign, command in (
        ("Your move", ("play", "troedler", "--server", server.url, "--match", match, *FREYA)),
        ("platform", ("watch", url)),
    ):
        output = tmp_path / command[0]
        with in_the_background(*command, output=output) as process:
            wait_for(partial(is_told, sign, output), output)
            process.send_signal(signal.SIGINT)
            assert process.wait(WITHIN) not in {0, -signal.SIGINT}
        assert "Traceback" not in output.read_text()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("watch", "{url}/v1/matches/nowhere"), "no_such_match"),
        (("export", "{url}/v1/matches/nowhere"), "no_such_match"),
        (("watch", "{url}"), "wrong_choice"),
        (("watch", "ftp://localhost/v1/matches/m"), "wrong_setting"),
        (("watch", "{url}/elsewhere/v1/matches/m"), "no_such_route"),
        (("play", "troedler", "--server", "{url}", "--token", "x.y.z"), "wrong_choice"),
        (
            ("play", "troedler", "--server", "{url}", "--token", "x.eyJzdWIiOiAiYSJ9.z"),
            "invalid_token",
        ),
        (("play", "troedler", "--server", "{url}", "--account", "nobody"), "no_login"),
        (("play", "troedler", "--server", "{url}", *FREYA, "--seats", "7"), "wrong_seat_count"),
        (("play", "troedler", "--server", "{url}", *FREYA, "-o", "x=1"), "wrong_option"),
        (("play", "troedler", "--server", "{url}", *FREYA, "--match", "m"), "no_such_match"),
        (
            ("play", "troedler", "--server", "{url}", *FREYA, "--out", "/nowhere/m"),
            "unreadable_file",
        ),
        (("play", "troedler", "--match", "m"), "wrong_choice"),
        (("play", "troedler", "--server", "{url}", "--account", "\udcff"), "no_login"),
        (("play", "troedler", "--server", "{url}", *FREYA, "--match", "\udcff"), "unsendable"),
        (("play", "troedler", "--server", "{url}", *FREYA, "--match", LONG), "unsendable"),
        (("watch", "{url}/v1/matches/m", "--as", "\udcff"), "unsendable"),
        (("export", "{url}/v1/matches/m", "--out", LONG), "unreadable_file"),
    ],
)
def test_what_makes_no_sense_is_refused_as_without_a_server(
    server: Up, arguments: tuple[str, ...], code: str
) -> None:
    told = (argument.replace("{url}", server.url) for argument in arguments)
    assert refused(howff(*told), code)


def test_a_match_is_played_on_by_whoever_has_a_seat_and_names_its_game(server: Up) -> None:
    match = url_in(play(server, *SHORT, typed="q\n").stdout).rpartition("/")[2]
    other = ("--server", server.url, "--match", match)
    assert refused(howff("play", "highland_clans", *other, *FREYA), "wrong_choice")
    assert refused(howff("play", "troedler", *other, "--account", "jack"), "wrong_choice")


def test_a_server_that_is_not_there_is_named() -> None:
    result = howff("watch", "http://localhost:1/v1/matches/m")
    assert refused(result, "unreachable")
    assert "http://localhost:1" in result.stderr


def test_nothing_starts_where_a_port_or_the_folder_is_taken(server: Up, tmp_path: Path) -> None:
    again = howff(*Up(server.data).arguments)
    assert refused(again, "folder_taken")
    assert server.process is not None
    assert f"a server at work, which `kill {server.process.pid}` ends" in again.stderr
    free = Up(tmp_path / "other")
    for port in free.ports:
        with socket.create_server(("127.0.0.1", port)):
            taken = howff(*free.arguments)
        assert refused(taken, "port_taken")
        assert str(port) in taken.stderr
    assert not free.data.exists()
