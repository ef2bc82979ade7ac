"""The castle looked at square by square, beside what the game computes of it."""

from collections import deque

from howff.engine.games.appenzell.data import SQUARES, TOWERS, Slot, Square
from howff.engine.games.appenzell.state import State


def next_to(square: Square) -> set[Square]:
    """Return the squares that share an edge with *square*."""
    column, row = ord(square[0]), int(square[1])
    near = {(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)}
    return {Square(f"{chr(column)}{row}") for column, row in near} & set(SQUARES)


def is_walkable(state: State, square: Square) -> bool:
    return square not in TOWERS and state.is_open(square) and state.tile_on(square) != "trap"


def ways_from(state: State, start: Square) -> dict[Square, int]:
    """Return the free squares that a mouse on *start* can reach, each with its cost."""
    mice, steps, ways = state.mice, {start: 0}, dict[Square, int]()
    queue = deque([start])
    while queue:
        square = queue.popleft()
        for other in next_to(square):
            if other not in steps and is_walkable(state, other):
                steps[other] = steps[square] + 1
                if other in mice:
                    queue.append(other)
                else:
                    ways[other] = steps[other]
    return ways


def ways_through(state: State, tower: Square) -> dict[Square, int]:
    """Return where a mouse of the reserve can come in through *tower*, each with its cost."""
    if tower not in state.mice:
        return {tower: 1}
    return {square: cost + 1 for square, cost in ways_from(state, tower).items()}


def line_of(slot: Slot) -> tuple[Square, ...]:
    """Return the squares from where a tile goes in at *slot* to where one comes out."""
    side, at = slot
    is_column = at in "bdf"
    line = [f"{at}{to}" if is_column else f"{'abcdefg'[to - 1]}{at}" for to in range(1, 8)]
    return tuple(map(Square, reversed(line) if side in "ne" else line))
