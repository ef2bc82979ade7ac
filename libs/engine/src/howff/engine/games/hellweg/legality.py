"""Who decides what now, and what is legal; what can be sold is written in `selling`.

Moves are values of a field or two, so they are made once and shared.
"""

from collections.abc import Iterator
from typing import Final, Literal, assert_never

from howff.engine.games.hellweg.data import (
    HOUSES,
    MERCHANDISE_CARDS,
    PRIVILEGES,
    ROADS,
    ROADS_OF,
    SLOTS,
    START_HOUSES,
    STOCK_UP_PRICE,
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
from howff.engine.games.hellweg.selling import Sale, sales_of
from howff.engine.games.hellweg.state import (
    LEFTOVER,
    CarriageOrigin,
    Due,
    Houses,
    PieceKind,
    Player,
    Roads,
    State,
    TokenOrigin,
)
from howff.engine.seats import Seat, seats_from

Moves = tuple[Move, ...]
DecisionName = Literal[
    "start_token",
    "start_carriage",
    "sell_or_skip",
    "leftover",
    "choose_action",
    "missing_token",
    "missing_carriage",
    "put_token",
    "put_carriage",
    "bonus_carriage",
    "after_action",
]
"""What a seat decides."""

_KINDS: Final[tuple[PieceKind, ...]] = ("token", "carriage")
_WAREHOUSE: Final = "warehouse"

_PLACE_START_TOKEN: Final = tuple(map(PlaceStartToken, START_HOUSES))
_PLACE_START_CARRIAGE: Final = {
    town: tuple(map(PlaceStartCarriage, roads)) for town, roads in ROADS_OF.items()
}
_SELL_LEFTOVER: Final = {house: SellLeftover(house) for house in HOUSES}
_BUY_IN_TOWN: Final = {slot: BuyInTown(slot) for slot in SLOTS}
_STOCK_UP_ONE: Final = tuple(map(StockUpOne, _KINDS))
_BUY_MERCHANDISE_CARD: Final = {card: BuyMerchandiseCard(card) for card in MERCHANDISE_CARDS}
_STORE: Final = {kind: Store(kind) for kind in _KINDS}
_USE_STORAGE: Final = {kind: UsePrivilegeStorage(kind) for kind in _KINDS}
_CLAIM: Final = {privilege: ClaimPrivilege(privilege) for privilege in PRIVILEGES}
_TOKEN_ORIGINS: Final[tuple[TokenOrigin, ...]] = (*HOUSES, _WAREHOUSE)
_CARRIAGE_ORIGINS: Final[tuple[CarriageOrigin, ...]] = (*ROADS, _WAREHOUSE)
_TAKE_BACK_TOKEN: Final = {origin: TakeBackToken(origin) for origin in _TOKEN_ORIGINS}
_TAKE_BACK_CARRIAGE: Final = {origin: TakeBackCarriage(origin) for origin in _CARRIAGE_ORIGINS}
_PLACE_TOKEN: Final = {house: PlaceToken(house) for house in HOUSES}
_PLACE_CARRIAGE: Final = {road: PlaceCarriage(road) for road in ROADS}
_SKIP_TOWN: Final = SkipTown()
_SKIP_LEFTOVER: Final = SkipLeftover()
_TAKE_THALER: Final = TakeThaler()
_STOCK_UP_ALL: Final = StockUpAll()
_USE_STOCK_UP: Final = UsePrivilegeStockUp()
_USE_TAKE_THALER: Final = UsePrivilegeTakeThaler()
_FORFEIT: Final = ForfeitPiece()
_DECLINE: Final = DeclineBonusCarriage()
_END_TURN: Final = EndTurn()


def to_act(state: State) -> tuple[Seat, ...]:
    """Return the seats that owe a decision now; nobody once the match is over."""
    if state.stage == "sales":
        selling = seats_selling(state)
        return selling if state.options.simultaneous_sales else selling[:1]
    if state.due is not None:
        return (state.due.seat,)
    return () if state.turn is None else (state.turn.seat,)


def decision_of(state: State, seat: Seat) -> DecisionName | None:
    """Return what *seat* decides now, or None if it owes nothing."""
    if seat not in to_act(state):
        return None
    player = state.players[seat]
    if player.sales is not None:
        return "leftover" if player.sales.slot == LEFTOVER else "sell_or_skip"
    if state.due is not None:
        return _decision_on(state.due, player)
    is_main_done = state.turn is not None and state.turn.is_main_done
    return "after_action" if is_main_done else "choose_action"


def legal_moves(state: State, seat: Seat) -> Moves:  # noqa: C901, PLR0911, PLR0912
    """Return what *seat* may do now, in the order of the rules; nothing if it owes no decision."""
    decision = decision_of(state, seat)
    player, due = state.players[seat], state.due
    match decision:
        case None:
            return ()
        case "sell_or_skip":
            sales = sales_ahead(state, player)
            return (*(Sell(sale.origin, sale.removes) for sale in sales), _SKIP_TOWN)
        case "leftover":
            return (*(_SELL_LEFTOVER[house] for house in _houses(player)), _SKIP_LEFTOVER)
        case "choose_action":
            return (*_main_actions(state, seat), *privilege_moves(state, seat))
        case "after_action":
            return (*privilege_moves(state, seat), _END_TURN)
        case "start_token":
            return _PLACE_START_TOKEN
        case _:
            assert due is not None, "every other decision is on pieces that are due"
    match decision:
        case "start_carriage":
            assert due.house is not None, "the token lies in a house"
            return _PLACE_START_CARRIAGE[HOUSES[due.house].town]
        case "put_token":
            return tuple(_PLACE_TOKEN[house] for house in _houses(player))
        case "put_carriage":
            return tuple(_PLACE_CARRIAGE[road] for road in _roads_for(due, player))
        case "missing_token" | "missing_carriage":
            return (*take_backs(due, player), _FORFEIT)
        case "bonus_carriage":
            if player.supply_carriages:
                places = (_PLACE_CARRIAGE[road] for road in _roads_for(due, player))
                return (*places, _DECLINE)
            return (*take_backs(due, player), _DECLINE)
        case _:
            assert_never(decision)


def sales_ahead(state: State, player: Player) -> tuple[Sale, ...]:
    """Return what *player* can sell in its next slot."""
    slot = player.open_sales.slot
    return () if slot == LEFTOVER else sales_of(player, state.square(slot).house, state.options)


def take_backs(due: Due, player: Player) -> Moves:
    """Return from where a piece can be taken for the one *due* that the supply does not have."""
    # What is to be stored does not come out of the warehouse, and black carriages that wait there
    # are not counted as stored (ruling 25).
    is_in_reach = due.cause != "store" and player.stored(due.kind) > 0
    warehouse = (_WAREHOUSE,) if is_in_reach else ()
    if due.kind == "token":
        # Ruling 14: a token of the house that it would go to is as good as none.
        houses = (house for house in _houses(player) if house != due.house)
        return tuple(_TAKE_BACK_TOKEN[origin] for origin in (*houses, *warehouse))
    roads = dict.fromkeys(player.carriages)
    return tuple(_TAKE_BACK_CARRIAGE[origin] for origin in (*roads, *warehouse))


def privilege_moves(state: State, seat: Seat) -> Moves:
    """Return the privileges that *seat* may use or claim beside its main action."""
    player = state.players[seat]
    if not (player.privileges or player.claims):
        return ()
    return (*_uses(state, seat), *_claims(player))


def seats_selling(state: State) -> tuple[Seat, ...]:
    """Return the seats whose sales are not over, in the order of the month."""
    return tuple(
        seat
        for seat in seats_from(state.starting_seat, state.seats)
        if (sales := state.players[seat].sales) is not None and not sales.is_over
    )


def _decision_on(due: Due, player: Player) -> DecisionName:
    is_token = due.kind == "token"
    if due.cause == "setup":
        return "start_token" if is_token else "start_carriage"
    if due.cause == "bonus" and not due.is_bound:
        return "bonus_carriage"
    if due.cause == "warehouse" or player.supply(due.kind):
        return "put_token" if is_token else "put_carriage"
    return "missing_token" if is_token else "missing_carriage"


def _main_actions(state: State, seat: Seat) -> Iterator[Move]:
    player = state.players[seat]
    purse = player.money + player.discount
    taken = [place for each in state.players for place in each.merchants]
    for slot, square in zip(SLOTS, state.squares, strict=True):
        if square.price <= purse and slot not in taken:
            yield _BUY_IN_TOWN[slot]
    has_expansion = state.options.warehouse_and_privileges
    # Ruling 15: stocking up is never cheaper.
    if not has_expansion and player.tokens and player.money >= STOCK_UP_PRICE:
        yield from _STOCK_UP_ONE
    for card in state.for_sale:
        if MERCHANDISE_CARDS[card].price <= purse:
            yield _BUY_MERCHANDISE_CARD[card]
    yield _TAKE_THALER
    if has_expansion:
        yield from (_STORE[kind] for kind in _KINDS if _can_store(player, kind))
        if _can_stock_up(state, seat):
            yield _STOCK_UP_ALL


def _uses(state: State, seat: Seat) -> Iterator[Move]:
    player = state.players[seat]
    if player.can_use("storage"):
        yield from (_USE_STORAGE[kind] for kind in _KINDS if _can_store(player, kind))
    if player.can_use("stock_up") and _can_stock_up(state, seat):
        yield _USE_STOCK_UP
    if player.can_use("take_thaler"):
        yield _USE_TAKE_THALER


def _claims(player: Player) -> Iterator[Move]:
    if player.claims:
        yield from (_CLAIM[privilege] for privilege in PRIVILEGES if not player.owns(privilege))


def _can_store(player: Player, kind: PieceKind) -> bool:
    # Ruling 27: with an empty supply a piece may come from the board.
    return bool(player.supply(kind) or player.on_board(kind))


def _can_stock_up(state: State, seat: Seat) -> bool:
    # Ruling 26: there have to be pieces, and a house that says where they may go.
    player = state.players[seat]
    stored = player.warehouse_tokens + player.warehouse_carriages + state.waiting_for(seat)
    return bool(player.tokens and stored)


def _roads_for(due: Due, player: Player) -> Roads:
    """Return where a carriage that is *due* may go."""
    if due.house is not None:
        return ROADS_OF[HOUSES[due.house].town]
    return bordering_roads(player.tokens)


def _houses(player: Player) -> Houses:
    """Return the houses with tokens of a seat, each once."""
    return tuple(dict.fromkeys(player.tokens))
