"""Routes of tables: each translates, calls, and translates back."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from howff.lobby.api.deps import CommandId, SeatPath, TablePath, parts_of
from howff.lobby.api.table_answers import table_view
from howff.lobby.api.table_schemas import (
    BotBody,
    ClosureBody,
    InvitationMadeView,
    InviteBody,
    NothingBody,
    OpenBody,
    ReadyBody,
    SitBody,
    TableView,
)
from howff.lobby.application.clocks import clock_of
from howff.lobby.application.invitations import Invited
from howff.lobby.application.tables import Found, Opening
from howff.lobby.domain.errors import NoSuchTableError, NotInvitedError
from howff.lobby.domain.tables.commands import (
    CloseTable,
    LeaveSeat,
    MakeInvitation,
    RevokeInvitation,
    SeatBot,
    StartTable,
    TableCommand,
    TakeSeat,
    TellReady,
    WithdrawReady,
)
from howff.lobby.domain.terms import Terms
from howff.servicekit import ids
from howff.servicekit.web.answers import PRIVATE, KnownTags, is_known, private_json
from howff.servicekit.web.auth import OptionalCaller, RequiredCaller, require_scope
from howff.servicekit.web.openapi import problem_responses, told_headers
from howff.servicekit.web.scopes import ADMIN
from howff.servicekit.web.tokens import Caller

tables = APIRouter(prefix="/v1/tables", tags=["tables"])


@tables.post(
    "",
    status_code=201,
    response_model=TableView,
    responses={
        **told_headers(201, Location="The address of the table."),
        **problem_responses(404),
    },
)
async def open_table(
    request: Request, body: OpenBody, caller: RequiredCaller, key: CommandId
) -> Response:
    """Open a table, whose seed is fixed from now on."""
    require_scope(caller, "table")
    opening = Opening(
        terms=_terms(body),
        visibility=body.visibility,
        seat=body.seat,
        entropy_hash=body.entropy_hash,
    )
    found = await parts_of(request).tables.open(opening, by=caller.account, key=key)
    return _answer(found, caller, 201)


@tables.get(
    "/{table_id}",
    response_model=TableView,
    responses={304: {}, **told_headers(200, ETag="The version, for `If-None-Match`.")},
)
async def look_at_table(
    request: Request,
    table: TablePath,
    caller: OptionalCaller,
    invitation: Annotated[str | None, Query(max_length=1000)] = None,
    known_tags: KnownTags = "",
) -> Response:
    """Look at a table: a public one, one where one has a part, or with an invitation."""
    account = None
    if caller is not None:
        require_scope(caller, "read")
        account = caller.account
    found = await parts_of(request).tables.find(table)
    if not (found.table.is_known_to(account) or _is_invited(request, found, invitation)):
        raise NoSuchTableError
    headers = {"ETag": f'"{found.folded.version}"'}
    if is_known(headers["ETag"], known_tags):
        return Response(status_code=304, headers={**headers, **PRIVATE})
    return private_json(table_view(found, account), 200, headers)


@tables.put("/{table_id}/seats/{seat}", response_model=TableView)
async def take_seat(
    request: Request,
    table: TablePath,
    seat: SeatPath,
    body: SitBody,
    caller: RequiredCaller,
    key: CommandId,
) -> Response:
    """Sit down in a free seat."""
    invitation = None
    if body.invitation is not None:
        invited = parts_of(request).invitations.read(body.invitation)
        if invited.table != table:
            raise NotInvitedError
        invitation = invited.invitation
    command = TakeSeat(
        by=caller.account, seat=seat, entropy_hash=body.entropy_hash, invitation=invitation
    )
    return await _order(request, table, command, caller, key)


@tables.delete("/{table_id}/seats/{seat}", response_model=TableView)
async def leave_seat(
    request: Request, table: TablePath, seat: SeatPath, caller: RequiredCaller, key: CommandId
) -> Response:
    """Get up; or as the host send somebody away, also a bot."""
    command = LeaveSeat(by=caller.account, seat=seat)
    return await _order(request, table, command, caller, key)


@tables.put("/{table_id}/seats/{seat}/bot", response_model=TableView)
async def seat_bot(
    request: Request,
    table: TablePath,
    seat: SeatPath,
    body: BotBody,
    caller: RequiredCaller,
    key: CommandId,
) -> Response:
    """Give a free seat to a bot, as the host."""
    command = SeatBot(by=caller.account, seat=seat, level=body.level)
    return await _order(request, table, command, caller, key)


@tables.put("/{table_id}/seats/{seat}/ready", response_model=TableView)
async def tell_ready(
    request: Request,
    table: TablePath,
    seat: SeatPath,
    body: ReadyBody,
    caller: RequiredCaller,
    key: CommandId,
) -> Response:
    """Be ready, and tell the entropy of which the hash was told."""
    command = TellReady(by=caller.account, seat=seat, entropy=body.entropy)
    return await _order(request, table, command, caller, key)


@tables.delete("/{table_id}/seats/{seat}/ready", response_model=TableView)
async def withdraw_ready(
    request: Request, table: TablePath, seat: SeatPath, caller: RequiredCaller, key: CommandId
) -> Response:
    """Be ready no longer."""
    command = WithdrawReady(by=caller.account, seat=seat)
    return await _order(request, table, command, caller, key)


@tables.post("/{table_id}/invitations", status_code=201, response_model=InvitationMadeView)
async def make_invitation(
    request: Request, table: TablePath, body: InviteBody, caller: RequiredCaller, key: CommandId
) -> Response:
    """Make an invitation, as the host; who has it may sit down, in its seat or in any."""
    require_scope(caller, "table")
    parts = parts_of(request)
    invitation = ids.id_from(f"{table}\n{caller.account}\n{key}")
    command = MakeInvitation(by=caller.account, invitation=invitation, seat=body.seat)
    await parts.tables.order(table, command, by=caller.account, key=key)
    token = parts.invitations.token(Invited(table, invitation))
    url = f"/v1/tables/{table}?invitation={token}"
    return private_json(
        InvitationMadeView(id=invitation, seat=body.seat, token=token, url=url), 201
    )


@tables.delete("/{table_id}/invitations/{invitation_id}", response_model=TableView)
async def revoke_invitation(
    request: Request, table: TablePath, invitation_id: str, caller: RequiredCaller, key: CommandId
) -> Response:
    """Let an invitation be good for nothing any more, as the host."""
    command = RevokeInvitation(by=caller.account, invitation=invitation_id)
    return await _order(request, table, command, caller, key)


@tables.post("/{table_id}/start", status_code=202, response_model=TableView)
async def start_match(
    request: Request, table: TablePath, _: NothingBody, caller: RequiredCaller, key: CommandId
) -> Response:
    """Ask for the match, as the host, when everybody is ready; it has the table's id."""
    return await _order(request, table, StartTable(by=caller.account), caller, key, 202)


