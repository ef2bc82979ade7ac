"""Routes of projections, for operators."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from howff.scoring.api.answers import answered
from howff.scoring.api.deps import ProjectionPath, parts_of
from howff.scoring.application.answers import ProjectionState
from howff.servicekit.web.auth import OptionalCaller, RequiredCaller, require_scope
from howff.servicekit.web.bodies import StrictModel
from howff.servicekit.web.scopes import ADMIN

projections = APIRouter(prefix="/v1/projections", tags=["projections"])


class ProjectionsAnswer(BaseModel):
    """The archive and its projections."""

    projections: tuple[ProjectionState, ...]


class RetryBody(StrictModel):
    """Which match to try again."""

    position: Annotated[int, Field(ge=1)]
    """Where its end stands in `CONTRACTS`, as `put_aside` tells it."""


class RebuildAnswer(BaseModel):
    """Which generation of rows is being made."""

    generation: int


@projections.get("", response_model=ProjectionsAnswer)
async def list_projections(request: Request, caller: OptionalCaller) -> Response:
    """Tell how far the archive and its projections are, and why matches stand aside.

    Which ones these are is told to administrators, for some are for their seats alone.
    """
    states = await parts_of(request).upkeep.states()
    is_told = caller is not None and ADMIN in caller.scopes
    shown = states if is_told else [_unnamed(state) for state in states]
    answer = ProjectionsAnswer(projections=tuple(shown))
    return answered(request, answer, is_private=is_told)


def _unnamed(state: ProjectionState) -> ProjectionState:
    aside = tuple(each.model_copy(update={"match": None}) for each in state.put_aside)
    return state.model_copy(update={"put_aside": aside})


@projections.post("/{name}/retry", status_code=204)
async def retry_match(
    request: Request, name: ProjectionPath, body: RetryBody, caller: RequiredCaller
) -> None:
    """Try a match again that stands aside; where order matters, all rows are made anew."""
    require_scope(caller, ADMIN)
    await parts_of(request).upkeep.retry(name, body.position)


@projections.post("/{name}/rebuild", status_code=202)
async def rebuild_projection(
    request: Request, name: ProjectionPath, caller: RequiredCaller
) -> RebuildAnswer:
    """Begin to make all rows of a projection anew, beside the live ones whose place they take.

    How far that is, and what differed, `GET /v1/projections` tells.
    """
    require_scope(caller, ADMIN)
    return RebuildAnswer(generation=await parts_of(request).upkeep.start_rebuild(name))
