"""What a viewer may know of a state of Burg Appenzell: all but the floor under roofs.

It is the same for every seat and for spectators. Once the match has ended all of it lies open.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from howff.engine.games.appenzell.data import (
    CHEESES,
    RAISED,
    SLIDING,
    SQUARES,
    TOWERS,
    Cheese,
    Roof,
    Roofs,
    Side,
    Square,
    Tile,
)
from howff.engine.games.appenzell.state import Ending, Options, Player, Stage, State
from howff.engine.seats import Seat, Viewer

SquareSort = Literal["tower", "raised", "sliding"]


_SORTS: Final[Mapping[Square, SquareSort]] = {
    **dict.fromkeys(TOWERS, "tower"),
    **dict.fromkeys(RAISED, "raised"),
    **dict.fromkeys(SLIDING, "sliding"),
}


@dataclass(frozen=True, slots=True)
class SquareView:
    """A square as it is seen; `tile` is None under a roof, and where no tile can lie."""

    square: Square
    sort: SquareSort
    roof: Roof | None
    """The roof of its room, on or off; towers have none."""
    is_covered: bool
    tile: Tile | None
    mouse: Seat | None


@dataclass(frozen=True, slots=True)
class Supply:
    """How many cheeses of a kind nobody has."""

    cheese: Cheese
    count: int


@dataclass(frozen=True, slots=True)
class View:
    """A state as anybody may know it."""

    options: Options
    stage: Stage
    side: Side
    start_seat: Seat
    active: Seat
    turn: int
    round: int
    actions_left: int
    has_pushed: bool
    open_roofs: Roofs
    squares: tuple[SquareView, ...]
    spare: Tile
    players: tuple[Player, ...]
    supply: tuple[Supply, ...]
    ending: Ending | None


def view(state: State, viewer: Viewer) -> View:
    """Return what *viewer* may know of *state*."""
    del viewer
    return View(
        options=state.options,
        stage=state.stage,
        side=state.side,
        start_seat=state.start_seat,
        active=state.active,
        turn=state.turn,
        round=state.round,
        actions_left=state.actions_left,
        has_pushed=state.has_pushed,
        open_roofs=state.open_roofs,
        squares=_square_views(state),
        spare=state.spare,
        players=state.players,
        supply=tuple(Supply(cheese, state.supply_of(cheese)) for cheese in CHEESES),
        ending=state.ending,
    )


def _square_views(state: State) -> tuple[SquareView, ...]:
    mice = {square: Seat(seat) for seat, each in enumerate(state.players) for square in each.mice}
    is_over = state.ending is not None
    return tuple(
        _square_view(state, square, mice.get(square), is_over=is_over) for square in SQUARES
    )


def _square_view(state: State, square: Square, mouse: Seat | None, *, is_over: bool) -> SquareView:
    is_open = state.is_open(square)
    return SquareView(
        square=square,
        sort=_SORTS[square],
        roof=state.rooms.roof_of.get(square),
        is_covered=square not in TOWERS and not is_open,
        tile=state.tile_on(square) if is_over or is_open else None,
        mouse=mouse,
    )
