"""Checks of what seats remember: it is true, it says something, and nothing told is lost."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Final

from engine.conformance.check_forms import spread
from engine.conformance.differences import after, leaves, who
from engine.conformance.subjects import Case
from howff.engine.codec import JSON, to_json
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import Visibility, is_visible, visibilities
from support.playouts import Playout, memories, told

ANOTHER_SEED: Final = 10**6
"""Gives a match that no other check plays."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """An event that told *seat* a secret, at a step of a match, with what was told there before."""

    seat: Seat
    at: int
    told_before: tuple[Any, ...]
    event: Any


def check_memories_are_true(case: Case, playout: Playout) -> None:
    """Check that whatever a seat remembers is true, at every version."""
    for seat in map(Seat, range(case.seats)):
        for step, memory in zip(playout.steps, memories(playout, seat), strict=True):
            assert case.game.is_true(memory, step.after, seat), (
                f"{who(seat)} is wrong {after(step.move)} in remembering {memory}"
            )


def check_memories_say_something(case: Case, playout: Playout) -> None:
    """Check that a seat remembers something of a match, which is not true of every match."""
    others = spread(case.play_out(ANOTHER_SEED).steps, 12)
    for seat in map(Seat, range(case.seats)):
        said = [each for each in memories(playout, seat) if each != case.game.memory()]
        assert said or not fields(case.game.memory), f"{who(seat)} remembers nothing of a match"
        assert not said or any(
            not case.game.is_true(memory, other.after, seat)
            for memory in spread(said, 12)
            for other in others
        ), f"is_true finds nothing wrong in what {who(seat)} remembers of another match"


def check_memories_keep_what_is_told(case: Case, playout: Playout) -> None:
    """Check that each kind of secret that is told to a seat changes its memory, at least once.

    A secret that can be looked up again may stand in its view instead.
    """
    kept = set(case.entry.forgettable(case.options))
    lost: dict[type, Lesson] = {}
    for lesson in _lessons(case, playout):
        kind = type(lesson.event)
        if kind not in kept:
            lost[kind] = lesson
            if _is_remembered(case, playout, lesson) or _is_in_view(case, playout, lesson):
                kept.add(kind)
    for kind in lost.keys() - kept:
        raise AssertionError(
            f"{who(lost[kind].seat)} is told {lost[kind].event} and does not remember it; if it "
            "need not, name the event in `forgettable` of the game's entry in entries/"
        )


def _lessons(case: Case, playout: Playout) -> Iterator[Lesson]:
    for seat in map(Seat, range(case.seats)):
        for at, events in enumerate(told(playout, seat)):
            for number, event in enumerate(events):
                if _visible_to(seat, event):
                    yield Lesson(seat, at, events[:number], event)


def _visible_to(seat: Seat, event: Any) -> tuple[Visibility, ...]:
    """Return the visibility of what *seat* learns; a value that is empty teaches nothing."""
    return tuple(
        visibility
        for name, visibility in visibilities(type(event)).items()
        if is_visible(event, visibility, seat, told_live=True) and getattr(event, name)
    )


def _is_remembered(case: Case, playout: Playout, lesson: Lesson) -> bool:
    remember, seat = case.game.remember, lesson.seat
    memory = memories(playout, seat)[lesson.at - 1] if lesson.at else case.game.memory()
    for event in lesson.told_before:
        memory = remember(memory, event, seat)
    return bool(remember(memory, lesson.event, seat) != memory)


def _is_in_view(case: Case, playout: Playout, lesson: Lesson) -> bool:
    """Return whether the step changes what the seat sees and others do not."""
    if any(visibility.momentary for visibility in _visible_to(lesson.seat, lesson.event)):
        return False
    step = playout.steps[lesson.at]
    before = _own_places(case, step.before, lesson.seat) if lesson.at else {}
    return before != _own_places(case, step.after, lesson.seat)


def _own_places(case: Case, state: Any, seat: Seat) -> dict[str, JSON]:
    own, common = _view_places(case, state, seat), _view_places(case, state, None)
    return {path: value for path, value in own.items() if common.get(path) != value}


def _view_places(case: Case, state: Any, viewer: Viewer) -> dict[str, JSON]:
    return dict(leaves(to_json(case.game.view_type, case.game.view(state, viewer))))
