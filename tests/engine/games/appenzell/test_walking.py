"""Where mice can go, compared with a search that looks at one square after the other."""

from typing import Final

import pytest
from hypothesis import given as given_any
from hypothesis import strategies as st

from howff.engine.games.appenzell.data import ROOFS, TILES, TOWERS, Side, Square
from howff.engine.games.appenzell.state import Options, Player, State
from howff.engine.games.appenzell.walking import castle_of
from howff.engine.rng import pick
from howff.engine.values import replace
from support.appenzell import F1, F1X, Floor, given, legal
from support.appenzell_castle import is_walkable, ways_from, ways_through
from support.appenzell_playouts import Playout, playouts
from support.rng import LocalRng

MOST_MICE: Final = 16
MOST_ACTIONS: Final = 4


def assert_walks_as_found(state: State) -> None:
    castle = castle_of(state)
    for actions in range(1, MOST_ACTIONS + 1):
        for start in state.mice:
            assert castle.reach(start, actions) == affordable(ways_from(state, start), actions)
        for tower in TOWERS:
            through = affordable(ways_through(state, tower), actions)
            assert castle.entrances(tower, actions) == through


def affordable(ways: dict[Square, int], actions: int) -> dict[Square, int]:
    return {square: cost for square, cost in ways.items() if cost <= actions}


def crowded(side: Side, roofs: int, mice: int, seed: int) -> State:
    """Return a castle with so many *roofs* off, and up to so many *mice* where they can stand."""
    rng = LocalRng(seed)
    *floor, spare = rng.shuffle("floor", TILES)
    opened = tuple(sorted(pick(rng, "roofs", ROOFS, roofs)))
    empty = State(Options(), 4, "turn", side, open_roofs=opened, floor=tuple(floor), spare=spare)
    ground = [*TOWERS, *(each for each in empty.rooms.roof_of if is_walkable(empty, each))]
    squares = pick(rng, "mice", ground, min(mice, len(ground)))
    players = tuple(Player(tuple(sorted(squares[seat::4])), reserve=1) for seat in range(4))
    return replace(empty, players=players)


crowds = st.builds(
    crowded,
    st.sampled_from(("a", "b")),
    st.integers(0, len(ROOFS)),
    st.integers(1, MOST_MICE),
    st.integers(0, 1_000_000),
)


@given_any(states=st.lists(crowds, min_size=10, max_size=20))
def test_mice_reach_what_a_search_by_name_finds(states: list[State]) -> None:
    for state in states:
        assert_walks_as_found(state)


@given_any(match=playouts)
def test_mice_reach_what_a_search_by_name_finds_in_matches(match: Playout) -> None:
    for step in match.steps[match.seats :: 7]:
        assert_walks_as_found(step.before)


def test_the_crowds_are_worth_a_search() -> None:
    costs = set[int]()
    for seed in range(40):
        state = crowded("b", 8, MOST_MICE, seed)
        assert sum(len(player.mice) for player in state.players) > 8
        for start in state.mice:
            costs |= set(ways_from(state, start).values())
    assert costs >= set(range(1, 7))


@pytest.mark.parametrize(
    ("others", "opened", "trap", "is_reached"),
    [
        ("e2", "Q", None, True),
        ("g7", "N Q", None, False),
        ("g7", "Q", None, False),
        ("g7", "N Q", "e2", False),
    ],
    ids=["a mouse", "a free square", "a roof", "a trap"],
)
def test_a_mouse_runs_over_mice_only(
    others: str, opened: str, trap: str | None, *, is_reached: bool
) -> None:
    floor = with_trap(F1, Square(trap)) if trap else F1
    state = given(floor=floor, mice={0: "d2", 1: others}, opened=opened)
    assert ("run d2 f2" in legal(state, "run")) is is_reached
    assert castle_of(state).reach(Square("d2"), 4).get(Square("f2")) == (2 if is_reached else None)


def test_a_mouse_runs_over_no_tower() -> None:
    state = given(floor=F1X, spare="X", mice={0: "a2", 1: "a1"}, opened="O")
    assert legal(state, "run") == ["run a2 a3", "run a2 b2"]


def with_trap(floor: Floor, square: Square) -> Floor:
    """Return *floor* once the trap of b1 has changed places with the tile of *square*."""
    rows = [list(row) for row in floor]
    at = 7 - int(square[1]), "abcdefg".index(square[0])
    rows[6][1], rows[at[0]][at[1]] = rows[at[0]][at[1]], rows[6][1]
    return tuple("".join(row) for row in rows)
