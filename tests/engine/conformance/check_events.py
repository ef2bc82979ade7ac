"""Checks of events: they carry the whole match, and say who may know what."""

import json
from dataclasses import fields
from typing import Any, Final, get_type_hints

from engine.conformance.check_forms import check_hints
from engine.conformance.differences import after
from engine.conformance.subjects import Case
from howff.engine.codec import canonical, classes_of, from_tagged, to_json, to_tagged
from howff.engine.game import AnyGame
from howff.engine.play import fold
from howff.engine.schema import schema_of, tagged_schema_of
from howff.engine.seats import Seat
from howff.engine.visibility import visibilities
from howff.match.events import PlatformEvent
from support.playouts import Playout

RESERVED_NAMES: Final = frozenset(kind.__name__ for kind in classes_of(PlatformEvent))
"""Names of events that a game leaves to the match around it."""


def check_folding_gives_the_live_states(case: Case, playout: Playout) -> None:
    """Check that stored events lead to the state of every version."""
    state = case.game.initial(case.options, case.seats)
    for version, step in enumerate(playout.steps, start=1):
        stored = json.loads(canonical([to_tagged(event) for event in step.events]))
        events = [from_tagged(case.game.event, event) for event in stored]
        state = fold(case.game.evolve, state, events)
        assert state == step.after, f"folding leads elsewhere at version {version}"


def check_evolve_changes_no_old_state(case: Case, playout: Playout) -> None:
    """Check that an event leaves the state before it alone, and leads to one state only."""
    state = case.game.initial(case.options, case.seats)
    for event in playout.events:
        before = canonical(to_json(case.game.state, state))
        after = case.game.evolve(state, event)
        assert canonical(to_json(case.game.state, state)) == before, f"{event} changes the past"
        assert case.game.evolve(state, event) == after, f"{event} leads to two states"
        assert hash(after) == hash(case.game.evolve(state, event))
        state = after


def check_invariants(case: Case, playout: Playout) -> None:
    """Check what the entry of the game says of every state."""
    for step in playout.steps:
        for invariant in case.entry.invariants:
            assert invariant(step.after), f"{invariant.__name__} is broken {after(step.move)}"


def check_declarations(game: AnyGame) -> None:
    """Check that the classes of events are what the match around a game relies on."""
    events = {kind.__name__: kind for kind in classes_of(game.event)}
    for name in ("TurnStarted", "TurnEnded"):
        assert name in events, f"there is no {name}"
        assert _public_seat(events[name], "seat"), f"{name} has no public seat"
    reserved = RESERVED_NAMES & events.keys()
    assert not reserved, f"these names are reserved: {sorted(reserved)}"
    for kind in events.values():
        visibilities(kind)  # It refuses what it would not heed.


def _public_seat(kind: type, name: str) -> bool:
    is_field = name in {field.name for field in fields(kind)}
    return (
        is_field
        and name not in visibilities(kind)
        and get_type_hints(kind)[name] in {Seat, Seat | None}
    )


def check_forms_of_types(game: AnyGame) -> None:
    """Check that every type that a game exchanges has a JSON form and a schema."""
    kinds: tuple[Any, ...] = (game.options, game.state, game.view_type, game.memory)
    for kind in (*kinds, *classes_of(game.move), *classes_of(game.event)):
        check_hints(kind, set())
    for kind in kinds:
        assert schema_of(kind)["type"] == "object", f"{kind.__name__} is no object"
    for union in (game.move, game.event):
        names = [kind.__name__ for kind in classes_of(union)]
        assert len(set(names)) == len(names), f"two classes have one name: {sorted(names)}"
        assert len(tagged_schema_of(union)["oneOf"]) == len(names)
        assert all(kind.__doc__ for kind in classes_of(union)), "a class says nothing of itself"
    assert to_json(game.memory, game.memory()) is not None
