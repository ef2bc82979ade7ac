"""Routes by which seats leave a match, come back, and agree; and what administrators may do."""

from fastapi import APIRouter, Request, Response

from howff.engine.seats import Seat
from howff.game.api.answers import played_answer
from howff.game.api.deps import CommandKey, MatchPath, parts_of
from howff.game.api.schemas import AbortBody, CreditBody, PlayedAnswer, SeatBody, WishBody
from howff.game.application.orders import (
    PlatformOrder,
    ResignationWanted,
    ReturnWanted,
    SeatOrder,
    WishWanted,
)
from howff.match.commands import AbortMatch, CreditTime, PlatformCommand
from howff.match.commit import CommandId, MatchId
from howff.servicekit.web.answers import private_json
from howff.servicekit.web.auth import RequiredCaller, require_scope
from howff.servicekit.web.scopes import ADMIN
from howff.servicekit.web.tokens import Caller

leaving = APIRouter(prefix="/v1/matches", tags=["leaving"])


@leaving.post("/{match_id}/resign", response_model=PlayedAnswer)
async def resign(
    request: Request, match: MatchPath, body: SeatBody, caller: RequiredCaller, key: CommandKey
) -> Response:
    """Leave the match for good; it ends if one seat is left, else decisions are made for you."""
    require_scope(caller, "play")
    order = _order(caller, key, body.seat, ResignationWanted())
    return await _act(request, match, order)


@leaving.post("/{match_id}/pause", response_model=PlayedAnswer)
async def pause(
    request: Request, match: MatchPath, body: WishBody, caller: RequiredCaller, key: CommandKey
) -> Response:
    """Want the clocks to be paused, or not any more: they are when all do, until none does."""
    require_scope(caller, "play")
    order = _order(caller, key, body.seat, WishWanted("pause", body.wanted))
    return await _act(request, match, order)


@leaving.post("/{match_id}/abort", response_model=PlayedAnswer)
async def abort(
    request: Request, match: MatchPath, body: AbortBody, caller: RequiredCaller, key: CommandKey
) -> Response:
    """Want the match to end without places, or not any more: it does when all want it.

    An administrator needs nobody's agreement.
    """
    if body.as_administrator:
        require_scope(caller, ADMIN)
        command = AbortMatch(id=CommandId(str(key)), reason=body.reason)
        return await _administer(request, match, command)
    require_scope(caller, "play")
    order = _order(caller, key, body.seat, WishWanted("abort", body.wanted))
    return await _act(request, match, order)


@leaving.post("/{match_id}/take-back", response_model=PlayedAnswer)
async def take_back(
    request: Request, match: MatchPath, body: SeatBody, caller: RequiredCaller, key: CommandKey
) -> Response:
    """Take a seat of one's own back from the bot that has taken it over."""
    require_scope(caller, "play")
    order = _order(caller, key, body.seat, ReturnWanted())
    return await _act(request, match, order)


@leaving.post("/{match_id}/credit", response_model=PlayedAnswer)
async def credit(
    request: Request, match: MatchPath, body: CreditBody, caller: RequiredCaller, key: CommandKey
) -> Response:
    """Give a seat time, as an administrator may after an outage."""
    require_scope(caller, ADMIN)
    command = CreditTime(id=CommandId(str(key)), seat=Seat(body.seat), seconds=body.seconds)
    return await _administer(request, match, command)


def _order(
    caller: Caller,
    key: CommandKey,
    seat: int | None,
    wanted: ResignationWanted | WishWanted | ReturnWanted,
) -> SeatOrder:
    return SeatOrder(id=CommandId(str(key)), asker=caller.account, seat=seat, wanted=wanted)


async def _act(request: Request, match: MatchId, order: SeatOrder) -> Response:
    answer = await parts_of(request).matches.act(match, order)
    return private_json(played_answer(answer))


async def _administer(request: Request, match: MatchId, command: PlatformCommand) -> Response:
    answer = await parts_of(request).matches.administer(match, PlatformOrder(command))
    return private_json(played_answer(answer))
