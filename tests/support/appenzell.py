"""Positions of Burg Appenzell in the notation of its rules, with moves and events as text.

A floor is drawn row by row from the north: `#` is a tower or stone, `.` a plain tile, `X` a trap, a
letter a kind of cheese. Moves and events are written as `support.texts` has them, a tile in an
event as `b2 goat`, and a whole floor there as its rows, `#E#.#B#/ESXG.RC/…`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NoReturn, TypedDict, TypeVar, Unpack, cast

from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.data import (
    CHEESES,
    LINES,
    TILES,
    Cheese,
    Side,
    Slot,
    Square,
    Tile,
)
from howff.engine.games.appenzell.events import (
    Event,
    MouseEntered,
    MouseRan,
    RoofRemoved,
    TilePushed,
)
from howff.engine.games.appenzell.moves import Move
from howff.engine.games.appenzell.state import Options, Player, State, TileAt
from howff.engine.games.appenzell.view import SquareView
from howff.engine.play import Draft
from howff.engine.seats import Seat, Viewer
from howff.engine.values import replace
from support.rng import LocalRng
from support.texts import Notation

T = TypeVar("T")

Floor = tuple[str, ...]
"""The rows of a floor, row 7 first."""

F1: Final[Floor] = (
    "#E#.#B#",
    "ESXG.RC",
    "#.#E#S#",
    "B.GOCXR",
    "#S#.#G#",
    "CO.BR.O",
    "#X#.#.#",
)
"""The floor of the scenarios; a plain tile lies outside."""
F1X: Final[Floor] = (*F1[:-1], "#.#.#.#")
"""The same floor, with the trap of b1 outside and the plain tile in its place."""

TILE_OF: Final[Mapping[str, Tile]] = {
    **{record.letter: cheese for cheese, record in CHEESES.items()},
    ".": Tile("plain"),
    "X": Tile("trap"),
}
LETTER_OF: Final = {tile: letter for letter, tile in TILE_OF.items()}

PUSHES: Final = tuple(
    f"push {side}{line}"
    for side, lines in {"n": "bdf", "s": "bdf", "w": "246", "e": "246"}.items()
    for line in lines
)
"""All pushes in their order."""

Action = RoofRemoved | MouseRan | MouseEntered | TilePushed
"""What has a cost."""


class Parts(TypedDict, total=False):
    """What a test may say about a position; what it leaves out follows."""

    seats: int
    options: Options
    side: Side
    floor: Floor
    spare: str
    mice: Mapping[int, str]
    opened: str
    trapped: Mapping[int, int]
    cheese: Mapping[int, str]
    active: int
    turn: int
    actions_left: int
    has_pushed: bool


def given(**parts: Unpack[Parts]) -> State:
    """Return the position with these *parts*, at the beginning of a turn unless they say more.

    `mice` tells the squares by seat, `a1 f5`, and with them the number of seats; all other mice are
    in reserve. Rooms with mice are open by themselves, `opened` names further ones, `L O`. Without
    a `turn` it is the first one of the active seat, and seat 0 has begun.
    """
    seats = parts.get("seats", 1 + max(1, *parts.get("mice", {})))
    active = parts.get("active", 0)
    turn = parts.get("turn", active)
    state = State(
        options=parts.get("options", Options()),
        seats=seats,
        stage="turn",
        side=parts.get("side", "a"),
        start_seat=Seat((active - turn) % seats),
        active=Seat(active),
        turn=turn,
        actions_left=parts.get("actions_left", 4),
        has_pushed=parts.get("has_pushed", False),
        floor=tuple(tile for _, tile in sorted(_laid(parts.get("floor", F1)))),
        spare=TILE_OF[parts.get("spare", ".")],
        players=tuple(_player(parts, seat) for seat in range(seats)),
    )
    return _checked(_opened(state, parts.get("opened", "")))


def _laid(floor: Floor) -> list[tuple[Square, Tile]]:
    """Return the tiles of a drawn *floor* in the order in which they are laid."""
    return [
        (Square(f"{column}{row}"), TILE_OF[letter])
        for row, letters in zip("1234567", reversed(floor), strict=True)
        for column, letter in zip("abcdefg", letters, strict=True)
        if letter != "#"
    ]


def _player(parts: Parts, seat: int) -> Player:
    mice = sorted(parts.get("mice", {}).get(seat, "").split())
    trapped = parts.get("trapped", {}).get(seat, 0)
    cheese = parts.get("cheese", {}).get(seat, "").split()
    return Player(
        mice=tuple(map(Square, mice)),
        reserve=4 - trapped - len(mice),
        trapped=trapped,
        cheese=tuple(Cheese(Tile(each)) for each in cheese),
    )


def _opened(state: State, further: str) -> State:
    """Return *state* without the roofs over mice and without the *further* ones."""
    roof_of = state.rooms.roof_of
    kept = {roof_of[square] for square in state.mice if square in roof_of}
    roofs = (roof for roof in state.rooms.squares_of if roof in kept or roof in further.split())
    return replace(state, open_roofs=tuple(roofs))


def _checked(state: State) -> State:
    """Return *state*, which can come about on a table."""
    assert sorted((*state.floor, str(state.spare))) == sorted(TILES), "these are not the tiles"
    standing = [square for player in state.players for square in player.mice]
    assert len(set(standing)) == len(standing), "two mice stand on one square"
    for player in state.players:
        assert player.reserve >= 0, "a seat has four mice"
        assert CHEESES.keys() >= set(player.cheese), f"no such cheese: {player.cheese}"
        assert not any(state.tile_on(square) == "trap" for square in player.mice), (
            "a mouse stands on a trap"
        )
    return state


class NoLuck(LocalRng):
    """Luck of which nothing may be asked: there is none in this game after the opening."""

    def __init__(self) -> None:
        super().__init__(0)

    def draw(self, name: str, n: int) -> NoReturn:
        message = f"{name!r} is drawn from {n}"
        raise AssertionError(message)


class Laid(NoLuck):
    """Luck that lays the floor as it is drawn, and has nothing else to give."""

    def __init__(self, floor: Floor = F1, spare: str = ".") -> None:
        super().__init__()
        self._tiles = [*(tile for _, tile in _laid(floor)), TILE_OF[spare]]

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        assert name == "floor tiles"
        written = self._tiles[: len(items)]
        assert sorted(written) == sorted(map(str, items)), "these are not the tiles"
        return tuple(cast("list[T]", written))


def opening(seats: int, options: Options, floor: Floor = F1, spare: str = ".") -> State:
    """Return the position in which the first mice are placed; *options* leave nothing to luck."""
    return GAME.start(options, seats, Laid(floor, spare)).state


def drawn(tiles: Iterable[TileAt]) -> Floor:
    """Return a whole floor as it is drawn."""
    letters = {each.square: LETTER_OF[each.tile] for each in tiles}
    return tuple(
        "".join(letters.get(Square(f"{column}{row}"), "#") for column in "abcdefg")
        for row in "7654321"
    )


def floor(state: State) -> Floor:
    """Return the floor as it is drawn."""
    return drawn(state.tiles_on(square for square, _ in _laid(F1)))


def line(state: State, slot: str) -> str:
    """Return the letters of the tiles on the line of *slot*, from where a tile goes in."""
    letters = {each.square: LETTER_OF[each.tile] for each in state.tiles_on(LINES[Slot(slot)])}
    return "".join(letters[square] for square in LINES[Slot(slot)])


def _special(value: object) -> str | None:
    if isinstance(value, tuple) and len(value) == len(TILES) - 1:
        return "/".join(drawn(value))
    return f"{value.square} {value.tile}" if isinstance(value, TileAt) else None


NOTATION: Final = Notation.of(Move, _special)
texts: Final = NOTATION.texts


def mice(state: State) -> list[str]:
    """Return where the mice of each seat stand."""
    return [" ".join(player.mice) for player in state.players]


def cheese(state: State) -> list[str]:
    """Return what each seat has collected."""
    return [" ".join(player.cheese) for player in state.players]


def fallen(state: State) -> list[int]:
    """Return how many mice of each seat lie in the cellar."""
    return [player.trapped for player in state.players]


def seen(state: State, viewer: Viewer = None) -> dict[str, SquareView]:
    """Return the squares as *viewer* sees them, by name."""
    return {each.square: each for each in GAME.view(state, viewer).squares}


def legal(state: State, *names: str) -> list[str]:
    """Return the legal moves of the active seat as text; if *names* are given, only such moves."""
    found = texts(GAME.legal_moves(state, _active(state)))
    return [each for each in found if not names or each.split()[0] in names]


def costs(state: State, *names: str) -> dict[str, int]:
    """Return those legal moves of the active seat that cost actions, with what they cost."""
    first = {each: when(state, each).events[0] for each in legal(state, *names)}
    return {each: event.cost for each, event in first.items() if isinstance(event, Action)}


def _active(state: State) -> Seat:
    (seat,) = GAME.to_act(state)
    return seat


def when(state: State, *moves: str) -> Draft[State, Event]:
    """Play *moves*, each of the seat that is active then; return what the last one causes."""
    draft = Draft(state, GAME.evolve)
    for each in moves:
        draft = GAME.play(draft.state, _active(draft.state), NOTATION.move(each), NoLuck())
    return draft
