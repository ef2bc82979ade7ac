"""The tables of Dale of Merchants as constants; `data.toml` says where each figure comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NewType

from howff.engine.tables import hash_of_tables, read_tables

Card = NewType("Card", str)
"""The type of a card, such as `spyglass`; cards of one type are indistinguishable."""
Cards = tuple[Card, ...]
SetId = Literal["macaws", "pandas", "raccoons", "squirrels", "ocelots", "chameleons"]
Kind = Literal["technique", "passive", "rubbish"]


@dataclass(frozen=True, slots=True)
class Record:
    """What is printed on a card; junk is of no set."""

    name: str
    set: SetId | None
    value: int
    copies: int
    kind: Kind
    plus: bool
    """Whether playing it gives a bonus action."""


_TABLES: Final = read_tables("howff.engine.games.dale_of_merchants")
_LIMITS: Final = _TABLES["limits"]
_BOUNDS: Final[Mapping[str, int]] = _TABLES["bounds"]

DATA_HASH: Final = hash_of_tables(_TABLES)

START_DECK: Final[int] = _LIMITS["start_deck"]
HAND: Final[int] = _LIMITS["hand"]
STACKS: Final[int] = _LIMITS["stacks"]
SURCHARGES: Final[tuple[int, ...]] = tuple(_LIMITS["surcharges"])
SLOTS: Final = range(len(SURCHARGES))
ALL_JUNK: Final[int] = _LIMITS["junk"]
DIE: Final[tuple[int, ...]] = tuple(_LIMITS["die"])
MOST_TECHNIQUES: Final = _BOUNDS["techniques"]
USUAL_ROUNDS: Final = _BOUNDS["rounds"]
FEWEST_ROUNDS: Final = _BOUNDS["fewest_rounds"]
MOST_ROUNDS: Final = _BOUNDS["most_rounds"]

SETS: Final[Mapping[SetId, str]] = {row["id"]: row["name"] for row in _TABLES["set"]}
"""The names of the animalfolk sets, by id."""
JUNK: Final = Card("junk")
CARDS: Final[Mapping[Card, Record]] = {
    **{
        Card(row["id"]): Record(
            row["name"], row["set"], row["value"], row["copies"], row["kind"], row["plus"]
        )
        for row in _TABLES["card"]
    },
    JUNK: Record("Junk", None, 1, ALL_JUNK, "rubbish", plus=False),
}
"""All types of cards, in the order of the table, junk last."""
CARD_ORDER: Final[Mapping[Card, int]] = {card: at for at, card in enumerate(CARDS)}

START_VALUE: Final = 1
"""The cards of this value are dealt, one of every set to each seat; all others come to market."""
START_CARDS: Final[Mapping[SetId, Card]] = {
    record.set: card
    for card, record in CARDS.items()
    if record.set is not None and record.value == START_VALUE
}


def start_deck(sets: tuple[SetId, ...]) -> Cards:
    """Return the cards that every seat starts with: one of each of the *sets*, the rest junk."""
    cards = tuple(START_CARDS[each] for each in sets)
    return (*cards, *((JUNK,) * (START_DECK - len(cards))))


def market_cards(sets: tuple[SetId, ...]) -> Cards:
    """Return the cards of *sets* that the market deals in, in the order of the table."""
    return tuple(
        card
        for card, record in CARDS.items()
        if record.set in sets and record.value != START_VALUE
        for _ in range(record.copies)
    )
