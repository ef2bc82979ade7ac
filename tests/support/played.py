"""Matches for tests, played by chance with luck of their own and signed with a fixed key."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from howff.engine.game import AnyGame
from howff.engine.seats import Viewer
from howff.match.commands import StartMatch
from howff.match.commit import CommandId, Commit, MatchId
from howff.match.draws import Entropies
from howff.match.events import Account, Bot
from howff.match.export import Export, export_for, export_whole
from howff.match.match import Match, match_of
from howff.match.notary import Notary
from howff.match.record import Recorder
from howff.match.signatures import Signer
from support.rng import LocalRng

SEED = bytes(range(32))
SIGNER_SECRET = b"a private key only for the tests"
SIGNER = Signer.of(SIGNER_SECRET)
NOTARY = Notary(SEED, SIGNER)
KEYS = (SIGNER.public_key,)
NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Record:
    """A match as it stands, and the commits that have led there."""

    match: Match
    commits: tuple[Commit, ...]

    @classmethod
    def of(cls, recorder: Recorder) -> "Record":
        """Return what stands in a recorder now."""
        return cls(recorder.match, tuple(recorder.commits))

    def before_the_last(self) -> "Record":
        """Return the match as it stood before its last commit."""
        commits = self.commits[:-1]
        return Record(match_of(self.match.game, commits), commits)


def start_command(options: Any, seats: int, entropies: Entropies | None = None) -> StartMatch:
    """Return the command that starts a match of people and one bot."""
    people = (Account(f"account-{seat}") for seat in range(seats - 1))
    return StartMatch(
        id=CommandId("start"),
        match=MatchId("match-1"),
        options=options,
        seats=(*people, Bot("medium")),
        entropies=entropies or (None,) * seats,
    )


def recorder(game: AnyGame, options: Any, seats: int) -> Recorder:
    """Return a recorder of a match that has just begun."""
    return Recorder(game, start_command(options, seats), at=NOON, notary=NOTARY)


def resumed(before: Record) -> Recorder:
    """Return a recorder of a match that goes on from where it stood *before*."""
    match = before.match
    going_on = recorder(match.game, match.options, len(match.started.seats))
    going_on.match, going_on.commits = match, list(before.commits)
    return going_on


def played(game: AnyGame, options: Any, seats: int, most: int = 100_000) -> Record:
    """Return a match that chance has played to its end, or to *most* moves."""
    return played_on(recorder(game, options, seats), most)


def played_on(record: Recorder, most: int = 100_000) -> Record:
    """Return the match of *record* after chance has played it on to its end, or to *most* moves."""
    rng = LocalRng(1)
    while record.match.to_act and record.match.version <= most:
        seat = rng.roll("seat", record.match.to_act)
        move = rng.roll("move", record.match.game.legal_moves(record.match.state, seat))
        at = NOON + timedelta(seconds=record.match.version)
        record.play(seat, move, at=at, bot={"policy": "chance"})
    return Record.of(record)


def exported(record: Record) -> Export:
    """Return the whole of a finished match."""
    return export_whole(record.match, record.commits, KEYS)


def exported_to(record: Record, viewer: Viewer) -> Export:
    """Return a match as *viewer* may export it."""
    return export_for(record.match, record.commits, viewer, SEED, KEYS)


def told(record: Record, viewers: Iterable[Viewer]) -> dict[Viewer, Export]:
    """Return a match as each of the *viewers* may export it."""
    return {viewer: exported_to(record, viewer) for viewer in viewers}
