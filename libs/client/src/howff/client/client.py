"""The public API of Howff, from outside."""

from collections.abc import AsyncGenerator, Callable
from typing import Any, Self
from urllib.parse import quote, urlsplit

import httpx

from howff.client.errors import JSON, WrongSettingError
from howff.client.feeds import follow
from howff.client.patience import PATIENCE, Patience
from howff.client.requests import NOT_MODIFIED, Requests, json_in, unexpected

_PROTOCOLS = {"http", "https"}


class HowffClient:
    """A service of Howff at *base_url*, asked in the name of whoever has *token*, or of nobody.

    Every method sends its request again while the service is away, as long as *patience* lasts.
    What changes something goes under an id (a UUID in text, from *ids* unless the caller names
    one), by which the service knows it again: however often it arrives, it happens once.

    Use it as an async context manager, or close it. All that ask raise:
        AnswerError: the service refuses (`ProblemError`), or something else has answered.
        UnreachableError: no answer came; what was asked may have happened.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        ids: Callable[[], str],
        patience: Patience = PATIENCE,
    ) -> None:
        """Connect to nothing yet.

        Raises:
            WrongSettingError: *base_url* is no address, or *token* no token.
        """
        headers = {} if token is None else {"Authorization": f"Bearer {_checked_token(token)}"}
        http = httpx.AsyncClient(
            base_url=_checked_address(base_url),
            headers=headers,
            timeout=None,  # noqa: S113 — every wait is bounded as a whole, which httpx can't
        )
        self._requests = Requests(http, patience)
        self._ids = ids

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up."""
        await self._requests.http.aclose()

    async def games(self) -> JSON:
        """Return the games that can be played."""
        return await self._json("GET", "/v1/games")

    async def game(self, key: str) -> JSON:
        """Return one game, with the JSON Schemas of its options, moves, events and views."""
        return await self._json("GET", f"/v1/games/{_segment(key)}")

    async def start_match(self, order: JSON, *, command_id: str | None = None) -> JSON:
        """Start a practice match and return it as `match` does.

        *order* has the `game`, its `seats` (`{"account": …}` or `{"bot": …}`), and may have
        `options`, `watch` and `entropies`.
        """
        return await self._json("POST", "/v1/matches", json=order, headers=self._key(command_id))

    async def match(
        self, match: str, *, viewer: str | None = None, known_version: int | None = None
    ) -> JSON | None:
        """Return the match as *viewer* (`seat:N`, `spectator`) may see it.

        None while *known_version* is still the newest.
        """
        headers = {} if known_version is None else {"If-None-Match": f'"{known_version}"'}
        answer = await self._requests.send(
            "GET", _path(match), params=_eyes(viewer), headers=headers
        )
        return None if answer.status_code == NOT_MODIFIED else json_in(answer)

    async def moves(self, match: str, *, seat: int | None = None) -> JSON:
        """Return what *seat* may do now, with the version at which that holds."""
        query = {} if seat is None else {"seat": str(seat)}
        return await self._json("GET", f"{_path(match)}/moves", params=query)

    async def play(
        self,
        match: str,
        move: JSON,
        *,
        seat: int | None = None,
        expected_version: int | None = None,
        command_id: str | None = None,
    ) -> JSON:
        """Make *move* (`{"type": …, "data": …}`) once; return its version, commit and receipt.

        With *expected_version* it only counts if nothing has happened since that version.
        """
        order = {"move": move, "seat": seat, "expected_version": expected_version}
        order = {name: value for name, value in order.items() if value is not None}
        return await self._json(
            "POST", f"{_path(match)}/moves", json=order, headers=self._key(command_id)
        )

    async def events(self, match: str, *, after: int = 0, viewer: str | None = None) -> JSON:
        """Return the commits that there are after version *after*, redacted for *viewer*."""
        query = {**_eyes(viewer), "after": str(after)}
        return await self._json("GET", f"{_path(match)}/events", params=query)

    def feed(
        self, match: str, *, after: int = 0, viewer: str | None = None
    ) -> AsyncGenerator[JSON, None]:
        """Yield the commits after version *after* as they come, each once, until the match is over.

        Whatever breaks, the feed goes on where it was. Close it (`contextlib.aclosing`) where it
        may be left before its end.

        Raises:
            BrokenFeedError: commits are missing, or nothing comes, as long as patience lasts.
        """
        return follow(self._requests, f"{_path(match)}/events", _eyes(viewer), after)

    async def export(self, match: str, *, viewer: str | None = None) -> bytes:
        """Return the log as a file: whole after the end, before it what *viewer* may know."""
        answer = await self._requests.send("GET", f"{_path(match)}/export", params=_eyes(viewer))
        return answer.content

    async def receipt_keys(self) -> JSON:
        """Return the public keys that sign commits."""
        return await self._json("GET", "/.well-known/howff-receipts.json")

    async def development_token(self, account: str) -> str:
        """Return a token for *account*, from a service that hands out such on one machine."""
        order = {"account": account}
        answer = await self._requests.send("POST", "/v1/development/tokens", json=order)
        plain = json_in(answer)
        if not isinstance(plain, dict) or not isinstance(plain.get("access_token"), str):
            raise unexpected(answer)
        return str(plain["access_token"])

    async def _json(self, method: str, path: str, **parts: Any) -> JSON:
        accept = {"Accept": "application/json", **parts.pop("headers", {})}
        return json_in(await self._requests.send(method, path, headers=accept, **parts))

    def _key(self, command_id: str | None) -> dict[str, str]:
        return {"Idempotency-Key": command_id or self._ids()}


def _path(match: str) -> str:
    return f"/v1/matches/{_segment(match)}"


def _segment(text: str) -> str:
    return quote(text, safe="")


def _eyes(viewer: str | None) -> dict[str, str]:
    return {} if viewer is None else {"as": viewer}


def _checked_address(base_url: str) -> str:
    expected = "an address such as http://localhost:8000"
    try:
        parts = urlsplit(base_url)
        is_address = parts.scheme in _PROTOCOLS and bool(parts.hostname) and parts.port != 0
        httpx.URL(base_url)
    except (ValueError, httpx.InvalidURL) as error:
        raise WrongSettingError("address", expected=expected, found=str(error)) from error
    if not is_address:
        raise WrongSettingError("address", expected=expected, found=repr(base_url))
    return base_url


def _checked_token(token: str) -> str:
    if not (token.isascii() and token.isprintable() and token and " " not in token):
        # The token itself stays out of messages, which end in logs.
        raise WrongSettingError("token", expected="letters without spaces", found="others")
    return token
