"""The user of workers on a real server: it may fetch and answer decisions, and nothing else."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from howff.bots.adapters.work import consumer_of
from howff.cli.permissions import BOTS, GAME
from howff.contracts.matches import WORK, DecisionDue, subject_of
from howff.game.adapters.streams import ensure_streams
from howff.servicekit.nats.checks import moving
from howff.servicekit.nats.server import NatsServer
from support.nats import own_server
from support.permitted import accounts_of, not_refused, opened
from support.running import run, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    accounts = accounts_of(GAME, BOTS)
    with own_server(tmp_path_factory.mktemp("nats"), accounts=accounts) as server:
        yield server


def test_workers_fetch_and_answer_decisions(
    server: NatsServer, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        taken: list[DecisionDue] = []

        async def take(due: DecisionDue, *_: object) -> None:
            taken.append(due)

        async with await opened(server, "game") as game, await opened(server, "bots") as bots:
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
    assert not_refused(server, "bots", [(subject, content)]) == []


@pytest.mark.parametrize("subject", [">", "match.>", "committed.>", "_INBOX.>", "_INBOX_game.>"])
def test_workers_may_hear_nothing_else(server: NatsServer, subject: str) -> None:
    assert not_refused(server, "bots", subscribe=[subject]) == []
