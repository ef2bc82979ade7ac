"""What a seat keeps in mind of the floor: what it was shown, carried along by pushes."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import pytest
from hypothesis import given as given_any

from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.data import LAYING_ORDER, TRAP, Square, Squares, Tile
from howff.engine.games.appenzell.events import (
    CheeseCollected,
    Event,
    FloorLaid,
    GameEnded,
    MouseTrapped,
    RoofRemoved,
    TilePushed,
)
from howff.engine.games.appenzell.memory import Memory
from howff.engine.games.appenzell.state import Options, State, TileAt
from howff.engine.seats import Seat
from howff.engine.visibility import Sealed, visibilities
from support.appenzell import LETTER_OF, TILE_OF, given, when
from support.appenzell_castle import line_of
from support.appenzell_playouts import Playout, all_playouts, places, playout, playouts
from support.playouts import told_live
from support.rng import LocalRng
from support.seals import redacted

IVY: Final = Seat(0)
OUTSIDE: Final = Memory(spare=Tile("plain"))
"""What everybody knows once the floor is laid."""


def remembered(events: Iterable[Event], memory: Memory = OUTSIDE) -> Memory:
    """Return what a seat knows after *events*, of which it was told all that is told live."""
    for event in told_live(tuple(events), IVY):
        memory = GAME.remember(memory, event, IVY)
    return memory


def missed(events: Iterable[Event], memory: Memory = OUTSIDE) -> Memory:
    """Return what a seat knows after *events* that it has read too late."""
    for event in events:
        memory = GAME.remember(memory, redacted(event, IVY, told_live=False), IVY)
    return memory


def known(memory: Memory) -> str:
    """Return the known tiles as text, `b1 X, b2 O; outside .`."""
    tiles = ", ".join(f"{each.square} {LETTER_OF[each.tile]}" for each in memory.floor)
    outside = "?" if memory.spare is None else LETTER_OF[memory.spare]
    return f"{tiles}; outside {outside}"


def knowing(text: str, spare: str = ".") -> Memory:
    """Return a memory of the tiles in *text*, `b1 X, b2 O`."""
    places = [each.split() for each in text.split(", ")]
    floor = tuple(TileAt(Square(square), TILE_OF[letter]) for square, letter in places)
    return Memory(floor, TILE_OF.get(spare))


def uncovered(roof: str, mice: str = "a1") -> State:
    """Return the position in which *roof* was taken off and has gone back."""
    return when(given(mice={0: mice, 1: "g7"}), f"uncover {roof}", "end_turn").state


def events_of(state: State, *moves: str) -> list[Event]:
    """Return what the last of *moves* causes."""
    return when(state, *moves).events


def test_who_sits_down_knows_nothing() -> None:
    assert GAME.memory() == Memory() == Memory(floor=(), spare=None)


def test_the_tile_outside_is_known_from_the_beginning() -> None:
    for seed in range(5):
        draft = GAME.start(Options(), 2, LocalRng(seed))
        for memory in (remembered(draft.events, Memory()), missed(draft.events, Memory())):
            assert memory == Memory(spare=draft.state.spare)


def test_a_floor_laid_in_the_open_is_known_as_a_whole() -> None:
    draft = GAME.start(Options(open_setup=True), 2, LocalRng(0))
    memory = remembered(draft.events, Memory())
    assert [each.square for each in memory.floor] == sorted(LAYING_ORDER)
    assert tuple(each.tile for each in memory.floor) == draft.state.floor
    assert missed(draft.events, Memory()) == Memory(spare=draft.state.spare)


def test_what_lay_under_a_roof_is_kept_when_it_goes_back() -> None:
    state = given(mice={0: "a1", 1: "g7"})
    memory = remembered(events_of(state, "uncover O"))
    assert known(memory) == "b1 X, b2 O; outside ."
    assert remembered(events_of(state, "uncover O", "end_turn"), memory) == memory
    assert uncovered("O").open_roofs == ()


def test_who_missed_the_look_has_learned_nothing_and_lost_nothing() -> None:
    events = events_of(given(mice={0: "a1", 1: "g7"}), "uncover O")
    assert missed(events) == OUTSIDE
    assert missed(events, knowing("a2 C, b2 O")) == knowing("a2 C, b2 O")


def test_a_push_carries_along_what_is_known_of_its_line() -> None:
    events = events_of(uncovered("O"), "push nb")
    assert known(remembered(events, knowing("a2 C, b1 X, b2 O"))) == "a2 C, b1 O, b7 .; outside X"


def test_a_push_carries_along_what_is_not_known_too() -> None:
    events = events_of(uncovered("O"), "push w2")
    assert known(remembered(events, knowing("b1 X, b2 O"))) == "a2 ., b1 X, c2 O; outside O"


def test_the_ejected_tile_is_seen_though_its_square_was_covered() -> None:
    events = events_of(given(mice={0: "a1", 1: "g7"}), "push sb")
    assert known(remembered(events)) == "b1 .; outside E"


def test_what_is_pushed_into_an_open_room_is_seen() -> None:
    state = given(mice={0: "a1", 1: "a6", 2: "g7"})
    assert known(remembered(events_of(state, "push nb"))) == "b6 E, b7 .; outside X"


def test_a_push_read_too_late_is_followed_as_far_as_may_be() -> None:
    events = events_of(uncovered("O"), "push nb")
    assert known(missed(events, knowing("a2 C, b1 X, b2 O"))) == "a2 C, b1 O, b7 .; outside X"
    assert known(missed(events, knowing("b2 O, b3 S"))) == "b1 O, b2 S, b7 .; outside ?"
    assert known(missed(events, knowing("b1 X", spare="?"))) == "; outside X"
    assert known(missed(events, knowing("b1 X, d4 O", spare="?"))) == "d4 O; outside X"


def test_a_line_pushed_out_of_sight_is_forgotten_tile_by_tile() -> None:
    memory, state = knowing("b1 X, b2 O, b3 S", spare="?"), given(mice={0: "a1", 1: "g7"})
    expected = ["b2 X, b3 O, b4 S", "b3 X, b4 O, b5 S", "b4 X, b5 O, b6 S", "b5 X, b6 O, b7 S"]
    for each in (*expected, "b6 X, b7 O", "b7 X", ""):
        draft = when(state, "push sb")
        memory = missed(draft.events, replace(memory, spare=None))
        assert known(memory).partition(";")[0] == each
        assert GAME.is_true(memory, draft.state, IVY)
        state = when(draft.state, "end_turn").state


def test_where_a_mouse_falls_there_is_a_trap() -> None:
    state = given(mice={0: "a1", 1: "f5"})
    (trapped,) = (each for each in events_of(state, "push sf") if isinstance(each, MouseTrapped))
    assert known(remembered([trapped])) == "f5 X; outside ."
    assert missed([trapped]) == OUTSIDE


def test_where_cheese_is_collected_it_lies() -> None:
    state = given(mice={0: "a6 a7", 1: "g7"}, opened="A")
    (collected,) = (
        each for each in events_of(state, "run a7 b7") if isinstance(each, CheeseCollected)
    )
    assert known(remembered([collected])) == "a6 E, b7 E; outside ."
    assert missed([collected]) == OUTSIDE


def test_a_memory_is_true_of_what_lies_where_it_says() -> None:
    state = given(mice={0: "a1", 1: "g7"})
    assert GAME.is_true(Memory(), state, IVY)
    assert GAME.is_true(knowing("b1 X, b2 O, g6 C"), state, IVY)
    assert GAME.is_true(knowing("b1 X", spare="?"), state, IVY)
    assert not GAME.is_true(knowing("b1 X, b2 X"), state, IVY)
    assert not GAME.is_true(knowing("b1 X", spare="X"), state, IVY)
    pushed = when(state, "push nb").state
    assert not GAME.is_true(knowing("b1 X", spare="X"), pushed, IVY)
    assert GAME.is_true(knowing("b7 .", spare="X"), pushed, IVY)


@lru_cache
def all_told(match: Playout) -> tuple[Any, ...]:
    """Return the events of a match as told live, to any seat."""
    return told_live(tuple(match.events), IVY)


class Tokens:
    """Follows each tile of a floor by a number of its own, and notes which have been seen."""

    def __init__(self, laid: FloorLaid) -> None:
        self._places = {each.square: number for number, each in enumerate(laid.floor)}
        self._outside = len(laid.floor)
        self._tiles = [*(each.tile for each in laid.floor), laid.spare]
        self._seen = {self._outside} | {self._places[each.square] for each in laid.shown}

    def follow(self, event: Event, after: State) -> None:
        if isinstance(event, TilePushed):
            self._push(line_of(event.slot))
        if isinstance(event, RoofRemoved | TilePushed):
            visible = {number for at, number in self._places.items() if after.is_open(at)}
            self._seen |= {*visible, self._outside}
        elif isinstance(event, GameEnded):
            self._seen |= set(range(len(self._tiles)))

    def _push(self, line: Squares) -> None:
        numbers = [self._outside, *(self._places[square] for square in line)]
        self._outside = numbers.pop()
        self._places |= zip(line, numbers, strict=True)

    def memory(self) -> Memory:
        """Return where all tiles lie that were seen at least once."""
        seen = ((at, number) for at, number in self._places.items() if number in self._seen)
        floor = tuple(TileAt(square, self._tiles[number]) for square, number in sorted(seen))
        return Memory(floor, self._tiles[self._outside])


@given_any(match=playouts)
def test_a_seat_that_was_told_everything_knows_exactly_what_was_shown(match: Playout) -> None:
    (laid,) = (event for event in match.opening if isinstance(event, FloorLaid))
    tokens, memory = Tokens(laid), remembered(match.opening, Memory())
    assert memory == tokens.memory()
    told = all_told(match)[len(match.opening) :]
    for moment, event in zip(match.later_moments, told, strict=True):
        memory = GAME.remember(memory, event, IVY)
        tokens.follow(moment.event, moment.after)
        assert memory == tokens.memory()
        assert GAME.is_true(memory, moment.after, IVY)


@given_any(match=playouts)
def test_all_seats_remember_the_same(match: Playout) -> None:
    memories = [Memory() for _ in range(match.seats)]
    for event in all_told(match):
        for seat in map(Seat, range(match.seats)):
            memories[seat] = GAME.remember(memories[seat], event, seat)
        assert len(set(memories)) == 1


def with_gaps(event: Event, rng: LocalRng, missed: int) -> Any:
    """Return *event* as told, so many of a hundred of its other fields sealed as if missed."""
    declared = visibilities(type(event)).items()
    sealed = {
        name: Sealed("commitment")
        for name, visibility in declared
        if not visibility.momentary or rng.draw(name, 100) < missed
    }
    return replace(event, **sealed)  # type: ignore[arg-type]


def tellings(match: Playout, seed: int, missed: int) -> Iterator[tuple[State, Memory, Memory]]:
    """Yield each state with what one knows who missed so much, and one who missed nothing."""
    rng, gappy, full = LocalRng(seed), Memory(), Memory()
    for moment, told in zip(match.moments, all_told(match), strict=True):
        gappy = GAME.remember(gappy, with_gaps(moment.event, rng, missed), IVY)
        full = GAME.remember(full, told, IVY)
        if moment.after.floor:
            yield moment.after, gappy, full


@pytest.mark.parametrize("missed", [30, 90, 100])
@given_any(match=playouts, seed=places)
def test_who_missed_something_knows_less_and_nothing_false(
    match: Playout, seed: int, missed: int
) -> None:
    for state, gappy, full in tellings(match, seed, missed):
        assert GAME.is_true(gappy, state, IVY)
        assert set(gappy.floor) <= set(full.floor)
        assert gappy.spare in {None, full.spare}
        squares = [each.square for each in gappy.floor]
        assert squares == sorted(set(squares))


def test_who_missed_something_does_know_less_and_still_something() -> None:
    for missed in (50, 90):
        found = [
            (len(gappy.floor), len(full.floor))
            for match in all_playouts()
            for _, gappy, full in tellings(match, seed=missed, missed=missed)
        ]
        less = sum(some < all_ for some, all_ in found)
        assert less > len(found) / 4
        assert sum(some > 0 for some, _ in found) > len(found) / 4


@given_any(match=playouts)
def test_all_that_lies_open_is_remembered_by_who_was_told(match: Playout) -> None:
    memory = Memory()
    for moment, told in zip(match.moments, all_told(match), strict=True):
        memory, state = GAME.remember(memory, told, IVY), moment.after
        if state.floor:
            visible = state.tiles_on(filter(state.is_open, LAYING_ORDER))
            assert set(visible) <= set(memory.floor)
            assert memory.spare == state.spare


@given_any(match=playouts)
def test_at_the_end_even_who_missed_everything_knows_the_floor(match: Playout) -> None:
    final, whole = match.final, Memory(match.final.tiles_on(LAYING_ORDER), match.final.spare)
    assert missed(match.steps[-1].events, Memory()) == whole
    assert GAME.is_true(whole, final, IVY)


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_room_once_seen_is_known_till_the_end_of_the_match(seats: int) -> None:
    match = playout(seats, 0)
    memory, most = Memory(), 0
    for event in all_told(match):
        memory = GAME.remember(memory, event, IVY)
        assert len(memory.floor) >= most
        most = len(memory.floor)
    assert most > 20
    assert any(each.tile == TRAP for each in memory.floor)
