"""The end of a technique: its card is put away, and it may bring a bonus action."""

from typing import Literal

from howff.engine.games.dale_of_merchants.changes import in_play_of, turn_of
from howff.engine.games.dale_of_merchants.clean_up import clean_up
from howff.engine.games.dale_of_merchants.data import CARDS
from howff.engine.games.dale_of_merchants.events import BonusActionGranted, TechniqueResolved
from howff.engine.games.dale_of_merchants.piles import Decision
from howff.engine.rng import Rng


def finish_technique(
    decision: Decision,
    rng: Rng,
    destination: Literal["discard", "market", "stall"] = "discard",
) -> None:
    """End the technique in play; *destination* is where its card lies then."""
    seat = turn_of(decision.state).seat
    in_play = in_play_of(decision.state)
    decision.add(TechniqueResolved(seat, in_play.card, destination))
    if CARDS[in_play.effect].plus and decision.state.players[seat].hand:
        decision.add(BonusActionGranted(seat))
    else:
        clean_up(decision, rng)
