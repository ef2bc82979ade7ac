"""What a service demands of its servers: each lack is refused by its name."""

from pathlib import Path

import pytest

from howff.servicekit.nats.connection import connect
from howff.servicekit.nats.errors import RequirementError
from howff.servicekit.nats.requirements import _check_settings, check_server
from howff.servicekit.nats.server import NatsServer
from support.nats import own_server, shared_server
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
