"""What each event does to the state of a match of Hellweg Westfalicus."""

from typing import Any, Literal, assert_never

from howff.engine.games.hellweg.data import (
    CARD_ORDER,
    HOUSE_ORDER,
    PRIVILEGES,
    SLOTS,
    House,
    Privilege,
    Road,
)
from howff.engine.games.hellweg.events import (
    AdditionalCarriagesReceived,
    BonusCarriageDeclined,
    CarriagePlaced,
    CarriageTakenBack,
    Event,
    GameEnded,
    LeftoverSkipped,
    LeftoverSold,
    MerchandiseCardBought,
    MerchandiseCardsLaidOut,
    MerchandiseSold,
    MerchantPlaced,
    MerchantsRetrieved,
    MoneyPaid,
    MoneyReceived,
    MonthBegan,
    PieceForfeited,
    PiecesDue,
    PieceStored,
    PrivilegeClaimEarned,
    PrivilegeReceived,
    PrivilegesRevealed,
    PrivilegeUsed,
    SalesEnded,
    SeatSalesEnded,
    StartingPlayerChosen,
    StartingPlayerPassed,
    TokenPlaced,
    TokenTakenBack,
    TownPassed,
    TradingCardRemoved,
    TradingCardRevealed,
    TradingCardsSetAside,
    TradingDeckShuffled,
    TurnEnded,
    TurnStarted,
    WarehouseEmptied,
)
from howff.engine.games.hellweg.state import (
    LEFTOVER,
    AdditionalCarriages,
    Due,
    HeldPrivilege,
    PieceKind,
    Player,
    Sales,
    Side,
    Slot,
    State,
    Turn,
)
from howff.engine.multisets import without, without_all
from howff.engine.seats import Seat
from howff.engine.values import replace

_NO_SALES = Sales()


def evolve(state: State, event: Event) -> State:  # noqa: C901, PLR0911, PLR0912, PLR0915
    """Return the state after *event*; an event that was recorded is never refused.

    What happens most often is looked for first.
    """
    match event:
        case TownPassed(seat, slot, _):
            return _with_sales(state, seat, slot=_after(slot))
        case TurnStarted(seat, number):
            return replace(state, turn=Turn(seat, number))
        case TurnEnded(seat):
            return replace(_turned(state, seat, "locked", "face_up"), turn=None)
        case MerchantPlaced():
            return _merchant_placed(state, event)
        case PiecesDue(seat, cause, house, tokens, carriages):
            return replace(state, due=Due(seat, cause, house, tokens, carriages))
        case TokenPlaced():
            return _token_placed(state, event)
        case CarriagePlaced():
            return _carriage_placed(state, event)
        case MoneyPaid(seat, amount, _):
            return _with(state, seat, money=state.players[seat].money - amount)
        case SeatSalesEnded(seat):
            return _with_sales(state, seat, is_over=True)
        case MerchandiseSold():
            return _merchandise_sold(state, event)
        case MoneyReceived(seat, amount, _):
            return _with(state, seat, money=state.players[seat].money + amount)
        case TokenTakenBack():
            return _token_taken_back(state, event)
        case CarriageTakenBack():
            return _carriage_taken_back(state, event)
        case PieceForfeited(_, kind):
            return _dealt_with(state, kind)
        case BonusCarriageDeclined():
            return _dealt_with(state, "carriage")
        case PieceStored(seat, kind):
            return _piece_stored(state, seat, kind)
        case WarehouseEmptied():
            return _warehouse_emptied(state, event)
        case LeftoverSold():
            return _leftover_sold(state, event)
        case LeftoverSkipped():
            return state
        case MerchandiseCardBought():
            return _merchandise_card_bought(state, event)
        case PrivilegeUsed(seat, privilege):
            return _turned(state, seat, "face_up", "face_down", (privilege,))
        case PrivilegesRevealed(seat, privileges):
            return _turned(state, seat, "face_down", "locked", privileges)
        case PrivilegeClaimEarned(seat, claims):
            return _with(state, seat, claims=claims)
        case PrivilegeReceived():
            return _privilege_received(state, event)
        case AdditionalCarriagesReceived(seat):
            return replace(state, additional_carriages=AdditionalCarriages(seat))
        case MonthBegan(month, seat):
            return replace(state, month=month, starting_seat=seat)
        case TradingCardRevealed(_, card, _, _):
            players = tuple(replace(player, sales=_NO_SALES) for player in state.players)
            stack = state.stack[1:]
            return replace(state, stage="sales", card=card, stack=stack, players=players)
        case SalesEnded():
            players = tuple(replace(player, sales=None) for player in state.players)
            return replace(state, stage="actions", players=players)
        case MerchantsRetrieved():
            players = tuple(replace(player, merchants=()) for player in state.players)
            return replace(state, players=players)
        case TradingCardRemoved():
            return replace(state, card=None)
        case StartingPlayerChosen(seat) | StartingPlayerPassed(seat):
            return replace(state, starting_seat=seat)
        case MerchandiseCardsLaidOut(cards):
            return replace(state, for_sale=cards)
        case TradingDeckShuffled(order):
            return replace(state, stack=order)
        case TradingCardsSetAside(count, cards):
            return replace(state, stack=state.stack[count:], set_aside=cards)
        case GameEnded(standings):
            return replace(state, stage="finished", standings=standings)
        case _:
            assert_never(event)


