"""One line for each event of Hellweg Westfalicus, as told to a viewer."""

from typing import assert_never

from howff.engine.game import Names
from howff.engine.games.hellweg.data import BLACK_ROUTE, HOUSES, PRIVILEGE_ROUTES, TradingCard
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
from howff.engine.games.hellweg.state import Standing
from howff.engine.games.hellweg.wording import (
    PRIVILEGE_NAMES,
    card_text,
    goods_text,
    house_text,
    origin_text,
    pieces_text,
    privileges_text,
    road_text,
    roads_text,
    route_text,
    square_text,
    thaler,
    town_of,
    town_text,
    trading_card_number,
    trading_card_text,
)
from howff.engine.visibility import told
from howff.engine.words import counted, listed


def event_line(event: Event, names: Names) -> str:  # noqa: C901, PLR0911, PLR0912, PLR0915
    """Return what happened in *event*, which may hold sealed fields."""
    match event:
        case StartingPlayerChosen(seat):
            return f"{names[seat]} gets the starting player card"
        case MerchandiseCardsLaidOut(cards):
            return f"For sale are {listed(list(map(card_text, cards)))}"
        case TradingDeckShuffled(order):
            return f"The trading cards are shuffled{_told_cards(told(order))}"
        case TradingCardsSetAside(count, cards):
            return f"{count} trading cards leave the match unseen{_told_cards(told(cards))}"
        case MonthBegan(month, seat):
            return f"Month {month} begins, {names[seat]} is first"
        case TradingCardRevealed():
            return _revealed(event)
        case TownPassed(seat, slot, forced):
            verb = "can sell nothing" if forced else "sells nothing"
            return f"{names[seat]} {verb} on square {slot}"
        case MerchandiseSold(seat):
            return f"{names[seat]} {sale_text(event)}"
        case LeftoverSold(seat):
            return f"{names[seat]} {leftover_text(event)}"
        case LeftoverSkipped(seat):
            return f"{names[seat]} sells nothing in this month"
        case SeatSalesEnded(seat):
            return f"{names[seat]} has no more sales"
        case SalesEnded(month):
            return f"The sales of month {month} are over"
        case TurnStarted(seat, number):
            return f"{names[seat]} begins a turn, round {number}"
        case MerchantPlaced(seat, _, _, town):
            where = "the market" if town is None else town_text(town)
            return f"{names[seat]} sends a merchant to {where}"
        case MoneyPaid(seat, amount):
            return f"{names[seat]} pays {thaler(amount)}"
        case MoneyReceived(seat, amount):
            return f"{names[seat]} takes {thaler(amount)}"
        case MerchandiseCardBought(seat, card, paid):
            return f"{names[seat]} buys {card_text(card)} for {thaler(paid)}"
        case PiecesDue(seat):
            return f"{names[seat]} {_pieces_due(event)}"
        case TokenPlaced(seat, house, _):
            return f"{names[seat]} puts a token on {house_text(house)}"
        case CarriagePlaced(seat, road, _, village_thaler):
            gain = f" and gets {thaler(village_thaler)}" if village_thaler else ""
            return f"{names[seat]} puts a carriage on {road_text(road)}{gain}"
        case TokenTakenBack(seat, origin):
            return f"{names[seat]} takes a token back from {origin_text(origin)}"
        case CarriageTakenBack(seat, origin):
            return f"{names[seat]} takes a carriage back from {origin_text(origin)}"
        case PieceForfeited(seat, kind):
            return f"{names[seat]} does without the {kind}"
        case BonusCarriageDeclined(seat):
            return f"{names[seat]} does without the bonus carriage"
        case PieceStored(seat, kind):
            return f"{names[seat]} stores a {kind}"
        case WarehouseEmptied(seat, tokens, carriages, black):
            pieces = pieces_text(tokens, carriages, black)
            return f"{names[seat]} takes {pieces} out of the warehouse"
        case PrivilegeClaimEarned(seat, claims):
            return f"{names[seat]} may choose {counted(claims, 'privilege')}"
        case PrivilegeReceived(seat, privilege, by, _):
            routes = f"joining {route_text(PRIVILEGE_ROUTES[privilege])}"
            why = "a merchandise card" if by == "card" else routes
            return f"{names[seat]} gets the privilege of {PRIVILEGE_NAMES[privilege]} for {why}"
        case PrivilegeUsed(seat, privilege):
            return f"{names[seat]} uses the privilege of {PRIVILEGE_NAMES[privilege]}"
        case PrivilegesRevealed(seat, privileges):
            turned = privileges_text(privileges)
            return f"{names[seat]} turns up {turned}, to be used from the next turn on"
        case AdditionalCarriagesReceived(seat):
            why = f"joining {route_text(BLACK_ROUTE)}"
            return f"{names[seat]} gets the 2 black carriages for {why}"
        case TurnEnded(seat):
            return f"{names[seat]} ends the turn"
        case MerchantsRetrieved():
            return "All merchants come back"
        case TradingCardRemoved(month):
            return f"The trading card of month {month} is turned face down"
        case StartingPlayerPassed(seat):
            return f"The starting player card goes to {names[seat]}"
        case GameEnded(standings):
            return _ending(standings, names)
        case _:
            assert_never(event)


