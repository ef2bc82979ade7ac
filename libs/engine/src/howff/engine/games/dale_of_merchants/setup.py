"""The opening of a match of Dale of Merchants."""

from howff.engine.errors import WrongOptionError
from howff.engine.games.dale_of_merchants.data import (
    CARDS,
    FEWEST_ROUNDS,
    HAND,
    MOST_ROUNDS,
    SETS,
    START_CARDS,
    Cards,
    SetId,
    market_cards,
    start_deck,
)
from howff.engine.games.dale_of_merchants.events import (
    CardsRemoved,
    GameStarted,
    MarketDeckShuffled,
    PlayerDeckShuffled,
    TurnStarted,
)
from howff.engine.games.dale_of_merchants.evolve import evolve
from howff.engine.games.dale_of_merchants.piles import Decision, draw_cards, fill_market
from howff.engine.games.dale_of_merchants.state import Options, State
from howff.engine.play import Draft
from howff.engine.rng import Rng, pick
from howff.engine.seats import Seat


def initial(options: Options, seats: int) -> State:
    """Return the state before the opening draws.

    Raises:
        WrongOptionError: sets, a seat or a limit that do not fit a match of *seats* seats.
    """
    sets = options.sets
    if sets != "random" and not (len(sets) == len(set(sets)) == seats + 1):
        expected = f'"random" or {seats + 1} different sets'
        raise WrongOptionError("sets", expected=expected, found=", ".join(sets) or "none")
    if options.first_seat != "random" and options.first_seat not in range(seats):
        expected = f'"random" or a seat from 0 to {seats - 1}'
        raise WrongOptionError("first_seat", expected=expected, found=str(options.first_seat))
    if options.round_limit not in range(FEWEST_ROUNDS, MOST_ROUNDS + 1):
        expected = f"{FEWEST_ROUNDS} to {MOST_ROUNDS}"
        found = str(options.round_limit)
        raise WrongOptionError("round_limit", expected=expected, found=found)
    return State(options, seats)


def setup(state: State, rng: Rng) -> Decision:
    """Draw sets, first seat, the decks of the seats and of the market, in this order."""
    decision = Draft(state, evolve)
    sets = _sets(state, rng)
    first_seat = state.options.first_seat
    if first_seat == "random":
        first_seat = Seat(rng.draw("first seat", state.seats))
    decision.add(GameStarted(state.seats, state.options, sets, first_seat))
    decision.add(CardsRemoved(_left_over(sets, state.seats)))
    for seat in range(state.seats):
        order = rng.shuffle("deck", start_deck(sets))
        decision.add(PlayerDeckShuffled(Seat(seat), "setup", len(order), order))
    order = rng.shuffle("market deck", market_cards(sets))
    decision.add(MarketDeckShuffled("setup", len(order), order))
    fill_market(decision, rng)
    for seat in range(state.seats):
        draw_cards(decision, Seat(seat), HAND, rng)
    decision.add(TurnStarted(first_seat, 1))
    return decision


def _sets(state: State, rng: Rng) -> tuple[SetId, ...]:
    """Return the sets in play, in the order of the table."""
    sets = state.options.sets
    if sets == "random":
        sets = pick(rng, "sets", tuple(SETS), state.seats + 1)
    return tuple(each for each in SETS if each in sets)


def _left_over(sets: tuple[SetId, ...], seats: int) -> Cards:
    """Return the cards of value 1 that no seat gets."""
    cards = (START_CARDS[each] for each in sets)
    return tuple(card for card in cards for _ in range(CARDS[card].copies - seats))
