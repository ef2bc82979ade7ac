"""What routes need: the parts of the service, and what requests carry beside their bodies."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends, Header, Path, Request

from howff.contracts.ids import id_or
from howff.contracts.matches import MOST_SEATS
from howff.lobby.application.accounts.accounts import Accounts
from howff.lobby.application.accounts.export import Exports
from howff.lobby.application.accounts.issuing import Issuer
from howff.lobby.application.accounts.personal import PersonalTokens
from howff.lobby.application.accounts.standings import Standings
from howff.lobby.application.describing import Neighbours
from howff.lobby.application.feeds import Feeds
from howff.lobby.application.invitations import Invitations
from howff.lobby.application.lists import Lists
from howff.lobby.application.tables import Tables
from howff.lobby.application.ticket_desk import TicketDesk
from howff.lobby.domain.accounts.errors import NoSuchAccountError, NoSuchTokenError
from howff.lobby.domain.errors import NoSuchTableError, NoSuchTicketError
from howff.servicekit import ids


@dataclass(frozen=True, slots=True)
class AccountParts:
    """The parts that know accounts and tokens."""

    all: Accounts
    standings: Standings
    issuer: Issuer
    personal_tokens: PersonalTokens
    exports: Exports
    public_keys: Callable[[], list[dict[str, str]]]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the service that routes speak with."""

    accounts: AccountParts
    tables: Tables
    tickets: TicketDesk
    invitations: Invitations
    lists: Lists
    feeds: Feeds
    neighbours: Neighbours


def parts_of(request: Request) -> Parts:
    """Return the parts of the service that has got *request*."""
    return cast("Parts", request.app.state.parts)


def _command_id(
    key: Annotated[
        UUID | None,
        Header(
            alias="Idempotency-Key",
            description="A UUID; sent again, it does nothing more. Made here if there is none.",
        ),
    ] = None,
) -> str:
    return ids.new_id() if key is None else str(key)


CommandId = Annotated[str, Depends(_command_id)]
TablePath = Annotated[
    str, id_or(NoSuchTableError), Path(alias="table_id", description="The id of a table.")
]
TicketPath = Annotated[
    str, id_or(NoSuchTicketError), Path(alias="ticket_id", description="The id of a ticket.")
]
AccountPath = Annotated[
    str, id_or(NoSuchAccountError), Path(alias="account_id", description="The id of an account.")
]
TokenPath = Annotated[
    str,
    id_or(NoSuchTokenError),
    Path(alias="token_id", description="The id of a personal token."),
]
SeatPath = Annotated[int, Path(alias="seat", ge=0, lt=MOST_SEATS, description="A seat, from 0.")]
