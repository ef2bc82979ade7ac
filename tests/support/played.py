"""Matches for tests, played by chance with luck of their own and signed with a fixed key."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from howff.engine.game import AnyGame
from howff.engine.seats import Viewer
from howff.match.commands import StartMatch
from howff.match.commit import CommandId, MatchId
from howff.match.draws import Entropies
from howff.match.events import Account, Bot
from howff.match.export import Export, export_for
from howff.match.match import Match
from howff.match.notary import Notary
from howff.match.record import Recorder
from howff.match.signatures import Signer
from support.rng import LocalRng

SEED = bytes(range(32))
SIGNER = Signer.of(b"a private key only for the tests")
NOTARY = Notary(SEED, SIGNER)
KEYS = (SIGNER.public_key,)
NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


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


def played(
    game: AnyGame, options: Any, seats: int, most: int = 100_000, resumed: Match | None = None
) -> Match:
    """Return a match that chance has played to its end, or to *most* moves, from its start on."""
    record = recorder(game, options, seats)
    record.match = resumed or record.match
    rng = LocalRng(1)
    while record.match.to_act and record.match.version <= most:
        seat = rng.roll("seat", record.match.to_act)
        move = rng.roll("move", game.legal_moves(record.match.state, seat))
        at = NOON + timedelta(seconds=record.match.version)
        record.play(seat, move, at=at, bot={"policy": "chance"})
    return record.match


def told(match: Match, viewers: Iterable[Viewer]) -> dict[Viewer, Export]:
    """Return the running *match* as each of the *viewers* may export it."""
    return {viewer: export_for(match, viewer, SEED, KEYS) for viewer in viewers}
