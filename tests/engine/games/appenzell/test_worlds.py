"""Sampled worlds fit what is known, and are drawn evenly: compared with all deals, one by one."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations
from math import sqrt
from typing import Final

import pytest
from hypothesis import given as given_any

from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.data import ROOFS, SLIDING, TILES, Square, Tile
from howff.engine.games.appenzell.events import Event
from howff.engine.games.appenzell.memory import Memory
from howff.engine.games.appenzell.state import FLOOR_AT, Options, State
from howff.engine.seats import Seat, Viewer
from howff.engine.values import replace
from support.appenzell import LETTER_OF, given, when
from support.appenzell_playouts import Playout, places, playouts
from support.playouts import told_live
from support.rng import LocalRng
from support.seals import redacted

DRAWS: Final = 2_500
IVY: Final = Seat(0)
COVERED: Final = given(mice={0: "a1", 1: "g7"})
"""All 18 roofs are on."""


def told(events: Iterable[Event], memory: Memory) -> Memory:
    """Return what a seat of *memory* knows after *events* as told live."""
    for event in told_live(tuple(events), IVY):
        memory = GAME.remember(memory, event, IVY)
    return memory


def missed(events: Iterable[Event], memory: Memory) -> Memory:
    """Return what a seat of *memory* knows after *events* that it reads too late."""
    for event in events:
        memory = GAME.remember(memory, redacted(event, IVY, told_live=False), IVY)
    return memory


def all_but(state: State, unknown: str) -> Memory:
    """Return the memory of who knows what lies on all squares but the *unknown* ones."""
    seen = [square for square in SLIDING if square not in unknown.split()]
    return Memory(state.tiles_on(seen), state.spare)


def letters(state: State, unknown: str) -> str:
    """Return the tiles on the *unknown* squares."""
    return "".join(LETTER_OF[state.floor[FLOOR_AT[Square(each)]]] for each in unknown.split())


def assert_even(state: State, memory: Memory, unknown: str, viewer: Viewer = IVY) -> None:
    """Fail unless each deal of the tiles on *unknown* squares is drawn as often as it should be.

    Five standard deviations are allowed; everything else has to be as in *state*.
    """
    ways = Counter("".join(order) for order in permutations(letters(state, unknown)))
    assert len(ways) > 1
    view, rng = GAME.view(state, viewer), LocalRng(1)
    drawn, floors = Counter[str](), list[tuple[Tile, ...]]()
    for _ in range(DRAWS):
        world = GAME.sample_world(view, memory, rng)
        drawn[letters(world, unknown)] += 1
        floors.append(world.floor)
        assert replace(world, floor=state.floor) == state
    changing = {
        SLIDING[at] for at, tiles in enumerate(zip(*floors, strict=True)) if len({*tiles}) > 1
    }
    assert changing == {*unknown.split()}
    assert drawn.keys() == ways.keys()
    for deal, count in ways.items():
        share = count / ways.total()
        assert abs(drawn[deal] - DRAWS * share) < 5 * sqrt(DRAWS * share * (1 - share)), deal


@pytest.mark.parametrize("unknown", ["b1 b2", "a2 b1 d2", "a2 b1 b2 d2"])
def test_unknown_squares_are_filled_evenly(unknown: str) -> None:
    assert letters(COVERED, "a2 b1 b2 d2") == "CXOB"
    assert_even(COVERED, all_but(COVERED, unknown), unknown)


def test_tiles_that_are_alike_make_one_deal() -> None:
    assert letters(COVERED, "b1 c2 d1 d2") == "X..B"
    assert_even(COVERED, all_but(COVERED, "b1 c2 d1 d2"), "b1 c2 d1 d2")


def test_who_was_told_has_only_the_rest_filled() -> None:
    draft = when(COVERED, "uncover O")
    memory = told(draft.events, all_but(COVERED, "a2 b1 b2 d2 d4"))
    state = when(draft.state, "end_turn").state
    assert state.open_roofs == ()
    assert_even(state, memory, "a2 d2 d4")


def test_who_missed_a_look_has_all_of_it_filled() -> None:
    draft = when(COVERED, "uncover O")
    memory = missed(draft.events, all_but(COVERED, "a2 b1 b2"))
    state = when(draft.state, "end_turn").state
    assert_even(state, memory, "a2 b1 b2")


def test_who_missed_a_look_sees_what_still_lies_open() -> None:
    draft = when(COVERED, "uncover O")
    memory = missed(draft.events, all_but(COVERED, "a2 b1 b2 d2 d4"))
    assert_even(draft.state, memory, "a2 d2 d4")


def test_unknown_tiles_are_filled_where_a_push_has_moved_them() -> None:
    draft = when(COVERED, "push w2")
    assert letters(COVERED, "a2 b2 e2 g2") == "CORO"
    memory = told(draft.events, all_but(COVERED, "a2 b2 e2 g2"))
    assert memory.spare == draft.state.spare == "goat"
    assert letters(draft.state, "b2 c2 f2") == "COR"
    assert_even(draft.state, memory, "b2 c2 f2")


def test_who_missed_a_push_follows_it_and_sees_what_came_out() -> None:
    draft = when(COVERED, "push w2")
    memory = missed(draft.events, all_but(COVERED, "a2 b2 e2 g2"))
    assert memory.spare is None
    assert_even(draft.state, memory, "b2 c2 f2")


@pytest.mark.parametrize(
    ("covered", "unknown"), [("L O", "a2 b1 b2"), ("P", "c2 d1 d2"), ("J L", "a2 d3 d4")]
)
def test_a_spectator_without_memory_fills_what_lies_covered(covered: str, unknown: str) -> None:
    opened = " ".join(roof for roof in ROOFS if roof not in covered.split())
    state = given(mice={0: "a1", 1: "g7"}, opened=opened)
    assert_even(state, Memory(), unknown, viewer=None)


def test_who_knows_everything_has_one_world() -> None:
    state = GAME.start(Options(open_setup=True), 2, LocalRng(3))
    memory = told(state.events, Memory())
    view = GAME.view(state.state, IVY)
    for seed in range(20):
        assert GAME.sample_world(view, memory, LocalRng(seed)) == state.state


@given_any(match=playouts, seed=places)
def test_once_the_match_has_ended_there_is_one_world(match: Playout, seed: int) -> None:
    for viewer in (None, IVY):
        view = GAME.view(match.final, viewer)
        assert GAME.sample_world(view, Memory(), LocalRng(seed)) == match.final


def positions(match: Playout, share_missed: int) -> Iterator[tuple[State, Memory]]:
    """Yield each state after a move with the memory of who missed so many of a hundred moves."""
    rng = LocalRng(share_missed)
    memory = told(match.opening, Memory())
    for step in match.steps:
        follow = missed if rng.draw("missed", 100) < share_missed else told
        memory = follow(step.events, memory)
        yield step.after, memory


@pytest.mark.parametrize("share_missed", [0, 40, 100])
@given_any(match=playouts, at=places, seed=places)
def test_a_sampled_world_cannot_be_told_from_the_real_one(
    share_missed: int, match: Playout, at: int, seed: int
) -> None:
    every = positions(match, share_missed)
    for state, memory in [each for number, each in enumerate(every) if number % 32 == at % 32]:
        for known, viewer in ((memory, Seat(at % match.seats)), (Memory(), None)):
            world = GAME.sample_world(GAME.view(state, viewer), known, LocalRng(seed))
            assert_alike(world, state, viewer)
            assert GAME.is_true(known, world, IVY)


def assert_alike(world: State, state: State, viewer: Viewer) -> None:
    """Fail if *viewer* can tell a sampled world from *state*, or if it could not come about."""
    assert Counter((*world.floor, world.spare)) == Counter(TILES)
    assert GAME.view(world, viewer) == GAME.view(state, viewer)
    assert GAME.to_act(world) == GAME.to_act(state)
    for seat in GAME.to_act(state):
        assert GAME.legal_moves(world, seat) == GAME.legal_moves(state, seat)
    assert replace(world, floor=state.floor) == state


def test_samples_of_a_new_match_differ_and_put_any_tile_anywhere() -> None:
    state = GAME.start(Options(), 2, LocalRng(0)).state
    view, memory = GAME.view(state, IVY), Memory(spare=state.spare)
    worlds = [GAME.sample_world(view, memory, LocalRng(seed)) for seed in range(400)]
    assert len({world.floor for world in worlds}) == len(worlds)
    for at in range(len(SLIDING)):
        assert {world.floor[at] for world in worlds} == {*map(Tile, TILES)}


@pytest.mark.parametrize("seed", range(3))
def test_the_same_luck_gives_the_same_world(seed: int) -> None:
    view, memory = GAME.view(COVERED, IVY), all_but(COVERED, "a2 b1 b2 d2")
    one, other = (GAME.sample_world(view, memory, LocalRng(seed)) for _ in range(2))
    assert one == other
