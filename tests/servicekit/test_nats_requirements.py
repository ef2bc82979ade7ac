"""What a service demands of its servers: each lack is refused by its name."""

import asyncio
import json
from pathlib import Path

import pytest

from howff.servicekit.nats.connection import connect
from howff.servicekit.nats.errors import RequirementError
from howff.servicekit.nats.requirements import (
    _check_settings,
    check_server,
    check_when_back,
)
from howff.servicekit.nats.server import NatsServer, ServerPlan, free_ports
from howff.servicekit.nats.streams import MAX_MESSAGE
from support.nats import cluster, own_server, shared_server
from support.running import run


def _check(server: NatsServer, *monitor_urls: str) -> None:
    async def story() -> None:
        async with await connect(server.url, name="test") as connection:
            await check_server(connection, monitor_urls)

    run(story)


def test_a_server_that_writes_through_to_the_disk_is_taken() -> None:
    server = shared_server()
    _check(server, server.monitor_url, f"{server.monitor_url}/")


def test_a_server_that_acknowledges_before_it_has_written_is_refused(tmp_path: Path) -> None:
    with own_server(tmp_path, sync_interval="2m") as server:
        with pytest.raises(RequirementError, match="sync_interval to be always, found 120 sec"):
            _check(server, server.monitor_url)
        with pytest.raises(RequirementError, match=server.monitor_url):
            _check(server, shared_server().monitor_url, server.monitor_url)


def test_the_addresses_of_other_servers_than_the_connected_are_refused(tmp_path: Path) -> None:
    with own_server(tmp_path, sync_interval="2m") as server:
        expected = "'test': expected the setting monitor_urls to name its monitoring address"
        with pytest.raises(RequirementError, match=expected):
            _check(server, shared_server().monitor_url)


def test_all_servers_of_a_cluster_have_to_be_named(tmp_path: Path) -> None:
    with cluster(tmp_path) as servers:
        urls = [server.monitor_url for server in servers]
        for server in servers:
            _check(server, *urls)
        for count, named in ((1, urls[:1]), (2, urls[:2]), (2, [*urls[:2], f"{urls[1]}/"])):
            with pytest.raises(RequirementError, match=f"address of each of 3, found {count}"):
                _check(servers[0], *named)


def test_one_of_three_may_be_away_and_is_checked_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("howff.servicekit.nats.requirements.ASKED_AGAIN_AFTER", 0.05)
    with cluster(tmp_path) as (here, there, third):
        urls = [here.monitor_url, there.monitor_url, third.monitor_url]

        async def story() -> None:
            async with await connect(here.url, name="test") as connection:
                assert await check_server(connection, urls) == ()
                third.stop()
                assert await check_server(connection, urls) == (third.monitor_url,)
                with pytest.raises(RequirementError, match="address of each of 3, found 1"):
                    await check_server(connection, [here.monitor_url, third.monitor_url])
                checking = asyncio.create_task(check_when_back((third.monitor_url,)))
                await asyncio.sleep(0.3)
                assert not checking.done()
                third.start()
                await checking
                there.stop()
                third.stop()
                with pytest.raises(RequirementError, match=f"server at {there.monitor_url}"):
                    await check_server(connection, urls)

        run(story, 60)


def test_one_that_comes_back_with_a_lack_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("howff.servicekit.nats.requirements.ASKED_AGAIN_AFTER", 0.05)
    with (
        own_server(tmp_path, sync_interval="2m") as server,
        pytest.raises(RequirementError, match="sync_interval to be always"),
    ):
        run(lambda: check_when_back((server.monitor_url,)))


class SmallPlan(ServerPlan):
    """A server that takes messages up to a quarter of what we may send."""

    def configuration(self) -> str:
        settings = json.loads(super().configuration())
        return json.dumps({**settings, "max_payload": MAX_MESSAGE // 4})


def test_a_server_that_takes_small_messages_only_is_refused(tmp_path: Path) -> None:
    port, monitor_port = free_ports(2)
    with NatsServer(SmallPlan(tmp_path, port, monitor_port)) as server:
        expected = "max_payload to be 262144 bytes or more, found 65536"
        with pytest.raises(RequirementError, match=expected):
            _check(server, server.monitor_url)


def test_a_connected_server_that_is_too_old_is_refused() -> None:
    async def story() -> None:
        server = shared_server()
        async with await connect(server.url, name="test") as connection:
            current = connection.client._current_server
            assert current is not None
            current.server_version = "2.11.9"
            with pytest.raises(RequirementError, match=r"'test'.*2\.12 or later, found 2\.11\.9"):
                await check_server(connection, [server.monitor_url])

    run(story)


def test_no_monitoring_address_is_refused_with_the_setting_that_lacks() -> None:
    with pytest.raises(RequirementError, match="the setting monitor_urls"):
        _check(shared_server())


def test_a_monitoring_address_that_does_not_answer_is_refused(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:
        silent = server.monitor_url
    with pytest.raises(RequirementError, match=f"server at {silent}"):
        _check(shared_server(), silent)


def test_something_else_at_the_monitoring_address_is_refused() -> None:
    with pytest.raises(RequirementError, match="404"):
        _check(shared_server(), f"{shared_server().monitor_url}/healthz")


@pytest.mark.parametrize(
    ("settings", "lack"),
    [
        ({"version": "2.11.9"}, "version 2.12 or later, found 2.11.9"),
        ({"version": "1.4"}, "version 2.12 or later, found 1.4"),
        ({}, "version 2.12 or later"),
        ({"version": "2.15.1"}, "JetStream to be enabled"),
        ({"version": "2.15.1", "jetstream": {}}, "JetStream to be enabled"),
        ({"version": "2.13.0-RC.1", "jetstream": {"config": {"sync_interval": 10**9}}}, "1 sec"),
    ],
)
def test_each_lack_is_named(settings: dict[str, object], lack: str) -> None:
    with pytest.raises(RequirementError, match=lack):
        _check_settings("http://127.0.0.1:8222", settings)
