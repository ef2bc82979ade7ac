"""Requests to the service that are sent again until they are answered."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Final

import httpx

from howff.client.admission import Admission, Login
from howff.client.errors import (
    JSON,
    AnswerError,
    ClientError,
    ProblemError,
    UnexpectedAnswerError,
    UnreachableError,
    UnsendableError,
)
from howff.client.patience import Patience, Pauses

NOT_MODIFIED: Final = 304
TOKENS: Final = "/v1/tokens"
"""Where tokens are asked for (RFC 6749)."""


class Requests:
    """Sends requests, each of which may arrive several times: none of them may mind."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        patience: Patience,
        when_away: Callable[[ClientError], None],
        admission: Admission,
    ) -> None:
        self.http = http
        self.patience = patience
        self._when_away = when_away
        self._admission = admission

    @property
    def address(self) -> str:
        return str(self.http.base_url)

    def pauses(self) -> Pauses:
        """Return the pauses between the tries of one request, or of one feed."""
        renewal = self._admission.renewal(self._next_login)
        return Pauses(self.patience, self._when_away, renewal)

    def bearer(self) -> dict[str, str]:
        """Return the header that tells who asks, if anybody does."""
        login = self._admission.current()
        return {} if login is None else {"Authorization": f"Bearer {login.access_token}"}

    async def send(self, method: str, path: str, **parts: Any) -> httpx.Response:
        """Return the answer to a request whose *parts* httpx knows.

        Raises:
            AnswerError: the service refuses, or something else has answered.
            UnsendableError: no request can say that.
            UnreachableError: no answer came as long as patience lasted.
        """
        pauses = self.pauses()
        named = parts.pop("headers", {})
        while True:
            try:
                headers = {**self.bearer(), **named}
                return await self._send_once(method, path, headers=headers, **parts)
            except ClientError as error:
                await pauses.after(error)

    async def _next_login(self, refresh_token: str) -> Login:
        """Return what *refresh_token* gets, asked for in nobody's name."""
        pauses = Pauses(self.patience, self._when_away)
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        while True:
            try:
                return login_of(await self._send_once("POST", TOKENS, data=form))
            except ClientError as error:
                await pauses.after(error)

    async def _send_once(self, method: str, path: str, **parts: Any) -> httpx.Response:
        with reaching(self.address):
            async with asyncio.timeout(self.patience.answer):
                answer = await self.http.request(method, path, **parts)
        if answer.is_success or answer.status_code == NOT_MODIFIED:
            return answer
        raise refusal_in(answer)


@contextmanager
def reaching(address: str) -> Generator[None, None, None]:
    """Tell of what goes wrong between the client and *address*.

    Raises:
        UnsendableError: it was the request itself.
        UnreachableError: it was something else.
    """
    try:
        yield
    except TimeoutError as error:
        raise UnreachableError(address, found="none in time") from error
    except (UnicodeEncodeError, httpx.InvalidURL) as error:
        raise UnsendableError(found=str(error)) from error
    except httpx.RequestError as error:
        reason = str(error) or type(error).__name__
        raise UnreachableError(address, found=reason[0].lower() + reason[1:]) from error


def refusal_in(answer: httpx.Response) -> AnswerError:
    """Return the error that *answer*, which has been read, stands for."""
    document = _document(answer)
    status = answer.status_code
    error: AnswerError
    if isinstance(document, dict) and isinstance(document.get("code"), str):
        error = ProblemError(status, document)
    else:
        error = unexpected(answer)
    error.retry_after = _seconds(answer.headers.get("retry-after", ""))
    return error


def unexpected(answer: httpx.Response) -> UnexpectedAnswerError:
    """Return the error for an *answer* that no service of Howff would give."""
    found = answer.headers.get("content-type", "no content")
    return UnexpectedAnswerError(str(answer.url), answer.status_code, found=found)


def json_in(answer: httpx.Response) -> JSON:
    """Return the JSON that *answer* brings.

    Raises:
        UnexpectedAnswerError: it brings something else.
    """
    try:
        return answer.json()
    except (ValueError, RecursionError) as error:
        raise unexpected(answer) from error


def login_of(answer: httpx.Response) -> Login:
    """Return the tokens that *answer* brings.

    Raises:
        UnexpectedAnswerError: it brings something else.
    """
    plain = json_in(answer)
    if not isinstance(plain, dict) or not isinstance(plain.get("access_token"), str):
        raise unexpected(answer)
    refresh_token = plain.get("refresh_token")
    return Login(plain["access_token"], refresh_token if isinstance(refresh_token, str) else None)


def _document(answer: httpx.Response) -> JSON:
    try:
        return answer.json()
    except (ValueError, RecursionError):
        return None


def _seconds(text: str) -> float:
    """Return the seconds in a header Retry-After; 0 for a date, which pauses approach anyway."""
    return float(text) if text.isascii() and text.isdecimal() else 0.0
