"""Time, leaving and looking back at the command line, on a real server."""

import asyncio
import re
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final

import pytest

from support.cli import howff
from support.howff_up import WITHIN, Up, in_the_background, wait_for
from support.online import FREYA, SHORT, asking_as, login_of, play, refused, url_in
from support.running import run

CLOCK: Final = ("--clock", "match=300+5")
FORFEIT: Final[dict[str, Any]] = {
    "game": "troedler",
    "options": {"round_limit": 5, "dealing": "auto", "starting_dealer": 1},
    "clock": {"match_seconds": 3, "increment_seconds": 300},
    "on_flag": "bot",
    "stand_in": "random",
}
"""A match in which jack has much time after his first move, and freya little before hers."""


@pytest.fixture(scope="module")
def finished(server: Up) -> str:
    """Return the address of a match that was played to its end."""
    played = play(server, *SHORT, *CLOCK, typed="1\n" * 60)
    assert played.exit_code == 0, played.output
    return url_in(played.stdout)


@pytest.fixture(scope="module")
def unfinished(server: Up) -> str:
    """Return the address of a match that nobody goes on with."""
    return url_in(play(server, *SHORT, typed="q\n").stdout)


def of(output: str, sign: str) -> list[str]:
    return [line.strip() for line in output.splitlines() if sign in line]


def test_clocks_are_shown_at_each_prompt(server: Up) -> None:
    left = play(server, *SHORT, *CLOCK, typed="1\nq\n")
    assert left.exit_code == 0, left.output
    assert "300 seconds a seat, and 5 more for each move" in " ".join(left.stdout.split())
    form = r"Time left: freya [45]:\d\d \(running\), Bot 1 [45]:\d\d"
    assert len(re.findall(form, left.stdout)) == 2


def test_a_match_is_paused_and_goes_on_as_the_people_in_it_want(server: Up) -> None:
    left = play(server, *SHORT, *CLOCK, typed="/pause\n/help\n/pause\n/go-on\nq\n")
    assert left.exit_code == 0, left.output
    assert "All agree: the match is paused" in left.stdout
    assert len(of(left.stdout, "; paused")) == 3
    assert "freya: Enter waits" in left.stdout
    assert "take your seat back from the bot" in left.stdout
    assert "Not done: nothing new" in left.stdout
    assert "The match goes on, and the clocks run again" in left.stdout


def test_what_a_match_does_not_allow_is_told_and_asked_again(server: Up) -> None:
    left = play(server, *SHORT, typed="/back\n/pause\n/go-on\nq\n")
    assert left.exit_code == 0, left.output
    told = [line.rpartition("(")[2] for line in of(left.stdout, "Not done")]
    assert told == ["not_taken_over)", "no_clock)", "no_clock)"]
    assert left.stdout.count("Your move, 1 to") == 4


