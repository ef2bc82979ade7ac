"""The user of workers on a real server: it may fetch and answer decisions."""

import asyncio
from collections.abc import Iterator

import pytest

from howff.bots.adapters.work import consumer_of
from howff.cli.machine.permissions import BOTS, GAME
from howff.contracts.matches import WORK, DecisionDue, subject_of
from howff.game.adapters.streams import ensure_streams
from howff.servicekit.nats.checks import moving
from howff.servicekit.nats.server import NatsServer
from support.nats import own_server
from support.permitted import accounts_of, opened
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
