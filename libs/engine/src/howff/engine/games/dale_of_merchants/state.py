"""The state of a match of Dale of Merchants, and questions about it.

What `evolve` changes has no slots, see `howff.engine.values`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from howff.engine.games.dale_of_merchants.data import (
    ALL_JUNK,
    CARD_ORDER,
    SLOTS,
    STACKS,
    USUAL_ROUNDS,
    Card,
    Cards,
    SetId,
)
from howff.engine.seats import Seat
from howff.engine.values import with_item

Ability = Literal["roll", "market_discovery", "good_old_times"]
"""What a hand card can do once in a turn without being played."""
Phase = Literal["action", "bonus", "clean_up"]
PurchaseTarget = int | Literal["discard"]
"""A slot of the market, counted from the right, or the top of the market's discard pile."""
EndReason = Literal["stall_finished", "round_limit"]


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose."""

    sets: tuple[SetId, ...] | Literal["random"] = "random"
    """One set more than there are seats, all different."""
    first_seat: Seat | Literal["random"] = "random"
    round_limit: int = USUAL_ROUNDS
    """The match ends after so many rounds at the latest."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a card's value; *number* is its place among all changes of the turn."""

    op: Literal["add", "set"]
    amount: int
    number: int


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card in a hand, with what this turn has made of it; equal ones can't be told apart."""

    card: Card
    as_type: Card | None = None
    """What it is a copy of."""
    changes: tuple[Change, ...] = ()
    used: tuple[Ability, ...] = ()

    @property
    def current(self) -> Card:
        """The type that it counts as now."""
        return self.as_type or self.card


Hand = tuple[HandCard, ...]
"""A multiset of hand cards, sorted."""


@dataclass(frozen=True)
class Player:
    """What belongs to a seat."""

    deck: Cards = ()
    """Top first."""
    discard_pile: Cards = ()
    """Bottom first."""
    hand: Hand = ()
    stall: tuple[Cards, ...] = ()
    """Stack by stack; a stack is a multiset."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A card picked for a payment or a stack, with what it is used as."""

    card: HandCard
    position: int | None
    """Its place in the own discard pile; None for a card of the hand."""
    as_type: Card | None
    value: int

    @property
    def used_as(self) -> Card:
        return self.as_type or self.card.current


@dataclass(frozen=True)
class Payment:
    """A purchase that is being paid."""

    target: PurchaseTarget
    card: Card
    price: int
    picks: tuple[Pick, ...] = ()


@dataclass(frozen=True)
class Build:
    """A stack that is being put together."""

    number: int
    picks: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class Secret:
    """The card chosen for Blindfold, what it is used as, and what it would become as a copy."""

    card: HandCard
    as_type: Card | None
    copied_card: HandCard | None
    value: int
    changes: tuple[Change, ...]
    used: tuple[Ability, ...]

    @property
    def as_bound(self) -> HandCard:
        """The card as it is once it was shown and not guessed."""
        if self.as_type is None:
            return self.card
        return bound(self.card, self.as_type, self.changes, self.used)


@dataclass(frozen=True)
class InPlay:
    """A technique that is being carried out: all of it open."""

    card: Card
    effect: Card
    """The technique that it is carried out as."""
    discarded: int = 0
    """How many cards of the own hand it has discarded."""
    has_drawn: bool = False
    """Whether cards were drawn from a deck into the hand."""
    has_kept: bool = False
    """Whether one of the cards looked at was taken into the hand."""
    target: Seat | None = None
    revealed: Card | None = None
    guess: int | None = None


@dataclass(frozen=True)
class Turn:
    """What the active seat is doing: all of it open."""

    seat: Seat
    phase: Phase = "action"
    techniques: int = 0
    """How many were played in this turn."""
    changes: int = 0
    """How many changes of value there were in this turn."""
    all_up: tuple[int, ...] = ()
    """The numbers of those changes that make every card used worth one more."""
    has_set: bool = False
    """Whether a value was set in this turn."""
    best_roll: int = 0
    """The highest roll for a card since a value was set."""
    payment: Payment | None = None
    paid: tuple[Pick, ...] = ()
    """A payment that lies open until it is discarded."""
    thrown: int = 0
    """How many cards of the payment were thrown away."""
    build: Build | None = None
    owed: int = 0
    """How many extra stacks may still be built."""
    inventory: bool = False
    in_play: InPlay | None = None
    drew_beyond: bool = False
    """Whether the clean-up has drawn more cards than a hand usually has."""


@dataclass(frozen=True)
class Private:
    """What the active seat alone knows of its turn."""

    looked_at: Cards = ()
    """Cards of a deck that a technique lets it look at, top first."""
    secret: Secret | None = None
    """The card chosen for Blindfold."""
    skipped: Hand = ()
    """Copiers that are not to copy Cookies in this clean-up."""


NOTHING_PRIVATE: Final = Private()


@dataclass(frozen=True, slots=True)
class Ending:
    """Why the match ended, and the place of each seat."""

    reason: EndReason
    ranking: tuple[int, ...]


@dataclass(frozen=True)
class Market:
    """The board where all seats buy."""

    slots: tuple[Card | None, ...] = (None,) * len(SLOTS)
    """From the right, where cards are cheapest."""
    deck: Cards = ()
    """Top first."""
    discard_pile: Cards = ()
    """Bottom first."""


@dataclass(frozen=True)
class State:
    """Everything about a match, secrets included."""

    options: Options
    seats: int
    sets: tuple[SetId, ...] = ()
    first_seat: Seat | None = None
    round: int = 0
    turn: Turn | None = None
    """None between turns; a match may end in the middle of one."""
    private: Private = NOTHING_PRIVATE
    players: tuple[Player, ...] = ()
    market: Market = Market()
    junk_pile: int = ALL_JUNK
    substitutes: int = 0
    """How many junk cards were made since the pile ran out."""
    removed: Cards = ()
    """Cards that stay out of this match."""
    ending: Ending | None = None

    def with_player(self, seat: Seat, player: Player) -> tuple[Player, ...]:
        """Return all players once *player* sits in *seat*."""
        return with_item(self.players, seat, player)


def sorted_cards(cards: Iterable[Card]) -> Cards:
    """Return a multiset of cards in the order of the tables."""
    return tuple(sorted(cards, key=CARD_ORDER.__getitem__))


def sorted_hand(cards: Iterable[HandCard]) -> Hand:
    """Return a hand in its one order: by the tables, then by what the turn has made of a card."""
    return tuple(sorted(cards, key=_hand_order))


def plain(cards: Iterable[Card]) -> Hand:
    """Return *cards* as they come into a hand."""
    return tuple(map(HandCard, cards))


def bound(
    held: HandCard, as_type: Card, changes: tuple[Change, ...], used: tuple[Ability, ...]
) -> HandCard:
    """Return *held* as a copy that takes over these changes and used abilities."""
    all_changes = sorted((*held.changes, *changes), key=lambda change: change.number)
    all_used = dict.fromkeys((*held.used, *used))
    return HandCard(held.card, as_type, tuple(all_changes), tuple(all_used))


def next_stack(player: Player) -> int:
    """Return the number of the next stack of a stall, the sum that it needs."""
    return len(player.stall) + 1


def has_finished(player: Player) -> bool:
    """Return whether a stall is complete."""
    return len(player.stall) >= STACKS


def _hand_order(held: HandCard) -> tuple[object, ...]:
    as_type = -1 if held.as_type is None else CARD_ORDER[held.as_type]
    changes = tuple((change.number, change.op, change.amount) for change in held.changes)
    return (CARD_ORDER[held.card], as_type, changes, held.used)
