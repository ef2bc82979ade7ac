"""The entry of Burg Appenzell."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from engine.conformance.entry import Entry
from howff.engine.games.appenzell.data import MICE, TILES, TOWERS, TRAP
from howff.engine.games.appenzell.events import (
    CheeseCollected,
    FloorLaid,
    GameEnded,
    GameSetUp,
    MouseTrapped,
    RoofRemoved,
    TilePushed,
)
from howff.engine.games.appenzell.state import Options, State
from howff.engine.seats import Viewer


def _has_all_tiles(state: State) -> bool:
    return not state.floor or Counter((*state.floor, state.spare)) == Counter(TILES)


def _has_all_mice(state: State) -> bool:
    return all(
        player.reserve + player.trapped + len(player.mice) == MICE for player in state.players
    )


def _stands_on_good_ground(state: State) -> bool:
    squares = [square for player in state.players for square in player.mice]
    return len(squares) == len(set(squares)) and all(
        square in TOWERS or (state.is_open(square) and state.tile_on(square) != TRAP)
        for square in squares
    )


def _collects_each_kind_once(state: State) -> bool:
    for player in state.players:
        tiles = Counter(state.tile_on(square) for square in player.mice)
        pairs = {tile for tile, count in tiles.items() if count > 1} - {None, "plain"}
        if len(player.cheese) != len(set(player.cheese)) or not pairs <= set(player.cheese):
            return False
    return True


def _uncovers(event: Any, _viewer: Viewer) -> bool:
    return isinstance(event, GameSetUp | FloorLaid | RoofRemoved | TilePushed | GameEnded)


def _forgettable(options: Options) -> tuple[type, ...]:
    """Return what shows nothing new: mice on tiles that lie open, roofs over a floor once shown."""
    on_open_tiles = (CheeseCollected, MouseTrapped)
    return (*on_open_tiles, RoofRemoved, TilePushed) if options.open_setup else on_open_tiles


def _measure(final: State, happened: Counter[str]) -> Mapping[str, float]:
    assert final.ending is not None, "the match is over"
    return {
        "turns": happened["TurnStarted"],
        "cheese": happened["CheeseCollected"],
        "ends by a third mouse": "third_mouse" in final.ending.reasons,
    }


ENTRY: Final = Entry(
    options=lambda _seats: (
        {"board_side": "b", "cheese_target": 6, "round_limit": 40},
        {"board_side": "random", "spare_tile": "plain", "open_setup": True, "start_seat": 0},
        {"memory": "open", "cheese_target": 5},
    ),
    invariants=(
        _has_all_tiles,
        _has_all_mice,
        _stands_on_good_ground,
        _collects_each_kind_once,
    ),
    uncovers=_uncovers,
    forgettable=_forgettable,
    measure=_measure,
    expected={
        2: {"turns": 88, "choices": 15, "ends by a third mouse": 0.75},
        4: {"turns": 88, "choices": 15, "ends by a third mouse": 0.9},
    },
)