def _merchandise_sold(state: State, event: MerchandiseSold) -> State:
    player = state.players[event.seat]
    sales = player.open_sales
    return _with(
        state,
        event.seat,
        money=player.money + event.total,
        supply_tokens=player.supply_tokens + 1,
        supply_carriages=player.supply_carriages + len(event.removes),
        tokens=without(player.tokens, event.origin),
        carriages=without_all(player.carriages, event.removes),
        sales=replace(sales, slot=_after(event.slot), sold=sales.sold + 1),
    )


def _leftover_sold(state: State, event: LeftoverSold) -> State:
    player = state.players[event.seat]
    return _with(
        state,
        event.seat,
        money=player.money + event.total,
        supply_tokens=player.supply_tokens + 1,
        tokens=without(player.tokens, event.origin),
        sales=replace(player.open_sales, sold=1),
    )


def _merchant_placed(state: State, event: MerchantPlaced) -> State:
    assert state.turn is not None, "merchants are placed in a turn"
    merchants = (*state.players[event.seat].merchants, event.place)
    state = _with(state, event.seat, merchants=merchants)
    return replace(state, turn=Turn(event.seat, event.round, is_main_done=True))


def _token_placed(state: State, event: TokenPlaced) -> State:
    player = state.players[event.seat]
    tokens = tuple(sorted((*player.tokens, event.house), key=HOUSE_ORDER.__getitem__))
    from_supply = event.source == "supply"
    supply = player.supply_tokens - from_supply
    state = _with(state, event.seat, tokens=tokens, supply_tokens=supply)
    due = state.due
    assert due is not None, "a piece that is placed was due"
    if due.cause == "setup":
        state = replace(state, due=replace(due, house=event.house))
    return _dealt_with(state, "token")


def _carriage_placed(state: State, event: CarriagePlaced) -> State:
    player = state.players[event.seat]
    from_supply = event.source == "supply"
    state = _with(
        state,
        event.seat,
        money=player.money + event.village_thaler,
        carriages=tuple(sorted((*player.carriages, event.road))),
        supply_carriages=player.supply_carriages - from_supply,
    )
    return _dealt_with(state, "carriage")


def _token_taken_back(state: State, event: TokenTakenBack) -> State:
    player = state.players[event.seat]
    supply = player.supply_tokens + 1
    if event.origin == "warehouse":
        stored = player.warehouse_tokens - 1
        state = _with(state, event.seat, supply_tokens=supply, warehouse_tokens=stored)
    else:
        tokens = without(player.tokens, House(event.origin))
        state = _with(state, event.seat, supply_tokens=supply, tokens=tokens)
    return _bound(state)


