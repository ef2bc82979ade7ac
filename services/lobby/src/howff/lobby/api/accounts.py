"""Routes of accounts: each translates, calls, and translates back."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from howff.lobby.api.account_schemas import (
    AdmissionAnswer,
    BotAnswer,
    BotBody,
    Profile,
    ProfilesAnswer,
    RegisterBody,
    SuspendBody,
    token_told,
)
from howff.lobby.api.deps import AccountPath, CommandId, parts_of
from howff.lobby.api.secret_answers import secret_json
from howff.lobby.api.strictness import GUESTS, PASSWORDS
from howff.lobby.api.table_schemas import NothingBody
from howff.lobby.application.accounts.values import Admission
from howff.servicekit.web.auth import OptionalCaller, RequiredCaller, require_scope
from howff.servicekit.web.openapi import told_headers
from howff.servicekit.web.scopes import ADMIN

accounts = APIRouter(prefix="/v1/accounts", tags=["accounts"])

_NOTHING = NothingBody()
_MADE = told_headers(201, Location="The address of the account.")


@accounts.post(
    "/guests",
    status_code=201,
    response_model=AdmissionAnswer,
    responses=_MADE,
    dependencies=GUESTS,
)
async def become_guest(request: Request, body: NothingBody = _NOTHING) -> Response:  # noqa: ARG001
    """Begin to play without a name."""
    return _admitted(await parts_of(request).accounts.all.become_guest())


@accounts.post(
    "", status_code=201, response_model=AdmissionAnswer, responses=_MADE, dependencies=PASSWORDS
)
async def register(request: Request, body: RegisterBody, caller: OptionalCaller) -> Response:
    """Become known by a name; a guest keeps its account."""
    registering = parts_of(request).accounts.all.register(body.name, body.password, caller)
    return _admitted(await registering)


@accounts.post("/bots", status_code=201, response_model=BotAnswer, responses=_MADE)
async def register_bot(request: Request, body: BotBody, caller: RequiredCaller) -> Response:
    """Give a bot an account; one of that name that one has already gets a new token."""
    require_scope(caller, "bot")
    known = parts_of(request).accounts.all
    bot, token, text = await known.register_bot(caller.account, body.name)
    answer = BotAnswer(account=Profile.of(bot), token=token_told(token, text))
    return secret_json(answer, 201, {"Location": f"/v1/accounts/{bot.id}"})


@accounts.get("")
async def list_accounts(
    request: Request,
    ids: Annotated[list[str], Query(alias="id", max_length=50, description="Up to 50 ids.")],
) -> ProfilesAnswer:
    """Tell what everybody may know of some accounts; unknown ones are left out."""
    known = await parts_of(request).accounts.all.find_all(tuple(ids))
    return ProfilesAnswer(items=[Profile.of(each) for each in known])


@accounts.get("/{account_id}")
async def look_at_account(request: Request, account: AccountPath) -> Profile:
    """Tell what everybody may know of an account."""
    return Profile.of(await parts_of(request).accounts.all.find(account))


@accounts.put("/{account_id}/suspension", status_code=204)
async def suspend_account(
    request: Request,
    account: AccountPath,
    body: SuspendBody,
    caller: RequiredCaller,
    key: CommandId,
) -> None:
    """Let nobody do anything in an account's name, as an administrator; its tokens end."""
    require_scope(caller, ADMIN)
    standings = parts_of(request).accounts.standings
    await standings.suspend(account, body.reason, by=caller.account, key=key)


@accounts.delete("/{account_id}/suspension", status_code=204)
async def reinstate_account(
    request: Request, account: AccountPath, caller: RequiredCaller, key: CommandId
) -> None:
    """Take a suspension back, as an administrator."""
    require_scope(caller, ADMIN)
    await parts_of(request).accounts.standings.reinstate(account, by=caller.account, key=key)


def _admitted(admission: Admission) -> Response:
    headers = {"Location": f"/v1/accounts/{admission.account.id}"}
    return secret_json(AdmissionAnswer.of(admission), 201, headers)
