"""Techniques against other seats: what their decisions do."""

from collections.abc import Callable, Mapping
from typing import Final

from howff.engine.games.dale_of_merchants.changes import in_play_of, turn_of
from howff.engine.games.dale_of_merchants.clean_up import bind, show_chain
from howff.engine.games.dale_of_merchants.copying import Use, use_of, value_of
from howff.engine.games.dale_of_merchants.data import DIE, Card
from howff.engine.games.dale_of_merchants.events import (
    CardGivenBack,
    CardPlacedOnDeck,
    CardsDiscarded,
    CardSwappedWithStall,
    CardTakenFromDiscard,
    CardTakenFromHand,
    CardValueChanged,
    DieRolled,
    HandCardsExchanged,
    HandsMixed,
    OpponentChosen,
    SecretCardChosen,
    SecretCardShown,
    ValueGuessed,
    VictimsChosen,
)
from howff.engine.games.dale_of_merchants.moves import PlaceOnDeck, SwapWithStall
from howff.engine.games.dale_of_merchants.piles import Decision, look_at
from howff.engine.games.dale_of_merchants.resolving import finish_technique
from howff.engine.games.dale_of_merchants.state import HandCard, Secret, sorted_cards, sorted_hand
from howff.engine.rng import Rng, pick
from howff.engine.seats import Seat, seats_from

SABOTAGED: Final = 2
"""How many cards of a deck Sabotage shows."""


def choose_victims(decision: Decision, seat: Seat, victims: tuple[Seat, ...], rng: Rng) -> None:
    """Let each victim discard a card at random, clockwise (Nuisance)."""
    decision.add(VictimsChosen(seat, victims))
    for victim in seats_from(seat, decision.state.seats):
        if victim in victims and decision.state.players[victim].hand:
            card = rng.roll("random card", decision.state.players[victim].hand)
            decision.add(CardsDiscarded(victim, (card,), "hand", "nuisance"))
    finish_technique(decision, rng)


def place_on_deck(decision: Decision, seat: Seat, move: PlaceOnDeck, rng: Rng) -> None:
    """Put a card of the hand face down on another seat's deck (Rotten Food)."""
    decision.add(CardPlacedOnDeck(seat, move.seat, move.card))
    finish_technique(decision, rng)


def choose_opponent(decision: Decision, seat: Seat, target: Seat, rng: Rng) -> None:
    """Choose whom a technique is for, and carry it out as far as nothing is to be decided."""
    decision.add(OpponentChosen(seat, target))
    effect = in_play_of(decision.state).effect
    if effect in _DEALINGS:
        _DEALINGS[effect](decision, seat, target, rng)


def give_back(decision: Decision, seat: Seat, card: HandCard, rng: Rng) -> None:
    """Give a card of the hand for the one that was taken (Dirty Exchange)."""
    target = in_play_of(decision.state).target
    assert target is not None, "a card was taken from somebody"
    decision.add(CardGivenBack(seat, target, card))
    finish_technique(decision, rng)


def take_from_discard(decision: Decision, seat: Seat, owner: Seat, rng: Rng) -> None:
    """Take the top card of another seat's discard pile (Treasure Hunter)."""
    card = decision.state.players[owner].discard_pile[-1]
    decision.add(CardTakenFromDiscard(seat, owner, card))
    finish_technique(decision, rng)


def swap_with_stall(decision: Decision, seat: Seat, move: SwapWithStall, rng: Rng) -> None:
    """Put the played card into a stack in exchange for another (Acorn)."""
    card_in = in_play_of(decision.state).card
    decision.add(CardSwappedWithStall(seat, move.seat, move.stack, card_in, move.card))
    finish_technique(decision, rng, "stall")


def choose_secret_card(decision: Decision, seat: Seat, use: Use) -> None:
    """Choose a card whose value is to be guessed (Blindfold)."""
    value = value_of(turn_of(decision.state), use)
    decision.add(
        SecretCardChosen(
            seat,
            use.card,
            use.as_type,
            use.copy_of,
            value,
            use.taken_changes,
            use.taken_abilities,
        )
    )


def guess_value(decision: Decision, guesser: Seat, value: int, rng: Rng) -> None:
    """Show the secret card: a value that was guessed is discarded, else the seat sets it."""
    seat, secret = turn_of(decision.state).seat, _secret(decision)
    use = use_of(decision.state, seat, secret.card, secret.copied_card)
    is_right = value == secret.value
    decision.add(ValueGuessed(guesser, value, is_right))
    decision.add(
        SecretCardShown(seat, secret.card, secret.as_type, secret.copied_card, secret.value)
    )
    if is_right:
        show_chain(decision, seat, use, "secret")
        decision.add(CardsDiscarded(seat, (secret.card,), "hand", "blindfold"))
        finish_technique(decision, rng)
    else:
        bind(decision, seat, use, "secret")


def set_value(decision: Decision, seat: Seat, value: int, rng: Rng) -> None:
    """Set the value of the secret card, which was not guessed, for this turn."""
    decision.add(CardValueChanged(seat, _secret(decision).as_bound, "set", value))
    finish_technique(decision, rng)


def _exchange_dirtily(decision: Decision, seat: Seat, target: Seat, rng: Rng) -> None:
    hand = decision.state.players[target].hand
    if hand:
        card = rng.roll("random card", hand)
        decision.add(CardTakenFromHand(seat, target, card.card))
    else:
        # Ruling 43: nothing is given for nothing.
        finish_technique(decision, rng)


def _sabotage(decision: Decision, seat: Seat, target: Seat, rng: Rng) -> None:
    look_at(decision, seat, target, SABOTAGED, rng)
    if not decision.state.private.looked_at:
        finish_technique(decision, rng)


def _mix_hands(decision: Decision, seat: Seat, target: Seat, rng: Rng) -> None:
    hands = [decision.state.players[each].hand for each in (seat, target)]
    mixed = rng.shuffle("hands", [held.card for hand in hands for held in hand])
    own, other = map(len, hands)
    decision.add(
        HandsMixed(seat, target, own, other, sorted_cards(mixed[:own]), sorted_cards(mixed[own:]))
    )
    finish_technique(decision, rng)


def _gamble(decision: Decision, seat: Seat, target: Seat, rng: Rng) -> None:
    face = rng.roll("die", DIE)
    decision.add(DieRolled(seat, "gamble", face))
    own, other = (decision.state.players[each].hand for each in (seat, target))
    count = min(face, len(own), len(other))
    given = sorted_hand(pick(rng, "gamble", own, count))
    received = sorted_cards(pick(rng, "gamble", [held.card for held in other], count))
    if count:
        decision.add(HandCardsExchanged(seat, target, count, given, received))
    finish_technique(decision, rng)


def _secret(decision: Decision) -> Secret:
    secret = decision.state.private.secret
    assert secret is not None, "a secret card was chosen"
    return secret


_DEALINGS: Final[Mapping[Card, Callable[[Decision, Seat, Seat, Rng], None]]] = {
    Card("dirty_exchange"): _exchange_dirtily,
    Card("sabotage"): _sabotage,
    Card("whirligig"): _mix_hands,
    Card("gamble"): _gamble,
}
