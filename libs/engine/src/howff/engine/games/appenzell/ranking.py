"""How a match of Burg Appenzell ends: why, and in which order of seats."""

from howff.engine.games.appenzell.data import LOST_MICE
from howff.engine.games.appenzell.state import EndReason, State
from howff.engine.outcome import Figure, Outcome, places_by
from howff.engine.seats import Seat


def end_reasons(state: State) -> tuple[EndReason, ...]:
    """Return why the match ends after an action; empty while it goes on."""
    target = state.options.cheese_target
    reasons: list[EndReason] = []
    if any(len(player.cheese) >= target for player in state.players):
        reasons.append("cheese_target")
    if any(player.trapped >= LOST_MICE for player in state.players):
        reasons.append("third_mouse")
    return tuple(reasons)


def ranking(state: State) -> tuple[Seat, ...]:
    """Return all seats from the first place to the last; no place is shared."""
    # Ruling 26: where all have lost three mice, that sets none behind another. Ruling 23: of equal
    # seats the one wins whose last turn lies furthest back, so the active seat loses every tie.
    lost = [player.trapped >= LOST_MICE for player in state.players]
    return tuple(
        sorted(
            map(Seat, range(state.seats)),
            key=lambda seat: (
                lost[seat],
                -len(state.players[seat].cheese),
                turns_away(state, seat),
            ),
        )
    )


def turns_away(state: State, seat: Seat) -> int:
    """Return how many turns would come before the next one of *seat*, after the active seat's."""
    return (seat - state.active - 1) % state.seats


def outcome(state: State) -> Outcome | None:
    """Return the places and what led there, or None before the end."""
    if state.ending is None:
        return None
    order = state.ending.ranking
    figures = tuple(
        (
            Figure("trapped", player.trapped),
            Figure("kinds", len(player.cheese)),
            Figure("turns_away", turns_away(state, Seat(seat))),
        )
        for seat, player in enumerate(state.players)
    )
    return Outcome(places_by([order.index(Seat(seat)) for seat in range(state.seats)]), figures)
