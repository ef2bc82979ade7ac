"""Who calls: the dependencies by which routes learn it."""

from typing import Annotated, Final, cast

from fastapi import Request, Security
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase

from howff.servicekit.web.errors import InvalidTokenError, MissingScopeError, TokenRequiredError
from howff.servicekit.web.tokens import Caller, Tokens

REQUIRED_SCHEME: Final = "bearer"
OPTIONAL_SCHEME: Final = "optional_bearer"
"""The security schemes in OpenAPI; the second is written as the first or none."""


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
        """
        given = request.headers.getlist("authorization")
        if not given:
            return None
        scheme, _, token = given[0].strip().partition(" ")
        if len(given) != 1 or scheme.lower() != "bearer" or not token.strip():
            expected = "one header Authorization: Bearer with a token"
            raise InvalidTokenError(expected=expected, found="another, or several")
        return cast("Tokens", request.app.state.tokens).verify(token.strip())


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


def require_scope(caller: Caller, scope: str) -> None:
    """Refuse *caller* if its token is not for *scope*.

    Raises:
        MissingScopeError: it is not.
    """
    if scope not in caller.scopes:
        raise MissingScopeError(scope, caller.scopes)