def sale_text(sold: MerchandiseSold) -> str:
    """Return what a seat sells, for what, and the roads that this clears."""
    origin = HOUSES[sold.origin].town
    carried = "" if origin == sold.town else f" from {town_text(origin)}"
    goods = f"{sold.merchandise}{carried} in {town_text(sold.town)}"
    cleared = f", clearing {roads_text(sold.removes)}" if sold.removes else ""
    return f"sells {goods} for {_payment(sold)}{cleared}"


def leftover_text(sold: LeftoverSold) -> str:
    """Return what a seat without any sale sells after all, and for what."""
    return f"sells leftover {goods_text(sold.origin)} for {_payment(sold)}"


def _payment(sold: MerchandiseSold | LeftoverSold) -> str:
    """Return what a sale brings, and of what that is made if it is more than the price."""
    bonuses = [(f"for {sold.merchandise}", sold.type_bonus)]
    if isinstance(sold, MerchandiseSold):
        bonuses.append(("for carriages removed", sold.removal_bonus))
        bonuses.append(("for passengers", sold.passenger_bonus))
    bonuses.append(("for the last card", sold.last_card_bonus))
    more = [f"{bonus} {why}" for why, bonus in bonuses if bonus]
    made_of = f" ({listed([str(sold.price), *more])})" if more else ""
    return f"{thaler(sold.total)}{made_of}"


def _pieces_due(event: PiecesDue) -> str:
    if event.cause == "bonus":
        return "may place a bonus carriage"
    where = "" if event.house is None else f" in {town_of(event.house)}"
    verb = "store" if event.cause == "store" else "place"
    return f"has {pieces_text(event.tokens, event.carriages)} to {verb}{where}"


def _told_cards(cards: tuple[TradingCard, ...] | None) -> str:
    return (
        "" if cards is None else f": {listed([str(trading_card_number(each)) for each in cards])}"
    )


def _revealed(event: TradingCardRevealed) -> str:
    last = ", the last one" if event.last else ""
    slots = told(event.slots)
    asked = "" if slots is None else f": {', '.join(map(square_text, slots))}"
    return f"Month {event.month} turns up {trading_card_text(told(event.card))}{last}{asked}"


def _ending(standings: tuple[Standing, ...], names: Names) -> str:
    winners = [name for name, each in zip(names, standings, strict=True) if each.rank == 1]
    verb = "wins" if len(winners) == 1 else "share the win"
    scores = [
        f"{name} {each.score} ({each.money} and {each.card_value} for cards)"
        for name, each in zip(names, standings, strict=True)
    ]
    return f"The match is over, {listed(winners)} {verb}: {listed(scores)}"
