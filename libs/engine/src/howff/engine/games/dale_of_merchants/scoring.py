"""The ranking of Dale of Merchants: finished stacks count, nothing breaks a tie."""

from howff.engine.games.dale_of_merchants.state import State
from howff.engine.outcome import Figure, Outcome, places_by


def ranking(state: State) -> tuple[int, ...]:
    """Return the place of each seat: more stacks are better, equal numbers share a place."""
    return places_by([-len(player.stall) for player in state.players])


def outcome(state: State) -> Outcome | None:
    """Return the places and the stacks, or None before the end."""
    if state.ending is None:
        return None
    figures = tuple((Figure("stacks", len(player.stall)),) for player in state.players)
    return Outcome(state.ending.ranking, figures)
