"""What a viewer may know of a state of Hellweg Westfalicus: all but the trading cards to come.

It is the same for every seat and for spectators. Cards of earlier months lie face down, so they
are no part of it, although what they were can be remembered.
"""

from dataclasses import dataclass

from howff.engine.games.hellweg.data import TRADING_CARDS, MerchandiseCard, Square, TradingCard
from howff.engine.games.hellweg.legality import DecisionName, decision_of, to_act
from howff.engine.games.hellweg.state import (
    AdditionalCarriages,
    Due,
    Options,
    Player,
    Stage,
    Standing,
    State,
    Turn,
    months_of,
)
from howff.engine.seats import Seat, Viewer


@dataclass(frozen=True, slots=True)
class OpenCard:
    """The trading card that lies open; slot 1 is the first of its squares."""

    card: TradingCard
    slots: tuple[Square, ...]
    is_last: bool


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """What a seat decides now."""

    seat: Seat
    decision: DecisionName


@dataclass(frozen=True, slots=True)
class View:
    """A state as anybody may know it."""

    options: Options
    stage: Stage
    starting_seat: Seat
    month: int
    months: int
    """How many the match has."""
    card: OpenCard | None
    cards_left: int
    """How many trading cards the stack holds."""
    players: tuple[Player, ...]
    for_sale: tuple[MerchandiseCard, ...]
    decisions: tuple[OpenDecision, ...]
    turn: Turn | None
    due: Due | None
    additional_carriages: AdditionalCarriages | None
    standings: tuple[Standing, ...] | None
    set_aside: tuple[TradingCard, ...] | None
    """What a short game did without, once the match has ended."""


def view(state: State, viewer: Viewer) -> View:
    """Return what *viewer* may know of *state*."""
    del viewer
    return View(
        options=state.options,
        stage=state.stage,
        starting_seat=state.starting_seat,
        month=state.month,
        months=months_of(state.options),
        card=_open_card(state),
        cards_left=len(state.stack),
        players=state.players,
        for_sale=state.for_sale,
        decisions=_decisions(state),
        turn=state.turn,
        due=state.due,
        additional_carriages=state.additional_carriages,
        standings=state.standings,
        set_aside=None if state.standings is None else state.set_aside,
    )


def _open_card(state: State) -> OpenCard | None:
    if state.card is None:
        return None
    return OpenCard(state.card, TRADING_CARDS[state.card], state.is_last_month)


def _decisions(state: State) -> tuple[OpenDecision, ...]:
    return tuple(
        OpenDecision(seat, decision)
        for seat in to_act(state)
        if (decision := decision_of(state, seat)) is not None
    )
