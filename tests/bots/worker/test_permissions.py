"""The user of workers on a real server: it may fetch and answer decisions, and nothing else."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from nats.aio.client import Client

from howff.bots.adapters.work import consumer_of
from howff.contracts.matches import WORK, DecisionDue, subject_of
from howff.game.adapters.streams import ensure_streams
from howff.servicekit.nats.checks import moving
from howff.servicekit.nats.connection import Connection, Credentials, connect
from howff.servicekit.nats.server import NatsServer, User
from support.nats import own_server
from support.running import run, until

GAME = User("game", "one")
BOTS = User(
    "bots",
    "two",
    publish=(
        "$JS.API.CONSUMER.INFO.WORK.bots",
        "$JS.API.CONSUMER.MSG.NEXT.WORK.bots",
        "$JS.ACK.WORK.bots.>",
    ),
    subscribe=("_INBOX_bots.>",),
)
"""As docs/bots.md tells it."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    with own_server(tmp_path_factory.mktemp("nats"), users=(GAME, BOTS)) as server:
        yield server


async def opened(server: NatsServer, user: User) -> Connection:
    return await connect(
        server.url, name=user.name, credentials=Credentials(user.name, user.password)
    )


def test_workers_fetch_and_answer_decisions(
    server: NatsServer, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        taken: list[DecisionDue] = []

        async def take(due: DecisionDue, *_: object) -> None:
            taken.append(due)

        async with await opened(server, GAME) as game, await opened(server, BOTS) as bots:
            consumer = consumer_of(bots, 4, take)
            running = asyncio.create_task(consumer.run())
            await until(lambda: "found none yet" in caplog.text)
            await ensure_streams(game, 1)
            due = DecisionDue(match="m", version=1, seat=0, game="troedler", level="random")
            await game.jetstream.publish(subject_of(due), due.model_dump_json().encode())
            await until(lambda: taken == [due])
            await consumer.stop()
            await running
            assert (await moving(bots, consumer, 60.0)()).found == "none waits"
            assert (await game.jetstream.stream_info(WORK)).state.messages == 0

    run(story)


@pytest.mark.parametrize(
    ("subject", "content"),
    [
        ("match.m", {}),
        ("work.decision_due.m", {}),
        ("contract.match_ended.m", {}),
        ("$JS.API.STREAM.INFO.MATCHES", {}),
        ("$JS.API.STREAM.MSG.GET.MATCHES", {"last_by_subj": "match.m"}),
        ("$JS.API.DIRECT.GET.MATCHES.match.m", {}),
        ("$JS.API.STREAM.MSG.GET.KV_SEEDS", {"last_by_subj": "$KV.SEEDS.m"}),
        ("$JS.API.DIRECT.GET.KV_SEEDS.$KV.SEEDS.m", {}),
        ("$JS.API.CONSUMER.CREATE.MATCHES", {"stream_name": "MATCHES", "config": {}}),
        ("$JS.API.CONSUMER.CREATE.WORK.mine", {"stream_name": "WORK", "config": {}}),
        ("$JS.API.CONSUMER.DURABLE.CREATE.WORK.bots", {"stream_name": "WORK", "config": {}}),
        ("$JS.API.CONSUMER.DELETE.WORK.bots", {}),
        ("$JS.API.CONSUMER.MSG.NEXT.MATCHES.outbox", {"batch": 1}),
        ("$JS.API.STREAM.PURGE.WORK", {}),
        ("$JS.ACK.MATCHES.outbox.1.1.1.1.1", {}),
        ("game.seed_commitment", {"match": "m"}),
    ],
)
def test_workers_may_ask_for_nothing_else(
    server: NatsServer, subject: str, content: dict[str, Any]
) -> None:
    assert violation(server, f'publish to "{subject.lower()}"', subject, json.dumps(content))


@pytest.mark.parametrize("subject", [">", "match.>", "committed.>", "_INBOX.>", "_INBOX_game.>"])
def test_workers_may_hear_nothing_else(server: NatsServer, subject: str) -> None:
    assert violation(server, f'subscription to "{subject.lower()}"', subject)


def violation(server: NatsServer, what: str, subject: str, content: str | None = None) -> bool:
    """Return whether the server says that *what* is a violation of permissions."""

    async def story() -> bool:
        client = Client()
        said: list[str] = []

        async def hear(error: Exception) -> None:
            said.append(str(error).lower())

        options: dict[str, Any] = {"user": BOTS.name, "password": BOTS.password}
        await client.connect(server.url, error_cb=hear, inbox_prefix="_INBOX_bots", **options)
        if content is None:
            await client.subscribe(subject)
        else:
            await client.publish(subject, content.encode(), client.new_inbox())
        await client.flush()
        await until(lambda: bool(said))
        await client.close()
        return said == [f"nats: permissions violation for {what}"]

    return run(story)
