"""`howff leaderboard`, `statistics` and `projections`, asked of a whole server."""

import asyncio
import re
from contextlib import AsyncExitStack
from typing import Any

from howff.client.client import HowffClient
from howff.servicekit import ids
from support.cli import howff
from support.howff_up import WITHIN, Up
from support.online import FREYA, PASSWORD, SHORT, asking_as, play, refused
from support.running import run
from support.service import new_key, wait_until


def at(server: Up) -> tuple[str, ...]:
    return "--server", server.url, *FREYA


def bots_have_played(server: Up) -> bool:
    result = howff("leaderboard", "troedler", "--kind", "bots", *at(server))
    assert result.exit_code == 0, result.output
    return "steady" in result.stdout


def bots_play(server: Up) -> None:
    async def story() -> None:
        async with asking_as(server, "freya") as client:
            seats = [{"bot": "steady"}, {"bot": "random"}]
            order = {"game": "troedler", "seats": seats, "options": {"round_limit": 1}}
            await client.start_match(order, command_id=str(new_key()))

    run(story)


def test_levels_of_bots_have_a_leaderboard_once_they_have_played(server: Up) -> None:
    bots_play(server)
    wait_until(lambda: bots_have_played(server))
    told = howff("leaderboard", "troedler", "--kind", "bots", *at(server)).stdout
    assert "random" in told
    assert "At least" in told
    nobody = howff("leaderboard", "highland_clans", "--kind", "days", *at(server)).stdout
    assert nobody == "Nobody is rated there yet; --kind live or --kind bots shows another board\n"


def guests_play(server: Up) -> list[str]:
    """Let two guests play a rated match, of which one leaves, and return their accounts."""

    async def story() -> list[str]:
        async with AsyncExitStack() as held:
            guests: list[Any] = []
            for _ in range(2):
                async with HowffClient(server.url, ids=ids.new_id) as nobody:
                    made: Any = await nobody.accounts.make_guest()
                client = HowffClient(server.url, made["access_token"], ids=ids.new_id)
                guests.append((made["account"]["id"], await held.enter_async_context(client)))
            await rated_match(*(client for _, client in guests))
            return [account for account, _ in guests]

    return run(story)


async def rated_match(host: HowffClient, other: HowffClient) -> None:
    order = {"game": "troedler", "seats": 2, "rated": True, "clock": {"move_seconds": 60}}
    table: Any = await host.tables.open(order)
    await other.tables.sit(table["id"], 1)
    await host.tables.tell_ready(table["id"], 0)
    await other.tables.tell_ready(table["id"], 1)
    await host.tables.start(table["id"])
    async with asyncio.timeout(WITHIN):
        while table["phase"] != "playing":
            await asyncio.sleep(0.05)
            table = await host.tables.look(table["id"])
    await other.resign(table["id"])


def test_guests_of_a_leaderboard_are_called_guests(server: Up) -> None:
    guests = {f"a guest ({account[:8]})" for account in guests_play(server)}

    def names() -> set[str]:
        result = howff("leaderboard", "troedler", "--limit", "100", *at(server))
        assert result.exit_code == 0, result.output
        return set(re.findall(r"a guest \(\w{8}\)", result.stdout))

    wait_until(lambda: guests <= names())


def test_statistics_tell_how_bots_have_played(server: Up) -> None:
    bots_play(server)
    only = ("statistics", "troedler", "--seats", "2", "--who", "bots", *at(server))
    wait_until(lambda: "Moves" in howff(*only).stdout)
    told = howff(*only).stdout
    for word in ("Median", "By seat", "bots", "A match"):
        assert word in told
    narrow = howff(*only, columns=60).stdout
    assert "…" not in narrow
    assert "Resigned" in narrow
    assert "10 %" in narrow
    none = howff("statistics", "troedler", "--seats", "4", "--who", "people", *at(server))
    assert none.stdout.startswith("Nothing is over yet")


def test_projections_are_listed_and_made_anew_by_administrators_alone(server: Up) -> None:
    played = play(server, *SHORT, typed="1\n" * 60)
    assert played.exit_code == 0, played.output
    listed = howff("projections", "list", *at(server))
    assert listed.exit_code == 0, listed.output
    for name in ("archive", "results", "ratings", "records", "streaks", "statistics"):
        assert name in listed.stdout
    jack = ("--server", server.url, "--account", "jack")
    assert refused(howff("projections", "rebuild", "ratings", *at(server)), "missing_scope")
    assert howff("admin", "grant", "jack", "--data", str(server.data)).exit_code == 0
    again = howff("login", "--admin", "--name", "jack", "--server", server.url, typed=PASSWORD)
    assert again.exit_code == 0, again.output
    rebuilt = howff("projections", "rebuild", "ratings", *jack)
    assert rebuilt.exit_code == 0, rebuilt.output
    assert "rows are as they were" in rebuilt.stdout
    assert refused(howff("projections", "rebuild", "poems", *jack), "no_such_projection")
    assert refused(howff("projections", "retry", "archive", "999999", *jack), "not_put_aside")
