"""What the service keeps on JetStream, and how it is configured."""

from dataclasses import dataclass
from typing import Final

from howff.contracts.matches import CONTRACTS, STARTS
from howff.contracts.turns import TURNS
from howff.servicekit.consumers import Work
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.kv import Bucket, open_bucket
from howff.servicekit.nats.streams import ensure_stream, locked, work_queue
from howff.servicekit.web.trust import BUCKET as TOKENS

LOBBY: Final = "LOBBY"
"""The stream of all commits of tables, tickets and accounts; only this service may read it."""
TAKEN_OVER_AFTER: Final = 6.0
"""Seconds until what a process that died had in hand goes to another one."""
OUTBOX: Final = Work(
    stream=LOBBY, durable="outbox", key=str, concurrency=32, ack_wait=TAKEN_OVER_AFTER
)
"""The outbox takes the commits of one table, or of one account, in order."""
NEWS: Final = Work(
    stream=CONTRACTS,
    durable="lobby",
    key=lambda subject: subject.rpartition(".")[2],
    concurrency=32,
    ack_wait=TAKEN_OVER_AFTER,
)
"""What the other services tell, in order for each match."""


@dataclass(frozen=True, slots=True)
class Stores:
    """The buckets of the service: *tokens* are for everybody to follow, *keys* are secret.

    *turns* the match service writes, and this one follows; *leases* say which process does what
    only one has to do.
    """

    tokens: Bucket
    keys: Bucket
    turns: Bucket
    leases: Bucket


async def ensure_streams(connection: Connection, replicas: int) -> Stores:
    """Make whatever is missing, and check the rest.

    Raises:
        StreamDiffersError: a stream is configured in another way than wanted.
        NatsUnavailableError: the server did not answer.
    """
    for stream in (
        locked(LOBBY, ["lobby.>"], replicas=replicas),
        locked(CONTRACTS, ["contract.>"], replicas=replicas),
        work_queue(STARTS, ["start.*"], replicas=replicas),
    ):
        await ensure_stream(connection, stream)
    return Stores(
        tokens=await open_bucket(connection, TOKENS, replicas=replicas),
        keys=await open_bucket(connection, "LOBBY_KEYS", replicas=replicas),
        turns=await open_bucket(connection, TURNS, replicas=replicas),
        leases=await open_bucket(connection, "LOBBY_LEASES", replicas=replicas),
    )
