"""The state of a match of Trödler, and questions about it.

What `evolve` changes has no slots, see `howff.engine.values`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from howff.engine.games.troedler.data import (
    CARD_ORDER,
    FIGURES,
    VILLAGE_INDEX,
    Card,
    Cards,
    Colour,
    Figures,
    Goods,
    Village,
)
from howff.engine.seats import Seat
from howff.engine.values import with_item

Stage = Literal[
    "forming", "dumping", "picking", "playing", "arriving", "delivering", "trimming", "finished"
]
"""What the active seat decides; the first three are the dealer's and the pickers', before turns."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose."""

    starting_dealer: Seat | Literal["random"] = "random"
    """The seat that holds the horse first."""
    colours: tuple[Colour, ...] | Literal["random"] = "random"
    """One colour a seat, all different."""
    dealing: Literal["dealer", "auto"] = "dealer"
    """Whether the dealer reveals the cards one by one, or the piles form by themselves."""
    memory: Literal["strict", "open"] = "strict"
    """Whether what was shown once must be remembered, or may be looked up."""
    round_limit: int | None = None
    """The match ends after so many rounds at the latest; at least 1."""


@dataclass(frozen=True)
class Player:
    """What lies before a seat; `hand` and `value_pile` are multisets in the order of the tables."""

    colour: Colour
    cart: Village
    hand: Cards = ()
    collection: Goods = ()
    value_pile: Cards = ()


@dataclass(frozen=True, slots=True)
class VillageGoods:
    """The goods that lie in a village."""

    village: Village
    goods: Goods


@dataclass(frozen=True)
class Supply:
    """The piles that belong to nobody."""

    round_pile: Cards = ()
    """Face down, top first."""
    dealer_piles: tuple[Cards | None, ...] = ()
    """Bottom first; None once taken or discarded in this round."""
    discard_pile: Cards = ()
    """Bottom first."""
    setup_discard: int = 0
    """How many cards at the bottom of the discard pile were laid there by the setup."""


@dataclass(frozen=True)
class Delivery:
    """A request that is being fulfilled with substitutes.

    `replaced` are the printed goods that feed has replaced so far, `substitutes` what comes
    instead.
    """

    request: Card
    replaced: Goods = ()
    substitutes: Goods = ()


@dataclass(frozen=True)
class Turn:
    """What the active seat has done in its current turn."""

    played: Cards = ()
    """In the order played."""
    delivered_villages: tuple[Village, ...] = ()
    delivery: Delivery | None = None


NO_TURN: Final = Turn()
"""Nothing done yet."""


@dataclass(frozen=True, slots=True)
class Score:
    """The account of a seat; `damage` is feed used plus half of the goods left, rounded up."""

    requests: int
    feed_used: int
    goods_left: int
    damage: int
    points: int
    total: int
    total_damage: bool
    rank: int


@dataclass(frozen=True)
class State:
    """Everything about a match, secrets included."""

    options: Options
    seats: int
    stage: Stage = "forming"
    active: Seat | None = None
    """The one seat that decides now."""
    round: int = 0
    dealer: Seat | None = None
    goods: tuple[Goods, ...] = ()
    """The goods in each village, in the order of the table of villages."""
    players: tuple[Player, ...] = ()
    supply: Supply = Supply()
    turn: Turn = NO_TURN
    picked: tuple[Seat, ...] = ()
    """Who has taken a dealer pile in this round."""
    turns_done: tuple[Seat, ...] = ()
    scores: tuple[Score, ...] | None = None

    @property
    def figures(self) -> Figures:
        return FIGURES[self.seats]

    def goods_in(self, village: Village) -> Goods:
        return self.goods[VILLAGE_INDEX[village]]

    def with_goods(self, village: Village, goods: Goods) -> tuple[Goods, ...]:
        """Return the goods of all villages once *village* holds *goods*."""
        return with_item(self.goods, VILLAGE_INDEX[village], goods)

    def with_player(self, seat: Seat, player: Player) -> tuple[Player, ...]:
        """Return all players once *player* sits in *seat*."""
        return with_item(self.players, seat, player)


def sorted_cards(cards: Iterable[Card]) -> Cards:
    """Return a multiset of cards in the order of the tables."""
    return tuple(sorted(cards, key=CARD_ORDER.__getitem__))
