"""What a legal move causes in a match of Hellweg Westfalicus."""

from typing import assert_never

from howff.engine.games.hellweg.acting import (
    buy_in_town,
    buy_merchandise_card,
    claim_privilege,
    go_to_market,
    stock_up_all,
    stock_up_one,
    store,
    take_thaler,
    use_privilege,
)
from howff.engine.games.hellweg.data import PRIVILEGES
from howff.engine.games.hellweg.events import (
    BonusCarriageDeclined,
    CarriageTakenBack,
    LeftoverSkipped,
    PieceForfeited,
    SeatSalesEnded,
    TokenTakenBack,
    TownPassed,
)
from howff.engine.games.hellweg.evolve import evolve
from howff.engine.games.hellweg.legality import sales_ahead
from howff.engine.games.hellweg.months import end_turn, go_on
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
from howff.engine.games.hellweg.placing import Decision, place_carriage, place_token
from howff.engine.games.hellweg.selling import leftover_sold, market_of, merchandise_sold
from howff.engine.games.hellweg.state import State
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat


def decide(  # noqa: C901, PLR0912, PLR0915
    state: State, seat: Seat, move: Move, rng: Rng
) -> Decision:
    """Return what *move* causes; it is one of the legal moves of *seat*, and draws no luck.

    What happens most often is asked for first.
    """
    del rng
    decision = Draft(state, evolve)
    match move:
        case Sell():
            _sell(decision, seat, move)
        case SkipTown():
            slot = state.players[seat].open_sales.next_slot
            decision.add(TownPassed(seat, slot, forced=False))
        case BuyInTown(slot):
            buy_in_town(decision, seat, slot)
        case PlaceCarriage(road) | PlaceStartCarriage(road):
            place_carriage(decision, seat, road)
        case PlaceToken(house) | PlaceStartToken(house):
            place_token(decision, seat, house)
        case TakeThaler():
            go_to_market(decision, seat)
            take_thaler(decision, seat, reveals=PRIVILEGES)
        case StockUpOne(kind):
            go_to_market(decision, seat)
            stock_up_one(decision, seat, kind)
        case BuyMerchandiseCard(card):
            buy_merchandise_card(decision, seat, card)
        case Store(kind):
            go_to_market(decision, seat)
            store(decision, seat, kind)
        case StockUpAll():
            go_to_market(decision, seat)
            stock_up_all(decision, seat)
        case UsePrivilegeStorage(kind):
            use_privilege(decision, seat, "storage")
            store(decision, seat, kind)
        case UsePrivilegeStockUp():
            use_privilege(decision, seat, "stock_up")
            stock_up_all(decision, seat)
        case UsePrivilegeTakeThaler():
            use_privilege(decision, seat, "take_thaler")
            # Ruling 21: it does not turn itself up.
            take_thaler(decision, seat, reveals=("storage", "stock_up"))
        case ClaimPrivilege(privilege):
            claim_privilege(decision, seat, privilege)
        case TakeBackToken(origin):
            decision.add(TokenTakenBack(seat, origin))
        case TakeBackCarriage(origin):
            decision.add(CarriageTakenBack(seat, origin))
        case ForfeitPiece():
            _forfeit(decision, seat)
        case DeclineBonusCarriage():
            decision.add(BonusCarriageDeclined(seat))
        case SellLeftover(origin):
            decision.add(leftover_sold(market_of(state), seat, state.players[seat], origin))
            decision.add(SeatSalesEnded(seat))
        case SkipLeftover():
            decision.add(LeftoverSkipped(seat))
            decision.add(SeatSalesEnded(seat))
        case EndTurn():
            end_turn(decision, seat)
            return decision
        case _:
            assert_never(move)
    go_on(decision, seat)
    return decision


def _sell(decision: Decision, seat: Seat, move: Sell) -> None:
    state = decision.state
    player = state.players[seat]
    sales = sales_ahead(state, player)
    sale = next(each for each in sales if Sell(each.origin, each.removes) == move)
    slot = player.open_sales.next_slot
    decision.add(merchandise_sold(market_of(state), seat, player, slot, sale))


def _forfeit(decision: Decision, seat: Seat) -> None:
    due = decision.state.due
    assert due is not None, "a piece that is forfeited was due"
    decision.add(PieceForfeited(seat, due.kind))
