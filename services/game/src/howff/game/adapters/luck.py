"""The luck of random bots, which has no part in that of the match."""

from typing import Any

from howff.engine.seats import Seat
from howff.match.draws import Draws
from howff.match.match import Match
from howff.servicekit import ids


def random_move(match: Match, seat: Seat) -> Any:
    """Return one of the legal moves of *seat*, each as likely as the others."""
    moves = match.game.legal_moves(match.state, seat)
    return Draws(ids.new_secret(), match.id, (), {}).roll("move", moves)
