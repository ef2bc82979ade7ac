"""What players read of a match of Hellweg Westfalicus: one line for a move, one for an event."""

from typing import Any, cast

from howff.engine.game import Names
from howff.engine.games.hellweg.event_lines import event_line
from howff.engine.games.hellweg.events import Event
from howff.engine.games.hellweg.move_lines import move_line
from howff.engine.games.hellweg.moves import Move
from howff.engine.games.hellweg.view import View
from howff.engine.seats import Seat


def explain(view: View, seat: Seat | None, subject: Any, names: Names) -> str:
    """Return one line on *subject*: a move of *seat*, or an event as redacted for the viewer."""
    if isinstance(subject, Move):
        assert seat is not None, "a move is somebody's"
        return f"{names[seat]} {move_line(view, seat, subject)}"
    return event_line(cast("Event", subject), names)
