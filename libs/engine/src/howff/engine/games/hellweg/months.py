"""The course of a match: placing the first pieces, and the months with sales and actions."""

from howff.engine.games.hellweg.data import MERCHANTS, PLACEMENT_ROUNDS, TRADING_CARDS
from howff.engine.games.hellweg.events import (
    GameEnded,
    MerchantsRetrieved,
    MonthBegan,
    PiecesDue,
    SalesEnded,
    SeatSalesEnded,
    StartingPlayerPassed,
    TownPassed,
    TradingCardRemoved,
    TradingCardRevealed,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.hellweg.legality import privilege_moves, sales_ahead, seats_selling
from howff.engine.games.hellweg.placing import Decision, settle
from howff.engine.games.hellweg.scoring import standings
from howff.engine.games.hellweg.state import LEFTOVER
from howff.engine.seats import Seat


def go_on(decision: Decision, seat: Seat) -> None:
    """Do everything after a move of *seat* that leaves nobody a choice."""
    settle(decision)
    state = decision.state
    if state.due is not None:
        return
    if state.stage == "setup":
        place_first_pieces(decision, state.next_seat(seat))
    elif state.stage == "sales":
        _go_on_selling(decision)
    elif state.turn is not None and state.turn.is_main_done and not privilege_moves(state, seat):
        end_turn(decision, seat)


def place_first_pieces(decision: Decision, seat: Seat) -> None:
    """Let *seat* place its next token and carriage, or begin the first month."""
    state = decision.state
    placed = len(state.players[seat].tokens)
    if placed == PLACEMENT_ROUNDS:
        _start_month(decision, 1, seat)
        return
    has_carriage = placed == 0 or not state.options.warehouse_and_privileges
    decision.add(PiecesDue(seat, "setup", None, tokens=1, carriages=int(has_carriage)))


def end_turn(decision: Decision, seat: Seat) -> None:
    """End the turn of *seat*; the next one begins, or the next month."""
    state = decision.state
    assert state.turn is not None, "a turn that ends has begun"
    number, following = state.turn.round, state.next_seat(seat)
    decision.add(TurnEnded(seat))
    if following == state.starting_seat:
        number += 1
    if number > MERCHANTS:
        _end_month(decision)
    else:
        decision.add(TurnStarted(following, number))


def _start_month(decision: Decision, number: int, starting_seat: Seat) -> None:
    decision.add(MonthBegan(number, starting_seat))
    card, *left = decision.state.stack
    decision.add(TradingCardRevealed(number, card, TRADING_CARDS[card], last=not left))
    _go_on_selling(decision)


def _end_month(decision: Decision) -> None:
    month = decision.state.month
    following = decision.state.next_seat(decision.state.starting_seat)
    decision.add(MerchantsRetrieved(month))
    decision.add(TradingCardRemoved(month))
    decision.add(StartingPlayerPassed(following))
    _start_month(decision, month + 1, following)


def _go_on_selling(decision: Decision) -> None:
    """Bring the seats to their next choices, one after the other or all at once."""
    for seat in seats_selling(decision.state):
        is_waiting = not _pass_by(decision, seat)
        if is_waiting and not decision.state.options.simultaneous_sales:
            return
    if not seats_selling(decision.state):
        _end_sales(decision)


def _pass_by(decision: Decision, seat: Seat) -> bool:
    """Bring *seat* to its next choice; return whether its sales ended without one."""
    while True:
        player = decision.state.players[seat]
        slot = player.open_sales.slot
        if slot == LEFTOVER:
            break
        if sales_ahead(decision.state, player):
            return False
        decision.add(TownPassed(seat, slot, forced=True))
    if not player.open_sales.sold and player.tokens:
        return False
    decision.add(SeatSalesEnded(seat))
    return True


def _end_sales(decision: Decision) -> None:
    state = decision.state
    decision.add(SalesEnded(state.month))
    if state.is_last_month:
        decision.add(GameEnded(standings(state.players)))
        return
    decision.add(TurnStarted(state.starting_seat, 1))
