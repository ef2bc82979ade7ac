"""The opening of a match of Highland Clans."""

from howff.engine.errors import WrongOptionError
from howff.engine.games.highland_clans.data import (
    CLANS,
    START_BAGPIPERS,
    START_CARDS,
    START_CATTLE,
    START_ESTATES,
    START_WARRIORS,
    Clan,
)
from howff.engine.games.highland_clans.events import (
    BoardsPrepared,
    CubesSetAside,
    GameStarted,
    HandDealt,
    StartSeatChosen,
)
from howff.engine.games.highland_clans.evolve import evolve
from howff.engine.games.highland_clans.state import Options, State
from howff.engine.games.highland_clans.turns import Decision, start_round
from howff.engine.play import Draft
from howff.engine.rng import Rng, pick
from howff.engine.seats import Seat


def initial(options: Options, seats: int) -> State:
    """Return the state before the opening draws.

    Raises:
        WrongOptionError: a seat or clans that do not fit a match of *seats* seats.
    """
    if options.start_seat is not None and options.start_seat not in range(seats):
        expected = f"null or a seat from 0 to {seats - 1}"
        raise WrongOptionError("start_seat", expected=expected, found=str(options.start_seat))
    clans = options.clans
    if clans is not None and not (len(clans) == len(set(clans)) == seats):
        expected = f"null or {seats} different clans"
        raise WrongOptionError("clans", expected=expected, found=", ".join(clans) or "none")
    return State(options, seats)


def setup(state: State, rng: Rng) -> Decision:
    """Draw clans, hands, start seat and the first cubes, in this order."""
    decision = Draft(state, evolve)
    decision.add(GameStarted(state.seats, state.options, _clans(state, rng)))
    set_aside = state.figures.set_aside
    decision.add(CubesSetAside(set_aside.yellow, set_aside.blue))
    score = state.figures.score
    decision.add(
        BoardsPrepared(START_WARRIORS, START_BAGPIPERS, START_ESTATES, START_CATTLE, score)
    )
    for seat in range(state.seats):
        cards = tuple(sorted(pick(rng, "hands", decision.state.deck, START_CARDS)))
        decision.add(HandDealt(Seat(seat), len(cards), cards))
    start_seat = state.options.start_seat
    if start_seat is None:
        start_seat = Seat(rng.draw("start seat", state.seats))
    decision.add(StartSeatChosen(start_seat))
    start_round(decision, 1, start_seat, rng)
    return decision


def _clans(state: State, rng: Rng) -> tuple[Clan, ...]:
    clans = state.options.clans
    return pick(rng, "clans", tuple(CLANS), state.seats) if clans is None else clans
