"""Scores: leaderboards, players, statistics of games, and how far projections are."""

from howff.client.calls import Calls, segment, told
from howff.client.errors import JSON


class Scores:
    """What a server knows of matches that are over. All raise what those of `HowffClient` do.

    A list comes in pages: `{"items": […], "next": …}`, where `next` is the *cursor* of the next
    page, or null. Accounts are told with the `name` that they have now, or null. A *kind* of
    ratings is `live`, `days` or `bots`.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def leaderboard(
        self,
        game: str,
        *,
        kind: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        around: str | None = None,
    ) -> JSON:
        """Return the best players of *game*, or those *around* a player."""
        query = told(kind=kind, limit=limit, cursor=cursor, around=around)
        return await self._calls.get(f"/v1/leaderboards/{segment(game)}", query)

    async def player(self, account: str) -> JSON:
        """Return the ratings and streaks of an account, and how it has done in each game."""
        return await self._calls.get(f"/v1/players/{segment(account)}")

    async def matches(
        self, account: str, *, limit: int | None = None, cursor: str | None = None
    ) -> JSON:
        """Return the matches of an account that are over, the newest first."""
        query = told(limit=limit, cursor=cursor)
        return await self._calls.get(f"/v1/players/{segment(account)}/matches", query)

    async def head_to_head(
        self,
        account: str,
        *,
        game: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> JSON:
        """Return whom an account has met, the most frequent first, and how it has done."""
        query = told(game=game, limit=limit, cursor=cursor)
        return await self._calls.get(f"/v1/players/{segment(account)}/head-to-head", query)

    async def statistics(
        self, game: str, *, seats: int | None = None, who: str | None = None
    ) -> JSON:
        """Return how *game* is played; *who* is `people`, `bots` or `mixed`."""
        query = told(seats=seats, who=who)
        return await self._calls.get(f"/v1/statistics/{segment(game)}", query)

    async def rating_history(
        self,
        account: str,
        game: str,
        *,
        kind: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> JSON:
        """Return what each match has made of a rating, the newest first."""
        query = told(game=game, kind=kind, limit=limit, cursor=cursor)
        return await self._calls.get(f"/v1/players/{segment(account)}/rating-history", query)

    async def projections(self) -> JSON:
        """Return how far the archive and its projections are, and which matches stand aside."""
        return await self._calls.get("/v1/projections")

    async def retry(self, projection: str, position: int, *, command_id: str | None = None) -> None:
        """Try a match again that stands aside, as an administrator."""
        path = f"/v1/projections/{segment(projection)}/retry"
        await self._calls.order("POST", path, {"position": position}, command_id)

    async def rebuild(self, projection: str, *, command_id: str | None = None) -> JSON:
        """Begin to make the rows of a projection anew, as an administrator."""
        path = f"/v1/projections/{segment(projection)}/rebuild"
        return await self._calls.order("POST", path, None, command_id)
