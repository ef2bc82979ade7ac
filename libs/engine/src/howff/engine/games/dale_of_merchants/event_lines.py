"""What players read of events in Dale of Merchants, as far as each may know them."""

from typing import Final, assert_never

from howff.engine.game import Names
from howff.engine.games.dale_of_merchants.card_names import as_copy, card_name, in_order, together
from howff.engine.games.dale_of_merchants.data import SETS, Card, Cards
from howff.engine.games.dale_of_merchants.events import (
    AbilityUsed,
    BonusActionDeclined,
    BonusActionGranted,
    CardBound,
    CardGivenBack,
    CardKept,
    CardPlacedOnDeck,
    CardPurchased,
    CardReturnedToDeck,
    CardsDiscarded,
    CardsDrawn,
    CardsLookedAt,
    CardsRemoved,
    CardsThrownAway,
    CardSwappedWithMarket,
    CardSwappedWithStall,
    CardTakenFromDiscard,
    CardTakenFromHand,
    CardValueChanged,
    CookiesCopySkipped,
    DeckAndDiscardSwapped,
    DieRolled,
    Event,
    ExtraStackDeclined,
    ExtraStackGranted,
    GameEnded,
    GameStarted,
    GlobalValueChanged,
    HandCardsExchanged,
    HandCardsShown,
    HandsMixed,
    InventoryFinished,
    InventoryStarted,
    JunkTaken,
    MarketCardRevealed,
    MarketCardTaken,
    MarketDeckShuffled,
    MarketFilled,
    MarketShifted,
    OpponentChosen,
    PaymentCardPicked,
    PlayerDeckShuffled,
    PurchaseStarted,
    SecretCardChosen,
    SecretCardShown,
    StackBuilt,
    StackCardPicked,
    Stacked,
    StackStarted,
    TechniquePlayed,
    TechniqueResolved,
    TurnEnded,
    TurnStarted,
    ValueGuessed,
    VictimsChosen,
)
from howff.engine.games.dale_of_merchants.state import Ability, EndReason, HandCard
from howff.engine.seats import Seat
from howff.engine.visibility import told
from howff.engine.words import counted, listed

_REASONS: Final[dict[EndReason, str]] = {
    "stall_finished": "a stall is complete",
    "round_limit": "the last round has been played",
}
_ABILITIES: Final[dict[Ability, str]] = {
    "roll": "rolls the die for",
    "market_discovery": "throws a card of the market deck away with",
    "good_old_times": "throws a card of the market deck away with",
}
_SHUFFLED: Final = {
    "setup": "a deck",
    "reshuffle": "the discard pile into a deck",
    "wily_fellow": "what was the discard pile into a deck",
}
_THROWN_FROM: Final = {
    "hand": " of the hand",
    "payment": " of the payment",
    "market": " of the market",
    "market_deck": " of the market deck",
    "looked_at": "",
    "revealed": "",
    "discard": " of the discard pile",
}
_RESOLVED: Final = {
    "discard": "is done and discarded",
    "market": "is done and lies in the market",
    "stall": "is done and lies in a stall",
}


def reason_text(reason: EndReason) -> str:
    """Return in words why the match has ended."""
    return _REASONS[reason]


