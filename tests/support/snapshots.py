"""Copies of streams by the server's own snapshots, as `nats account backup` and `restore` do."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final

import orjson
from nats.aio.msg import Msg

from howff.servicekit.nats.connection import Connection

WITHIN: Final = 10.0
"""Seconds that the server may take to answer."""
CHUNK: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A stream with its consumers, as it stood at one moment."""

    stream: str
    told: dict[str, Any]
    """Its configuration and state."""
    chunks: tuple[bytes, ...]


async def snapshots_of(connection: Connection) -> list[Snapshot]:
    """Return a snapshot of every stream on a server, buckets too."""
    streams = await connection.jetstream.streams_info()
    return [await _snapshot(connection, str(each.config.name)) for each in streams]


async def restore(connection: Connection, snapshot: Snapshot) -> None:
    """Put a stream where there is none of its name."""
    answer = await _asked(connection, f"RESTORE.{snapshot.stream}", snapshot.told)
    for chunk in snapshot.chunks:
        await connection.client.request(answer["deliver_subject"], chunk, timeout=WITHIN)
    said = await connection.client.request(answer["deliver_subject"], b"", timeout=WITHIN)
    assert "error" not in orjson.loads(said.data), said.data


async def _snapshot(connection: Connection, stream: str) -> Snapshot:
    chunks: asyncio.Queue[Msg] = asyncio.Queue()
    inbox = connection.client.new_inbox()
    subscription = await connection.client.subscribe(inbox, cb=chunks.put)
    wanted = {"deliver_subject": inbox, "no_consumers": False, "chunk_size": CHUNK}
    answer = await _asked(connection, f"SNAPSHOT.{stream}", wanted)
    found: list[bytes] = []
    async with asyncio.timeout(WITHIN):
        while (chunk := await chunks.get()).data:
            found.append(chunk.data)
            if chunk.reply:  # who asks for one sends no more until it has come
                await chunk.respond(b"")
    await subscription.unsubscribe()
    return Snapshot(stream, {key: answer[key] for key in ("config", "state")}, tuple(found))


async def _asked(connection: Connection, what: str, content: object) -> dict[str, Any]:
    subject = f"$JS.API.STREAM.{what}"
    said = await connection.client.request(subject, orjson.dumps(content), timeout=WITHIN)
    answer: dict[str, Any] = orjson.loads(said.data)
    assert "error" not in answer, answer
    return answer
