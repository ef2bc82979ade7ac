"""What the servers must promise before a service trusts them with anything."""

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

import httpx

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import RequirementError
from howff.servicekit.nats.streams import MAX_MESSAGE

OLDEST: Final = (2, 12)
ANSWER_WITHIN: Final = 5.0
ASKED_AGAIN_AFTER: Final = 5.0
"""Seconds from one question to a server that was away to the next one."""
_log = logging.getLogger(__name__)

Settings = dict[str, Any]
"""What a server tells of itself at `/varz` of its monitoring address."""


class AwayError(RequirementError):
    """A server does not answer at its monitoring address."""

    def __init__(self, url: str, found: str) -> None:
        expected = "its settings at the monitoring address"
        super().__init__(f"server at {url}", expected=expected, found=found)
        self.url = url


async def check_server(connection: Connection, monitor_urls: Iterable[str]) -> tuple[str, ...]:
    """Refuse servers that would lose what they acknowledged; return the addresses of those away.

    *monitor_urls* are the monitoring addresses of all servers of the cluster, such as
    `http://127.0.0.1:8222`; what a server's settings are is told there only. Most servers have to
    be there: what two of three have written is not lost by the third. `check_when_back` asks it.

    Raises:
        RequirementError: it names the server and what is lacking.
    """
    connected = connection.client.connected_server_version
    version = f"{connected.major}.{connected.minor}.{connected.patch}"
    _check_version(f"server of connection {connection.name!r}", version)
    found: dict[str, Settings] = {}
    away: list[AwayError] = []
    async with httpx.AsyncClient(timeout=ANSWER_WITHIN, trust_env=False) as client:
        for url in monitor_urls:
            try:
                settings = await _checked(client, url)
            except AwayError as error:
                away.append(error)
            else:
                found[settings.get("server_id", url)] = settings
    _check_complete(connection, found, away)
    for each in away:
        _log.warning("checked later: %s", each)
    return tuple(each.url for each in away)


async def check_when_back(away: Collection[str]) -> None:
    """Ask servers that were away, by their monitoring addresses, until each has told its settings.

    Raises:
        RequirementError: one would lose what it acknowledged.
    """
    left = set(away)
    async with httpx.AsyncClient(timeout=ANSWER_WITHIN, trust_env=False) as client:
        while left:
            await asyncio.sleep(ASKED_AGAIN_AFTER)
            for url in tuple(left):
                with suppress(AwayError):
                    await _checked(client, url)
                    left.remove(url)


def _check_complete(
    connection: Connection, found: dict[str, Settings], away: Sequence[AwayError]
) -> None:
    """Refuse if a server was not asked: one would do to lose something; or if most are away."""
    count = max((_size_of_cluster(settings) for settings in found.values()), default=1)
    if len(found) + len(away) < count:
        expected = f"the setting monitor_urls to name the monitoring address of each of {count}"
        raise RequirementError("servers of NATS", expected=expected, found=str(len(found)))
    if away and 2 * len(found) <= count:
        raise away[0]
    if connection.client.server_id not in found:
        expected = "the setting monitor_urls to name its monitoring address"
        server = f"server of connection {connection.name!r}"
        raise RequirementError(server, expected=expected, found="those of others")


def _size_of_cluster(settings: Settings) -> int:
    """Return of how many servers JetStream consists; one that is alone says nothing of it."""
    size: int = settings["jetstream"].get("meta", {}).get("cluster_size", 1)
    return size


async def _checked(client: httpx.AsyncClient, url: str) -> Settings:
    """Return the settings of a server, which lack nothing.

    Raises:
        AwayError: it does not answer.
        RequirementError: it lacks something, or is no server of NATS.
    """
    try:
        answer = await client.get(f"{url.rstrip('/')}/varz")
        answer.raise_for_status()
        settings: Settings = answer.json()
    except httpx.TransportError as error:
        raise AwayError(url, str(error) or type(error).__name__) from error
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        found = str(error) or type(error).__name__
        expected = "its settings at the monitoring address"
        raise RequirementError(f"server at {url}", expected=expected, found=found) from error
    _check_settings(url, settings)
    return settings


def _check_settings(url: str, settings: Settings) -> None:
    server = f"server at {url}"
    _check_version(server, settings.get("version", ""))
    jetstream = settings.get("jetstream", {}).get("config")
    if not jetstream:
        raise RequirementError(server, expected="JetStream to be enabled", found="none")
    if jetstream.get("sync_always") is not True:
        found = f"{jetstream.get('sync_interval', 0) / 1e9:g} seconds"
        raise RequirementError(server, expected="sync_interval to be always", found=found)
    payload = settings.get("max_payload", 0)
    if payload < MAX_MESSAGE:
        expected = f"max_payload to be {MAX_MESSAGE} bytes or more"
        raise RequirementError(server, expected=expected, found=str(payload))


def _check_version(server: str, version: str) -> None:
    numbers = version.split("-", maxsplit=1)[0].split(".")
    release = tuple(int(number) for number in numbers if number.isdecimal())
    if release < OLDEST:
        expected = f"version {'.'.join(map(str, OLDEST))} or later"
        raise RequirementError(server, expected=expected, found=version)
