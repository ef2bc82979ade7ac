"""By which tokens a client is admitted, and how they are renewed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from howff.client.errors import AnswerError, ClientError, ProblemError, WrongSettingError

TOKEN_ENDED: Final = frozenset({"invalid_token", "token_revoked"})
"""The codes by which a service refuses a token that it would have taken once."""


@dataclass(frozen=True, slots=True)
class Login:
    """An access token, and the refresh token that gets the next ones, if there is one."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(default=None, repr=False)


Renewal = Callable[[ClientError], Awaitable[bool]]
"""What renews the tokens after an error, and tells whether that was worth it."""


async def no_renewal(_: ClientError) -> bool:
    """Renew nothing."""
    return False


class Admission:
    """The tokens of a client as they are now; *when_renewed* is told of new ones."""

    def __init__(
        self, login: Login | str | None, when_renewed: Callable[[Login], None] = lambda _: None
    ) -> None:
        """Begin with a *login*, or with an access token that nobody renews.

        Keep what *when_renewed* is told: no refresh token can be used twice.

        Raises:
            WrongSettingError: its access token has not the form of one.
        """
        self.login = Login(login) if isinstance(login, str) else login
        if self.login is not None:
            _check(self.login.access_token)
        self._when_renewed = when_renewed
        self._renewing = asyncio.Lock()

    def current(self) -> Login | None:
        """Return the tokens of now; None for nobody."""
        return self.login

    def renewal(self, ask: Callable[[str], Awaitable[Login]]) -> Renewal:
        """Return what renews the tokens of now, once a service has ended them.

        *ask* gives the next ones for a refresh token. However many requests find them ended, they
        are renewed once.
        """
        used = self.login

        async def renew(error: ClientError) -> bool:
            nonlocal used
            if used is None or used.refresh_token is None or not _is_end_of_token(error):
                return False
            async with self._renewing:
                if self.login is used:
                    await self._renew(used.refresh_token, error, ask)
            used = self.login
            return True

        return renew

    async def _renew(
        self, refresh_token: str, error: ClientError, ask: Callable[[str], Awaitable[Login]]
    ) -> None:
        try:
            self.login = await ask(refresh_token)
        except AnswerError as refusal:
            raise error from refusal
        self._when_renewed(self.login)


class SignedAdmission(Admission):
    """That of a part of the platform, which signs its tokens itself: *token* gives one of now."""

    def __init__(self, token: Callable[[], str]) -> None:
        super().__init__(None)
        self._token = token

    def current(self) -> Login | None:
        """Return a token of now."""
        return Login(self._token())


def _is_end_of_token(error: ClientError) -> bool:
    return isinstance(error, ProblemError) and error.code in TOKEN_ENDED


def _check(token: str) -> None:
    if not (token.isascii() and token.isprintable() and token and " " not in token):
        # The token itself stays out of messages, which end in logs.
        raise WrongSettingError("token", expected="letters without spaces", found="others")
