"""A match on a server that somebody follows, and acts in."""

from dataclasses import dataclass
from typing import Any, Self

from howff.cli.server.matches import Seen
from howff.cli.server.servers import Server
from howff.client.errors import BrokenFeedError
from howff.engine.codec import JSON, from_tagged, picked, to_tagged
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.match.commit import Commit, commit_from_json
from howff.match.presence import Wish


@dataclass(frozen=True, slots=True)
class Moves:
    """The legal moves of a seat at a version, as the server tells them."""

    version: int
    moves: tuple[JSON, ...]

    def of(self, game: AnyGame) -> tuple[Any, ...]:
        """Return them as moves of *game*."""
        return tuple(from_tagged(game.move, picked(_MoveLine, each).move) for each in self.moves)


@dataclass(frozen=True, slots=True)
class _MoveLine:
    move: JSON


class Followed:
    """A match as *viewer* follows it, from the commit after version *after* on.

    A context manager that hangs up at its end.
    """

    def __init__(
        self, server: Server, match: str, viewer: str | None = None, *, after: int = 0
    ) -> None:
        self.server = server
        self.match = match
        self.viewer = viewer
        self.version = after
        """That of the last commit that was told."""
        self._feed = server.client.feed(match, after=after, viewer=viewer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.finish(self._hang_up())

    def look(self, viewer: str | None = None) -> Seen:
        """Return the match as it is now for *viewer*, by default for the one who follows it."""
        return self.server.look(self.match, viewer or self.viewer)

    def next_commit(self) -> Commit | None:
        """Wait for the next commit and return it as told; None when the match is over.

        Raises:
            ClientError: the server refuses, or is away for too long.
            BrokenFeedError: it has no more to tell of a match that goes on.
            MalformedError: it tells something else than a commit.
        """
        plain = self.server.ask(self._next())
        if plain is None:
            self._check_over()
            return None
        commit = commit_from_json(plain)
        self.version = commit.version
        return commit

    def moves(self, seat: Seat) -> Moves:
        """Return what *seat* may do now."""
        return picked(Moves, self.server.ask(self.server.client.moves(self.match, seat=seat)))

    def play(self, seat: Seat, move: object, version: int) -> None:
        """Make *move*, if nothing has happened since *version*."""
        client = self.server.client
        plain = to_tagged(move)
        self.server.ask(client.play(self.match, plain, seat=seat, expected_version=version))

    def resign(self, seat: Seat) -> None:
        """Leave the match for good with *seat*."""
        self.server.ask(self.server.client.resign(self.match, seat=seat))

    def wish(self, seat: Seat, wish: Wish, *, wanted: bool) -> None:
        """Say whether *seat* wants what happens when all agree."""
        client = self.server.client
        self.server.ask(client.wish(self.match, wish, wanted=wanted, seat=seat))

    def take_back(self, seat: Seat) -> None:
        """Take *seat* back from the bot that plays for it."""
        self.server.ask(self.server.client.take_back(self.match, seat=seat))

    def export(self) -> bytes:
        """Return the log, as far as the viewer may have it."""
        return self.server.ask(self.server.client.export(self.match, viewer=self.viewer))

    def _check_over(self) -> None:
        now = self.look()
        if not now.is_over or now.version != self.version:
            expected = f"the end of the match at version {self.version}"
            state = "that is over" if now.is_over else "that goes on"
            raise BrokenFeedError(expected=expected, found=f"one {state} at {now.version}")

    async def _next(self) -> JSON | None:
        return await anext(self._feed, None)

    async def _hang_up(self) -> None:
        await self._feed.aclose()
