"""The opening of a match of Burg Appenzell."""

from howff.engine.errors import WrongOptionError
from howff.engine.games.appenzell.data import LAYING_ORDER, LONGEST_LIMIT, PLAIN, SIDES, TILES, Tile
from howff.engine.games.appenzell.events import FloorLaid, GameSetUp
from howff.engine.games.appenzell.evolve import evolve
from howff.engine.games.appenzell.state import Options, Player, State, TileAt
from howff.engine.games.appenzell.turns import Decision
from howff.engine.multisets import without
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat


def initial(options: Options, seats: int) -> State:
    """Return the state before the opening draws.

    Raises:
        WrongOptionError: a seat or a limit that does not fit a match of *seats* seats.
    """
    if options.start_seat != "random" and options.start_seat not in range(seats):
        expected = f'"random" or a seat from 0 to {seats - 1}'
        raise WrongOptionError("start_seat", expected=expected, found=str(options.start_seat))
    if options.round_limit not in range(LONGEST_LIMIT + 1):
        expected = f"0 for none, or up to {LONGEST_LIMIT} rounds"
        raise WrongOptionError("round_limit", expected=expected, found=str(options.round_limit))
    return State(options, seats, players=(Player(),) * seats)


def setup(state: State, rng: Rng) -> Decision:
    """Draw the side of the board, the start seat and the floor, in this order."""
    options, decision = state.options, Draft(state, evolve)
    side = rng.roll("board side", SIDES) if options.board_side == "random" else options.board_side
    start_seat = options.start_seat
    if start_seat == "random":
        start_seat = Seat(rng.draw("start seat", state.seats))
    decision.add(GameSetUp(-1, options, state.seats, side, start_seat))
    spare, laid = _floor(options, rng)
    floor = tuple(sorted(map(TileAt, LAYING_ORDER, laid), key=lambda each: each.square))
    decision.add(FloorLaid(-1, spare, floor, floor if options.open_setup else ()))
    return decision


def _floor(options: Options, rng: Rng) -> tuple[Tile, tuple[Tile, ...]]:
    """Return the tile outside, and the others in the order in which they are laid."""
    if options.spare_tile == "plain":
        return PLAIN, rng.shuffle("floor tiles", without(TILES, PLAIN))
    tiles = rng.shuffle("floor tiles", TILES)
    return tiles[-1], tiles[:-1]
