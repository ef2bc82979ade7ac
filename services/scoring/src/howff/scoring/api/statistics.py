"""The route of statistics."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from howff.scoring.api.answers import TABLE, answered, check_game
from howff.scoring.api.deps import GamePath, parts_of
from howff.scoring.application.statistics import Statistics, statistics_of
from howff.scoring.domain.statistics import Who

statistics = APIRouter(prefix="/v1/statistics", tags=["statistics"])

Seats = Annotated[int | None, Query(ge=1, le=100, description="Of matches with so many seats.")]
WhoQuery = Annotated[
    Who | None, Query(description="Of matches of people, of bots, or of both together.")
]


@statistics.get("/{game}", response_model=Statistics, responses=TABLE)
async def show_statistics(
    request: Request, game: GamePath, seats: Seats = None, who: WhoQuery = None
) -> Response:
    """Show how a game is played, by number of seats and by who played; of public matches alone.

    As CSV it is the counters that all of it is made of: how often each number was met.
    """
    counters = await parts_of(request).scores.counters_of(game, seats, who)
    check_game(game, counters)
    return answered(request, statistics_of(game, counters), counters)
