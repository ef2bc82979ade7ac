"""The server that matches are restored into."""

import socket
from collections.abc import Iterable
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from howff.match.commit import Commit, MatchId
from howff.match.journal import (
    COMMITTED,
    MATCHES,
    SUBJECTS,
    commit_bytes,
    commit_of_bytes,
    subject_of,
)
from howff.scoring.domain.errors import MatchThereError, TargetNotEmptyError, WrongTargetError
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.eventstore.store import CommitForm
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.reading import stored_last
from howff.servicekit.nats.streams import ensure_stream, locked

_SCHEMES: Final = frozenset({"nats", "tls"})
_PORT: Final = 4222


def store_on(connection: Connection) -> JetStreamStore[Commit]:
    """Return the commits of matches, as the match service stores them."""
    return JetStreamStore(connection.client, MATCHES, CommitForm(commit_bytes, commit_of_bytes))


async def prepare(
    connection: Connection, matches: Iterable[str], *, replicas: int, is_empty: bool
) -> None:
    """Make the stream of matches, if there is none, for *matches* that do not stand there yet.

    Raises:
        TargetNotEmptyError: it holds a commit, though it was to be empty.
        MatchThereError: one of *matches* stands there.
        StreamDiffersError: it is configured in another way than the match service wants it.
        NatsUnavailableError, JetStreamRefusedError: the server does not answer, or not that.
    """
    wanted = locked(MATCHES, [SUBJECTS], replicas=replicas, republish_to=COMMITTED)
    info = await ensure_stream(connection, wanted)
    if is_empty and info.state.messages:
        raise TargetNotEmptyError(info.state.messages)
    if not info.state.messages:
        return
    for match in matches:
        if await stored_last(connection, MATCHES, subject_of(MatchId(match))) is not None:
            raise MatchThereError(match)


def addresses_in(text: str) -> list[str]:
    """Return the addresses of servers that *text* names, separated by commas.

    Raises:
        WrongTargetError: one is no address.
    """
    addresses = [each.strip() for each in text.split(",")]
    for each in addresses:
        _host_and_port(each)
    return addresses


def check_elsewhere(target: list[str], used: list[str]) -> None:
    """Refuse a target that the services work with.

    Raises:
        WrongTargetError: one of its addresses is among those that are *used*.
    """
    places = {place for each in used for place in _places_of(each)}
    for each in target:
        if places & _places_of(each):
            raise WrongTargetError(
                expected="another server than that of HOWFF_NATS_URL", found=repr(each)
            )


def _places_of(address: str) -> set[tuple[str, int]]:
    """Return by which names, of which one is its number, the server at *address* is known."""
    host, port = _host_and_port(address)
    hosts = {host}
    with suppress(OSError):  # nobody knows it; then it can't be reached either
        hosts |= {str(place[0]) for *_, place in socket.getaddrinfo(host, port)}
    return {(each, port) for each in hosts}


def _host_and_port(address: str) -> tuple[str, int]:
    try:
        parts = urlsplit(address)
        if parts.hostname is not None and parts.scheme in _SCHEMES:
            return parts.hostname, parts.port or _PORT
    except ValueError:
        pass  # such as a port that is no number
    raise WrongTargetError(expected="an address such as nats://127.0.0.1:4223", found=repr(address))
