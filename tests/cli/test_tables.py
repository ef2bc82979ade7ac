"""Tables and tickets at the command line, on a real server."""

import asyncio
import re
import signal
from pathlib import Path

import pytest

from howff.cli.server.logins import entropy_for
from support.cli import howff
from support.howff_up import WITHIN, Up, in_the_background, wait_for
from support.online import FREYA, SHORT, asking_as, login_of, refused
from support.service import wait_until

JACK = ("--account", "jack")
WITH_OPTIONS = SHORT[:1] + SHORT[3:]


def opened(server: Up, *more: str) -> str:
    """Return the address of a table that freya has opened."""
    table = howff("table", "create", *SHORT, *more, "--server", server.url, *FREYA)
    assert table.exit_code == 0, table.output
    return table_in(table.stdout)


def table_in(output: str) -> str:
    found = re.search(r"http://localhost:\d+/v1/tables/[0-9a-f-]+", output)
    assert found is not None, output
    return found[0]


def kept(server: Up, name: str, place: str) -> str | None:
    """Return what is kept of the luck that somebody adds to a table."""
    return entropy_for(server.url, login_of(server, name).account, place.rpartition("/")[2])


def test_two_people_meet_at_a_table_by_invitation_and_play(server: Up, tmp_path: Path) -> None:
    outputs = tmp_path / "freya", tmp_path / "jack"
    hosting = ("table", "create", *SHORT, "--private", "--wait", "--server", server.url, *FREYA)
    with in_the_background(*hosting, output=outputs[0]) as freya:
        wait_for(lambda: "fixed by" in outputs[0].read_text(), outputs[0])
        place = table_in(outputs[0].read_text())
        assert refused(howff("table", "join", place, *JACK), "no_such_table")
        invitation = howff("table", "invite", place, *FREYA).stdout.strip()
        assert invitation.startswith(f"{place}?invitation=")
        with in_the_background(
            "table", "join", invitation, "--wait", *JACK, output=outputs[1]
        ) as jack:
            for each in (freya, jack):
                assert each.stdin is not None
                each.stdin.write(b"1\n" * 60)
                each.stdin.flush()
            assert freya.wait(WITHIN) == 0, outputs[0].read_text()
            assert jack.wait(WITHIN) == 0, outputs[1].read_text()
    for output in outputs:
        told = output.read_text()
        assert "seat:0 is freya, seat:1 is jack" in told
        assert "Ranking" in told
    match = place.replace("tables", "matches")
    file = tmp_path / "match.jsonl"
    assert howff("export", match, "--out", str(file)).exit_code == 0
    entropies = re.search(r'"entropies":\["([\w-]{32})","([\w-]{32})"\]', file.read_text())
    assert entropies is not None
    assert howff("verify", str(file)).exit_code == 0
    assert kept(server, "freya", place) is kept(server, "jack", place) is None


def test_a_table_goes_to_its_match_step_by_step(server: Up, tmp_path: Path) -> None:
    place = opened(server)
    assert place.rpartition("/")[2] in howff("table", "list", "--server", server.url).stdout
    assert refused(howff("table", "ready", place, *FREYA), "table_not_full")
    assert refused(howff("table", "ready", place, *JACK), "no_seat")
    joined = howff("table", "join", place, "--seat", "1", *JACK)
    assert "seat:1 jack" in joined.stdout
    assert f"howff table ready {place.rpartition('/')[2]}" in joined.stdout
    assert kept(server, "jack", place) is not None
    assert "seat:1 jack, ready" in howff("table", "ready", place, *JACK).stdout
    assert kept(server, "jack", place) is None
    assert refused(howff("table", "start", place, *FREYA), "not_ready")
    assert howff("table", "ready", place, *FREYA).exit_code == 0
    assert refused(howff("table", "start", place, *JACK), "not_host")
    assert "starting" in howff("table", "start", place, *FREYA).stdout
    output = tmp_path / "freya"  # who begins is a matter of luck, and may not be freya
    with in_the_background("table", "ready", place, "--wait", *FREYA, output=output) as freya:
        wait_for(lambda: "seat:0 is freya, seat:1 is jack" in output.read_text(), output)
        freya.send_signal(signal.SIGINT)
        freya.wait(WITHIN)


def test_bots_fill_a_table_up_and_its_host_plays_at_once(server: Up) -> None:
    game = ("table", "create", "troedler", "--seats", "3", "--bots", "2", *WITH_OPTIONS[1:])
    played = howff(*game, "--wait", "--server", server.url, *FREYA, typed="1\n" * 60)
    assert played.exit_code == 0, played.output
    assert "seat:2 a bot (random)" in played.stdout
    assert "Ranking" in played.stdout


