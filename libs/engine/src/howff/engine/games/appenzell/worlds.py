"""Worlds that fit what a seat knows of a match of Burg Appenzell, each equally likely."""

from howff.engine.games.appenzell.data import SLIDING, TILES
from howff.engine.games.appenzell.memory import Memory
from howff.engine.games.appenzell.state import State
from howff.engine.games.appenzell.view import View
from howff.engine.multisets import without_all
from howff.engine.rng import Rng


def sample_world(view: View, memory: Memory, rng: Rng) -> State:
    """Return a state that *view* and *memory* allow: tiles not placed by them lie anyhow."""
    seen = {each.square: each.tile for each in view.squares if each.tile is not None}
    known = memory.tiles | seen
    placed = (*known.values(), view.spare)
    unknown = iter(rng.shuffle("floor tiles", without_all(TILES, placed)))
    floor = tuple(known[square] if square in known else next(unknown) for square in SLIDING)
    return State(
        options=view.options,
        seats=len(view.players),
        stage=view.stage,
        side=view.side,
        start_seat=view.start_seat,
        active=view.active,
        turn=view.turn,
        actions_left=view.actions_left,
        has_pushed=view.has_pushed,
        open_roofs=view.open_roofs,
        floor=floor,
        spare=view.spare,
        players=view.players,
        ending=view.ending,
    )
