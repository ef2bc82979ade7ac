"""Drawing from decks, which are shuffled anew only when a card is missing, and throwing away."""

from howff.engine.games.dale_of_merchants.data import JUNK, SLOTS
from howff.engine.games.dale_of_merchants.events import (
    CardsDrawn,
    CardsLookedAt,
    CardsThrownAway,
    Event,
    MarketDeckShuffled,
    MarketFilled,
    Placement,
    PlayerDeckShuffled,
    Thrown,
    ThrowSource,
)
from howff.engine.games.dale_of_merchants.state import HandCard, State
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat

Decision = Draft[State, Event]


def draw_cards(decision: Decision, seat: Seat, count: int, rng: Rng) -> None:
    """Let *seat* draw *count* cards, or as many as there are."""
    while count and _has_deck(decision, seat, rng):
        cards = decision.state.players[seat].deck[:count]
        decision.add(CardsDrawn(seat, "own", len(cards), cards))
        count -= len(cards)


def draw_from_market(decision: Decision, seat: Seat, rng: Rng) -> None:
    """Let *seat* draw the top card of the market deck, if there is one."""
    if has_market_deck(decision, rng):
        decision.add(CardsDrawn(seat, "market", 1, decision.state.market.deck[:1]))


def look_at(decision: Decision, seat: Seat, owner: Seat, count: int, rng: Rng) -> None:
    """Let *seat* look at the top cards of *owner*'s deck, as many as there are."""
    while count and _has_deck(decision, owner, rng):
        cards = decision.state.players[owner].deck[:count]
        decision.add(CardsLookedAt(seat, owner, len(cards), cards))
        count -= len(cards)


def look_at_market(decision: Decision, seat: Seat, count: int, rng: Rng) -> None:
    """Let *seat* look at the top cards of the market deck, as many as there are."""
    while count and has_market_deck(decision, rng):
        cards = decision.state.market.deck[:count]
        decision.add(CardsLookedAt(seat, "market", len(cards), cards))
        count -= len(cards)


def fill_market(decision: Decision, rng: Rng) -> None:
    """Fill the empty slots from the right, as far as there are cards."""
    while True:
        market = decision.state.market
        empty = [slot for slot in SLOTS if market.slots[slot] is None]
        if not empty or not has_market_deck(decision, rng):
            return
        cards = decision.state.market.deck[: len(empty)]
        placements = tuple(map(Placement, empty, cards))
        decision.add(MarketFilled(placements))


def throw_from_market_deck(decision: Decision, seat: Seat, rng: Rng) -> None:
    """Throw away the top card of the market deck; there is one, at least after a shuffle."""
    if has_market_deck(decision, rng):
        card = HandCard(decision.state.market.deck[0])
        decision.add(CardsThrownAway(seat, (thrown(card, "market_deck"),)))


def thrown(card: HandCard, source: ThrowSource, at: int | None = None) -> Thrown:
    """Return how *card* is thrown away: junk onto its own pile, all else onto the market's."""
    return Thrown(card, source, at, "junk_pile" if card.card == JUNK else "market_discard")


def has_market_deck(decision: Decision, rng: Rng) -> bool:
    """Return whether a card can be drawn from the market deck, shuffling it anew if need be."""
    market = decision.state.market
    if not market.deck and market.discard_pile:
        order = rng.shuffle("market reshuffle", market.discard_pile)
        decision.add(MarketDeckShuffled("reshuffle", len(order), order))
    return bool(decision.state.market.deck)


def _has_deck(decision: Decision, seat: Seat, rng: Rng) -> bool:
    player = decision.state.players[seat]
    if not player.deck and player.discard_pile:
        order = rng.shuffle("reshuffle", player.discard_pile)
        decision.add(PlayerDeckShuffled(seat, "reshuffle", len(order), order))
    return bool(decision.state.players[seat].deck)
