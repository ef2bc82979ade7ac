"""Checks of the worlds that a viewer holds possible.

A viewer's world is replaced by another that fits all it knows. If it can tell the two apart, by
its view or its moves, then something has leaked.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from engine.conformance.check_endings import NAMES
from engine.conformance.check_forms import spread
from engine.conformance.differences import difference, leaves, who
from engine.conformance.subjects import Case
from howff.engine.codec import JSON, to_json, to_tagged
from howff.engine.seats import Seat, Viewer
from support.playouts import Playout, memories
from support.rng import LocalRng

MOST_SAMPLES: Final = 600
"""How many samples may be alike in a place that the real world shows to be free."""
LONGEST_HAND: Final = 4
"""A longer multiset is one place: its lowest card, say, is nearly always the same."""


@dataclass(frozen=True, slots=True)
class Position:
    """What a viewer knows at one version of a match, and how things are."""

    case: Case
    viewer: Viewer
    state: Any
    memory: Any

    @property
    def view(self) -> Any:
        return self.case.game.view(self.state, self.viewer)

    def sample(self, rng: LocalRng) -> Any:
        """Return another world that fits."""
        return self.case.game.sample_world(self.view, self.memory, rng)


def positions_of_seats(case: Case, playout: Playout, at: int) -> tuple[Position, ...]:
    """Return the position of each seat after step *at*, with all that it remembers."""
    state = playout.steps[at].after
    seats = map(Seat, range(case.seats))
    return tuple(Position(case, seat, state, memories(playout, seat)[at]) for seat in seats)


def forgetful_positions(case: Case, playout: Playout, at: int) -> tuple[Position, ...]:
    """Return the position after step *at* of viewers who remember nothing, a spectator's too."""
    state, blank = playout.steps[at].after, case.game.memory()
    return tuple(Position(case, viewer, state, blank) for viewer in playout.viewers)


def positions(case: Case, playout: Playout, at: int) -> tuple[Position, ...]:
    """Return the positions after step *at* of those who remember all, and of the forgetful."""
    return (
        *positions_of_seats(case, playout, at),
        *forgetful_positions(case, playout, at),
    )


def check_another_world(position: Position, rng: LocalRng) -> None:
    """Check that a world that fits looks the same to the viewer, and is a possible one."""
    case, viewer = position.case, position.viewer
    other = position.sample(rng)
    real, sampled = seen(case, viewer, position.state), seen(case, viewer, other)
    assert sampled == real, (
        f"{who(viewer)} can tell its world from one that fits by {difference(real, sampled)}"
    )
    if viewer is not None:
        assert case.game.is_true(position.memory, other, viewer), (
            f"{other} is not as {who(viewer)} remembers: {position.memory}"
        )
    for invariant in case.entry.invariants:
        assert invariant(other), f"{invariant.__name__} is broken in {other}"


def seen(case: Case, viewer: Viewer, state: Any) -> JSON:
    """Return all that the viewer sees of *state*: view, seats to act, its moves, lines on them."""
    game = case.game
    view = game.view(state, viewer)
    moves = () if viewer is None else game.legal_moves(state, viewer)
    return {
        "view": to_json(game.view_type, view),
        "to_act": list(game.to_act(state)),
        "moves": [to_tagged(move) for move in moves],
        "lines": [game.explain(view, viewer, move, NAMES[: case.seats]) for move in moves],
    }


def check_hidden_places_vary(case: Case, playout: Playout) -> None:
    """Check that in each place that a viewer can't know, some samples differ from others.

    A place is known to be free where the real world has another value than a sample. That all
    deals that fit are equally likely is for the game's own tests to show.
    """
    for at in spread(range(len(playout.steps) - 1), 8):
        for position in positions(case, playout, at):
            stuck = _stuck_places(position)
            assert not stuck, (
                f"samples for {who(position.viewer)} always have the same in {sorted(stuck)}, "
                f"and the real world has not, with {position.memory}"
            )


def _stuck_places(position: Position) -> set[str]:
    """Return the places in which all samples are alike, and are not as the real world."""
    first, real = _places(position, position.sample(LocalRng(0))), _places(position, position.state)
    stuck = {path for path in first if path in real and real[path] != first[path]}
    for seed in range(1, MOST_SAMPLES):
        if not stuck:
            break
        sample = _places(position, position.sample(LocalRng(seed)))
        stuck = {path for path in stuck if sample.get(path) == first[path]}
    return stuck


def _places(position: Position, state: Any) -> dict[str, JSON]:
    return dict(leaves(to_json(position.case.game.state, state), is_one=_is_long_multiset))


def _is_long_multiset(items: list[Any]) -> bool:
    if len(items) <= LONGEST_HAND or {type(item) for item in items} not in ({int}, {str}):
        return False
    return all(one <= other for one, other in pairwise(items))