def test_whoever_leaves_a_table_makes_room(server: Up) -> None:
    place = opened(server)
    howff("table", "join", place, *JACK)
    assert refused(howff("table", "join", place, *JACK), "no_seat")
    left = howff("table", "leave", place, *FREYA)
    assert "seat:0 free" in left.stdout
    assert "seat:1 jack" in left.stdout
    assert "closed" in howff("table", "leave", place, *JACK).stdout
    assert refused(howff("table", "ready", place, "--wait", *JACK), "no_seat")


def test_whoever_stops_waiting_keeps_the_seat_until_the_host_says_otherwise(
    server: Up, tmp_path: Path
) -> None:
    place = opened(server)
    output = tmp_path / "jack"
    with in_the_background("table", "join", place, "--wait", *JACK, output=output) as jack:
        wait_for(lambda: "seat:1 jack" in output.read_text(), output)
        jack.send_signal(signal.SIGINT)
        assert jack.wait(WITHIN) not in {0, -signal.SIGINT}
    assert "Traceback" not in output.read_text()
    assert "seat:1 jack" in howff("table", "show", place).stdout
    with in_the_background("table", "ready", place, "--wait", *JACK, output=output) as jack:
        wait_for(lambda: "seat:1 jack, ready" in output.read_text(), output)

        async def send_away() -> None:
            async with asking_as(server, "freya") as freya:
                await freya.tables.leave(place.rpartition("/")[2], 1)

        asyncio.run(send_away())
        assert jack.wait(WITHIN) == 1
    assert "no_seat" in output.read_text().splitlines()[-1]


def test_no_rated_table_is_opened_for_bots(server: Up) -> None:
    game = "appenzell"  # of which no other test opens a table
    create = ("table", "create", game, "--seats", "2", "--rated", "--server", server.url)
    assert refused(howff(*create, "--bots", "1", *JACK), "wrong_choice")
    place = table_in(howff(*create, *JACK).stdout)
    listed: list[str] = []

    def is_listed() -> bool:
        listed[:] = howff("table", "list", "--game", game, "--server", server.url).stdout.split()
        return place.rpartition("/")[2] in listed

    wait_until(is_listed)  # and so is whatever was opened before it
    assert listed.count(game) == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("create", "juggling"), "unknown_game"),
        (("create", "troedler", "--seats", "7"), "wrong_seat_count"),
        (("create", "troedler", "--bots", "9"), "wrong_choice"),
        (("create", "troedler", "--rated", "--bots", "1"), "wrong_choice"),
        (("create", "troedler", "--clock", "soon"), "wrong_choice"),
        (("create", "troedler", "-o", "x=1"), "wrong_option"),
        (("show", "nowhere"), "no_such_table"),
        (("show", "no where"), "wrong_choice"),
        (("join", "nowhere"), "no_such_table"),
        (("invite", "nowhere"), "no_such_table"),
        (("list", "--game", "X"), "malformed"),
    ],
)
def test_what_makes_no_sense_at_a_table_is_refused(
    server: Up, arguments: tuple[str, ...], code: str
) -> None:
    command, *rest = arguments
    assert refused(howff("table", command, *rest, "--server", server.url, *FREYA), code)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("juggling",), "unknown_game"),
        (("troedler", "--seats", "two"), "wrong_choice"),
        (("troedler", "--seats", "9"), "wrong_seat_count"),
        (("troedler", "--clock", "soon"), "wrong_choice"),
        (("troedler", "--rated", "yes", "--bots-after", "1"), "wrong_choice"),
    ],
)
def test_a_ticket_that_makes_no_sense_is_refused(
    server: Up, arguments: tuple[str, ...], code: str
) -> None:
    assert refused(howff("quick", *arguments, "--server", server.url, *FREYA), code)


def test_whoever_gives_up_waiting_has_no_ticket_any_more(server: Up, tmp_path: Path) -> None:
    output = tmp_path / "quick"
    wish = ("quick", "troedler", "hellweg", "--seats", "2,3", "--clock", "days=1", "--rated", "yes")
    with in_the_background(*wish, "--server", server.url, *FREYA, output=output) as waiting:
        wait_for(lambda: "differ by up to" in output.read_text(), output)
        waiting.send_signal(signal.SIGINT)
        assert waiting.wait(WITHIN) not in {0, -signal.SIGINT}
    told = output.read_text()
    assert "You wait no longer" in told
    assert "Traceback" not in told


def test_whoever_is_matched_plays_at_once(server: Up) -> None:
    wish = ("quick", "troedler", "--seats", "2", "--bots-after", "0", "--server", server.url)
    played = howff(*wish, *JACK, typed="q\n")
    assert played.exit_code == 0, played.output
    assert "Waiting for others" in played.stdout
    assert "jack (you)" in played.stdout or "Your move" in played.stdout
    assert "It goes on with --match" in played.stdout
