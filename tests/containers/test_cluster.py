"""Three servers of NATS, of which one may die."""

import asyncio
import json
from pathlib import Path
from typing import Any, Final

from support.cli import howff
from support.composed import Composed
from support.running import run
from support.stories import begun, look, people, play

PROFILES: Final = ("cluster",)
WITHIN: Final = 300.0
NODES: Final = ("nats", "nats-2", "nats-3")
ASKED: Final = """
import urllib.request
print(urllib.request.urlopen("http://nats:8222/jsz?streams=1&config=1&accounts=1").read().decode())
"""


def streams_on(server: Composed) -> dict[str, Any]:
    """Return what the first server of NATS tells of each stream."""
    told = json.loads(server.compose("exec", "--no-TTY", "game", "python", "-c", ASKED))
    return {
        stream["name"]: stream
        for account in told["account_details"]
        for stream in account.get("stream_detail", ())
    }


def test_each_stream_is_kept_by_three_servers(server: Composed) -> None:
    streams = streams_on(server)
    assert {"MATCHES", "LOBBY", "CONTRACTS", "WORK"} <= streams.keys()
    assert {
        name: each["config"]["num_replicas"] for name, each in streams.items()
    } == dict.fromkeys(streams, 3)


def test_a_match_goes_on_while_the_server_that_leads_it_is_dead(
    server: Composed, tmp_path: Path
) -> None:
    async def story() -> None:
        async with people(server.url, 2, named=True) as persons:
            match = await begun(persons, bots=1)
            seated = dict(enumerate(persons))
            await play(seated, match, moves=2)
            leader = streams_on(server)["MATCHES"]["cluster"]["leader"]
            assert leader in NODES
            before = (await look(persons[0], match))["version"]
            await asyncio.to_thread(server.compose, "kill", leader)
            assert await play(seated, match) > 0
            after = await look(persons[0], match)
            assert after["outcome"] is not None
            assert after["version"] > before
            file = tmp_path / "match.jsonl"
            file.write_bytes(await persons[0].howff.export(match))
            assert howff("verify", str(file)).exit_code == 0
            running = await asyncio.to_thread(server.compose, "ps", "--services")
            assert leader not in running.split()
            await asyncio.to_thread(server.up)  # with all three again

    run(story, WITHIN)


def test_what_was_begun_with_three_servers_does_not_go_on_with_one(server: Composed) -> None:
    alone = Composed(server.name, server.secrets, (), server.ports)
    refused = alone.tried("up", "--detach", "layout")
    logs = alone.tried("logs", "--no-color", "layout").stdout
    assert "expected --profile cluster" in logs, refused.stderr
