"""Dealing with pieces that are due: what is placed, stored or forfeited without a choice."""

from howff.engine.games.hellweg.data import (
    BLACK_ROUTE,
    PRIVILEGE_ROUTES,
    PRIVILEGES,
    ROADS,
    VILLAGE_THALER,
    House,
    Road,
)
from howff.engine.games.hellweg.events import (
    AdditionalCarriagesReceived,
    CarriagePlaced,
    Event,
    PieceForfeited,
    PieceStored,
    PrivilegeReceived,
    TokenPlaced,
)
from howff.engine.games.hellweg.legality import take_backs
from howff.engine.games.hellweg.network import is_connected
from howff.engine.games.hellweg.state import Due, Source, State
from howff.engine.play import Draft
from howff.engine.seats import Seat

Decision = Draft[State, Event]


def settle(decision: Decision) -> None:
    """Deal with the pieces that are due as long as nobody has a choice."""
    while (event := _without_choice(decision.state)) is not None:
        decision.add(event)


def place_token(decision: Decision, seat: Seat, house: House) -> None:
    """Put the token that is due on a house."""
    decision.add(TokenPlaced(seat, house, _source(decision.state)))


def place_carriage(decision: Decision, seat: Seat, road: Road) -> None:
    """Put the carriage that is due on a road, with all that the road brings."""
    village_thaler = VILLAGE_THALER * ROADS[road].village
    decision.add(CarriagePlaced(seat, road, _source(decision.state), village_thaler))
    if decision.state.options.warehouse_and_privileges:
        _receive_privileges(decision, seat)
        _receive_additional_carriages(decision, seat)


def _without_choice(state: State) -> Event | None:
    """Return what happens to the next piece due; None if its seat has a choice, or none is due."""
    due = state.due
    if due is None or due.cause in {"setup", "bonus", "warehouse"}:
        return None
    player = state.players[due.seat]
    if player.supply(due.kind):
        return _from_supply(due)
    return None if take_backs(due, player) else PieceForfeited(due.seat, due.kind)


def _from_supply(due: Due) -> Event | None:
    if due.cause == "store":
        return PieceStored(due.seat, due.kind)
    if due.kind == "token" and due.house is not None:
        return TokenPlaced(due.seat, due.house, "supply")
    return None


def _source(state: State) -> Source:
    return "hand" if state.due is not None and state.due.cause == "warehouse" else "supply"


def _receive_privileges(decision: Decision, seat: Seat) -> None:
    for privilege, route in PRIVILEGE_ROUTES.items():
        player = decision.state.players[seat]
        if not player.owns(privilege) and is_connected(player.carriages, route):
            owned = len(player.privileges) + 1
            claims = min(player.claims, len(PRIVILEGES) - owned)
            decision.add(PrivilegeReceived(seat, privilege, "route", claims))


def _receive_additional_carriages(decision: Decision, seat: Seat) -> None:
    black = decision.state.additional_carriages
    carriages = decision.state.players[seat].carriages
    if black is not None and black.owner is None and is_connected(carriages, BLACK_ROUTE):
        decision.add(AdditionalCarriagesReceived(seat))
