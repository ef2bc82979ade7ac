"""What the service keeps on JetStream, and how it is configured."""

from dataclasses import dataclass
from typing import Final

from howff.contracts.matches import CONTRACTS, STARTS, WORK, WORKERS, WORKERS_ACK_WAIT
from howff.contracts.turns import TURNS
from howff.match.journal import COMMITTED, MATCHES, SUBJECTS
from howff.servicekit.consumers import Work
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.kv import Bucket, open_bucket
from howff.servicekit.nats.ranks import RankedBucket, open_ranked
from howff.servicekit.nats.schedules import (
    Register,
    Schedules,
    open_register,
    open_schedules,
)
from howff.servicekit.nats.streams import (
    durable,
    ensure_consumer,
    ensure_stream,
    locked,
    work_queue,
)
from howff.servicekit.web import trust

TAKEN_OVER_AFTER: Final = 6.0
"""Seconds until what a process that died had in hand goes to another one."""
OUTBOX: Final = Work(
    stream=MATCHES, durable="outbox", key=str, concurrency=32, ack_wait=TAKEN_OVER_AFTER
)
"""The outbox takes the commits of one match in order, and those of many matches at once.

In order within one process: another one may have others of the same match in hand."""
STARTER: Final = Work(stream=STARTS, durable="starter", ack_wait=TAKEN_OVER_AFTER)
_DEADLINE: Final = "deadline"
DUE: Final = Work(
    stream="DEADLINES",
    durable="deadlines",
    subject=f"{_DEADLINE}.due.*",
    ack_wait=TAKEN_OVER_AFTER,
)
"""What is due by the clocks of matches."""


@dataclass(frozen=True, slots=True)
class Stores:
    """What this service keeps or reads, beside the streams; most of it nobody else may read."""

    seeds: Bucket
    keys: Bucket
    schedules: Schedules
    register: Register
    """The matches with a clock that go on."""
    turns: RankedBucket
    """Whom matches wait for, ranked by their versions; others read it."""
    tokens: Bucket
    """The keys of the lobby, and what it has revoked; this service reads alone."""


async def ensure_streams(connection: Connection, replicas: int) -> Stores:
    """Make whatever is missing, and check the rest.

    Raises:
        DiffersError: a stream or a consumer is configured in another way than wanted.
        NatsUnavailableError: the server did not answer.
    """
    streams = (
        locked(MATCHES, [SUBJECTS], replicas=replicas, republish_to=COMMITTED),
        locked(CONTRACTS, ["contract.>"], replicas=replicas),
        work_queue(STARTS, ["start.*"], replicas=replicas),
        work_queue(WORK, ["work.>"], replicas=replicas),
    )
    for stream in streams:
        await ensure_stream(connection, stream)
    # Those that fetch from it may make none.
    await ensure_consumer(connection, WORK, durable(WORKERS, ack_wait=WORKERS_ACK_WAIT))
    return Stores(
        seeds=await open_bucket(connection, "SEEDS", replicas=replicas),
        keys=await open_bucket(connection, "GAME_KEYS", replicas=replicas),
        schedules=await open_schedules(connection, DUE.stream, _DEADLINE, replicas=replicas),
        register=await open_register(connection, "CLOCKED", "clocked", replicas=replicas),
        turns=await open_ranked(connection, TURNS, replicas=replicas),
        tokens=await open_bucket(connection, trust.BUCKET, replicas=replicas),
    )
