"""How good the moves of Hellweg Westfalicus look, and what a state promises.

All amounts are tenths of a Thaler.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, assert_never

from howff.bots.policies.games.hellweg.outlook import Outlook, outlook_of, prospect
from howff.bots.policies.games.hellweg.position import Position, position_of
from howff.bots.policies.games.hellweg.reach import TENTHS
from howff.engine.games.hellweg.data import (
    HOUSES,
    LAST_CARD_BONUS,
    LEFTOVER_PRICE,
    MERCHANDISE_CARDS,
    MERCHANTS,
    PLUS_ONE,
    PRIVILEGES,
    ROADS_OF,
    TRADING_CARDS,
    House,
    MerchandiseCard,
    Road,
    Square,
)
from howff.engine.games.hellweg.moves import (
    BuyInTown,
    BuyMerchandiseCard,
    ClaimPrivilege,
    DeclineBonusCarriage,
    EndTurn,
    ForfeitPiece,
    Move,
    PlaceCarriage,
    PlaceStartCarriage,
    PlaceStartToken,
    PlaceToken,
    Sell,
    SellLeftover,
    SkipLeftover,
    SkipTown,
    StockUpAll,
    StockUpOne,
    Store,
    TakeBackCarriage,
    TakeBackToken,
    TakeThaler,
    UsePrivilegeStockUp,
    UsePrivilegeStorage,
    UsePrivilegeTakeThaler,
)
from howff.engine.games.hellweg.network import bordering_roads
from howff.engine.games.hellweg.state import (
    PieceKind,
    Slot,
    State,
)
from howff.engine.multisets import without, without_all
from howff.engine.seats import Seat

_ACTION: Final = 40
"""What a main action is worth before it is known which."""
_DISCOUNT: Final = 20
"""What a first merchant on the market is worth for the second action."""
_BACK: Final = 4
"""A carriage that comes back to the supply."""
_STORED: Final = {"token": 15, "carriage": 10}
"""A piece in the warehouse."""
_PRIVILEGE: Final = 6
"""A privilege, for each month to come."""
_AT_ONCE: Final = 1000
"""What costs no action comes before every action."""
_CASH: Final = 12
"""Money at hand buys what brings more: what a sale is worth beside its price."""
_PREMIUM: Final = 3
"""The same for a state: what each Thaler at hand is worth beside itself."""
_NEEDED: Final = 25
"""So many at the most: then any card can be bought."""
_DUE_CARRIAGE: Final = 12
"""A carriage that is still to be placed."""
_ANSWERS_KEPT: Final = 1 << 14
_PLUS_A_MONTH: Final = 6
"""What a Thaler more a sale of one kind brings in a month."""
_REMOVAL_A_MONTH: Final = 4
"""What a Thaler for every carriage removed brings."""
_REVEALED: Final = 15
"""What turning up a used privilege is worth."""
_PURSE: Final = 6
"""Whoever has less money, in Thaler, cannot buy what it wants."""
_SCARCE: Final = 5
"""What each Thaler too few costs."""


def weigh(state: State, seat: Seat, moves: tuple[Move, ...]) -> Sequence[int]:
    """Return how much each of *moves* promises *seat* to gain."""
    return _weights(position_of(state, seat), moves)


def estimate(state: State) -> list[int]:
    """Return the score that each seat may reach by what it has."""
    return [_promise(position_of(state, Seat(seat))) for seat in range(state.seats)]


@lru_cache(_ANSWERS_KEPT)
def _weights(position: Position, moves: tuple[Move, ...]) -> tuple[int, ...]:
    judge = _Judge(position)
    return tuple(judge.of(move) for move in moves)


@lru_cache(_ANSWERS_KEPT)
def _promise(position: Position) -> int:
    player = position.player
    months = len(position.stack)
    outlook = outlook_of(player, position.demand)
    promise = player.money * TENTHS + prospect(player.cards, position.for_sale, months)
    promise += outlook.worth + (_PREMIUM * min(player.money, _NEEDED) if months else 0)
    if position.is_acting:
        promise += _of_actions(position, outlook)
    if position.has_expansion and months:
        privileges = len(player.privileges) + player.claims
        promise += _PRIVILEGE * privileges * months + _STORED["token"] * player.warehouse_tokens
        promise += _STORED["carriage"] * (player.warehouse_carriages + position.waiting)
    return promise


def _of_actions(position: Position, outlook: Outlook) -> int:
    """Return what actions that are still to come in this month are worth, with pieces due."""
    player, due = position.player, position.due
    left = MERCHANTS - len(player.merchants)
    promise = _ACTION * left + (_DISCOUNT if left == 1 and player.discount else 0)
    if due is not None:
        houses = dict.fromkeys(player.tokens)
        best = _best(outlook.of_tokens(house, 1) for house in houses)
        promise += _DUE_CARRIAGE * due.carriages + best * due.tokens
    return promise


class _Judge:
    """What the moves of one seat gain in one position."""

    __slots__ = ("_bordering", "_outlook", "_player", "_position")

    def __init__(self, position: Position) -> None:
        self._position = position
        self._player = position.player
        self._outlook = outlook_of(position.player, position.demand_after)
        self._bordering: int | None = None

    def of(self, move: Move) -> int:  # noqa: C901, PLR0911, PLR0912
        """Return what *move* gains."""
        match move:
            case Sell():
                return self._of_sale(move)
            case SellLeftover(origin):
                last = 0 if self._position.stack else LAST_CARD_BONUS
                income = (LEFTOVER_PRICE + last + self._bonus_of(origin)) * TENTHS
                return income - self._loss((origin,), ())
            case BuyInTown(slot):
                return self._of_purchase(slot)
            case BuyMerchandiseCard(card):
                return self._of_card(card)
            case StockUpOne(kind):
                return self._at_market + self._of_stocking_up(kind) - TENTHS
            case TakeThaler():
                return self._at_market + TENTHS + self._of_revealing()
            case Store(kind):
                return self._at_market + self._of_storing(kind)
            case StockUpAll():
                return self._at_market + self._of_warehouse()
            case PlaceToken(house):
                return self._outlook.of_tokens(house, 1)
            case PlaceStartToken(house):
                return self._of_goods(house, 1, 1)
            case PlaceCarriage(road) | PlaceStartCarriage(road):
                return self._outlook.of_carriage(road)
            case TakeBackToken(origin):
                return self._of_moved_token(origin)
            case TakeBackCarriage(origin):
                return self._of_moved_carriage(origin)
            case UsePrivilegeStorage(kind):
                return self._beside(self._of_storing(kind), 3)
            case UsePrivilegeStockUp():
                return self._beside(self._of_warehouse(), 2)
            case UsePrivilegeTakeThaler():
                return self._beside(TENTHS + self._of_revealing(), 1)
            case ClaimPrivilege(privilege):
                return self._beside(1, 6 - PRIVILEGES.index(privilege))
            case SkipTown() | SkipLeftover() | ForfeitPiece() | DeclineBonusCarriage() | EndTurn():
                return 0
            case _:
                assert_never(move)

    @property
    def _at_market(self) -> int:
        return 0 if self._player.merchants else _DISCOUNT

    @property
    def _best_bordering(self) -> int:
        """What the best carriage on a road to own goods is worth."""
        if self._bordering is None:
            roads = bordering_roads(self._player.tokens)
            best = _best(map(self._outlook.of_carriage, roads))
            self._bordering = best if self._player.supply_carriages else best // 3
        return self._bordering

    @property
    def _best_token(self) -> int:
        return _best(
            self._outlook.of_tokens(house, 1) for house in dict.fromkeys(self._player.tokens)
        )

    def _of_sale(self, sale: Sell) -> int:
        player = self._player
        square = self._square(player.open_sales.next_slot)
        last = 0 if self._position.stack else LAST_CARD_BONUS
        price = square.price + last + self._bonus_of(sale.origin)
        if any(MERCHANDISE_CARDS[card].removal_plus_one for card in player.cards):
            price += PLUS_ONE * len(sale.removes)
        back = _BACK * len(sale.removes)
        cash = _CASH if self._position.stack else 0
        return price * TENTHS + back + cash - self._loss((sale.origin,), sale.removes)

    def _square(self, slot: Slot) -> Square:
        assert self._position.card is not None, "squares are those of an open card"
        return TRADING_CARDS[self._position.card][slot - 1]

    def _bonus_of(self, origin: House) -> int:
        kind = HOUSES[origin].merchandise
        return PLUS_ONE * sum(
            MERCHANDISE_CARDS[card].plus_one == kind for card in self._player.cards
        )

    def _loss(self, tokens: tuple[House, ...], carriages: tuple[Road, ...]) -> int:
        """Return what the board is worth less without these pieces."""
        player = self._player
        left = Outlook(
            without_all(player.tokens, tokens),
            without_all(player.carriages, carriages),
            player.cards,
            self._outlook.demand,
        )
        return self._outlook.worth - left.worth

    def _of_purchase(self, slot: int) -> int:
        square, player = self._square(slot), self._player
        tokens = min(square.tokens, player.supply_tokens)
        gain = self._of_goods(square.house, tokens, min(square.carriages, player.supply_carriages))
        return gain - (square.price - player.discount) * TENTHS

    def _of_goods(self, house: House, tokens: int, carriages: int) -> int:
        """Return what pieces that come into a town are worth."""
        gain = self._outlook.of_tokens(house, tokens)
        if not carriages:
            return gain
        player = self._player
        goods = (*player.tokens, *[house] * tokens)
        outlook = Outlook(goods, player.carriages, player.cards, self._outlook.demand)
        roads = sorted(map(outlook.of_carriage, ROADS_OF[HOUSES[house].town]), reverse=True)
        return gain + sum(roads[:carriages])

    def _of_card(self, card: MerchandiseCard) -> int:
        state, player = self._position, self._player
        months = len(state.stack)
        for_sale = without(state.for_sale, card)
        gain = prospect((*player.cards, card), for_sale, months) - prospect(
            player.cards, state.for_sale, months
        )
        kind = MERCHANDISE_CARDS[card].plus_one
        if kind is not None:
            gain += _PLUS_A_MONTH * months
        if MERCHANDISE_CARDS[card].removal_plus_one:
            gain += _REMOVAL_A_MONTH * months
        cost = MERCHANDISE_CARDS[card].price - player.discount
        purse = player.money - cost
        scarce = _SCARCE * max(0, _PURSE - purse) if months > 1 else 0
        return self._at_market + gain - cost * TENTHS - scarce + self._best_bordering

    def _of_stocking_up(self, kind: PieceKind) -> int:
        if kind == "carriage":
            return self._best_bordering
        return self._best_token if self._player.supply_tokens else 0

    def _of_revealing(self) -> int:
        """Return what turning up the used privileges is worth."""
        used = sum(held.side == "face_down" for held in self._player.privileges)
        return used * _REVEALED

    def _of_storing(self, kind: PieceKind) -> int:
        return _STORED[kind] if self._player.supply(kind) else -1

    def _of_warehouse(self) -> int:
        player = self._player
        tokens, carriages = player.warehouse_tokens, player.warehouse_carriages
        gain = tokens * (self._best_token - _STORED["token"])
        return gain + carriages * (self._best_bordering - _STORED["carriage"])

    def _of_moved_token(self, origin: Any) -> int:
        due = self._position.due
        house = None if due is None else due.house
        gain = self._best_token if house is None else self._outlook.of_tokens(house, 1)
        loss = _STORED["token"] if origin == "warehouse" else self._loss((origin,), ())
        return gain - loss

    def _of_moved_carriage(self, origin: Any) -> int:
        due = self._position.due
        house = None if due is None else due.house
        loss = _STORED["carriage"] if origin == "warehouse" else self._loss((), (origin,))
        if house is None:
            return self._best_bordering * 3 - loss
        roads = ROADS_OF[HOUSES[house].town]
        return _best(map(self._outlook.of_carriage, roads)) - loss

    def _beside(self, gain: int, order: int) -> int:
        """Return the weight of what costs no action: before all actions, if it gains anything."""
        return _AT_ONCE * order + gain if gain > 0 else gain - 1


def _best(values: Iterable[int]) -> int:
    return max(values, default=0)
