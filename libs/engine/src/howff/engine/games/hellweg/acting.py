"""The main actions and the privileges, which are the same actions without a merchant."""

from howff.engine.games.hellweg.data import (
    HOUSES,
    MERCHANDISE_CARDS,
    PRIVILEGES,
    STOCK_UP_PRICE,
    TAKEN_THALER,
    MerchandiseCard,
    Privilege,
)
from howff.engine.games.hellweg.events import (
    MerchandiseCardBought,
    MerchantPlaced,
    MoneyPaid,
    MoneyReceived,
    PiecesDue,
    PrivilegeClaimEarned,
    PrivilegeReceived,
    PrivilegesRevealed,
    PrivilegeUsed,
    WarehouseEmptied,
)
from howff.engine.games.hellweg.placing import Decision
from howff.engine.games.hellweg.state import PieceKind, Place, Player
from howff.engine.seats import Seat


def buy_in_town(decision: Decision, seat: Seat, slot: int) -> None:
    """Send a merchant to a slot, and buy its pieces."""
    square = decision.state.square(slot)
    price = square.price - decision.state.players[seat].discount
    _place_merchant(decision, seat, slot)
    decision.add(MoneyPaid(seat, price, "purchase"))
    decision.add(PiecesDue(seat, "purchase", square.house, square.tokens, square.carriages))


def stock_up_one(decision: Decision, seat: Seat, kind: PieceKind) -> None:
    """Pay for one piece."""
    decision.add(MoneyPaid(seat, STOCK_UP_PRICE, "stock_up"))
    decision.add(PiecesDue(seat, "stock_up", None, int(kind == "token"), int(kind == "carriage")))


def buy_merchandise_card(decision: Decision, seat: Seat, card: MerchandiseCard) -> None:
    """Buy a card, which brings a carriage, and with the expansion often a claim."""
    # The discount is that of the other merchant: the price is settled before this one goes.
    price = MERCHANDISE_CARDS[card].price - decision.state.players[seat].discount
    go_to_market(decision, seat)
    decision.add(MerchandiseCardBought(seat, card, price))
    player = decision.state.players[seat]
    if decision.state.options.warehouse_and_privileges and _earns_claim(player, card):
        decision.add(PrivilegeClaimEarned(seat, player.claims + 1))
    if player.tokens:
        decision.add(PiecesDue(seat, "bonus", None, tokens=0, carriages=1))


def take_thaler(decision: Decision, seat: Seat, *, reveals: tuple[Privilege, ...]) -> None:
    """Take a Thaler, and turn up those privileges of *reveals* that were used."""
    decision.add(MoneyReceived(seat, TAKEN_THALER, "take_thaler"))
    used: tuple[Privilege, ...] = tuple(
        held.privilege
        for held in decision.state.players[seat].privileges
        if held.side == "face_down" and held.privilege in reveals
    )
    if used:
        decision.add(PrivilegesRevealed(seat, used))


def store(decision: Decision, seat: Seat, kind: PieceKind) -> None:
    """Put a piece into the warehouse."""
    decision.add(PiecesDue(seat, "store", None, int(kind == "token"), int(kind == "carriage")))


def stock_up_all(decision: Decision, seat: Seat) -> None:
    """Take all pieces out of the warehouse; each has to be placed."""
    player = decision.state.players[seat]
    # Ruling 24: black carriages received while these are placed come with the next ones.
    black = decision.state.waiting_for(seat)
    decision.add(WarehouseEmptied(seat, player.warehouse_tokens, player.warehouse_carriages, black))


def go_to_market(decision: Decision, seat: Seat) -> None:
    """Send a merchant to the market: the main action of the turn is under way."""
    _place_merchant(decision, seat, "market")


def use_privilege(decision: Decision, seat: Seat, privilege: Privilege) -> None:
    """Turn a privilege face down, before its action."""
    decision.add(PrivilegeUsed(seat, privilege))


def claim_privilege(decision: Decision, seat: Seat, privilege: Privilege) -> None:
    """Receive a privilege for a merchandise card bought."""
    claims = decision.state.players[seat].claims - 1
    decision.add(PrivilegeReceived(seat, privilege, "card", claims))


def _place_merchant(decision: Decision, seat: Seat, place: Place) -> None:
    turn = decision.state.turn
    assert turn is not None, "merchants are placed in a turn"
    town = None if place == "market" else HOUSES[decision.state.square(place).house].town
    decision.add(MerchantPlaced(seat, turn.round, place, town))


def _earns_claim(player: Player, card: MerchandiseCard) -> bool:
    can_claim = len(player.privileges) + player.claims < len(PRIVILEGES)
    return MERCHANDISE_CARDS[card].privilege and can_claim
