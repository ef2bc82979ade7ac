"""What each technique does, up to its first decision and after each of its decisions.

Where there is nothing to choose from, an effect does as much as it can and ends.
"""

from collections.abc import Callable, Mapping
from typing import Final

from howff.engine.games.dale_of_merchants.building import build_revealed
from howff.engine.games.dale_of_merchants.changes import in_play_of, turn_of
from howff.engine.games.dale_of_merchants.copying import changed_value
from howff.engine.games.dale_of_merchants.data import Card
from howff.engine.games.dale_of_merchants.events import (
    CardKept,
    CardReturnedToDeck,
    CardsDiscarded,
    CardsThrownAway,
    CardSwappedWithMarket,
    CardTakenFromDiscard,
    DeckAndDiscardSwapped,
    DiscardCause,
    GlobalValueChanged,
    MarketCardRevealed,
    MarketCardTaken,
    PlayerDeckShuffled,
)
from howff.engine.games.dale_of_merchants.legality import legal_moves
from howff.engine.games.dale_of_merchants.piles import (
    Decision,
    draw_cards,
    draw_from_market,
    fill_market,
    has_market_deck,
    look_at,
    look_at_market,
    thrown,
)
from howff.engine.games.dale_of_merchants.resolving import finish_technique
from howff.engine.games.dale_of_merchants.stacks import ACCORDION
from howff.engine.games.dale_of_merchants.state import HandCard, next_stack, plain
from howff.engine.rng import Rng
from howff.engine.seats import Seat

LOOKED_AT: Final = 3
"""How many cards Spyglass and Special Offer show."""


def begin(decision: Decision, seat: Seat, rng: Rng) -> None:
    """Carry out the technique that was just played, as far as nothing is to be decided."""
    effect = in_play_of(decision.state).effect
    if effect in _OPENINGS:
        _OPENINGS[effect](decision, seat, rng)
    elif not legal_moves(decision.state, seat):
        _do_without_choice(decision, seat, effect, rng)


def discard_next(decision: Decision, seat: Seat, card: HandCard, rng: Rng) -> None:
    """Discard a card of the hand; once it is empty, draw as many as were discarded."""
    in_play = in_play_of(decision.state)
    cause: DiscardCause = "whirligig" if in_play.effect == WHIRLIGIG else "swift_broker"
    decision.add(CardsDiscarded(seat, (card,), "hand", cause))
    if decision.state.players[seat].hand:
        return
    draw_cards(decision, seat, in_play_of(decision.state).discarded, rng)
    if in_play.effect != WHIRLIGIG:
        finish_technique(decision, rng)


def throw_hand_card(decision: Decision, seat: Seat, card: HandCard, rng: Rng) -> None:
    """Throw away a card of the hand and draw one (Shattered Relic)."""
    decision.add(CardsThrownAway(seat, (thrown(card, "hand"),)))
    draw_cards(decision, seat, 1, rng)
    finish_technique(decision, rng)


def keep_card(decision: Decision, seat: Seat, card: Card, rng: Rng) -> None:
    """Take one of the cards looked at into the hand."""
    decision.add(CardKept(seat, card))
    _finish_if_all_are_seen(decision, rng)


def return_card(decision: Decision, seat: Seat, card: Card, rng: Rng) -> None:
    """Put one of the cards looked at back on top of the deck (Spyglass)."""
    decision.add(CardReturnedToDeck(seat, card))
    _finish_if_all_are_seen(decision, rng)


def throw_looked_card(decision: Decision, seat: Seat, card: Card, rng: Rng) -> None:
    """Throw away one of the cards looked at; of Sabotage's two the other is discarded."""
    decision.add(CardsThrownAway(seat, (thrown(HandCard(card), "looked_at"),)))
    owner, left = in_play_of(decision.state).target, decision.state.private.looked_at
    if owner is not None and left:
        decision.add(CardsDiscarded(owner, plain(left), "looked_at", "sabotage"))
    _finish_if_all_are_seen(decision, rng)


def throw_market_card(decision: Decision, seat: Seat, slot: int, rng: Rng) -> None:
    """Throw away a card of the market; with the last one gone, fill it anew (Loyal Partner)."""
    card = HandCard(_card_at(decision, slot))
    decision.add(CardsThrownAway(seat, (thrown(card, "market", slot),)))
    if not any(decision.state.market.slots):
        fill_market(decision, rng)
        finish_technique(decision, rng)


