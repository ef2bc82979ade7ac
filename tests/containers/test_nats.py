"""The event store on the server of NATS that containers have."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import LogMessageWaitStrategy

from howff.servicekit.eventstore.errors import ConflictError
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.eventstore.store import BEGINNING, StreamId
from howff.servicekit.nats.connection import connect
from howff.servicekit.nats.requirements import check_server
from howff.servicekit.nats.streams import ensure_stream, locked
from support.ledger import FORM, Entry
from support.running import run

SETTINGS = """
listen: "0.0.0.0:4222"
http: "0.0.0.0:8222"
jetstream { store_dir: "/data", sync_interval: always }
"""


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[DockerContainer]:
    settings = tmp_path / "nats.conf"
    settings.write_text(SETTINGS)
    container = (
        DockerContainer("nats:2.15-alpine")
        .with_command("nats-server --config /etc/howff.conf")
        .with_volume_mapping(str(settings), "/etc/howff.conf", "ro")
        .with_exposed_ports(4222, 8222)
        .waiting_for(LogMessageWaitStrategy("Server is ready"))
    )
    with container:
        yield container


def test_the_event_store_works_on_the_server_in_a_container(nats: DockerContainer) -> None:
    host = nats.get_container_host_ip()
    address, monitor = (nats.get_exposed_port(port) for port in (4222, 8222))

    async def story() -> None:
        async with await connect(f"nats://{host}:{address}", name="store") as connection:
            await check_server(connection, [f"http://{host}:{monitor}"])
            await ensure_stream(connection, locked("ENTRIES", ["entries.*"], replicas=1))
            store, one = JetStreamStore(connection.client, "ENTRIES", FORM), StreamId("entries.one")
            mark = BEGINNING
            for version in (1, 2, 3):
                mark = await store.append(one, Entry(version, f"command-{version}", 1), mark)
            with pytest.raises(ConflictError):
                await store.append(one, Entry(1, "late", 1), BEGINNING)
            told = [each.commit.command for each in await store.tail(one, BEGINNING)]
            assert told == ["command-1", "command-2", "command-3"]

    run(story)
