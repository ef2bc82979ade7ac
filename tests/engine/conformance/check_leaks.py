"""Checks that nobody learns more than they may know.

A viewer's world is replaced by another that fits all it knows. If it can tell the two apart, by
its view, its moves, or what a move makes it see, then something has leaked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, TypeVar

from engine.conformance.check_endings import NAMES
from engine.conformance.check_forms import spread
from engine.conformance.subjects import Case
from howff.engine.codec import JSON, canonical, to_json, to_tagged
from howff.engine.play import Draft
from howff.engine.redact import redact, with_fields
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import Sealed, Visibility, is_visible, visibilities
from support.playouts import Playout, blind_seal, memories, telling_seal, told, told_live
from support.rng import LocalRng

T = TypeVar("T")


@dataclass(slots=True)
class Tally:
    """How many pairs of worlds could be compared after a move, of how many."""

    compared: int = 0
    pairs: int = 0


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


class NamedDraws(LocalRng):
    """Keeps the names of the draws, which are public."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self.names: list[str] = []

    def draw(self, name: str, n: int) -> int:
        self.names.append(name)
        return super().draw(name, n)

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        self.names.append(name)
        return LocalRng(str(super().draw(name, 2**30))).shuffle(name, items)

    def roll(self, name: str, faces: Sequence[T]) -> T:
        self.names.append(name)
        return faces[super().draw(name, len(faces))]


def positions_of_seats(case: Case, playout: Playout, at: int) -> tuple[Position, ...]:
    """Return the position of each seat after step *at*, with all that it remembers."""
    state = playout.steps[at].after
    seats = map(Seat, range(case.seats))
    return tuple(Position(case, seat, state, memories(playout, seat)[at]) for seat in seats)


def positions(case: Case, playout: Playout, at: int) -> tuple[Position, ...]:
    """Return also the positions of viewers who remember nothing, a spectator's among them."""
    state, blank = playout.steps[at].after, case.game.memory()
    forgetful = tuple(Position(case, viewer, state, blank) for viewer in playout.viewers)
    return (*positions_of_seats(case, playout, at), *forgetful)


def check_memories(case: Case, playout: Playout) -> None:
    """Check that whatever a seat remembers is true, at every version."""
    for seat in map(Seat, range(case.seats)):
        for step, memory in zip(playout.steps, memories(playout, seat), strict=True):
            assert case.game.is_true(memory, step.after, seat), (
                f"seat {seat} is wrong after {step.move} in remembering {memory}"
            )


def check_another_world(position: Position, rng: LocalRng) -> None:
    """Check that a world that fits looks the same to the viewer, and is a possible one."""
    other = position.sample(rng)
    real, sampled = _seen(position, position.state), _seen(position, other)
    assert sampled == real, f"{position.viewer} can tell {_difference(real, sampled)}"
    if position.viewer is not None:
        assert position.case.game.is_true(position.memory, other, position.viewer), (
            f"{other} is not as {position.viewer} remembers: {position.memory}"
        )
    for invariant in position.case.entry.invariants:
        assert invariant(other), f"{invariant.__name__} is broken in {other}"


def _seen(position: Position, state: Any) -> str:
    """Return all that the viewer sees of *state*: view, seats to act, its moves, lines on them."""
    game, viewer = position.case.game, position.viewer
    view = game.view(state, viewer)
    moves = () if viewer is None else game.legal_moves(state, viewer)
    lines = [game.explain(view, viewer, move, NAMES[: position.case.seats]) for move in moves]
    plain = [to_json(game.view_type, view), [to_tagged(move) for move in moves], lines]
    return canonical([*plain, list(game.to_act(state))])


def check_a_move_in_two_worlds(position: Position, seed: int, tally: Tally) -> None:
    """Check that a move, with the same luck, tells a seat the same in another world.

    So it must tell a spectator, who knows less. The position is of a seat that remembers all:
    events may tell again what was shown for a moment, such as how many cards are covered.
    """
    game, rng = position.case.game, LocalRng(seed)
    worlds = (position.state, position.sample(rng))
    seat = rng.roll("seat", game.to_act(position.state))
    others = game.legal_moves(worlds[1], seat)
    moves = [move for move in game.legal_moves(worlds[0], seat) if move in others]
    if not moves:
        return
    move = rng.roll("move", moves)
    draws = (NamedDraws(seed), NamedDraws(seed))
    drafts = [game.play(world, seat, move, luck) for world, luck in zip(worlds, draws, strict=True)]
    for viewer in (position.viewer, None):
        tally.pairs += 1
        if _compare(replace(position, viewer=viewer), drafts):
            tally.compared += 1
            assert draws[0].names == draws[1].names, f"draws after {move} depend on a secret"


def _compare(position: Position, drafts: Sequence[Draft[Any, Any]]) -> bool:
    """Compare what the viewer is told and sees; return whether nothing was uncovered."""
    is_whole = _compare_events(position, [tuple(draft.events) for draft in drafts])
    if is_whole:
        seen = [_seen(position, draft.state) for draft in drafts]
        assert seen[0] == seen[1], f"{position.viewer} is not told, but sees {_difference(*seen)}"
    return is_whole


def _compare_events(position: Position, events: list[tuple[Any, ...]]) -> bool:
    """Compare what the viewer is told, up to what is uncovered; return whether nothing is."""
    texts = [
        [canonical(to_tagged(event)) for event in told_live(each, position.viewer)]
        for each in events
    ]
    until = min(_uncovered_at(position, each) for each in events)
    is_whole = all(until >= len(each) for each in events)
    real, other = ([*each] if is_whole else each[:until] for each in texts)
    assert real == other, (
        f"{position.viewer} is told {_difference(canonical(real), canonical(other))}"
    )
    return is_whole


