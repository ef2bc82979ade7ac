"""What the refusals of this service are in HTTP; all others are conflicts (409)."""

from collections.abc import Mapping
from typing import Final

from howff.engine.errors import (
    MalformedError,
    RefusalError,
    UnknownGameError,
    WrongOptionError,
    WrongSeatCountError,
)
from howff.game.domain.errors import (
    AmbiguousSeatError,
    NoSuchGameError,
    NoSuchMatchError,
    NotSeatedError,
    UnknownLevelError,
    WrongStatementError,
    WrongViewerError,
)
from howff.match.errors import (
    NoSuchSeatError,
    UnrecordableError,
    WrongEntropiesError,
    WrongTermError,
)
from howff.servicekit.aggregates import UnresolvedError
from howff.servicekit.eventstore.errors import EventStoreError, UnavailableError
from howff.servicekit.nats.errors import NatsError, NatsUnavailableError

STATUSES: Final[Mapping[type[RefusalError], int]] = {
    NoSuchGameError: 404,
    NoSuchMatchError: 404,
    AmbiguousSeatError: 422,
    MalformedError: 422,
    NotSeatedError: 422,
    UnknownGameError: 422,
    UnknownLevelError: 422,
    NoSuchSeatError: 422,
    UnrecordableError: 422,
    WrongEntropiesError: 422,
    WrongOptionError: 422,
    WrongSeatCountError: 422,
    WrongStatementError: 422,
    WrongTermError: 422,
    WrongViewerError: 422,
    EventStoreError: 500,
    NatsError: 500,
    NatsUnavailableError: 503,
    UnavailableError: 503,
    UnresolvedError: 503,
}
