"""Checks that what is told of a decision depends on no secret.

A decision is taken again in another world that the viewer can't tell from its own, or with other
luck. The viewer has to be told the same, until an event brings something into the open.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.conformance.check_forms import spread
from engine.conformance.check_worlds import Position, seen
from engine.conformance.differences import (
    after,
    difference,
    first_difference,
    told_difference,
    who,
)
from engine.conformance.luck import NamedLuck
from engine.conformance.subjects import Case
from howff.engine.codec import canonical, to_tagged
from howff.engine.game import AnyGame
from howff.engine.play import Draft
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import is_visible, visibilities
from support.playouts import Playout, Step, told_live
from support.rng import LocalRng


@dataclass(slots=True)
class Tally:
    """In how many pairs of worlds a move was told alike, of how many."""

    alike: int = 0
    pairs: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """What a decision has caused."""

    draft: Draft[Any, Any]
    draws: tuple[str, ...]

    def told_to(self, viewer: Viewer) -> tuple[Any, ...]:
        return told_live(tuple(self.draft.events), viewer)


def _play(game: AnyGame, decision: tuple[Any, Seat, Any], luck: NamedLuck) -> Played:
    state, seat, move = decision
    return Played(game.play(state, seat, move, luck), tuple(luck.draws))


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
    pair = [_play(game, (world, seat, move), NamedLuck(seed)) for world in worlds]
    for viewer in (position.viewer, None):
        tally.pairs += 1
        tally.alike += is_told_alike(position.case, viewer, pair, after(move))


def check_luck_tells_nothing(case: Case, playout: Playout) -> None:
    """Check that moves that draw tell the same with other luck."""
    lucky = [step for step in playout.steps[1:] if step.draws]
    for step in spread(lucky, 6):
        for seed in range(4):
            _check_luck(case, step, seed)


def check_luck_of_openings(case: Case) -> None:
    """Check that openings tell the same with other luck."""
    opening = case.play_out(seed=0).steps[0]
    for seed in range(20):
        _check_luck(case, opening, seed)


def _check_luck(case: Case, step: Step, seed: int) -> None:
    """Let one name of draws after the other turn out otherwise.

    So what one of them brings into the open does not excuse what another has to cover.
    """
    usual = _again(case, step, NamedLuck(seed))
    for name in dict.fromkeys(usual.draws):
        pair = (usual, _again(case, step, NamedLuck(seed, name)))
        for viewer in (*map(Seat, range(case.seats)), None):
            moment = f"{after(step.move)} with other luck in {name!r}"
            is_told_alike(case, viewer, pair, moment)


def _again(case: Case, step: Step, luck: NamedLuck) -> Played:
    if step.seat is not None:
        return _play(case.game, (step.before, step.seat, step.move), luck)
    return Played(case.game.start(case.options, case.seats, luck), tuple(luck.draws))


def is_told_alike(case: Case, viewer: Viewer, pair: Sequence[Played], moment: str) -> bool:
    """Check that a viewer is told the same until something is uncovered; return whether all is.

    It also sees the same then, unless the match is over and all may be seen.
    """
    told = [each.told_to(viewer) for each in pair]
    at = first_difference(*told)
    if at is not None:
        events = [event for each in pair for event in each.draft.events[at : at + 1]]
        assert _may_differ(case, viewer, events), (
            f"{who(viewer)} is told {told_difference(*told)} {moment}; {_HINT}"
        )
        return False
    assert pair[0].draws == pair[1].draws, (
        f"draws {moment} depend on a secret: {pair[0].draws} or {pair[1].draws}"
    )
    if case.game.outcome(pair[0].draft.state) is not None:
        return True
    real, other = (seen(case, viewer, each.draft.state) for each in pair)
    assert real == other, f"{who(viewer)} is not told, but sees {difference(real, other)} {moment}"
    return True


def _may_differ(case: Case, viewer: Viewer, events: Sequence[Any]) -> bool:
    """Return whether both *events* (not one alone) uncover something, and differ in that alone.

    Where the rules let the happening of an event tell something, one of them is enough.
    """
    if any(map(case.entry.tells, events)):
        return True
    covered = [_covered_fields(case, event) for event in told_live(tuple(events), viewer)]
    is_uncovering = all(case.entry.uncovers(event, viewer) for event in events)
    return is_uncovering and len(covered) == 2 and covered[0] == covered[1]


def _covered_fields(case: Case, event: Any) -> dict[str, Any]:
    """Return what an event tells beside what it may uncover."""
    for kind, uncovered in case.entry.uncovered_fields.items():
        if isinstance(event, kind):
            plain = to_tagged(event)["data"]
            return {name: value for name, value in plain.items() if name not in uncovered}
    return {}


def check_moves_that_look_alike(position: Position, seed: int) -> None:
    """Check that moves of others that look alike afterwards are told alike, and draw alike.

    What is shown for a moment only is left out: it is told, but nothing of it need stay.
    """
    game, viewer = position.case.game, position.viewer
    known: dict[tuple[str, Any], tuple[Any, Played]] = {}
    for seat in game.to_act(position.state):
        moves = () if seat == viewer else game.legal_moves(position.state, seat)
        for move in LocalRng(seed).shuffle("moves", moves)[:_MOST_MOVES]:
            played = _play(game, (position.state, seat, move), NamedLuck(seed))
            if not any(_is_shown_for_a_moment(position, event) for event in played.draft.events):
                alike = known.setdefault(_look(position, played), (move, played))
                _check_alike(viewer, alike, (move, played))


def _check_alike(viewer: Viewer, first: tuple[Any, Played], other: tuple[Any, Played]) -> None:
    moves = f"of {first[0]} or {other[0]}, which look alike to {who(viewer)}"
    told = [played.told_to(viewer) for _, played in (first, other)]
    assert told[0] == told[1], f"{told_difference(*told)} is told {moves}; {_HINT}"
    draws = first[1].draws, other[1].draws
    assert draws[0] == draws[1], f"the draws {draws[0]} or {draws[1]} tell {moves}"


def _look(position: Position, played: Played) -> tuple[str, Any]:
    """Return what the viewer sees and remembers afterwards."""
    case, viewer, memory = position.case, position.viewer, position.memory
    if viewer is not None:
        for event in played.told_to(viewer):
            memory = case.game.remember(memory, event, viewer)
    return canonical(seen(case, viewer, played.draft.state)), memory


def _is_shown_for_a_moment(position: Position, event: object) -> bool:
    return position.case.entry.uncovers(event, position.viewer) or any(
        visibility.momentary and is_visible(event, visibility, position.viewer, told_live=True)
        for visibility in visibilities(type(event)).values()
    )


_MOST_MOVES = 6
_HINT = (
    "if this shows a hidden card, or open luck, name the event in `uncovers` of the game's entry "
    "in entries/; else it has leaked"
)
