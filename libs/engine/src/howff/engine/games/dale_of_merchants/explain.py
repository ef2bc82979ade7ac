"""What players read of a match of Dale of Merchants: one line for a move, one for an event."""

from typing import Any, cast

from howff.engine.game import Names
from howff.engine.games.dale_of_merchants.event_lines import event_line
from howff.engine.games.dale_of_merchants.events import Event
from howff.engine.games.dale_of_merchants.move_lines import move_line
from howff.engine.games.dale_of_merchants.moves import Move
from howff.engine.games.dale_of_merchants.view import View
from howff.engine.seats import Seat


def explain(view: View, seat: Seat | None, subject: Any, names: Names) -> str:
    """Return one line on *subject*: a move of *seat*, or an event as redacted for the viewer."""
    if isinstance(subject, Move):
        assert seat is not None, "a move is somebody's"
        return f"{names[seat]} {move_line(view, seat, subject, names)}"
    return event_line(cast("Event", subject), names)
