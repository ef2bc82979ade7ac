"""Purchases: picking what pays, and what becomes of the payment."""

from howff.engine.games.dale_of_merchants.changes import turn_of
from howff.engine.games.dale_of_merchants.clean_up import clean_up, show_chain
from howff.engine.games.dale_of_merchants.copying import Use, value_of
from howff.engine.games.dale_of_merchants.data import JUNK, Card
from howff.engine.games.dale_of_merchants.events import (
    CardPurchased,
    CardsDiscarded,
    CardsThrownAway,
    Paid,
    PaymentCardPicked,
    PurchaseStarted,
)
from howff.engine.games.dale_of_merchants.legality import MOST_THROWN
from howff.engine.games.dale_of_merchants.payments import price_of
from howff.engine.games.dale_of_merchants.piles import Decision, thrown
from howff.engine.games.dale_of_merchants.state import PurchaseTarget, State
from howff.engine.rng import Rng
from howff.engine.seats import Seat

ESSENTIAL_PURCHASE = Card("essential_purchase")


def start_purchase(decision: Decision, seat: Seat, target: PurchaseTarget) -> None:
    """Begin to pay for what the market has at *target*."""
    market, price = decision.state.market, price_of(decision.state, target)
    card = market.discard_pile[-1] if target == "discard" else market.slots[target]
    assert price is not None, "only what is there is bought"
    assert card is not None, "only what is there is bought"
    decision.add(PurchaseStarted(seat, target, card, price))


def pay_card(decision: Decision, seat: Seat, use: Use) -> None:
    """Pick a card of the hand for the payment."""
    value = value_of(turn_of(decision.state), use)
    decision.add(PaymentCardPicked(seat, use.card, use.as_type, use.copy_of, value))
    show_chain(decision, seat, use, "copy")


def finish_payment(decision: Decision, seat: Seat, rng: Rng) -> None:
    """Buy the card; some of the junk that paid for an Essential Purchase may be thrown away."""
    payment = turn_of(decision.state).payment
    assert payment is not None, "something is being paid for"
    paid = tuple(Paid(pick.card, pick.as_type) for pick in payment.picks)
    total = sum(pick.value for pick in payment.picks)
    decision.add(CardPurchased(seat, payment.card, payment.target, payment.price, paid, total))
    if payment.card != ESSENTIAL_PURCHASE or not _has_junk(decision.state):
        discard_payment(decision, seat, rng)


def throw_paid_junk(decision: Decision, seat: Seat, position: int, rng: Rng) -> None:
    """Throw away a card of the payment that counts as junk."""
    card = turn_of(decision.state).paid[position].card
    decision.add(CardsThrownAway(seat, (thrown(card, "payment", position),)))
    if turn_of(decision.state).thrown == MOST_THROWN or not _has_junk(decision.state):
        discard_payment(decision, seat, rng)


def discard_payment(decision: Decision, seat: Seat, rng: Rng) -> None:
    """Put what is left of the payment onto the own discard pile."""
    cards = tuple(pick.card for pick in turn_of(decision.state).paid)
    if cards:
        decision.add(CardsDiscarded(seat, cards, "payment", "purchase"))
    clean_up(decision, rng)


def _has_junk(state: State) -> bool:
    return any(pick.used_as == JUNK for pick in turn_of(state).paid)
