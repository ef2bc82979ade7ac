"""What the service does with matches: start them, play them, look them up."""

from dataclasses import dataclass, field
from typing import TypedDict

from howff.engine.seats import Seat, Viewer
from howff.game.application.commands import (
    Clock,
    DefaultCommand,
    ExpireCommand,
    PlatformCommandOf,
    SeatCommandOf,
    StartCommand,
)
from howff.game.application.orders import PlatformOrder, SeatOrder, StartOrder
from howff.game.application.ports import MatchAggregates, Seeds
from howff.game.domain.errors import NoSuchMatchError, NoSuchVersionError
from howff.match.commit import Commit, MatchId, Version
from howff.match.decisions import check_start
from howff.match.events import seed_revealed_by
from howff.match.journal import subject_of
from howff.match.match import Match
from howff.match.notary import Notary
from howff.match.redaction import redact_commit
from howff.match.signatures import PublicKey, Signer
from howff.servicekit.aggregates import Baseline
from howff.servicekit.eventstore.store import Position, StreamId


class Bound(TypedDict):
    """What every command is bound to."""

    notary: Notary
    now: Clock


@dataclass(frozen=True, slots=True)
class KnownMatch:
    """A match as it stands, and the seed without which nothing can be told of it."""

    base: Baseline[Match, Commit]
    seed: bytes = field(repr=False)

    @property
    def match(self) -> Match:
        return self.base.aggregate

    def told(self, commit: Commit, viewer: Viewer, *, live: bool = False) -> Commit:
        """Return *commit* as *viewer* may know it; *live* if it is told for the first time."""
        return redact_commit(self.match, commit, viewer, self.seed, told_live=live)


@dataclass(frozen=True, slots=True)
class Answer:
    """What answers a command: its commit, as the one who sent it may know it."""

    known: KnownMatch
    told: Commit


@dataclass(frozen=True, slots=True)
class Log:
    """Commits of a match as they were recorded, for nobody's eyes; and the match after them."""

    known: KnownMatch
    commits: tuple[Commit, ...] = field(repr=False)


class Matches:
    """The matches of the service, wherever they are kept."""

    def __init__(
        self, aggregates: MatchAggregates, *, seeds: Seeds, signer: Signer, now: Clock
    ) -> None:
        self._aggregates = aggregates
        self._seeds = seeds
        self._signer = signer
        self._now = now

    @property
    def keys(self) -> tuple[PublicKey, ...]:
        """The public keys that check the signatures of commits."""
        return (self._signer.public_key,)

    async def start(self, order: StartOrder) -> KnownMatch:
        """Start the match that is ordered, if it has not started yet.

        Raises:
            RefusalError: there is no such game, or not with these options or seats.
            CommandIdReusedError: another match has this id.
            SeedDiscardedError: its table was closed.
        """
        check_start(order.game, order.command)  # a seed that was made stays for good
        seed = await self._seeds.claim(order.match)
        command = StartCommand(game=order.game, start=order.command, **self._bound(seed))
        handled = await self._aggregates.handle(stream_of(order.match), command)
        return KnownMatch(handled.baseline, seed)

    async def act(self, match: MatchId, order: SeatOrder) -> Answer:
        """Do what a seat orders, if it has not been done yet.

        Raises:
            RefusalError: the match refuses it, or is not there for this account.
        """
        seed = await self._seed(match)
        return await self._answered(match, seed, SeatCommandOf(order=order, **self._bound(seed)))

    async def administer(self, match: MatchId, order: PlatformOrder) -> Answer:
        """Do what an administrator orders, if it has not been done yet.

        Raises:
            RefusalError: the match refuses it, or there is none.
        """
        seed = await self._seed(match)
        command = PlatformCommandOf(order=order, **self._bound(seed))
        return await self._answered(match, seed, command)

    async def play_default(self, match: MatchId, version: Version, seat: Seat) -> None:
        """Decide for a *seat* that has resigned, if nothing has come after *version*.

        Raises:
            StaleVersionError: something has.
        """
        bound = self._bound(await self._seed(match))
        command = DefaultCommand(version=version, seat=seat, **bound)
        await self._aggregates.handle(stream_of(match), command)

    async def expire(self, match: MatchId) -> None:
        """Let happen what is due by the clocks.

        Raises:
            NotDueError: nothing is, which may be so for good.
            MatchOverError: nothing can be any more.
        """
        command = ExpireCommand(**self._bound(await self._seed(match)))
        await self._aggregates.handle(stream_of(match), command)

    async def find(self, match: MatchId, *, through: Position | None = None) -> KnownMatch:
        """Return a match with whatever was acknowledged before, or as far as *through* at least.

        Raises:
            NoSuchMatchError: there is none.
        """
        found = await self._aggregates.load(stream_of(match), through=through)
        if found is None:
            raise NoSuchMatchError
        return KnownMatch(found, await self._seed(match))

    async def log(self, known: KnownMatch, *, after: int = 0) -> Log:
        """Return the commits of a *known* match that follow version *after*.

        Nobody should come here who may not see any of it: to read a log takes longer the longer
        it is.

        Raises:
            NoSuchVersionError: the match has not come as far.
        """
        newest = known.match.version
        if after > newest:
            raise NoSuchVersionError(newest, after)
        stream = stream_of(known.match.id)
        recorded = await self._aggregates.since(stream, known.base.mark_at(after))
        return Log(known, tuple(each.commit for each in recorded[: newest - after]))

    async def first_commit(self, known: KnownMatch) -> Commit:
        """Return the commit that has started a *known* match."""
        return await self._aggregates.commit(stream_of(known.match.id), known.base, 1)

    async def _seed(self, match: MatchId) -> bytes:
        seed = await self._seeds.seed_of(match)
        if seed is None:  # a match that is over has revealed its own, wherever its log was put
            found = await self._aggregates.load(stream_of(match))
            seed = None if found is None else seed_revealed_by(found.newest.commit)
        if seed is None:
            raise NoSuchMatchError
        return seed

    async def _answered(
        self, match: MatchId, seed: bytes, command: SeatCommandOf | PlatformCommandOf
    ) -> Answer:
        handled = await self._aggregates.handle(stream_of(match), command)
        known = KnownMatch(handled.baseline, seed)
        told = known.told(handled.commit, handled.commit.seat, live=not handled.is_repeated)
        return Answer(known, told)

    def _bound(self, seed: bytes) -> Bound:
        return {"notary": Notary(seed, self._signer), "now": self._now}


def stream_of(match: MatchId) -> StreamId:
    """Return the stream that keeps the commits of *match*."""
    return StreamId(subject_of(match))
