"""The entry of Hellweg Westfalicus."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from engine.conformance.entry import Entry
from howff.engine.games.hellweg.data import (
    BLACK_CARRIAGES,
    CARRIAGES,
    MERCHANDISE_CARDS,
    PRIVILEGES,
    TOKENS,
)
from howff.engine.games.hellweg.events import StartingPlayerChosen, TradingCardRevealed
from howff.engine.games.hellweg.state import State
from howff.engine.seats import Seat, Viewer


def _has_all_pieces(state: State) -> bool:
    for seat, player in enumerate(state.players):
        is_in_hand = state.due is not None and state.due.cause == "warehouse"
        due = state.due if is_in_hand and state.due and state.due.seat == seat else None
        tokens = player.supply_tokens + len(player.tokens) + player.warehouse_tokens
        carriages = player.supply_carriages + len(player.carriages) + player.warehouse_carriages
        black = state.additional_carriages
        entered = black is not None and black.owner == seat and black.waiting == 0
        if tokens + (due.tokens if due else 0) != TOKENS:
            return False
        if carriages + (due.carriages if due else 0) != CARRIAGES + BLACK_CARRIAGES * entered:
            return False
    return True


def _has_all_merchandise_cards(state: State) -> bool:
    cards = [*state.for_sale, *(card for player in state.players for card in player.cards)]
    return not state.stack or Counter(cards) == Counter(
        card for card, record in MERCHANDISE_CARDS.items() if record.seats <= state.seats
    )


def _owes_nothing(state: State) -> bool:
    return all(player.money >= 0 for player in state.players)


def _has_one_merchant_a_slot(state: State) -> bool:
    slots = [place for player in state.players for place in player.merchants if place != "market"]
    return len(slots) == len(set(slots))


def _keeps_within_three_privileges(state: State) -> bool:
    for seat, player in enumerate(state.players):
        owned = [held.privilege for held in player.privileges]
        if len(owned) != len(set(owned)) or len(owned) + player.claims > len(PRIVILEGES):
            return False
        has_turn = state.turn is not None and state.turn.seat == Seat(seat)
        if not has_turn and any(held.side == "locked" for held in player.privileges):
            return False
    return True


def _uncovers(event: Any, _viewer: Viewer) -> bool:
    return isinstance(event, StartingPlayerChosen | TradingCardRevealed)


def _measure(final: State, happened: Counter[str]) -> Mapping[str, float]:
    assert final.standings is not None, "the match is over"
    return {
        "sales": happened["MerchandiseSold"],
        "leftovers": happened["LeftoverSold"],
        "cards bought": happened["MerchandiseCardBought"],
        "privileges": happened["PrivilegeReceived"],
        "black carriages": happened["AdditionalCarriagesReceived"],
        "winning score": max(standing.score for standing in final.standings),
        "shared victories": sum(standing.rank == 1 for standing in final.standings) > 1,
    }


_WAREHOUSE: Final = {"warehouse_and_privileges": True}
_PASSENGERS: Final = {"passenger_transportation": True}
_SHORT: Final = {"short_game": True}
_SIMULTANEOUS: Final = {"simultaneous_sales": True}


ENTRY: Final = Entry(
    # Each module alone and both together; `test_every_option` plays all sets with all seats.
    options=lambda _seats: (
        _WAREHOUSE,
        _PASSENGERS,
        _WAREHOUSE | _PASSENGERS,
        _SHORT,
        _SIMULTANEOUS,
        _WAREHOUSE | _PASSENGERS | _SHORT | _SIMULTANEOUS,
    ),
    invariants=(
        _has_all_pieces,
        _has_all_merchandise_cards,
        _owes_nothing,
        _has_one_merchant_a_slot,
        _keeps_within_three_privileges,
    ),
    uncovers=_uncovers,
    uncovered_fields={StartingPlayerChosen: ("seat",), TradingCardRevealed: ("card", "slots")},
    measure=_measure,
    expected={2: {"moves": 130}, 4: {"moves": 240}},
)