def _carriage_taken_back(state: State, event: CarriageTakenBack) -> State:
    player = state.players[event.seat]
    supply = player.supply_carriages + 1
    if event.origin == "warehouse":
        stored = player.warehouse_carriages - 1
        state = _with(state, event.seat, supply_carriages=supply, warehouse_carriages=stored)
    else:
        carriages = without(player.carriages, Road(event.origin))
        state = _with(state, event.seat, supply_carriages=supply, carriages=carriages)
    return _bound(state)


def _piece_stored(state: State, seat: Seat, kind: PieceKind) -> State:
    player = state.players[seat]
    if kind == "token":
        changes = {
            "supply_tokens": player.supply_tokens - 1,
            "warehouse_tokens": player.warehouse_tokens + 1,
        }
    else:
        changes = {
            "supply_carriages": player.supply_carriages - 1,
            "warehouse_carriages": player.warehouse_carriages + 1,
        }
    return _dealt_with(_with(state, seat, **changes), kind)


def _warehouse_emptied(state: State, event: WarehouseEmptied) -> State:
    state = _with(state, event.seat, warehouse_tokens=0, warehouse_carriages=0)
    if event.black:
        black = AdditionalCarriages(event.seat, waiting=0)
        state = replace(state, additional_carriages=black)
    carriages = event.carriages + event.black
    return replace(state, due=Due(event.seat, "warehouse", None, event.tokens, carriages))


def _merchandise_card_bought(state: State, event: MerchandiseCardBought) -> State:
    player = state.players[event.seat]
    cards = tuple(sorted((*player.cards, event.card), key=CARD_ORDER.__getitem__))
    state = _with(state, event.seat, money=player.money - event.paid, cards=cards)
    return replace(state, for_sale=without(state.for_sale, event.card))


def _privilege_received(state: State, event: PrivilegeReceived) -> State:
    held = (*state.players[event.seat].privileges, HeldPrivilege(event.privilege))
    held = tuple(sorted(held, key=lambda each: PRIVILEGES.index(each.privilege)))
    return _with(state, event.seat, privileges=held, claims=event.claims)


def _turned(
    state: State, seat: Seat, side: Side, new: Side, only: tuple[Privilege, ...] = PRIVILEGES
) -> State:
    """Return the state once the privileges of *seat* that lie on one *side* lie on a *new* one."""
    privileges = state.players[seat].privileges
    if not privileges:
        return state
    turned = tuple(
        HeldPrivilege(held.privilege, new) if held.side == side and held.privilege in only else held
        for held in privileges
    )
    return _with(state, seat, privileges=turned)


def _dealt_with(state: State, kind: PieceKind) -> State:
    """Return the state once one piece of a *kind* is due no more."""
    due = state.due
    assert due is not None, "a piece that is dealt with was due"
    tokens = due.tokens - (kind == "token")
    carriages = due.carriages - (kind == "carriage")
    if not (tokens or carriages):
        return replace(state, due=None)
    return replace(state, due=Due(due.seat, due.cause, due.house, tokens, carriages))


def _bound(state: State) -> State:
    assert state.due is not None, "a piece is taken back for one that is due"
    return replace(state, due=replace(state.due, is_bound=True))


def _with(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with *changes* to what *seat* owns."""
    player: Player = replace(state.players[seat], **changes)
    return replace(state, players=state.with_player(seat, player))


def _with_sales(state: State, seat: Seat, **changes: Any) -> State:
    return _with(state, seat, sales=replace(state.players[seat].open_sales, **changes))


def _after(slot: Slot) -> Slot | Literal["leftover"]:
    """Return what a seat stands before once it has dealt with *slot*."""
    return slot + 1 if slot + 1 in SLOTS else LEFTOVER
