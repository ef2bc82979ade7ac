"""Bugs that are planted into the real parts of the service, each of which a check has to catch."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any, Final

from howff.engine.errors import IllegalMoveError
from howff.engine.game import AnyGame
from howff.engine.seats import Seat, Viewer
from howff.game.application.commands import SeatCommandOf
from howff.game.application.deadlines import Deadlines
from howff.game.application.feeds import Audience, Frame, MatchFeed
from howff.game.application.matches import KnownMatch, Matches
from howff.game.domain.errors import StaleVersionError
from howff.match.commit import CommandId, Commit, MatchId, Version
from howff.match.match import Match
from howff.match.notary import Notary
from howff.servicekit.aggregates import Aggregates, Baseline, Command, Handled
from howff.servicekit.eventstore.errors import UnknownOutcomeError
from howff.servicekit.eventstore.store import Mark, Position, Recorded, StreamId
from support.histories.rough import APP, Replacements, RoughStore

MATCHES: Final = "howff.game.application.matches"
FEEDS: Final = "howff.game.application.feeds"
MatchBase = Baseline[Match, Commit]


class AppendsBlindly(RoughStore):
    async def append(self, stream: StreamId, commit: Commit, after: Mark) -> Mark:
        del after
        ack = await self._jetstream.publish(stream, self._form.encode(commit))
        return Mark(commit.version, Position(ack.seq))


class AnswersTooSoon(RoughStore):
    async def append(self, stream: StreamId, commit: Commit, after: Mark) -> Mark:
        self.later(super().append(stream, commit, after))
        return Mark(commit.version, Position(after.position + 1))


class ReadsFromLaggard(RoughStore):
    async def tail(self, stream: StreamId, after: Mark) -> list[Recorded[Commit]]:
        found = await super().tail(stream, after)
        return found if self.rng.draw("lag", 3) else found[:-1]


class ComparesNoIds(SeatCommandOf):
    def answered_by(self, match: Match) -> Version | None:
        del match
        return None


class NeverRefreshes(Aggregates[Match, Commit]):
    async def _refreshed(
        self, stream: StreamId, through: Position | None = None
    ) -> MatchBase | None:
        return self._kept.get(stream) or await super()._refreshed(stream, through)


class ReadsItsCache(Aggregates[Match, Commit]):
    async def load(self, stream: StreamId, *, through: Position | None = None) -> MatchBase | None:
        return self._kept.get(stream) or await super().load(stream, through=through)


class RefusesByItsCache(Aggregates[Match, Commit]):
    async def handle(
        self, stream: StreamId, command: Command[Match, Commit]
    ) -> Handled[Match, Commit]:
        known = self._kept.get(stream)
        if known is not None and command.answered_by(known.aggregate) is None:
            command.decide(known.aggregate)
        return await super().handle(stream, command)


class DecidesAnew(Aggregates[Match, Commit]):
    async def _attempt(
        self, stream: StreamId, known: MatchBase | None, command: Command[Match, Commit]
    ) -> Handled[Match, Commit]:
        try:
            return await super()._attempt(stream, known, command)
        except UnknownOutcomeError:
            if not isinstance(command, SeatCommandOf):
                raise
            again = replace(command, order=replace(command.order, id=CommandId(f"{command.id}-2")))
            return await super()._attempt(stream, await self._refreshed(stream), again)


class RefusesWhatIsUnknown(Aggregates[Match, Commit]):
    async def _attempt(
        self, stream: StreamId, known: MatchBase | None, command: Command[Match, Commit]
    ) -> Handled[Match, Commit]:
        try:
            return await super()._attempt(stream, known, command)
        except UnknownOutcomeError as error:
            raise StaleVersionError(0, 0) from error

    async def handle(
        self, stream: StreamId, command: Command[Match, Commit]
    ) -> Handled[Match, Commit]:
        return await self._fresh_attempt(stream, command)


class RepeatsTheNewest(Aggregates[Match, Commit]):
    async def commit(self, stream: StreamId, base: MatchBase, version: int) -> Commit:
        del stream, version
        return base.newest.commit


class SignsAnotherVersion(Notary):
    def attest(self, commit: Commit, game: AnyGame) -> Commit:
        attested = super().attest(commit, game)
        signature = self.signer.sign(
            match=commit.match, version=commit.version - 1, commit_hash=attested.hash
        )
        return replace(attested, signature=signature)


class TellsTheSpectatorAll(KnownMatch):
    def told(self, commit: Commit, viewer: Viewer, *, live: bool = False) -> Commit:
        return super().told(commit, Seat(0) if viewer is None else viewer, live=live)


class ShowsTheSeed(Matches):
    async def find(self, match: MatchId, *, through: Position | None = None) -> KnownMatch:
        known = await super().find(match, through=through)
        started = replace(known.match.started, seed_commitment=known.seed.hex())
        shown = replace(known.match, started=started)
        return replace(known, base=replace(known.base, aggregate=shown))


class TrustsWhatComes(MatchFeed):
    async def receive(self, recorded: Recorded[Commit]) -> None:
        version = recorded.commit.version
        if version > self._base.mark.version + 1:
            base = await self._aggregates.load(self._stream, through=recorded.position)
            assert base is not None
            self._base = base
            for audience, watchers in self._watchers.items():
                for watcher in watchers:
                    watcher.tell(self._frame(audience, recorded.commit, live=True))
        await super().receive(recorded)


class ShowsTheMomentAgain(MatchFeed):
    def _again(self, audience: Audience, commit: Commit) -> Frame:
        return self._frame(audience, commit, live=True)


class ForgetsTheBacklog(MatchFeed):
    async def backlog(self, audience: Audience, after: int, newest: int) -> AsyncIterator[Frame]:
        async for frame in super().backlog(audience, after, newest):
            if frame.version < newest:
                yield frame


class LetsDeadlinesPass(Deadlines):
    async def on_due(self, match: MatchId) -> None:
        del match

    async def sweep(self) -> int:
        return 0


def plays_out_of_turn(game: AnyGame, state: Any, seat: Seat, move: Any, rng: Any) -> Any:
    """Stand for `Game.play`: let a seat move that owes no decision."""
    legal = game.legal_moves(state, seat)
    if legal and move not in legal:
        raise IllegalMoveError(move, legal)
    try:
        return game.decide(state, seat, move, rng)
    except (AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise IllegalMoveError(move, legal) from error


@dataclass(frozen=True, slots=True)
class Planted:
    """A bug, and the check that has to catch it; others may do so as well."""

    name: str
    caught_by: str
    parts: Replacements
    shows_unwatched: bool = False
    """Whether feeds, by which replicas hear of all commits, would hide it."""
    shows_by_clocks: bool = False
    """Whether it shows where clocks run out alone."""


_STORE: Final = f"{APP}.JetStreamStore"
_AGGREGATES: Final = f"{APP}.Aggregates"
_FEED: Final = f"{FEEDS}.MatchFeed"
_PLAY: Final = f"{MATCHES}.SeatCommandOf"
_RULES: Final = "howff.engine.game.Game.play"
_KNOWN: Final = f"{FEEDS}.KnownMatch"

QUICK: Final = (
    Planted("appends without expectation", "versions have no gap", {_STORE: AppendsBlindly}),
    Planted("shows the seed", "secrets are kept", {f"{APP}.Matches": ShowsTheSeed}),
    Planted("tells spectators a hand", "feeds tell the log", {_KNOWN: TellsTheSpectatorAll}),
)
"""Those that every run of the tests plants; the long run plants one or more for each check."""

PLANTED: Final = (
    *QUICK,
    Planted("answers before it is stored", "acknowledged stand once", {_STORE: AnswersTooSoon}),
    Planted("compares no ids of commands", "refusals are right", {_PLAY: ComparesNoIds}),
    Planted("reads its cache", "reads show the log", {_AGGREGATES: ReadsItsCache}),
    Planted(
        "lets deadlines pass",
        "each deadline once",
        {f"{APP}.Deadlines": LetsDeadlinesPass},
        shows_by_clocks=True,
    ),
    Planted("decides anew", "acknowledged stand once", {_AGGREGATES: DecidesAnew}),
    Planted("trusts what comes", "feeds tell the log", {_FEED: TrustsWhatComes}),
    Planted("never refreshes", "requests are answered", {_AGGREGATES: NeverRefreshes}),
    Planted("reads from a replica that lags", "reads show the log", {_STORE: ReadsFromLaggard}),
    Planted(
        "refuses by its cache",
        "refusals are right",
        {_AGGREGATES: RefusesByItsCache},
        shows_unwatched=True,
    ),
    Planted("refuses unknown", "commands are done once", {_AGGREGATES: RefusesWhatIsUnknown}),
    Planted("repeats the newest", "refusals are right", {_AGGREGATES: RepeatsTheNewest}),
    Planted("signs another version", "chain is right", {f"{MATCHES}.Notary": SignsAnotherVersion}),
    Planted("shows the moment again", "feeds tell the log", {_FEED: ShowsTheMomentAgain}),
    Planted("forgets the newest", "feeds tell the log", {_FEED: ForgetsTheBacklog}),
    Planted("plays out of turn", "rules decide alike", {_RULES: plays_out_of_turn}),
)
"""All bugs that are planted."""
