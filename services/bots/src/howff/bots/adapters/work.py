"""The queue of decisions that bots owe, as workers see it."""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

from pydantic import ValidationError

from howff.contracts.matches import WORK, WORKERS, WORKERS_ACK_WAIT, DecisionDue
from howff.servicekit.consumers import Work, WorkConsumer
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.reading import Delivery

_logger = logging.getLogger(__name__)


def work_of(most_at_once: int) -> Work:
    """Return how a worker works the queue off that has room for so many decisions."""
    return Work(
        stream=WORK,
        durable=WORKERS,
        concurrency=most_at_once,
        in_hand=most_at_once,
        ack_wait=WORKERS_ACK_WAIT,
        is_made_elsewhere=True,
    )


def consumer_of(
    connection: Connection,
    most_at_once: int,
    on_due: Callable[[DecisionDue, datetime], Awaitable[None]],
) -> WorkConsumer:
    """Return what calls *on_due* with each decision, and since when it is due."""

    async def handle(delivery: Delivery) -> None:
        try:
            due = DecisionDue.model_validate_json(delivery.payload)
        except ValidationError:
            # Nobody can be told, and nobody will ever understand it.
            _logger.error("message %d of the queue is no decision", delivery.position)  # noqa: TRY400
            return
        assert delivery.recorded_at is not None, "the queue tells since when a message is there"
        await on_due(due, delivery.recorded_at)

    return WorkConsumer(connection, work_of(most_at_once), handle)
