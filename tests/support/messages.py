"""Messages between services, as tests read them and send them."""

import json
from typing import Any

from nats.js.api import StreamInfo

from howff.contracts.matches import CONTRACTS
from howff.engine.codec import JSON
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.server import NatsServer
from support.service import Service, on_nats, wait_until


def contents(nats: NatsServer, stream: str, match: str) -> list[tuple[str, Any]]:
    """Return the messages of *stream* that are about *match*: their subjects and contents."""

    async def story(connection: Connection) -> list[tuple[str, Any]]:
        info: StreamInfo = await connection.jetstream.stream_info(stream)
        found = []
        for position in range(max(info.state.first_seq, 1), info.state.last_seq + 1):
            message = await connection.jetstream.get_msg(stream, position)
            subject = message.subject or ""
            if subject.endswith(f".{match}"):
                found.append((subject, json.loads(message.data or b"null")))
        return found

    return on_nats(nats, story)


def wait_for_messages(nats: NatsServer, match: str, kinds: list[str]) -> list[Any]:
    """Return the contents of the messages about *match*, once these kinds stand there."""
    wanted = [f"contract.{kind}.{match}" for kind in kinds]
    wait_until(lambda: [subject for subject, _ in contents(nats, CONTRACTS, match)] == wanted)
    return [content for _, content in contents(nats, CONTRACTS, match)]


def start_by_queue(service: Service, match: str, **terms: JSON) -> None:
    """Ask for *match* as another service does, and wait until it is there."""
    content = {
        "match": match,
        "game": "troedler",
        "seats": [{"account": "dora"}, {"bot": "strong"}],
        "entropies": [None, None],
        **terms,
    }

    async def story(connection: Connection) -> None:
        await connection.jetstream.publish(f"start.{match}", json.dumps(content).encode())

    service.on_nats(story)
    eyes = service.eyes("dora")
    wait_until(lambda: eyes.get(f"/v1/matches/{match}").status_code == 200)
