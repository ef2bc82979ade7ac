"""One line for each move of Hellweg Westfalicus."""

from typing import assert_never

from howff.engine.games.hellweg.data import (
    MERCHANDISE_CARDS,
    STOCK_UP_PRICE,
    Privilege,
    Square,
)
from howff.engine.games.hellweg.event_lines import leftover_text, sale_text
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
from howff.engine.games.hellweg.selling import Market, leftover_sold, merchandise_sold, sales_of
from howff.engine.games.hellweg.state import Due, Player
from howff.engine.games.hellweg.view import View
from howff.engine.games.hellweg.wording import (
    PRIVILEGE_NAMES,
    card_text,
    described_road,
    goods_text,
    house_text,
    origin_text,
    pieces_text,
    privileges_text,
    purchase_text,
    thaler,
)
from howff.engine.seats import Seat


def move_line(view: View, seat: Seat, move: Move) -> str:  # noqa: C901, PLR0911, PLR0912, PLR0915
    """Return what *seat* does with *move*, without its name."""
    player = view.players[seat]
    match move:
        case PlaceStartToken(house) | PlaceToken(house):
            return f"puts a token on {house_text(house)}"
        case PlaceStartCarriage(road) | PlaceCarriage(road):
            return f"puts a carriage on {described_road(road)}"
        case Sell():
            return _sale(view, seat, move)
        case SkipTown():
            return f"sells no {goods_text(_wanted(view, player).house)}"
        case SellLeftover(origin):
            return leftover_text(leftover_sold(_market(view), seat, player, origin))
        case SkipLeftover():
            return "sells nothing in this month"
        case BuyInTown(slot):
            square = _square(view, slot)
            return f"buys {purchase_text(square)} for {thaler(square.price - player.discount)}"
        case StockUpOne(kind):
            return f"stocks up a {kind} for {thaler(STOCK_UP_PRICE)}"
        case BuyMerchandiseCard(card):
            price = MERCHANDISE_CARDS[card].price - player.discount
            return f"buys {card_text(card)} for {thaler(price)}"
        case TakeThaler():
            return f"takes a Thaler{_turning_up(player)}"
        case Store(kind):
            return f"stores a {kind}"
        case StockUpAll():
            return f"stocks up with {_warehouse(view, seat)}"
        case UsePrivilegeStorage(kind):
            return f"stores a {kind} by privilege"
        case UsePrivilegeStockUp():
            return f"stocks up by privilege with {_warehouse(view, seat)}"
        case UsePrivilegeTakeThaler():
            return f"takes a Thaler by privilege{_turning_up(player)}"
        case ClaimPrivilege(privilege):
            return f"chooses the privilege of {PRIVILEGE_NAMES[privilege]}"
        case TakeBackToken(origin):
            return f"takes a token back from {origin_text(origin)}"
        case TakeBackCarriage(origin):
            return f"takes a carriage back from {origin_text(origin)}"
        case ForfeitPiece():
            return f"does without the {_due(view).kind}"
        case DeclineBonusCarriage():
            return "does without the bonus carriage"
        case EndTurn():
            return "ends the turn"
        case _:
            assert_never(move)


def _sale(view: View, seat: Seat, move: Sell) -> str:
    """Return what *move* will be told as, with all that it brings."""
    market, player = _market(view), view.players[seat]
    sales = sales_of(player, _wanted(view, player).house, view.options)
    sale = next(each for each in sales if Sell(each.origin, each.removes) == move)
    return sale_text(merchandise_sold(market, seat, player, player.open_sales.next_slot, sale))


def _market(view: View) -> Market:
    assert view.card is not None, "goods are sold for an open card"
    return Market(view.card.slots, view.options, view.card.is_last)


def _turning_up(player: Player) -> str:
    """Return which privileges come up again when *player* takes a Thaler."""
    used: tuple[Privilege, ...] = tuple(
        held.privilege for held in player.privileges if held.side == "face_down"
    )
    return f" and turns up {privileges_text(used)}" if used else ""


def _warehouse(view: View, seat: Seat) -> str:
    player, black = view.players[seat], view.additional_carriages
    waiting = black.waiting if black is not None and black.owner == seat else 0
    pieces = pieces_text(player.warehouse_tokens, player.warehouse_carriages, waiting)
    return f"{pieces} out of the warehouse"


def _due(view: View) -> Due:
    assert view.due is not None, "a piece that is forfeited was due"
    return view.due


def _wanted(view: View, player: Player) -> Square:
    """Return the square on which *player* may sell next."""
    return _square(view, player.open_sales.next_slot)


def _square(view: View, slot: int) -> Square:
    assert view.card is not None, "a square is one of an open card"
    return view.card.slots[slot - 1]
