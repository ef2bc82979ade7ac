"""What routes need: the parts of the service, and what requests carry beside their bodies."""

import re
from dataclasses import dataclass
from typing import Annotated, Final, cast
from uuid import UUID

from fastapi import Depends, Header, Path, Query, Request

from howff.contracts.ids import ID_FORM
from howff.game.application.feeds import Feeds
from howff.game.application.matches import Matches
from howff.game.domain.errors import NoSuchMatchError
from howff.match.commit import MatchId
from howff.servicekit.web.auth import require_scope
from howff.servicekit.web.tokens import Caller

_ID: Final = re.compile(ID_FORM)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the service that routes speak with."""

    matches: Matches
    feeds: Feeds


async def _matches(request: Request) -> Matches:
    return _parts(request).matches


async def _feeds(request: Request) -> Feeds:
    return _parts(request).feeds


async def _match_id(
    match_id: Annotated[str, Path(description="The id of a match.", max_length=200)],
) -> MatchId:
    # What can't be an id is answered like one that is unknown, before it gets near a subject.
    if not _ID.fullmatch(match_id):
        raise NoSuchMatchError
    return MatchId(match_id)


def account_of(caller: Caller | None) -> str | None:
    """Return the account whose seats *caller* may look through.

    Raises:
        MissingScopeError: its token is not for reading.
    """
    if caller is None:
        return None
    require_scope(caller, "read")
    return caller.account


def _parts(request: Request) -> Parts:
    return cast("Parts", request.app.state.parts)


MatchesPart = Annotated[Matches, Depends(_matches)]
FeedsPart = Annotated[Feeds, Depends(_feeds)]
MatchPath = Annotated[MatchId, Depends(_match_id)]
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
