"""What the judgement of a position of Hellweg Westfalicus depends on."""

from dataclasses import dataclass

from howff.bots.policies.games.hellweg.reach import Demand, demand
from howff.engine.games.hellweg.data import SLOTS, MerchandiseCard, TradingCard
from howff.engine.games.hellweg.state import LEFTOVER, Due, Player, State
from howff.engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Position:
    """What the judgement of a seat depends on; searches meet the same again and again."""

    player: Player
    stack: frozenset[TradingCard]
    card: TradingCard | None
    for_sale: tuple[MerchandiseCard, ...]
    due: Due | None
    """What the seat has to deal with."""
    is_acting: bool
    """Whether this is the time of actions."""
    has_expansion: bool
    waiting: int
    """How many black carriages wait for the seat."""

    @property
    def demand(self) -> Demand:
        """Where the seat may still sell."""
        sales = self.player.sales
        if sales is None or sales.is_over or sales.slot == LEFTOVER:
            return demand(self.stack, None, None)
        return demand(self.stack, self.card, sales.next_slot)

    @property
    def demand_after(self) -> Demand:
        """Where the seat may sell once it has decided on the slot that it stands before."""
        sales = self.player.sales
        if sales is None or sales.slot == LEFTOVER or sales.next_slot + 1 not in SLOTS:
            return demand(self.stack, None, None)
        return demand(self.stack, self.card, sales.next_slot + 1)


def position_of(state: State, seat: Seat) -> Position:
    """Return the position of *seat*."""
    due = state.due
    return Position(
        player=state.players[seat],
        stack=frozenset(state.stack),
        card=state.card,
        for_sale=state.for_sale,
        due=due if due is not None and due.seat == seat else None,
        is_acting=state.stage == "actions",
        has_expansion=state.options.warehouse_and_privileges,
        waiting=state.waiting_for(seat),
    )