def event_line(  # noqa: C901, PLR0911, PLR0912, PLR0915
    event: Event, names: Names
) -> str:
    """Return a line on *event*, as redacted for whoever reads it."""
    match event:
        case GameStarted(seats, _, sets, first_seat):
            animals = listed([SETS[each] for each in sets])
            begins = f"The match begins with {seats} seats and the {animals}"
            return f"{begins}; {names[first_seat]} is first"
        case CardsRemoved(cards):
            return f"{together(cards)} stay out" if cards else "No card stays out"
        case PlayerDeckShuffled(seat, reason, count, _):
            return f"{names[seat]} shuffles {_SHUFFLED[reason]} of {counted(count, 'card')}"
        case MarketDeckShuffled(reason, count, _):
            what = "The market deck is" if reason == "setup" else "The market's discard pile is"
            return f"{what} shuffled, {counted(count, 'card')}"
        case MarketShifted():
            return "The cards in the market slide to the right"
        case MarketFilled(placements):
            return f"The market gets {in_order(each.card for each in placements)}"
        case CardsDrawn(seat, deck, count, cards):
            source = "" if deck == "own" else " from the market deck"
            return f"{names[seat]} draws {_some(count, told(cards))}{source}"
        case TurnStarted(seat, number):
            return f"{names[seat]} begins a turn of round {number}"
        case PurchaseStarted(seat, target, card, price):
            source = " from the market's discard pile" if target == "discard" else ""
            return f"{names[seat]} wants {card_name(card)}{source}, for {price}"
        case PaymentCardPicked(seat, card, as_type, _, value):
            return f"{names[seat]} pays {value} with {as_copy(card, as_type)}"
        case CardPurchased():
            return _purchase(event, names)
        case CardsDiscarded():
            return _discarded(event, names)
        case CardsThrownAway(seat, cards):
            thrown = in_order(each.card.card for each in cards)
            return f"{names[seat]} throws away {thrown}{_THROWN_FROM[cards[0].source]}"
        case StackStarted(seat, number):
            return f"{names[seat]} begins stack {number}"
        case StackCardPicked(seat, card, position, as_type, _, value):
            source = "" if position is None else " of the discard pile"
            return f"{names[seat]} adds {value} with {as_copy(card, as_type)}{source}"
        case StackBuilt(seat, number, cards, shift):
            stack = listed([_stacked(each) for each in cards])
            return f"{names[seat]} builds stack {number} with {stack}{_shifted(shift)}"
        case ExtraStackGranted(seat, owed):
            return f"{names[seat]} may build {counted(owed, 'extra stack')}"
        case ExtraStackDeclined(seat, _):
            return f"{names[seat]} builds no extra stack"
        case InventoryStarted(seat):
            return f"{names[seat]} takes inventory"
        case InventoryFinished(seat):
            return f"{names[seat]} ends the inventory"
        case TechniquePlayed(seat, card, as_type, _, _):
            return f"{names[seat]} plays {as_copy(card, as_type)}"
        case TechniqueResolved(_, card, destination):
            return f"{card_name(card)} {_RESOLVED[destination]}"
        case BonusActionGranted(seat):
            return f"{names[seat]} may do a bonus action"
        case BonusActionDeclined(seat):
            return f"{names[seat]} does no bonus action"
        case HandCardsShown(seat, cards, _):
            shown = told(cards)
            what = "hand cards" if shown is None else together(held.card for held in shown)
            return f"{names[seat]} shows {what}"
        case CardBound(seat, card, as_type, _, _, _):
            what = "another" if told(as_type) is None else card_name(as_type)
            return f"{names[seat]} lets {_one(card)} count as {what} in this turn"
        case CookiesCopySkipped(seat, card):
            return f"{names[seat]} does not let {_one(card)} count as Cookies"
        case AbilityUsed(seat, card, ability):
            return f"{names[seat]} {_ABILITIES[ability]} {_one(card)}"
        case CardValueChanged(seat, card, op, amount):
            worth = f"{amount} more" if op == "add" else f"{amount}"
            return f"{names[seat]} makes {_one(card)} worth {worth} in this turn"
        case GlobalValueChanged(seat, amount):
            return f"Each card that {names[seat]} uses in this turn is worth {amount} more"
        case DieRolled(seat, _, face):
            return f"{names[seat]} rolls a {face}"
        case OpponentChosen(seat, target):
            return f"{names[seat]} chooses {names[target]}"
        case VictimsChosen(seat, targets):
            who = listed([names[each] for each in targets]) if targets else "nobody"
            return f"{names[seat]} lets {who} discard a card at random"
        case CardsLookedAt():
            return _looked_at(event, names)
        case CardKept(seat, card):
            return f"{names[seat]} takes {_one(card)} into the hand"
        case CardReturnedToDeck(seat, card):
            return f"{names[seat]} puts {_one(card)} back on top of the deck"
        case CardPlacedOnDeck(seat, owner, card):
            return f"{names[seat]} puts {_one(card)} on top of the deck of {names[owner]}"
        case CardTakenFromHand(seat, target, card):
            return f"{names[seat]} takes {_one(card)} from the hand of {names[target]}"
        case CardGivenBack(seat, target, card):
            return f"{names[seat]} gives {_one(card)} back to {names[target]}"
        case CardTakenFromDiscard(seat, owner, card):
            return f"{names[seat]} takes {card_name(card)} from {_pile_of(seat, owner, names)}"
        case MarketCardTaken(seat, slot, card):
            return f"{names[seat]} takes {card_name(card)} from slot {slot + 1} of the market"
        case CardSwappedWithMarket(seat, slot, card_in, card_out):
            swap = f"swaps {card_name(card_in)} for {card_name(card_out)}"
            return f"{names[seat]} {swap} in slot {slot + 1} of the market"
        case CardSwappedWithStall(seat, owner, stack, card_in, card_out):
            swap = f"swaps {card_name(card_in)} for {card_name(card_out)}"
            return f"{names[seat]} {swap} in stack {stack + 1} of {names[owner]}"
        case DeckAndDiscardSwapped(seat, new_discard):
            pile = counted(len(new_discard), "card")
            return f"{names[seat]} turns the deck over into a discard pile of {pile}"
        case HandsMixed():
            return _mixed(event, names)
        case HandCardsExchanged():
            return _exchanged(event, names)
        case MarketCardRevealed(seat, card):
            return f"{names[seat]} turns up {card_name(card)} from the market deck"
        case SecretCardChosen(seat, card, as_type, _, value, _, _):
            return f"{names[seat]} chooses {_secret(card, as_type, value, 'a secret card')}"
        case ValueGuessed(guesser, value, correct):
            return f"{names[guesser]} guesses {value} and is {'right' if correct else 'wrong'}"
        case SecretCardShown(seat, card, as_type, _, value):
            return f"{names[seat]} shows {_secret(card, as_type, value, 'the secret card')}"
        case JunkTaken(seat, count, substitutes):
            new = f", {substitutes} of it new" if substitutes else ""
            return f"{names[seat]} takes {count} junk into the hand{new}"
        case TurnEnded(seat, _):
            return f"{names[seat]} ends the turn"
        case GameEnded(reason, ranking):
            winners = [name for name, place in zip(names, ranking, strict=True) if place == 1]
            verb = "wins" if len(winners) == 1 else "share the win"
            return f"The match is over, as {reason_text(reason)}: {listed(winners)} {verb}"
        case _:
            assert_never(event)