def _difference(real: str, other: str) -> str:
    """Return where two texts differ."""
    at = next(at for at, pair in enumerate(zip_longest(real, other)) if pair[0] != pair[1])
    near = slice(max(0, at - 60), at + 60)
    return f"…{real[near]}… from …{other[near]}…"


def _uncovered_at(position: Position, events: tuple[Any, ...]) -> int:
    uncovers, viewer = position.case.entry.uncovers, position.viewer
    shown = (at for at, event in enumerate(events) if uncovers(event, viewer))
    return next(shown, _NEVER)


def check_moves_that_look_alike(position: Position, seed: int) -> None:
    """Check that moves of others that look alike afterwards are told alike.

    What is shown for a moment only is left out: it is told, but nothing of it need stay.
    """
    game, viewer = position.case.game, position.viewer
    told_of: dict[tuple[str, Any], str] = {}
    for seat in game.to_act(position.state):
        moves = () if seat == viewer else game.legal_moves(position.state, seat)
        for move in LocalRng(seed).shuffle("moves", moves)[:_MOST_MOVES]:
            draft = game.play(position.state, seat, move, LocalRng(seed))
            if any(_is_shown_for_a_moment(position, event) for event in draft.events):
                continue
            events = told_live(tuple(draft.events), viewer)
            text = canonical([to_tagged(event) for event in events])
            look = (_seen(position, draft.state), _memory_after(position, events))
            alike = told_of.setdefault(look, text)
            assert alike == text, f"{viewer} is told {_difference(alike, text)}"


def _is_shown_for_a_moment(position: Position, event: object) -> bool:
    return position.case.entry.uncovers(event, position.viewer) or any(
        visibility.momentary and is_visible(event, visibility, position.viewer, told_live=True)
        for visibility in _declared(event).values()
    )


def _memory_after(position: Position, events: tuple[Any, ...]) -> Any:
    memory = position.memory
    for event in events:
        if position.viewer is not None:
            memory = position.case.game.remember(memory, event, position.viewer)
    return memory


def check_samples_differ(case: Case, playout: Playout) -> None:
    """Check that where something was covered, samples are not all one world, nor all the real."""
    for viewer in playout.viewers:
        covered = [at for at, events in enumerate(told(playout, viewer)) if _has_sealed(events)]
        worlds: list[tuple[Any, list[Any]]] = []
        for at in spread(covered, 8):
            position = next(each for each in positions(case, playout, at) if each.viewer == viewer)
            samples = [position.sample(LocalRng(seed)) for seed in range(4)]
            worlds.append((position.state, samples))
        if worlds:
            assert any(real != sample for real, samples in worlds for sample in samples), (
                f"samples for {viewer} are the real world"
            )
            assert any(len(set(samples)) > 1 for _, samples in worlds), (
                f"samples for {viewer} are all one world"
            )


def _has_sealed(events: tuple[object, ...]) -> bool:
    return any(
        isinstance(getattr(event, field), Sealed) for event in events for field in _declared(event)
    )


def check_covered_values(_case: Case, playout: Playout) -> None:
    """Check that another value in a covered field changes its commitment and nothing else."""
    known: dict[tuple[type, str], dict[Any, None]] = {}
    for event in playout.events:
        for field in _declared(event):
            known.setdefault((type(event), field), {})[getattr(event, field)] = None
    changed: set[tuple[type, str]] = set()
    for event in playout.events:
        for field in _declared(event):
            if _check_covered_value(playout, event, field, tuple(known[type(event), field])):
                changed.add((type(event), field))
    alike = {key for key, values in known.items() if set(values) <= {None, ()}}
    assert changed == known.keys() - alike, "some values had no other to be exchanged with"


def _check_covered_value(
    playout: Playout, event: object, field: str, known: tuple[Any, ...]
) -> bool:
    """Exchange the value of *field* and compare; return whether there was another value."""
    value = getattr(event, field)
    other = next((each for each in (*known, *_other_values(value)) if each != value), value)
    changed = with_fields(event, {field: other})
    visibility = _declared(event)[field]
    for viewer in playout.viewers:
        for told_now in (True, False):
            if other != value and not is_visible(event, visibility, viewer, told_live=told_now):
                _check_same_but_commitment((event, changed), field, viewer, told_live=told_now)
    return bool(other != value)


def _check_same_but_commitment(
    pair: tuple[Any, Any], field: str, viewer: Viewer, *, told_live: bool
) -> None:
    blind = [redact(each, viewer, told_live=told_live, seal=blind_seal) for each in pair]
    assert blind[0] == blind[1], f"{viewer} can tell {pair[0]} from {pair[1]}"
    plain: list[JSON] = []
    for each in pair:
        told_event = redact(each, viewer, told_live=told_live, seal=telling_seal).event
        plain.append(to_tagged(told_event))
    sealed = [each["data"].pop(field) for each in plain]
    assert sealed[0] != sealed[1], f"the commitment to {field} does not depend on it"
    assert plain[0] == plain[1], f"{viewer} can tell {pair[0]} from {pair[1]}"


def _declared(event: T) -> Mapping[str, Visibility]:
    """Return the visibility of each field of *event* that is not public."""
    return visibilities(type(event))


def _other_values(value: Any) -> tuple[Any, ...]:
    """Return other values of a plain kind, for a field that had one value only."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value + 1,)
    if isinstance(value, str):
        return (f"{value}*",)
    return (value * 2,) if isinstance(value, tuple) else ()


_MOST_MOVES = 6
_NEVER = 10**9
