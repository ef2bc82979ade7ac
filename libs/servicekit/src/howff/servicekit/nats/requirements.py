"""What the servers must promise before a service trusts them with anything."""

from collections.abc import Iterable
from typing import Any, Final

import httpx

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import RequirementError

OLDEST: Final = (2, 12)
ANSWER_WITHIN: Final = 5.0


async def check_server(connection: Connection, monitor_urls: Iterable[str]) -> None:
    """Refuse servers that would lose what they acknowledged.

    *monitor_urls* are the monitoring addresses of all servers of the cluster, such as
    `http://127.0.0.1:8222`; what a server's settings are is told there only.

    Raises:
        RequirementError: it names the server and what is lacking.
    """
    urls = tuple(monitor_urls)
    if not urls:
        expected = "the setting monitor_urls to name every server's monitoring address"
        raise RequirementError("servers of NATS", expected=expected, found="none")
    connected = connection.client.connected_server_version
    version = f"{connected.major}.{connected.minor}.{connected.patch}"
    _check_version(f"server of connection {connection.name!r}", version)
    async with httpx.AsyncClient(timeout=ANSWER_WITHIN, trust_env=False) as client:
        for url in urls:
            _check_settings(url, await _settings(client, url))


async def _settings(client: httpx.AsyncClient, url: str) -> dict[str, Any]:
    try:
        answer = await client.get(f"{url.rstrip('/')}/varz")
        answer.raise_for_status()
        settings: dict[str, Any] = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        found = str(error) or type(error).__name__
        expected = "its settings at the monitoring address"
        raise RequirementError(f"server at {url}", expected=expected, found=found) from error
    return settings


def _check_settings(url: str, settings: dict[str, Any]) -> None:
    server = f"server at {url}"
    _check_version(server, settings.get("version", ""))
    jetstream = settings.get("jetstream", {}).get("config")
    if not jetstream:
        raise RequirementError(server, expected="JetStream to be enabled", found="none")
    if jetstream.get("sync_always") is not True:
        found = f"{jetstream.get('sync_interval', 0) / 1e9:g} seconds"
        raise RequirementError(server, expected="sync_interval to be always", found=found)


def _check_version(server: str, version: str) -> None:
    numbers = version.split("-", maxsplit=1)[0].split(".")
    release = tuple(int(number) for number in numbers if number.isdecimal())
    if release < OLDEST:
        expected = f"version {'.'.join(map(str, OLDEST))} or later"
        raise RequirementError(server, expected=expected, found=version)
