"""Lists and feeds: what goes on at a server, and what does for oneself."""

from collections.abc import AsyncGenerator

from howff.client.calls import Calls, told
from howff.client.errors import JSON
from howff.client.feeds import follow
from howff.client.lobby_feeds import Entry, LobbyProgress


class Lobby:
    """The lists and feeds of a server. All that ask raise what those of `HowffClient` do.

    A list comes in pages, newest first: `{"items": […], "next": …}`, where `next` is the *cursor*
    of the next page, or null.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def tables(
        self, *, game: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> JSON:
        """Return the public tables that stand open."""
        query = told(game=game, limit=limit, cursor=cursor)
        return await self._calls.get("/v1/lobby/tables", query)

    async def matches(
        self,
        *,
        game: str | None = None,
        state: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> JSON:
        """Return the matches that everybody may watch; *state* is `playing` or `ended`."""
        query = told(game=game, state=state, limit=limit, cursor=cursor)
        return await self._calls.get("/v1/lobby/matches", query)

    async def own_matches(
        self, *, state: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> JSON:
        """Return the matches in which one has a seat, and which of them wait for oneself."""
        query = told(state=state, limit=limit, cursor=cursor)
        return await self._calls.get("/v1/me/matches", query)

    async def own_tables(self, *, limit: int | None = None, cursor: str | None = None) -> JSON:
        """Return the tables, not over yet, at which one has a part."""
        return await self._calls.get("/v1/me/tables", told(limit=limit, cursor=cursor))

    def feed(self, *, after: str | None = None) -> AsyncGenerator[Entry, None]:
        """Yield what changes in the lobby, first a snapshot of it, without end.

        With the id of an entry the feed goes on *after* it, if it still can. Whatever breaks, it
        goes on where it was. Close it (`contextlib.aclosing`) when it is left.

        Raises:
            BrokenFeedError: entries are missing, or nothing comes, as long as patience lasts.
        """
        return self._feed("/v1/lobby/feed", after)

    def own_feed(self, *, after: str | None = None) -> AsyncGenerator[Entry, None]:
        """Yield what changes for oneself, as `feed` does for all."""
        return self._feed("/v1/me/feed", after)

    def _feed(self, path: str, after: str | None) -> AsyncGenerator[Entry, None]:
        requests = self._calls.requests
        return follow(requests, path, LobbyProgress(after, requests.patience.lag))
