"""Routes that give tokens and take them back, in the forms of RFC 6749 and RFC 7009."""

from contextlib import suppress
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from howff.lobby.api.account_schemas import KeysAnswer, TokensAnswer
from howff.lobby.api.deps import AccountParts, parts_of
from howff.lobby.api.secret_answers import NO_STORE, secret_json
from howff.lobby.api.strictness import PASSWORDS
from howff.lobby.application.accounts.values import Admission
from howff.lobby.domain.accounts.errors import InvalidRequestError, UnsupportedGrantTypeError
from howff.servicekit.web.auth import tokens_of
from howff.servicekit.web.errors import (
    InvalidTokenError,
    MalformedFormError,
    RevokedTokenError,
)
from howff.servicekit.web.openapi import problem_responses
from howff.servicekit.web.strict_forms import strict_form

grants = APIRouter(tags=["tokens"])

FORM_PATHS: Final = frozenset({"/v1/tokens", "/v1/tokens/revocation"})
"""Where bodies are forms."""
_KEPT_FOR: Final = {"Cache-Control": "public, max-age=60"}
"""No longer than a key is published before it signs."""


def _form(*required: str, **fields: str) -> dict[str, Any]:
    """Return how OpenAPI describes a form of these *fields*, each with what it is."""
    schema = {
        "type": "object",
        "required": list(required),
        "properties": {
            name: {"type": "string", "description": text} for name, text in fields.items()
        },
    }
    content = {"application/x-www-form-urlencoded": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}}


@grants.post(
    "/v1/tokens",
    response_model=TokensAnswer,
    responses=problem_responses(400),
    dependencies=PASSWORDS,
    openapi_extra=_form(
        "grant_type",
        grant_type="`password` or `refresh_token`.",
        username="With `password`: the name.",
        password="With `password`: the password.",  # noqa: S106 — no secret
        refresh_token="With `refresh_token`: it; good for this one time.",  # noqa: S106
        scope="What the token is to be for, words with a space between each two.",
    ),
)
async def issue_token(request: Request) -> Response:
    """Log in, or go on with a refresh token (RFC 6749)."""
    fields = await _fields(request)
    admission = await _granted(parts_of(request).accounts, fields)
    return secret_json(TokensAnswer.of(admission))


async def _granted(parts: AccountParts, fields: dict[str, str]) -> Admission:
    scope = fields.get("scope") or None
    match _field(fields, "grant_type"):
        case "password":
            name, password = _field(fields, "username"), _field(fields, "password")
            return await parts.all.log_in(name, password, scope)
        case "refresh_token":
            return await parts.issuer.refresh(_field(fields, "refresh_token"), scope)
        case _:
            raise UnsupportedGrantTypeError


@grants.post(
    "/v1/tokens/revocation",
    response_class=Response,
    responses=problem_responses(400),
    openapi_extra=_form("token", token="An access, refresh or personal token."),  # noqa: S106
)
async def revoke_token(request: Request) -> Response:
    """Take a token back, whoever brings it (RFC 7009); of a login, all end with its refresh token.

    The answer is the same for what is no token.
    """
    token = _field(await _fields(request), "token")
    caller = None
    with suppress(InvalidTokenError, RevokedTokenError):
        caller = tokens_of(request).verify(token)
    await parts_of(request).accounts.issuer.revoke(token, caller)
    return Response(headers=NO_STORE)


@grants.get("/.well-known/jwks.json")
async def tell_keys(request: Request, response: Response) -> KeysAnswer:
    """Tell the keys by which access tokens are signed (RFC 7517)."""
    response.headers.update(_KEPT_FOR)
    return KeysAnswer(keys=parts_of(request).accounts.public_keys())


async def _fields(request: Request) -> dict[str, str]:
    try:
        return strict_form(await request.body())
    except MalformedFormError as error:
        raise InvalidRequestError(expected=error.expected, found=error.found) from error


def _field(fields: dict[str, str], name: str) -> str:
    """Return a field that there has to be; one without a value is none (RFC 6749, 3.2)."""
    value = fields.get(name)
    if not value:
        raise InvalidRequestError(expected=f"the field {name!r}", found="none")
    return value