def test_whoever_resigns_confirms_it_and_the_match_ends(server: Up, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    typed = "/resign\nno\n/resign\nyes\n"
    left = play(server, *SHORT, *CLOCK, "--out", str(file), typed=typed)
    assert left.exit_code == 0, left.output
    assert "Nobody has left" in left.stdout
    assert "freya leaves the match for good" in left.stdout
    assert re.search(r"1 +Bot 1 *\n +2 +freya", left.stdout)
    assert howff("verify", str(file)).exit_code == 0
    watched = howff("watch", url_in(left.stdout))
    assert "The match has ended, since the others have left" in watched.stdout


def test_a_match_that_all_want_aborted_ends_without_a_ranking(server: Up) -> None:
    left = play(server, *SHORT, typed="/abort\n")
    assert left.exit_code == 0, left.output
    assert "freya wants to end the match without a result" in left.stdout
    assert "All agree: the match is over, and counts for nothing" in left.stdout
    url = url_in(left.stdout)
    for again in (left, howff("watch", url), howff("replay", url), howff("audit", url)):
        assert again.exit_code == 0, again.output
        assert "Ranking" not in again.stdout


def test_people_at_one_terminal_have_to_agree(server: Up) -> None:
    typed = "\n/abort\n\n1\n\n/abort\n"
    both = play(server, *SHORT, "--bots", "0", "-o", "starting_dealer=0", typed=typed)
    assert both.exit_code == 0, both.output
    assert "freya 0 wants to end the match without a result" in both.stdout
    assert "All agree: the match is over" in both.stdout


async def forfeited(server: Up) -> str:
    """Return a match in which a bot has taken freya's seat over, and has moved."""
    seats = [{"account": login_of(server, name).account} for name in ("freya", "jack")]
    async with asking_as(server, "jack") as jack:
        match = str((await jack.start_match({**FORFEIT, "seats": seats}))["match"])
        await jack.play(match, (await jack.moves(match))["moves"][0]["move"])
        async with asyncio.timeout(WITHIN):
            async with aclosing(jack.feed(match)) as feed:
                async for commit in feed:
                    if commit["actor"] == "seat:0":  # a bot's, since freya makes none
                        break
    return match


async def move_on(account: str, server: Up, match: str) -> None:
    """Let *account* end its turn."""
    async with asking_as(server, account) as client:
        while moves := (await client.moves(match))["moves"]:
            await client.play(match, moves[-1]["move"])


def test_a_seat_whose_time_has_run_out_is_taken_back(server: Up, tmp_path: Path) -> None:
    match = run(lambda: forfeited(server))
    output = tmp_path / "played"
    command = ("play", "troedler", "--match", match, "--server", server.url, *FREYA)
    with in_the_background(*command, output=output) as playing:
        assert playing.stdin is not None
        playing.stdin.write(b"/back\n/resign\nyes\n")
        playing.stdin.flush()
        wait_for(lambda: "freya is back" in output.read_text(), output)
        run(lambda: move_on("jack", server, match))
        assert playing.wait(WITHIN) == 0, output.read_text()
    told = output.read_text()
    assert "A bot (random) plays for freya" in told
    assert "freya is back" in told
    assert "Your move" in told
    assert re.search(r"1 +jack *\n +2 +freya", told)


def test_a_match_on_a_server_is_told_again_step_by_step(finished: str) -> None:
    told = howff("replay", finished, "--as", "seat:1", "--at", "3", "--step", typed="\nb\nq\n")
    assert told.exit_code == 0, told.output
    assert "seat:0 is freya, seat:1 is Bot 1" in told.stdout
    assert "Bot 1 (you)" in told.stdout
    assert re.findall(r"(\d+)  20\d\d-", told.stdout) == ["3", "4", "3"]
    assert len(of(told.stdout, "Time left")) == 3


def test_a_server_and_this_command_agree_on_a_log(finished: str) -> None:
    audited = howff("audit", finished)
    assert audited.exit_code == 0, audited.output
    assert audited.stdout.count("passed") == 12
    assert "The server and this command agree" in audited.stdout


def test_keys_that_are_not_those_of_the_server_make_the_difference(
    finished: str, tmp_path: Path
) -> None:
    keys = tmp_path / "keys.json"
    keys.write_text('[{"crv": "Ed25519", "kty": "OKP", "x": "%s"}]' % ("A" * 43))
    assert refused(howff("audit", finished, "--keys", str(keys)), "audit_differs")


def test_nobody_looks_back_at_a_match_that_goes_on(unfinished: str) -> None:
    assert refused(howff("replay", unfinished), "match_not_over")
    assert refused(howff("replay", unfinished, "--as", "seat:0", *FREYA), "match_not_over")
    assert refused(howff("branch", unfinished, "--at", "1", *FREYA), "match_not_over")
    audited = howff("audit", unfinished, "--as", "seat:0", *FREYA)
    assert audited.exit_code == 0, audited.output
    assert "what seat:0 may know" in audited.stdout
    assert "The match goes on" in audited.stdout


def test_a_branch_goes_on_from_where_a_match_stood(server: Up, finished: str) -> None:
    branched = howff("branch", finished, "--at", "4", "--account", "jack")
    assert branched.exit_code == 0, branched.output
    assert "seat:0 is jack, seat:1 is Bot 1" in branched.stdout
    url = url_in(branched.stdout)
    match = url.rpartition("/")[2]
    assert f"--match {match}" in branched.stdout
    on = ("play", "troedler", "--server", server.url, "--match", match, "--account", "jack")
    played = howff(*on, typed="1\n" * 60)
    assert played.exit_code == 0, played.output
    audited = howff("audit", url)
    assert audited.exit_code == 0, audited.output
    assert re.search(r"origin +passed", audited.stdout)
    assert "It goes on from where match" in howff("replay", url).stdout


def test_the_seats_of_a_branch_may_be_named(server: Up, finished: str) -> None:
    freya, jack = (login_of(server, name).account for name in ("freya", "jack"))
    seats = ("--seats", f"{freya}, me")
    branched = howff("branch", finished, "--at", "4", *seats, "--account", "jack")
    assert branched.exit_code == 0, branched.output
    assert "seat:0 is freya, seat:1 is jack" in branched.stdout
    bots = howff("branch", finished, "--at", "4", "--seats", "bot, bot", *FREYA)
    assert "seat:0 is Bot 0, seat:1 is Bot 1" in bots.stdout
    for wrong, code in (
        ("me", "wrong_term"),
        ("me,a b", "malformed"),
        ("me,", "malformed"),
        (f"bot,{jack}", "not_seated"),
    ):
        other = howff("branch", finished, "--at", "4", "--seats", wrong, *FREYA)
        assert refused(other, code)
    assert refused(howff("branch", finished, "--at", "9999", *FREYA), "no_such_version")