@tables.post(
    "/{table_id}/rematch",
    status_code=201,
    response_model=TableView,
    responses=told_headers(201, Location="The address of the new table."),
)
async def play_again(
    request: Request, table: TablePath, _: NothingBody, caller: RequiredCaller, key: CommandId
) -> Response:
    """Sit down where the match is played again, by the same terms, each in the next seat."""
    require_scope(caller, "table")
    found = await parts_of(request).tables.rematch(table, by=caller.account, key=key)
    return _answer(found, caller, 201)


@tables.delete("/{table_id}", response_model=TableView)
async def cancel_table(
    request: Request, table: TablePath, caller: RequiredCaller, key: CommandId
) -> Response:
    """Give the table up, as the host; its seed is thrown away."""
    return await _order(request, table, CloseTable(by=caller.account), caller, key)


@tables.post("/{table_id}/closure", response_model=TableView)
async def close_table(
    request: Request, table: TablePath, body: ClosureBody, caller: RequiredCaller, key: CommandId
) -> Response:
    """Close a table, as an administrator."""
    require_scope(caller, ADMIN)
    found = await parts_of(request).tables.close(table, body.reason, by=caller.account, key=key)
    return _answer(found, caller)


async def _order(
    request: Request,
    table: str,
    command: TableCommand,
    caller: Caller,
    key: str,
    status: int = 200,
) -> Response:
    require_scope(caller, "table")
    found = await parts_of(request).tables.order(table, command, by=caller.account, key=key)
    return _answer(found, caller, status)


def _answer(found: Found, caller: Caller, status: int = 200) -> Response:
    headers = {"ETag": f'"{found.folded.version}"'}
    if status == 201:  # noqa: PLR2004
        headers["Location"] = f"/v1/tables/{found.id}"
    return private_json(table_view(found, caller.account), status, headers)


def _is_invited(request: Request, found: Found, token: str | None) -> bool:
    if token is None:
        return False
    try:
        invited = parts_of(request).invitations.read(token)
    except NotInvitedError:
        return False
    return invited.table == found.id and found.table.invitation(invited.invitation) is not None


def _terms(body: OpenBody) -> Terms:
    return Terms(
        game=body.game,
        options=body.options,
        seats=body.seats,
        clock=clock_of(body.clock),
        on_flag=body.on_flag,
        on_leave=body.on_leave,
        stand_in=body.stand_in,
        watch=body.watch,
        rated=body.rated,
    )
