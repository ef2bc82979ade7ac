"""Matches whose moves are known beforehand, so that a load generator need not know the rules."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from howff.contracts.matches import AccountSeat, StartMatch
from howff.engine.codec import JSON, to_tagged
from howff.game.application.orders import StartOrder, order_of, practice_id
from howff.match.commit import MatchId
from howff.match.notary import Notary
from howff.match.record import Recorder
from howff.match.signatures import Signer
from support.rng import LocalRng

SEATS = 4
PLAYERS = tuple(f"player-{seat}" for seat in range(SEATS))
OWNER = PLAYERS[0]
"""Who starts a match, and so sits in it."""
GAME = "troedler"
AT = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Move:
    """A move of a plan."""

    seat: int
    move: JSON


@dataclass(frozen=True, slots=True)
class Plan:
    """A match of four: its id follows from its key, its draws from both and its seed."""

    key: UUID
    seed: bytes
    moves: tuple[Move, ...]

    @property
    def match(self) -> MatchId:
        return practice_id(OWNER, self.key)

    @property
    def order(self) -> StartOrder:
        return order_for(self.match)

    @property
    def body(self) -> bytes:
        """The request that starts it."""
        seats = [{"account": player} for player in PLAYERS]
        return json.dumps({"game": GAME, "seats": seats}).encode()


def plan(number: int, most_moves: int) -> Plan:
    """Return a plan of random moves, as many as asked for or as the match has."""
    key, seed = UUID(int=number), number.to_bytes(32, "big")
    order = order_for(practice_id(OWNER, key))
    notary = Notary(seed, Signer.of(bytes(32)))
    recorder = Recorder(order.game, order.command, at=AT, notary=notary)
    rng = LocalRng(number)
    moves: list[Move] = []
    while len(moves) < most_moves and (to_act := recorder.match.to_act):
        seat = to_act[0]
        move = rng.roll("move", order.game.legal_moves(recorder.match.state, seat))
        recorder.play(seat, move, at=AT)
        moves.append(Move(seat, to_tagged(move)))
    return Plan(key, seed, tuple(moves))


def order_for(match: MatchId) -> StartOrder:
    """Return the order that starts the match of this id."""
    message = StartMatch(
        match=match,
        game=GAME,
        seats=tuple(AccountSeat(account=player) for player in PLAYERS),
        entropies=(None,) * SEATS,
    )
    return order_of(message)
