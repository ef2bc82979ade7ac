"""Routes of matches: each translates, calls, and translates back."""

import asyncio
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response

from howff.contracts.matches import MOST_SEATS
from howff.engine.errors import MalformedError
from howff.game.api.answers import match_answer, moves_answer, played_answer
from howff.game.api.deps import (
    CommandKey,
    MatchPath,
    StartKey,
    ViewerQuery,
    asker_of,
    parts_of,
    reader_of,
)
from howff.game.api.schemas import (
    KeysAnswer,
    MatchAnswer,
    MoveBody,
    MovesAnswer,
    PlayedAnswer,
    ReceiptKey,
    StartBody,
)
from howff.game.application.orders import (
    MoveWanted,
    SeatOrder,
    check_practice,
    order_of,
    practice_id,
)
from howff.game.domain.errors import WrongStatementError
from howff.game.domain.seating import Worker, seat_to_act, viewer_for
from howff.match.commit import CommandId
from howff.match.export import export_for, write_export
from howff.servicekit import ids
from howff.servicekit.web.answers import PRIVATE, KnownTags, is_known, private_json
from howff.servicekit.web.auth import OptionalCaller, RequiredCaller, require_scope
from howff.servicekit.web.openapi import told_headers
from howff.servicekit.web.tokens import Caller

matches = APIRouter(prefix="/v1/matches", tags=["matches"])
receipts = APIRouter(tags=["receipts"])


@matches.post(
    "",
    status_code=201,
    response_model=MatchAnswer,
    responses=told_headers(201, Location="The address of the match."),
)
async def start_practice_match(
    request: Request, body: StartBody, caller: RequiredCaller, key: StartKey = None
) -> Response:
    """Start a practice match, which is never rated, and look at it."""
    require_scope(caller, "play")
    require_scope(caller, "read")
    match = ids.new_id() if key is None else practice_id(caller.account, key)
    message = body.message(match)
    check_practice(message, caller.account)
    known = await parts_of(request).matches.start(order_of(message))
    viewer = viewer_for(known.match, caller.account, None)
    headers = {"Location": f"/v1/matches/{known.match.id}"}
    return private_json(match_answer(known.match, viewer), 201, headers)


@matches.get(
    "/{match_id}",
    response_model=MatchAnswer,
    responses={304: {}, **told_headers(200, ETag="The version, for `If-None-Match`.")},
)
async def look_at_match(
    request: Request,
    match: MatchPath,
    caller: OptionalCaller,
    eyes: ViewerQuery = None,
    known_tags: KnownTags = "",
) -> Response:
    """Look at a match as it stands, through the eyes of a seat of one's own or a spectator's."""
    asker = asker_of(caller)
    known = await parts_of(request).matches.find(match)
    viewer = viewer_for(known.match, asker, eyes)
    headers = {"ETag": f'"{known.match.version}"'}
    if is_known(headers["ETag"], known_tags):
        return Response(status_code=304, headers={**headers, **PRIVATE})
    return private_json(match_answer(known.match, viewer), 200, headers)


@matches.get("/{match_id}/moves", response_model=MovesAnswer)
async def list_moves(
    request: Request,
    match: MatchPath,
    caller: RequiredCaller,
    seat: Annotated[int | None, Query(ge=0, lt=MOST_SEATS)] = None,
) -> Response:
    """List the legal moves of a seat of one's own."""
    asker = asker_of(caller)
    known = await parts_of(request).matches.find(match)
    mine = seat_to_act(known.match, asker, seat)
    return private_json(moves_answer(known.match, mine, asker))


@matches.post("/{match_id}/moves", response_model=PlayedAnswer)
async def play_move(
    request: Request, match: MatchPath, body: MoveBody, caller: RequiredCaller, key: CommandKey
) -> Response:
    """Make a move; sent again under the same key, it is made once and answered alike."""
    order = _worker_order(body, key) if caller.is_worker else _order(body, key, caller)
    answer = await parts_of(request).matches.act(match, order)
    return private_json(played_answer(answer))


def _order(body: MoveBody, key: UUID, caller: Caller) -> SeatOrder:
    require_scope(caller, "play")
    if body.bot is not None:
        raise WrongStatementError(is_worker=False)
    return SeatOrder(
        id=CommandId(str(key)),
        asker=caller.account,
        seat=body.seat,
        wanted=MoveWanted(body.move.model_dump()),
        expected_version=body.expected_version,
    )


def _worker_order(body: MoveBody, key: UUID) -> SeatOrder:
    if body.bot is None:
        raise WrongStatementError(is_worker=True)
    if body.expected_version is None:
        raise MalformedError("expected_version", expected="the version decided at", found="none")
    return SeatOrder(
        # No account can have taken this id before: it may know what key a worker is going to send.
        id=CommandId(f"bot-{key}"),
        asker=Worker(),
        seat=body.seat,
        wanted=MoveWanted(body.move.model_dump(), body.bot.model_dump()),
        expected_version=body.expected_version,
    )


@matches.get(
    "/{match_id}/export",
    response_class=Response,
    responses={200: {"content": {"application/jsonl": {}}}},
)
async def export_match(
    request: Request, match: MatchPath, caller: OptionalCaller, eyes: ViewerQuery = None
) -> Response:
    """Give the log as a file: whole once the match is over, before that as its viewer knows it."""
    reader = reader_of(caller)
    service = parts_of(request).matches
    known = await service.find(match)
    viewer = viewer_for(known.match, reader, eyes)
    log = await service.log(known)

    def written() -> bytes:
        return write_export(export_for(known.match, log.commits, viewer, known.seed, service.keys))

    # A long log takes a while, in which others should not have to wait.
    content = await asyncio.to_thread(written)
    name = f'attachment; filename="match-{match}.jsonl"'
    return Response(content, 200, {"Content-Disposition": name, **PRIVATE}, "application/jsonl")


@receipts.get("/.well-known/howff-receipts.json")
async def list_receipt_keys(request: Request, response: Response) -> KeysAnswer:
    """List the public keys that check the signatures of commits."""
    response.headers["Cache-Control"] = "public, max-age=60"
    return KeysAnswer(
        keys=[
            ReceiptKey(kty=each.kty, crv=each.crv, x=each.x, kid=each.id)
            for each in parts_of(request).matches.keys
        ]
    )
