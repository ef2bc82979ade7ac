"""What the refusals of the service are in HTTP; those that are not named are 409."""

from typing import Final

from howff.engine.errors import (
    MalformedError,
    UnknownGameError,
    WrongOptionError,
    WrongSeatCountError,
)
from howff.lobby.application.accounts.ports import BusyError
from howff.lobby.domain.accounts.errors import (
    GrantError,
    NoSuchAccountError,
    NoSuchTokenError,
    PasswordFormError,
    PersonalTokenError,
    WrongPasswordError,
)
from howff.lobby.domain.errors import (
    NoSuchInvitationError,
    NoSuchSeatError,
    NoSuchTableError,
    NoSuchTicketError,
    NotHostError,
    NotInvitedError,
    NotYourSeatError,
    SuspendedError,
    UnknownLevelError,
    WrongEntropyError,
    WrongWishError,
)
from howff.match.errors import WrongTermError
from howff.servicekit.aggregates import UnresolvedError
from howff.servicekit.eventstore.errors import EventStoreError, UnavailableError
from howff.servicekit.nats.errors import NatsError, NatsUnavailableError
from howff.servicekit.sql.database import DatabaseError
from howff.servicekit.web.problems import Statuses

STATUSES: Final[Statuses] = {
    GrantError: 400,
    NoSuchAccountError: 404,
    NoSuchTokenError: 404,
    PersonalTokenError: 403,
    WrongPasswordError: 403,
    PasswordFormError: 422,
    BusyError: 503,
    NoSuchTableError: 404,
    NoSuchSeatError: 404,
    NoSuchInvitationError: 404,
    NoSuchTicketError: 404,
    NotHostError: 403,
    NotInvitedError: 403,
    NotYourSeatError: 403,
    SuspendedError: 403,
    MalformedError: 422,
    UnknownGameError: 422,
    UnknownLevelError: 422,
    WrongEntropyError: 422,
    WrongOptionError: 422,
    WrongSeatCountError: 422,
    WrongTermError: 422,
    WrongWishError: 422,
    DatabaseError: 503,
    EventStoreError: 500,
    NatsError: 500,
    NatsUnavailableError: 503,
    UnavailableError: 503,
    UnresolvedError: 503,
}
