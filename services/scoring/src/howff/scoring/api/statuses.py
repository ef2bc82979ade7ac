"""What the refusals of the service are in HTTP; those that are not named are 409."""

from typing import Final

from howff.engine.errors import UnknownGameError
from howff.scoring.application.errors import LogsAwayError
from howff.scoring.domain.errors import (
    NoSuchPlayerError,
    NoSuchProjectionError,
    NotPutAsideError,
)
from howff.servicekit.nats.errors import NatsError, NatsUnavailableError
from howff.servicekit.sql.database import DatabaseError
from howff.servicekit.web.problems import Statuses

STATUSES: Final[Statuses] = {
    NoSuchPlayerError: 404,
    NoSuchProjectionError: 404,
    NotPutAsideError: 404,
    UnknownGameError: 404,
    DatabaseError: 503,
    LogsAwayError: 503,
    NatsError: 500,
    NatsUnavailableError: 503,
}