def _some(count: int, cards: Cards | None) -> str:
    if cards is None or not cards:
        return "a card" if count == 1 else f"{count or 'no'} cards"
    return together(cards)


def _one(card: Card | HandCard) -> str:
    """Return the name of a card, if it is told."""
    shown = told(card)
    if shown is None:
        return "a card"
    return as_copy(shown, None) if isinstance(shown, HandCard) else card_name(shown)


def _purchase(event: CardPurchased, names: Names) -> str:
    paid = listed([as_copy(each.card, each.as_type) for each in event.paid])
    worth = "" if event.total == event.price else f", worth {event.total}"
    bought = f"{names[event.seat]} buys {card_name(event.card)} for {event.price}"
    return f"{bought} with {paid}{worth}"


def _discarded(event: CardsDiscarded, names: Names) -> str:
    cards = in_order(held.card for held in event.cards)
    match event.source:
        case "hand":
            return f"{names[event.owner]} discards {cards}"
        case "payment":
            return f"{names[event.owner]} discards the payment: {cards}"
        case "looked_at":
            return f"The discard pile of {names[event.owner]} gets {cards}"
        case _:
            assert_never(event.source)


def _stacked(each: Stacked) -> str:
    source = " of the discard pile" if each.source == "discard" else ""
    return f"{as_copy(each.card, None)}{source}"


def _shifted(shift: int) -> str:
    if not shift:
        return ""
    return f", of which Accordion counts {abs(shift)} {'more' if shift > 0 else 'less'}"


def _looked_at(event: CardsLookedAt, names: Names) -> str:
    if event.deck == "market":
        deck = "the market deck"
    else:
        deck = "the own deck" if event.deck == event.seat else f"the deck of {names[event.deck]}"
    cards = told(event.cards)
    shown = f": {in_order(cards)}" if cards else ""
    looked = f"looks at {_some(event.count, None)} on top of {deck}"
    return f"{names[event.seat]} {looked}{shown}"


def _pile_of(seat: Seat, owner: Seat, names: Names) -> str:
    return "the own discard pile" if owner == seat else f"the discard pile of {names[owner]}"


def _mixed(event: HandsMixed, names: Names) -> str:
    mixed = f"{names[event.seat]} mixes hands with {names[event.target]}"
    got = [
        f"{names[seat]} gets {_some(count, told(cards))}"
        for seat, count, cards in (
            (event.seat, event.seat_count, event.new_hand_seat),
            (event.target, event.target_count, event.new_hand_target),
        )
    ]
    return f"{mixed}: {'; '.join(got)}"


def _exchanged(event: HandCardsExchanged, names: Names) -> str:
    given, received = told(event.given), told(event.received)
    seat, target = names[event.seat], names[event.target]
    if not given or not received:
        return f"{seat} and {target} exchange {_some(event.count, None)}"
    gives = together(held.card for held in given)
    return f"{seat} and {target} exchange {gives} for {together(received)}"


def _secret(card: HandCard, as_type: Card | None, value: int, unknown: str) -> str:
    shown = told(card)
    if shown is None:
        return unknown
    return f"{unknown}: {as_copy(shown, told(as_type))}, worth {value}"
