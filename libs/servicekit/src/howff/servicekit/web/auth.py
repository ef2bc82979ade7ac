"""Who calls: the dependencies by which routes learn it."""

from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final, cast

from fastapi import Request, Security
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase
from starlette.types import Scope

from howff.servicekit.web.errors import (
    InvalidTokenError,
    MissingScopeError,
    TokenRequiredError,
    WebError,
)
from howff.servicekit.web.scopes import TokenScope
from howff.servicekit.web.tokens import Caller, Tokens, Until

REQUIRED_SCHEME: Final = "bearer"
OPTIONAL_SCHEME: Final = "optional_bearer"
"""The security schemes in OpenAPI; the second is written as the first or none."""


ASKED: Final = "howff.asked"
"""Where the scope of a request says who asks, if its token was looked at before the route."""


def tokens_of(request: Request) -> Tokens:
    """Return what verifies the callers of the application that has got *request*."""
    return cast("Tokens", request.app.state.tokens)


def until_token_ends(request: Request, caller: Caller | None) -> Until:
    """Return what tells when the token of *caller* holds no more; without a token it never does.

    For answers that go on for long: nobody else looks at a token again.
    """
    if caller is None:
        return lambda _: nullcontext()
    return partial(tokens_of(request).ending, caller)


@dataclass(frozen=True, slots=True)
class Asked:
    """Who makes a request, or why its token proves nothing; neither, if it has none."""

    caller: Caller | None = None
    refusal: WebError | None = None


def asked_by(scope: Scope, tokens: Tokens) -> Asked:
    """Return who makes the request of this ASGI *scope*."""
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    if not given:
        return Asked()
    try:
        return Asked(tokens.verify(_token_in(given)))
    except WebError as refusal:
        return Asked(refusal=refusal)


def _token_in(headers: list[bytes]) -> str:
    scheme, _, token = headers[0].decode("latin-1").strip().partition(" ")
    if len(headers) != 1 or scheme.lower() != "bearer" or not token.strip():
        expected = "one header Authorization: Bearer with a token"
        raise InvalidTokenError(expected=expected, found="another, or several")
    return token.strip()


class BearerToken(SecurityBase):
    """What reads the token of a request; OpenAPI tells it under *scheme_name*.

    A dependency costs each request about a twentieth of what a move does, so that verifying is no
    second one.
    """

    def __init__(self, scheme_name: str) -> None:
        self.model = HTTPBearer(bearerFormat="JWT")
        self.scheme_name = scheme_name

    def caller(self, request: Request) -> Caller | None:
        """Return whom the token of *request* names; None if it has none.

        Raises:
            InvalidTokenError: there are several, or something else than a token, or it is wrong.
            RevokedTokenError: it was revoked.
            TrustNotReadyError: it can't be verified yet.
        """
        asked: Asked | None = request.scope.get(ASKED)
        if asked is None:
            asked = asked_by(request.scope, tokens_of(request))
        if asked.refusal is not None:
            raise asked.refusal
        return asked.caller


class OptionalToken(BearerToken):
    """The dependency that tells who calls, None for a caller without a token."""

    async def __call__(self, request: Request) -> Caller | None:
        """Return who calls, if somebody says so.

        Raises:
            InvalidTokenError: there is a token, and it is wrong.
        """
        return self.caller(request)


class RequiredToken(BearerToken):
    """The dependency that tells who calls."""

    async def __call__(self, request: Request) -> Caller:
        """Return who calls.

        Raises:
            TokenRequiredError: there is no token.
            InvalidTokenError: there is a token, and it is wrong.
        """
        caller = self.caller(request)
        if caller is None:
            raise TokenRequiredError
        return caller


OptionalCaller = Annotated[Caller | None, Security(OptionalToken(OPTIONAL_SCHEME))]
RequiredCaller = Annotated[Caller, Security(RequiredToken(REQUIRED_SCHEME))]


def require_scope(caller: Caller, scope: TokenScope) -> None:
    """Refuse *caller* if its token is not for *scope*.

    Raises:
        MissingScopeError: it is not.
    """
    if scope not in caller.scopes:
        raise MissingScopeError(scope, caller.scopes)
