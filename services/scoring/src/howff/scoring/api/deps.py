"""What routes need: the parts of the service, and what requests carry."""

from dataclasses import dataclass
from typing import Annotated, Literal, cast

from fastapi import Path, Query, Request

from howff.contracts.ids import ID_FORM
from howff.scoring.application.ports import Names, Scores, Upkeep
from howff.servicekit.web.cursors import MOST_CHARACTERS

Kind = Literal["live", "days", "bots"]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the service that routes speak with."""

    scores: Scores
    names: Names
    upkeep: Upkeep


def parts_of(request: Request) -> Parts:
    """Return the parts of the service that has got *request*."""
    return cast("Parts", request.app.state.parts)


GamePath = Annotated[str, Path(pattern=ID_FORM, description="The key of a game.")]
PlayerPath = Annotated[str, Path(alias="player_id", pattern=ID_FORM, description="An account.")]
ProjectionPath = Annotated[str, Path(pattern=ID_FORM, description="The name of a projection.")]
Limit = Annotated[int, Query(ge=1, le=100, description="The most items of a page.")]
Cursor = Annotated[
    str | None,
    Query(max_length=MOST_CHARACTERS, description="`next` of the page before, of the same list."),
]
KindQuery = Annotated[Kind, Query(description="Matches in one sitting, over days, or of bots.")]
