"""What routes need: the parts of the service, and what requests carry beside their bodies."""

from dataclasses import dataclass
from typing import Annotated, cast
from uuid import UUID

from fastapi import Header, Path, Query, Request

from howff.contracts.ids import id_or
from howff.game.application.feeds import Feeds
from howff.game.application.looking_back import LookingBack
from howff.game.application.matches import Matches
from howff.game.domain.errors import NoSuchMatchError
from howff.game.domain.seating import Archivist, Asker, Worker
from howff.match.commit import MatchId
from howff.servicekit.web.auth import require_scope
from howff.servicekit.web.tokens import SCORING, Caller


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the service that routes speak with."""

    matches: Matches
    feeds: Feeds
    looking_back: LookingBack


def parts_of(request: Request) -> Parts:
    """Return the parts of the service that has got *request*."""
    return cast("Parts", request.app.state.parts)


def account_of(caller: Caller | None) -> str | None:
    """Return the account whose seats *caller* may look through.

    Raises:
        MissingScopeError: its token is not for reading.
    """
    if caller is None:
        return None
    require_scope(caller, "read")
    return caller.account


def asker_of(caller: Caller | None) -> Asker:
    """Return who asks, where workers may ask too.

    Raises:
        MissingScopeError: it is an account, and its token is not for reading.
    """
    if caller is not None and caller.is_worker:
        return Worker()
    return account_of(caller)


def reader_of(caller: Caller | None) -> Asker:
    """Return who asks, where the archive may ask too.

    Raises:
        MissingScopeError: it is an account, and its token is not for reading.
    """
    if caller is not None and caller.part is SCORING:
        return Archivist()
    return account_of(caller)


MatchPath = Annotated[
    MatchId,
    id_or(NoSuchMatchError),
    Path(alias="match_id", description="The id of a match."),
]
ViewerQuery = Annotated[
    str | None,
    Query(alias="as", description="Whose eyes: seat:N of one's own, or spectator.", max_length=20),
]
CommandKey = Annotated[
    UUID, Header(alias="Idempotency-Key", description="A UUID; sent again, it does nothing more.")
]
StartKey = Annotated[
    UUID | None,
    Header(alias="Idempotency-Key", description="A UUID; sent again, it starts nothing more."),
]
