"""The public API of Howff, from outside."""

from collections.abc import AsyncGenerator, Callable
from typing import Self

from howff.client.accounts import Accounts
from howff.client.admission import Admission
from howff.client.calls import Calls, segment
from howff.client.connecting import connected
from howff.client.errors import JSON, ClientError
from howff.client.feeds import follow
from howff.client.lobby import Lobby
from howff.client.match_feeds import MatchProgress
from howff.client.patience import PATIENCE, Patience
from howff.client.requests import NOT_MODIFIED, Requests, json_in, login_of
from howff.client.scores import Scores
from howff.client.tables import Tables
from howff.client.tickets import Tickets
from howff.client.tokens import Tokens


class HowffClient:
    """A server of Howff at *base_url*, asked in the name of whoever has *token*, or of nobody.

    What it has of matches is asked here, the rest by `accounts`, `tokens`, `tables`, `tickets`,
    `lobby` and `scores`.

    Every method sends its request again while the service is away, as long as *patience* lasts.
    What changes something goes under an id (a UUID in text, from *ids* unless the caller names
    one), by which the service knows it again: however often it arrives, it happens once.

    Use it as an async context manager, or close it. All that ask raise:
        AnswerError: the service refuses (`ProblemError`), or something else has answered.
        UnsendableError: no request can say what is asked.
        UnreachableError: no answer came; what was asked may have happened.
    """

    def __init__(
        self,
        base_url: str,
        token: str | Admission | None = None,
        *,
        ids: Callable[[], str],
        patience: Patience = PATIENCE,
        when_away: Callable[[ClientError], None] = lambda _: None,
    ) -> None:
        """Connect to nothing yet.

        *token* is an access token, or what renews one. *when_away* is told why a first try failed
        that others follow.

        Raises:
            WrongSettingError: *base_url* is no address, *token* no token, or the environment
                names a proxy or certificates that are none.
        """
        admission = token if isinstance(token, Admission) else Admission(token)
        requests = Requests(connected(base_url), patience, when_away, admission)
        self._calls = calls = Calls(requests, ids)
        self.accounts = Accounts(calls)
        self.tokens = Tokens(calls)
        self.tables = Tables(calls)
        self.tickets = Tickets(calls)
        self.lobby = Lobby(calls)
        self.scores = Scores(calls)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up."""
        await self._calls.requests.http.aclose()

    async def games(self) -> JSON:
        """Return the games that can be played."""
        return await self._calls.get("/v1/games")

    async def game(self, key: str) -> JSON:
        """Return one game, with the JSON Schemas of its options, moves, events and views."""
        return await self._calls.get(f"/v1/games/{segment(key)}")

    async def start_match(self, order: JSON, *, command_id: str | None = None) -> JSON:
        """Start a practice match and return it as `match` does.

        *order* has the `game`, its `seats` (`{"account": …}` or `{"bot": …}`), and may have
        `options`, `watch`, `entropies`, and the terms `clock`, `on_flag`, `on_leave`, `stand_in`.
        """
        return await self._calls.order("POST", "/v1/matches", order, command_id)

    async def match(
        self, match: str, *, viewer: str | None = None, known_version: int | None = None
    ) -> JSON | None:
        """Return the match as *viewer* (`seat:N`, `spectator`) may see it.

        None while *known_version* is still the newest.
        """
        headers = {} if known_version is None else {"If-None-Match": f'"{known_version}"'}
        answer = await self._calls.send("GET", _path(match), params=_eyes(viewer), headers=headers)
        return None if answer.status_code == NOT_MODIFIED else json_in(answer)

    async def moves(self, match: str, *, seat: int | None = None) -> JSON:
        """Return what *seat* may do now, with the version at which that holds."""
        query = {} if seat is None else {"seat": str(seat)}
        return await self._calls.get(f"{_path(match)}/moves", query)

    async def play(  # noqa: PLR0913 — all that a move may be sent with
        self,
        match: str,
        move: JSON,
        *,
        seat: int | None = None,
        expected_version: int | None = None,
        bot: JSON = None,
        command_id: str | None = None,
    ) -> JSON:
        """Make *move* (`{"type": …, "data": …}`) once; return its version, commit and receipt.

        With *expected_version* it only counts if nothing has happened since that version. *bot* is
        what a worker of the platform states of how its bot came to the move.
        """
        wanted = {"move": move, "seat": seat, "expected_version": expected_version, "bot": bot}
        return await self._command(match, "moves", wanted, command_id)

    async def resign(
        self, match: str, *, seat: int | None = None, command_id: str | None = None
    ) -> JSON:
        """Leave the match for good; return what `play` returns, as all do that change a match."""
        return await self._command(match, "resign", {"seat": seat}, command_id)

    async def wish(
        self,
        match: str,
        wish: str,
        *,
        wanted: bool = True,
        seat: int | None = None,
        command_id: str | None = None,
    ) -> JSON:
        """Say whether *seat* wants what happens when all agree; *wish* is `pause` or `abort`."""
        told = {"wanted": wanted, "seat": seat}
        return await self._command(match, segment(wish), told, command_id)

    async def take_back(
        self, match: str, *, seat: int | None = None, command_id: str | None = None
    ) -> JSON:
        """Take *seat* back from the bot that has taken it over."""
        return await self._command(match, "take-back", {"seat": seat}, command_id)

    async def credit(
        self, match: str, seat: int, seconds: int, *, command_id: str | None = None
    ) -> JSON:
        """Give *seat* so many *seconds*, as an administrator."""
        return await self._command(match, "credit", {"seat": seat, "seconds": seconds}, command_id)

    async def abort(self, match: str, reason: str, *, command_id: str | None = None) -> JSON:
        """End the match without places, as an administrator; seats `wish` for it.

        *reason* is `cheating`, `abuse`, `fault`, `request` or `other`.
        """
        content = {"as_administrator": True, "reason": reason}
        return await self._command(match, "abort", content, command_id)

    async def replay(self, match: str, *, at: int | None = None, viewer: str | None = None) -> JSON:
        """Return a match that is over as it stood at version *at*, or at its end.

        *viewer* may be anybody then: `seat:N`, `spectator` or `all`.
        """
        query = _eyes(viewer) if at is None else {**_eyes(viewer), "at": str(at)}
        return await self._calls.get(f"{_path(match)}/replay", query)

    async def branch(
        self, match: str, at: int, seats: JSON, *, command_id: str | None = None
    ) -> JSON:
        """Start a practice match that goes on from where *match* stood at version *at*.

        Return it as `match` does. *seats* are those of `start_match`, as many as *match* has.
        """
        return await self._command(match, "branches", {"at": at, "seats": seats}, command_id)

    async def audit(self, match: str, *, viewer: str | None = None) -> JSON:
        """Return what the service finds when it verifies its log, as far as *viewer* may read."""
        return await self._calls.get(f"{_path(match)}/audit", _eyes(viewer))

    async def events(self, match: str, *, after: int = 0, viewer: str | None = None) -> JSON:
        """Return the commits that there are after version *after*, redacted for *viewer*."""
        query = {**_eyes(viewer), "after": str(after)}
        return await self._calls.get(f"{_path(match)}/events", query)

    async def lines(self, match: str, *, after: int = 0, viewer: str | None = None) -> JSON:
        """Return what the same commits say to *viewer*, in words."""
        query = {**_eyes(viewer), "after": str(after)}
        return await self._calls.get(f"{_path(match)}/lines", query)

    def feed(
        self, match: str, *, after: int = 0, viewer: str | None = None, in_words: bool = False
    ) -> AsyncGenerator[JSON, None]:
        """Yield the commits after version *after* as they come, each once, until the match is over.

        They come as *viewer* may know them, or *in_words*. Whatever breaks, the feed goes on where
        it was. Close it (`contextlib.aclosing`) where it may be left before its end.

        Raises:
            BrokenFeedError: commits are missing, or nothing comes, as long as patience lasts.
        """
        lag = self._calls.requests.patience.lag
        progress = MatchProgress(after, _eyes(viewer), lag)
        told = "lines" if in_words else "events"
        return follow(self._calls.requests, f"{_path(match)}/{told}", progress)

    async def export(self, match: str, *, viewer: str | None = None) -> bytes:
        """Return the log as a file: whole after the end, before it what *viewer* may know."""
        answer = await self._calls.send("GET", f"{_path(match)}/export", params=_eyes(viewer))
        return answer.content

    async def receipt_keys(self) -> JSON:
        """Return the public keys that sign commits."""
        return await self._calls.get("/.well-known/howff-receipts.json")

    async def development_token(self, account: str) -> str:
        """Return a token for *account*, from a service that hands out such on one machine."""
        order = {"account": account}
        answer = await self._calls.send("POST", "/v1/development/tokens", json=order)
        return login_of(answer).access_token

    async def _command(
        self, match: str, what: str, wanted: dict[str, JSON], command_id: str | None
    ) -> JSON:
        told = {name: value for name, value in wanted.items() if value is not None}
        path = f"{_path(match)}/{what}"
        return await self._calls.order("POST", path, told, command_id)


def _path(match: str) -> str:
    return f"/v1/matches/{segment(match)}"


def _eyes(viewer: str | None) -> dict[str, str]:
    return {} if viewer is None else {"as": viewer}
