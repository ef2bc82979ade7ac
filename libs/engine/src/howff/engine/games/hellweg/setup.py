"""The opening of a match of Hellweg Westfalicus."""

from howff.engine.games.hellweg.data import MERCHANDISE_CARDS, SHORT_GAME_REMOVES, TRADING_CARDS
from howff.engine.games.hellweg.events import (
    MerchandiseCardsLaidOut,
    StartingPlayerChosen,
    TradingCardsSetAside,
    TradingDeckShuffled,
)
from howff.engine.games.hellweg.evolve import evolve
from howff.engine.games.hellweg.months import place_first_pieces
from howff.engine.games.hellweg.placing import Decision
from howff.engine.games.hellweg.state import AdditionalCarriages, Options, Player, State
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat


def initial(options: Options, seats: int) -> State:
    """Return the state before the opening draws; all options go with all numbers of seats."""
    black = AdditionalCarriages() if options.warehouse_and_privileges else None
    return State(options, seats, players=(Player(),) * seats, additional_carriages=black)


def setup(state: State, rng: Rng) -> Decision:
    """Draw the starting player and the order of the trading cards."""
    decision = Draft(state, evolve)
    starting_seat = Seat(rng.draw("starting player", state.seats))
    decision.add(StartingPlayerChosen(starting_seat))
    cards = (card for card, each in MERCHANDISE_CARDS.items() if each.seats <= state.seats)
    decision.add(MerchandiseCardsLaidOut(tuple(cards)))
    order = rng.shuffle("trading deck", tuple(TRADING_CARDS))
    decision.add(TradingDeckShuffled(order))
    if state.options.short_game:
        decision.add(TradingCardsSetAside(SHORT_GAME_REMOVES, order[:SHORT_GAME_REMOVES]))
    place_first_pieces(decision, starting_seat)
    return decision
