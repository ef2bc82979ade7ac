"""How lines for people call the cards of Dale of Merchants."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from howff.engine.games.dale_of_merchants.copying import Use, changed_value, value_of
from howff.engine.games.dale_of_merchants.data import CARDS, JUNK, Card
from howff.engine.games.dale_of_merchants.state import Ability, Hand, HandCard, Turn
from howff.engine.words import listed

_USED: Final[dict[Ability, str]] = {
    "roll": "rolled",
    "market_discovery": "Market Discovery used",
    "good_old_times": "Good Old Times used",
}


def card_name(card: Card) -> str:
    """Return the name on a card; junk has none and is told as what it is."""
    return "junk" if card == JUNK else CARDS[card].name


def in_order(cards: Iterable[Card]) -> str:
    """Return cards, at least one, one after the other."""
    return listed([card_name(card) for card in cards])


def together(cards: Iterable[Card]) -> str:
    """Return cards, at least one, whose order means nothing: "2 junk and Cookies"."""
    return listed(
        [
            card_name(card) if count == 1 else f"{count} {card_name(card)}"
            for card, count in Counter(cards).items()
        ]
    )


def as_copy(card: HandCard, as_type: Card | None) -> str:
    """Return a card with what it counts as: "Reflection as Spyglass"."""
    copied = as_type or card.as_type
    name = card_name(card.card)
    return name if copied is None else f"{name} as {card_name(copied)}"


def marks_of(turn: Turn, held: HandCard) -> str:
    """Return what the turn has made of a hand card, empty if nothing."""
    marks = [] if held.as_type is None else [f"as {card_name(held.as_type)}"]
    if held.changes:
        marks.append(f"worth {changed_value(turn, held.current, held.changes)}")
    return ", ".join([*marks, *(_USED[ability] for ability in held.used)])


def held_name(turn: Turn, held: HandCard, hand: Hand) -> str:
    """Return a card of *hand*, or one elsewhere, so that it can be told from all in *hand*."""
    text = _marked(turn, held)
    twins = [each for each in dict.fromkeys(hand) if _marked(turn, each) == text]
    if held not in twins or len(twins) == 1:
        return text
    return f"{text}, number {twins.index(held) + 1} of these"


def value_used(turn: Turn, card: HandCard, copy_of: HandCard | None) -> int:
    """Return what a hand card is worth, used as itself or as a copy."""
    return value_of(turn, Use(card, copy_of, (copy_of or card).current))


def _marked(turn: Turn, held: HandCard) -> str:
    marks = marks_of(turn, held)
    return f"{card_name(held.card)} ({marks})" if marks else card_name(held.card)
