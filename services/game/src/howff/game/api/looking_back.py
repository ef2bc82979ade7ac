"""Routes that look back: at any moment of a match that is over, into branches, and for proof."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from howff.game.api.answers import audit_answer, match_answer, moment_answer
from howff.game.api.deps import MatchPath, StartKey, ViewerQuery, account_of, parts_of
from howff.game.api.schemas import AuditAnswer, BranchBody, MatchAnswer, MomentAnswer
from howff.game.application.orders import BranchOrder, holder_of, practice_id
from howff.game.domain.seating import viewer_after_end, viewer_for
from howff.match.commit import MatchId
from howff.servicekit import ids
from howff.servicekit.web.answers import private_json
from howff.servicekit.web.auth import OptionalCaller, RequiredCaller, require_scope
from howff.servicekit.web.openapi import problem_responses, told_headers

looking_back = APIRouter(prefix="/v1/matches", tags=["looking back"])


@looking_back.get(
    "/{match_id}/replay", response_model=MomentAnswer, responses=problem_responses(409)
)
async def replay(
    request: Request,
    match: MatchPath,
    caller: OptionalCaller,
    at: Annotated[int | None, Query(ge=1, le=10**6)] = None,
    eyes: Annotated[
        str | None,
        Query(alias="as", description="Whose eyes: seat:N, spectator, or all.", max_length=20),
    ] = None,
) -> Response:
    """Look at a match that is over as it stood at a version, through anybody's eyes then."""
    account = account_of(caller)
    parts = parts_of(request)
    known = await parts.matches.find(match)
    viewer = viewer_after_end(known.match, account, eyes)
    moment = await parts.looking_back.moment(known, at)
    return private_json(moment_answer(moment, viewer))


@looking_back.post(
    "/{match_id}/branches",
    status_code=201,
    response_model=MatchAnswer,
    responses=told_headers(201, Location="The address of the branch."),
)
async def branch(
    request: Request,
    match: MatchPath,
    body: BranchBody,
    caller: RequiredCaller,
    key: StartKey = None,
) -> Response:
    """Start a practice match that goes on from where a match that is over stood at a version."""
    require_scope(caller, "play")
    require_scope(caller, "read")
    order = BranchOrder(
        match=MatchId(ids.new_id()) if key is None else practice_id(caller.account, key),
        parent=match,
        at=body.at,
        account=caller.account,
        seats=tuple(map(holder_of, body.seats)),
    )
    known = await parts_of(request).looking_back.branch(order)
    viewer = viewer_for(known.match, caller.account, None)
    headers = {"Location": f"/v1/matches/{known.match.id}"}
    return private_json(match_answer(known.match, viewer), 201, headers)


@looking_back.get("/{match_id}/audit", response_model=AuditAnswer)
async def audit(
    request: Request, match: MatchPath, caller: OptionalCaller, eyes: ViewerQuery = None
) -> Response:
    """Let the server verify its own log; before the end, as far as the viewer may read it."""
    account = account_of(caller)
    parts = parts_of(request)
    known = await parts.matches.find(match)
    viewer = viewer_for(known.match, account, eyes)
    report = await parts.looking_back.audit(known, viewer)
    return private_json(audit_answer(known.match, viewer, report))
