"""What people do on a server in containers, over its one port."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from support.cli import howff
from support.composed import Composed
from support.observed import expressions
from support.running import run
from support.service import wait_until
from support.stories import SHORT, Person, begun, look, people, play, soon

WITHIN: Final = 300.0
SERVICES: Final = ("nats", "postgres", "lobby", "game", "scoring", "bots", "caddy")


async def is_scored(person: Person, match: str) -> None:
    """Wait until scoring shows *match* among those of *person*."""

    async def is_shown() -> bool:
        page: Any = await person.howff.scores.matches(person.account)
        return match in [each["match"] for each in page["items"]]

    await soon(is_shown)


async def check_sound(person: Person, match: str, file: Path) -> None:
    """Check by its export, a replay and an audit that *match* is what it says."""
    file.write_bytes(await person.howff.export(match))
    checked = await asyncio.to_thread(howff, "verify", str(file))
    assert checked.exit_code == 0, checked.output
    newest = (await look(person, match))["version"]
    for version in (1, newest // 2, newest):
        shown: Any = await person.howff.replay(match, at=version)
        assert shown["version"] == version
    audit: Any = await person.howff.audit(match)
    assert audit["is_sound"], audit


def test_a_guest_meets_bots_by_quick_match_and_plays_to_the_end(
    server: Composed, tmp_path: Path
) -> None:
    async def story() -> None:
        async with people(server.url, 1) as (guest,):
            wish = {"games": [SHORT], "seats": [3], "clocks": [None], "rated": "no"}
            ticket: Any = await guest.howff.tickets.open(
                {**wish, "bots_after": 0, "bot_level": "random"}
            )

            async def is_matched() -> bool:
                now: Any = await guest.howff.tickets.look(ticket["id"])
                ticket.update(now)
                return bool(now["state"] == "matched")

            await soon(is_matched)
            match = ticket["table"]
            seats = (await look(guest, match))["seats"]
            seat = seats.index({"account": guest.account})
            assert seats.count({"bot": "random"}) == 2
            assert await play({seat: guest}, match) > 0
            await check_sound(guest, match, tmp_path / "match.jsonl")
            await is_scored(guest, match)

    run(story, WITHIN)


def test_two_accounts_play_at_a_table_by_invitation(server: Composed, tmp_path: Path) -> None:
    async def story() -> None:
        async with people(server.url, 2, named=True) as persons, people(server.url, 1) as (other,):
            match = await begun(persons, rated=True)
            feed = asyncio.create_task(told(other, match))
            await play(dict(enumerate(persons)), match)
            await check_sound(persons[0], match, tmp_path / "match.jsonl")
            assert await feed == (await look(persons[0], match))["version"]
            for each in persons:
                await is_scored(each, match)
            board: Any = await other.howff.scores.leaderboard("troedler", kind="days")
            accounts = {each["player"] for each in board["items"]}
            assert accounts >= {each.account for each in persons}

    run(story, WITHIN)


async def told(person: Person, match: str) -> int:
    """Return the version of the last commit that a feed tells, which ends with the match."""
    versions = [commit["version"] async for commit in person.howff.feed(match)]
    assert versions == list(range(1, len(versions) + 1))
    return len(versions)


def test_a_match_over_days_goes_on_after_each_service_was_restarted(
    server: Composed, tmp_path: Path
) -> None:
    async def story() -> None:
        async with people(server.url, 2, named=True) as persons:
            match = await begun(persons, bots=1, clock={"turn_days": 3})
            seated = dict(enumerate(persons))
            for service in SERVICES:
                before = (await look(persons[0], match))["version"]
                await asyncio.to_thread(server.restart, service)
                assert (await look(persons[0], match))["version"] >= before
                assert await play(seated, match, moves=1) == 1, service
            await play(seated, match)
            await check_sound(persons[0], match, tmp_path / "match.jsonl")
            await is_scored(persons[1], match)

    run(story, WITHIN)


def test_what_was_begun_with_one_server_of_nats_does_not_go_on_with_three(server: Composed) -> None:
    with_three = replace(server, profiles=("cluster",))
    with_three.tried("up", "--no-deps", "layout-cluster")
    logs = with_three.tried("logs", "--no-color", "layout-cluster").stdout
    assert "expected volumes of three servers of NATS, found those of one" in logs


def test_without_one_of_its_secrets_it_does_not_start_and_says_which(
    server: Composed, tmp_path: Path
) -> None:
    lines = [each for each in server.secrets.read_text().splitlines() if "=" in each]
    for line in lines:
        others = tmp_path / "others.env"
        others.write_text("\n".join(each for each in lines if each != line))
        refused = replace(server, secrets=others).tried("config", "--quiet")
        assert refused.returncode != 0
        told = f"required variable {line.partition('=')[0]} is missing a value: run make secrets"
        (said,) = {told in each for each in refused.stderr.splitlines()}
        assert said, refused.stderr


def test_nobody_has_tried_what_its_user_of_nats_may_not_do(server: Composed) -> None:
    log = server.compose("logs", "--no-color", "nats")
    assert "Server is ready" in log
    assert "Violation" not in log


def test_prometheus_asks_every_service_and_understands_dashboard_and_alarms(
    server: Composed,
) -> None:
    replace(server, profiles=("observability",)).up("prometheus")
    with httpx.Client(base_url=f"{server.prometheus}/api/v1") as prometheus:

        def found(query: str) -> list[Any]:
            answer = prometheus.get("/query", params={"query": query})
            assert answer.status_code == 200, answer.text
            results: list[Any] = answer.json()["data"]["result"]
            return results

        def are_all_up() -> bool:
            up = {each["metric"]["service"] for each in found("up == 1")}
            return up == {"lobby", "game", "scoring", "bots"}

        wait_until(are_all_up)
        for expression in expressions():
            found(expression.replace("$__rate_interval", "5m"))
        for name in ("http_duration_seconds_count", "commands_total", "bot_decisions_total"):
            assert found(f"howff_{name}"), name
        groups = prometheus.get("/rules").json()["data"]["groups"]
        assert {rule["health"] for group in groups for rule in group["rules"]} <= {"ok", "unknown"}


def test_the_rest_of_observability_is_rendered(server: Composed) -> None:
    observed = replace(server, profiles=("observability", "cluster"))
    services = observed.json("config")["services"]
    assert services.keys() >= {"prometheus", "grafana", "collector", "jaeger", "nats-3"}


def test_people_behind_the_proxy_are_told_apart_by_addresses_that_nobody_can_forge(
    server: Composed,
) -> None:
    asked = """
from urllib.request import urlopen
print(urlopen("http://caddy:8000/v1/games").headers["RateLimit-Remaining"])
"""

    def left(**headers: str) -> int:
        answer = httpx.get(f"{server.url}/v1/games", headers=headers)
        return int(answer.headers["RateLimit-Remaining"])

    for _ in range(30):
        assert httpx.post(f"{server.url}/v1/matches", json={}).status_code == 401
    # Looked at before a container is asked, which may take until what was spent is there again.
    here, forged = left(), left(**{"X-Forwarded-For": "203.0.113.7"})
    elsewhere = int(server.compose("exec", "--no-TTY", "bots", "python", "-c", asked))
    assert here < elsewhere
    assert forged < elsewhere


@pytest.mark.parametrize(
    ("path", "status"), [("/v1/games", 200), ("/.well-known/jwks.json", 200), ("/readyz", 404)]
)
def test_one_port_leads_to_what_is_public_alone(server: Composed, path: str, status: int) -> None:
    assert httpx.get(f"{server.url}{path}").status_code == status
