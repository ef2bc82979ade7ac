"""What players read of a match of Burg Appenzell: one line for a move, one for an event."""

from collections.abc import Iterable
from typing import Any, Final, assert_never, cast

from howff.engine.game import Names
from howff.engine.games.appenzell.data import (
    CHEESES,
    LINES,
    ROOMS,
    TRAP,
    Cheese,
    Roofs,
    Slot,
    Square,
    Tile,
)
from howff.engine.games.appenzell.events import (
    CheeseCollected,
    Event,
    FirstMousePlaced,
    FloorLaid,
    GameEnded,
    GameSetUp,
    MouseEntered,
    MouseRan,
    MouseTrapped,
    RoofRemoved,
    RoofsReplaced,
    TilePushed,
    Tiles,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.appenzell.moves import (
    EndTurn,
    Enter,
    Move,
    PlaceFirstMouse,
    Push,
    Run,
    Uncover,
)
from howff.engine.games.appenzell.state import EndReason
from howff.engine.games.appenzell.view import View
from howff.engine.games.appenzell.walking import Castle
from howff.engine.seats import Seat
from howff.engine.visibility import told
from howff.engine.words import counted, listed

_COURSES: Final = {"n": "south", "s": "north", "w": "east", "e": "west"}
"""Where a line moves when a tile is pushed in from a side."""
_REASONS: Final[dict[EndReason, str]] = {
    "cheese_target": "somebody has enough kinds of cheese",
    "third_mouse": "somebody has lost a third mouse",
    "round_limit": "the last round has been played",
}


def explain(view: View, seat: Seat | None, subject: Any, names: Names) -> str:
    """Return one line on *subject*: a move of *seat*, or an event as redacted for the viewer."""
    if isinstance(subject, Move):
        assert seat is not None, "a move is somebody's"
        return f"{names[seat]} {_move_line(view, subject)}"
    return _event_line(cast("Event", subject), names)


def reasons_text(reasons: Iterable[EndReason]) -> str:
    """Return in words why the match has ended."""
    return listed([_REASONS[reason] for reason in reasons])


def tile_text(tile: Tile) -> str:
    """Return a tile as a part of a sentence."""
    return _kind(tile) if tile in CHEESES else "a trap" if tile == TRAP else "a plain tile"


def _move_line(view: View, move: Move) -> str:
    match move:
        case PlaceFirstMouse(tower):
            return _first_mouse(tower)
        case Uncover(roof):
            return f"takes off roof {roof}, over {listed(ROOMS[view.side].squares_of[roof])}"
        case Run(start, target):
            cost = _castle(view).reach(start, view.actions_left)[target]
            return _run(start, _goal(view, target), cost)
        case Enter(tower, target):
            cost = _castle(view).entrances(tower, view.actions_left)[target]
            return _entry(tower, _goal(view, target), cost)
        case Push(slot):
            assert view.spare is not None, "a tile lies outside"
            return f"pushes {tile_text(view.spare)} in at {slot}: {_course(slot)}"
        case EndTurn():
            return _end_of_turn(view.actions_left)
        case _:
            assert_never(move)


def _event_line(event: Event, names: Names) -> str:  # noqa: C901, PLR0911, PLR0912
    match event:
        case GameSetUp():
            return _opening(event, names)
        case FloorLaid(_, spare, _, shown):
            return f"The floor is laid, with {tile_text(spare)} left outside{_floor(told(shown))}"
        case FirstMousePlaced(_, seat, tower):
            return f"{names[seat]} {_first_mouse(tower)}"
        case TurnStarted(_, seat, number, actions):
            return f"Round {number + 1}: {names[seat]} begins a turn with {_actions(actions)}"
        case RoofRemoved(_, seat, roof, _, shown):
            return f"{names[seat]} takes off roof {roof}{_tiles(': ', told(shown))}"
        case MouseRan(_, seat, start, target, cost):
            return f"{names[seat]} {_run(start, target, cost)}"
        case MouseEntered(_, seat, tower, target, cost):
            return f"{names[seat]} {_entry(tower, target, cost)}"
        case TilePushed():
            return f"{names[event.seat]} {_push(event)}"
        case MouseTrapped(_, seat, total, square):
            place = told(square)
            trap = "A trap" if place is None else f"A trap on {place}"
            return f"{trap} swallows a mouse of {names[seat]}, {total} lost now"
        case CheeseCollected(_, seat, kind, squares):
            places = told(squares)
            mice = "" if places is None else f" with mice on {listed(places)}"
            return f"{names[seat]} collects {_kind(kind)}{mice}"
        case RoofsReplaced(_, roofs):
            return _roofs_go_back(roofs)
        case TurnEnded(_, seat, unused):
            return f"{names[seat]} {_end_of_turn(unused)}"
        case GameEnded(_, reasons, ranking, _, _):
            first, *others = (names[seat] for seat in ranking)
            order = f"{first} wins, before {listed(others)}"
            return f"The match is over, as {reasons_text(reasons)}: {order}"
        case _:
            assert_never(event)


def _castle(view: View) -> Castle:
    return Castle(
        walkable=frozenset(
            each.square
            for each in view.squares
            if each.sort != "tower" and not each.is_covered and each.tile != TRAP
        ),
        mice=frozenset(each.square for each in view.squares if each.mouse is not None),
    )


def _goal(view: View, target: Square) -> str:
    """Return where a mouse wants to go, and what lies there."""
    tile = next(each.tile for each in view.squares if each.square == target)
    return target if tile is None else f"{target} ({_kind(tile)})"


def _opening(event: GameSetUp, names: Names) -> str:
    match_of = f"The match begins with {event.seats} seats on side {event.board_side}"
    target = f"{event.options.cheese_target} kinds of cheese win"
    return f"{match_of}: {names[event.start_seat]} is first, {target}"


def _first_mouse(tower: Square) -> str:
    return f"puts the first mouse on tower {tower}"


def _run(start: Square, goal: str, cost: int) -> str:
    return f"runs from {start}{_jump(goal, cost)}"


def _entry(tower: Square, goal: str, cost: int) -> str:
    return f"enters by tower {tower}" + ("" if cost == 1 else _jump(goal, cost))


def _jump(goal: str, cost: int) -> str:
    """Return where a mouse gets, over a mouse for each action but the last."""
    if cost == 1:
        return f" to {goal}"
    jumped = cost - 1
    over = "a mouse" if jumped == 1 else f"{jumped} mice"
    return f" over {over} to {goal}, for {_actions(cost)}"


def _actions(count: int) -> str:
    return counted(count, "action")


def _push(event: TilePushed) -> str:
    inserted, ejected = told(event.inserted), told(event.ejected)
    into = "a tile" if inserted is None else tile_text(inserted)
    out = "another" if ejected is None else tile_text(ejected)
    shows = _tiles(" and shows ", told(event.shown))
    at = f"in at {event.slot} and {out} out at {LINES[event.slot][-1]}"
    return f"pushes {into} {at}: {_course(event.slot)}{shows}"


def _course(slot: Slot) -> str:
    side, line = slot
    name = f"row {line}" if line.isdecimal() else f"column {line}"
    return f"{name} moves {_COURSES[side]}"


def _roofs_go_back(roofs: Roofs) -> str:
    return f"Roof {roofs[0]} goes back" if len(roofs) == 1 else f"Roofs {listed(roofs)} go back"


def _end_of_turn(unused: int) -> str:
    return f"ends the turn with {_actions(unused)} unused" if unused else "ends the turn"


def _tiles(lead: str, shown: Tiles | None) -> str:
    """Return what is seen of the floor after *lead*, if anything."""
    if not shown:
        return ""
    return lead + ", ".join(f"{each.square} {_kind(each.tile)}" for each in shown)


def _floor(shown: Tiles | None) -> str:
    """Return what was seen while the floor was laid, if anything."""
    if not shown:
        return ""
    on = {
        kind: listed([each.square for each in shown if each.tile == kind])
        for kind in (*CHEESES, TRAP)
    }
    cheese = "; ".join(f"{record.name} on {on[kind]}" for kind, record in CHEESES.items())
    return f": {cheese}; traps on {on[TRAP]}; the rest is plain"


def _kind(tile: Tile) -> str:
    """Return what a tile shows."""
    return CHEESES[Cheese(tile)].name if tile in CHEESES else tile
