"""Who calls: the dependencies by which routes learn it."""

from typing import Annotated, Final, cast

from fastapi import Depends, Request, Security
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase

from howff.servicekit.web.errors import InvalidTokenError, MissingScopeError, TokenRequiredError
from howff.servicekit.web.tokens import Caller, Tokens

REQUIRED_SCHEME: Final = "bearer"
OPTIONAL_SCHEME: Final = "optional_bearer"
"""The security schemes in OpenAPI; the second is written as the first or none."""


class BearerToken(SecurityBase):
    """The dependency that reads the token of a request, or None if there is none."""

    def __init__(self, scheme_name: str) -> None:
        self.model = HTTPBearer(bearerFormat="JWT")
        self.scheme_name = scheme_name

    async def __call__(self, request: Request) -> str | None:
        """Return the token as it came.

        Raises:
            InvalidTokenError: there are several, or something else than a token.
        """
        given = request.headers.getlist("authorization")
        if not given:
            return None
        scheme, _, token = given[0].strip().partition(" ")
        if len(given) != 1 or scheme.lower() != "bearer" or not token.strip():
            expected = "one header Authorization: Bearer with a token"
            raise InvalidTokenError(expected=expected, found="another, or several")
        return token.strip()


async def optional_caller(
    request: Request, token: Annotated[str | None, Security(BearerToken(OPTIONAL_SCHEME))]
) -> Caller | None:
    """Return who calls; None for a caller without a token.

    Raises:
        InvalidTokenError: there is a token, and it is wrong.
    """
    return None if token is None else _tokens(request).verify(token)


async def required_caller(
    request: Request, token: Annotated[str | None, Security(BearerToken(REQUIRED_SCHEME))]
) -> Caller:
    """Return who calls.

    Raises:
        TokenRequiredError: there is no token.
        InvalidTokenError: there is a token, and it is wrong.
    """
    if token is None:
        raise TokenRequiredError
    return _tokens(request).verify(token)


OptionalCaller = Annotated[Caller | None, Depends(optional_caller)]
RequiredCaller = Annotated[Caller, Depends(required_caller)]


def require_scope(caller: Caller, scope: str) -> None:
    """Refuse *caller* if its token is not for *scope*.

    Raises:
        MissingScopeError: it is not.
    """
    if scope not in caller.scopes:
        raise MissingScopeError(scope, caller.scopes)


def _tokens(request: Request) -> Tokens:
    return cast("Tokens", request.app.state.tokens)