def take_market_card(decision: Decision, seat: Seat, slot: int, rng: Rng) -> None:
    """Take a card of the market into the hand (Prepaid Good)."""
    decision.add(MarketCardTaken(seat, slot, _card_at(decision, slot)))
    finish_technique(decision, rng)


def swap_with_market(decision: Decision, seat: Seat, slot: int, rng: Rng) -> None:
    """Put the played card into the market in exchange for another (Gift Voucher)."""
    card_in, card_out = in_play_of(decision.state).card, _card_at(decision, slot)
    decision.add(CardSwappedWithMarket(seat, slot, card_in, card_out))
    finish_technique(decision, rng, "market")


def throw_from_discard(decision: Decision, seat: Seat, position: int, rng: Rng) -> None:
    """Throw away a card of the own discard pile and draw one of the market (New Season)."""
    card = HandCard(decision.state.players[seat].discard_pile[position])
    decision.add(CardsThrownAway(seat, (thrown(card, "discard", position),)))
    draw_from_market(decision, seat, rng)
    finish_technique(decision, rng)


def _show_off(decision: Decision, seat: Seat, rng: Rng) -> None:
    decision.add(GlobalValueChanged(seat, 1))
    finish_technique(decision, rng)


def _take_own_discard(decision: Decision, seat: Seat, rng: Rng) -> None:
    pile = decision.state.players[seat].discard_pile
    if pile:
        decision.add(CardTakenFromDiscard(seat, seat, pile[-1]))
    finish_technique(decision, rng)


def _swap_deck(decision: Decision, seat: Seat, rng: Rng) -> None:
    """Turn the deck over as a block: its top card becomes the bottom of the discard pile (R18)."""
    player = decision.state.players[seat]
    order = rng.shuffle("wily fellow", player.discard_pile)
    decision.add(DeckAndDiscardSwapped(seat, player.deck))
    decision.add(PlayerDeckShuffled(seat, "wily_fellow", len(order), order))
    finish_technique(decision, rng)


def _look_at_own(decision: Decision, seat: Seat, rng: Rng) -> None:
    look_at(decision, seat, seat, LOOKED_AT, rng)
    _finish_if_all_are_seen(decision, rng)


def _look_at_market(decision: Decision, seat: Seat, rng: Rng) -> None:
    look_at_market(decision, seat, LOOKED_AT, rng)
    _finish_if_all_are_seen(decision, rng)


def _reveal(decision: Decision, seat: Seat, rng: Rng) -> None:
    """Reveal a card of the market: it must be built if it alone is the next stack (R27, R28)."""
    if not has_market_deck(decision, rng):
        finish_technique(decision, rng)
        return
    card = decision.state.market.deck[0]
    decision.add(MarketCardRevealed(seat, card))
    missing = next_stack(decision.state.players[seat]) - changed_value(
        turn_of(decision.state), card
    )
    if abs(missing) <= int(card == ACCORDION):
        build_revealed(decision, seat, card, rng)
    else:
        decision.add(CardsThrownAway(seat, (thrown(HandCard(card), "revealed"),)))
        finish_technique(decision, rng)


def _do_without_choice(decision: Decision, seat: Seat, effect: Card, rng: Rng) -> None:
    """Do what an effect does after a choice for which there is nothing."""
    if effect == SHATTERED_RELIC:
        draw_cards(decision, seat, 1, rng)
    elif effect == LOYAL_PARTNER:
        fill_market(decision, rng)
    finish_technique(decision, rng)


def _finish_if_all_are_seen(decision: Decision, rng: Rng) -> None:
    if not decision.state.private.looked_at:
        finish_technique(decision, rng)


def _card_at(decision: Decision, slot: int) -> Card:
    card = decision.state.market.slots[slot]
    assert card is not None, "only a card that is there is chosen"
    return card


SHATTERED_RELIC: Final = Card("shattered_relic")
LOYAL_PARTNER: Final = Card("loyal_partner")
WHIRLIGIG: Final = Card("whirligig")
_OPENINGS: Final[Mapping[Card, Callable[[Decision, Seat, Rng], None]]] = {
    Card("flashy_show"): _show_off,
    Card("favourite_toy"): _take_own_discard,
    Card("wily_fellow"): _swap_deck,
    Card("spyglass"): _look_at_own,
    Card("special_offer"): _look_at_market,
    Card("charm"): _reveal,
}
