"""What pushes are worth at a glance: who falls, who collects, and on what mice stand then."""

from collections.abc import Sequence
from typing import Final

from howff.engine.games.appenzell.data import LINES, LOST_MICE, PLAIN, SLIDING, TRAP, Slot, Tile
from howff.engine.games.appenzell.state import FLOOR_AT, Player, State
from howff.engine.seats import Seat

KIND: Final = 100
"""What a cheese counts; all else is compared with it."""
END: Final = 10_000
"""What it counts to win the match or to lose it."""
_LOST: Final = 60
_STANDING: Final = 6
"""What a mouse counts that stands on a kind that its seat has not."""
_OUTSIDE: Final = -1
_ARRIVALS: Final = {
    square: tuple(
        (slot, _OUTSIDE if line[0] == square else FLOOR_AT[line[line.index(square) - 1]])
        for slot, line in LINES.items()
        if square in line
    )
    for square in SLIDING
}
"""The slots that move the tile under a square, and which tile of the floor comes instead."""


def worth_of_pushes(state: State, seat: Seat) -> dict[Slot, int]:
    """Return what pushes are worth to *seat*, by slot; nothing for those that move no mouse."""
    worth: dict[Slot, int] = {}
    for owner, player in enumerate(state.players):
        before = [state.tile_on(square) for square in player.mice]
        after: dict[Slot, list[Tile | None]] = {}
        for mouse, square in enumerate(player.mice):
            for slot, at in _ARRIVALS.get(square, ()):
                tiles = after.setdefault(slot, before.copy())
                tiles[mouse] = state.spare if at == _OUTSIDE else state.floor[at]
        if after:
            had, sign = _standing(state, player, before), 1 if owner == seat else -1
            for slot, tiles in after.items():
                gain = _standing(state, player, tiles) - had
                worth[slot] = worth.get(slot, 0) + sign * gain
    return worth


def _standing(state: State, player: Player, tiles: Sequence[Tile | None]) -> int:
    """Return what it counts for *player* that its mice stand on *tiles* after a push."""
    value, fallen, seen = 0, 0, set[Tile]()
    for tile in tiles:
        if tile == TRAP:
            fallen += 1
        elif tile is not None and tile != PLAIN and tile not in player.cheese:
            value += _STANDING
            if tile in seen:
                value += END if _is_last(state, player) else KIND
            seen.add(tile)
    return value - (END if fallen and player.trapped + fallen >= LOST_MICE else _LOST * fallen)


def _is_last(state: State, player: Player) -> bool:
    """Return whether one more cheese wins the match for *player*."""
    return len(player.cheese) + 1 == state.options.cheese_target
