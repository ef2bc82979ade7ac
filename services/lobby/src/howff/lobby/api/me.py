"""Routes of one's own account: each translates, calls, and translates back."""

from typing import Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from howff.lobby.api.account_schemas import (
    AdmissionAnswer,
    EraseBody,
    ExportAnswer,
    MeAnswer,
    PasswordBody,
    PersonalTokensAnswer,
    PersonalTokenTold,
    Profile,
    TokenBody,
    token_told,
    token_view,
)
from howff.lobby.api.deps import TokenPath, parts_of
from howff.lobby.api.secret_answers import NO_STORE, secret_json
from howff.lobby.api.strictness import PASSWORDS
from howff.lobby.application.accounts.issuing import TokenWanted
from howff.servicekit.web.answers import private_json
from howff.servicekit.web.auth import RequiredCaller, require_scope
from howff.servicekit.web.openapi import told_headers

me = APIRouter(prefix="/v1/me", tags=["me"])

_AS_FILE: Final = {**NO_STORE, "Content-Disposition": 'attachment; filename="howff-account.json"'}


@me.get("", response_model=MeAnswer)
async def tell_who_i_am(request: Request, caller: RequiredCaller) -> Response:
    """Tell whose the token is, and what it is for."""
    known = await parts_of(request).accounts.all.find(caller.account)
    answer = MeAnswer(
        account=Profile.of(known),
        scopes=sorted(caller.scopes),
        is_administrator=known.is_administrator,
        owner=known.owner,
    )
    return private_json(answer)


@me.put("/password", response_model=AdmissionAnswer, dependencies=PASSWORDS)
async def change_password(request: Request, body: PasswordBody, caller: RequiredCaller) -> Response:
    """Take another password; all tokens end, and there are new ones for whoever has changed it."""
    known = parts_of(request).accounts.all
    return secret_json(AdmissionAnswer.of(await known.change_password(caller, body.old, body.new)))


@me.get(
    "/export",
    response_model=ExportAnswer,
    responses=told_headers(200, **{"Content-Disposition": "That it is a file."}),
)
async def export_account(request: Request, caller: RequiredCaller) -> Response:
    """Give everything that is stored about one's account."""
    require_scope(caller, "read")
    content = await parts_of(request).accounts.exports.of(caller.account)
    return JSONResponse(content, headers=_AS_FILE)


@me.delete("", status_code=204, dependencies=PASSWORDS)
async def erase_account(request: Request, body: EraseBody, caller: RequiredCaller) -> None:
    """Be forgotten: name, password and tokens go, what was played stays as somebody's."""
    parts = parts_of(request).accounts
    await parts.all.check_may_erase(caller, body.password)
    await parts.standings.erase(caller.account)


@me.get("/tokens", response_model=PersonalTokensAnswer)
async def list_personal_tokens(request: Request, caller: RequiredCaller) -> Response:
    """List the personal tokens of one's account, without what they are themselves."""
    require_scope(caller, "read")
    known = await parts_of(request).accounts.personal_tokens.all(caller.account)
    return private_json(PersonalTokensAnswer(items=[token_view(each) for each in known]))


@me.post("/tokens", status_code=201, response_model=PersonalTokenTold)
async def make_personal_token(
    request: Request, body: TokenBody, caller: RequiredCaller
) -> Response:
    """Make a token for a program to keep; it is told this once."""
    wanted = TokenWanted(body.name, frozenset(body.scopes), body.days)
    token, text = await parts_of(request).accounts.personal_tokens.make(caller, wanted)
    return secret_json(token_told(token, text), 201)


@me.delete("/tokens/{token_id}", status_code=204)
async def end_personal_token(request: Request, token: TokenPath, caller: RequiredCaller) -> None:
    """Let a personal token of one's account be good no longer."""
    await parts_of(request).accounts.personal_tokens.end(caller, token)
