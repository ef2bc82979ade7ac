"""The beginning of a round: the dealer piles are formed (phase 1)."""

from howff.engine.games.troedler.data import CARDS_PER_PILE
from howff.engine.games.troedler.events import (
    DealerCardRevealed,
    DealerPilesFormed,
    DiscardPileReshuffled,
    Event,
    RoundStarted,
)
from howff.engine.games.troedler.state import State
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat, seat_after

Decision = Draft[State, Event]


def start_round(decision: Decision, number: int, dealer: Seat, rng: Rng) -> None:
    """Begin round *number*; with automatic dealing the piles form at once."""
    decision.add(RoundStarted(number, dealer))
    if not decision.state.supply.round_pile:
        _reshuffle(decision, rng)
    if decision.state.options.dealing == "auto":
        deal_all(decision, rng)


def deal_all(decision: Decision, rng: Rng) -> None:
    """Deal all the cards that the dealer piles still need."""
    while decision.state.stage == "forming":
        deal_card(decision, rng)


def deal_card(decision: Decision, rng: Rng) -> None:
    """Deal one card; the last one completes the piles."""
    if not decision.state.supply.round_pile:
        # Ruling 8: the discard pile is shuffled in the middle of dealing, not earlier.
        _reshuffle(decision, rng)
    supply = decision.state.supply
    piles = len(supply.dealer_piles)
    dealt = sum(len(pile or ()) for pile in supply.dealer_piles)
    # Ruling 7: always from left to right, layer by layer.
    layer, pile = divmod(dealt, piles)
    decision.add(DealerCardRevealed(pile, layer + 1, supply.round_pile[0]))
    if dealt + 1 == piles * CARDS_PER_PILE:
        decision.add(_piles_formed(decision.state))


def _piles_formed(state: State) -> DealerPilesFormed:
    assert state.dealer is not None, "a round has a dealer"
    if state.seats == 2:  # noqa: PLR2004 — the rules for two
        return DealerPilesFormed("dumping", state.dealer)
    return DealerPilesFormed("picking", seat_after(state.dealer, state.seats))


def _reshuffle(decision: Decision, rng: Rng) -> None:
    order = rng.shuffle("discard pile", decision.state.supply.discard_pile)
    decision.add(DiscardPileReshuffled(len(order), order))
