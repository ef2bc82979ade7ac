"""Checks of the outcome of a match, and of the lines that tell of it."""

import re

from engine.conformance.check_forms import spread
from engine.conformance.subjects import Case
from howff.engine.codec import classes_of
from howff.engine.game import AnyGame
from howff.engine.outcome import Outcome, places_by
from support.playouts import Playout, told

NAMES = ("Freya", "Magnus", "Una", "Callum", "Iona", "Ruari")
"""What the seats are called."""


def check_outcome(case: Case, playout: Playout) -> None:
    """Check that there is an outcome at the end and only there, and its form."""
    for step in playout.steps[:-1]:
        assert case.game.outcome(step.after) is None, "there is an outcome before the end"
    outcome = case.game.outcome(playout.final)
    assert outcome is not None, "there is no outcome at the end"
    _check_places(case, outcome)
    assert len(outcome.figures) == case.seats, "not every seat has its figures"
    names = {tuple(figure.name for figure in figures) for figures in outcome.figures}
    assert len(names) == 1, f"the figures of the seats have different names: {names}"


def _check_places(case: Case, outcome: Outcome) -> None:
    assert len(outcome.places) == case.seats, "not every seat has a place"
    ranked = places_by(outcome.places)
    assert ranked == outcome.places, f"places {outcome.places} should be {ranked}"
    assert outcome.winners, "nobody has won"


def check_lines_on_moves(case: Case, playout: Playout) -> None:
    """Check what is said of each legal move to each viewer, in some positions."""
    internal = _internal_words(case.game)
    for step in spread(playout.steps, 20):
        for viewer in playout.viewers:
            view = case.game.view(step.after, viewer)
            for seat in case.game.to_act(step.after):
                for move in case.game.legal_moves(step.after, seat):
                    _check_line(case.game.explain(view, seat, move, _names(case)), internal)


def check_lines_on_events(case: Case, playout: Playout) -> None:
    """Check what is said of each event as told to each viewer."""
    internal = _internal_words(case.game)
    for viewer in playout.viewers:
        for step, events in zip(playout.steps, told(playout, viewer), strict=True):
            view = case.game.view(step.after, viewer)
            for event in events:
                _check_line(case.game.explain(view, None, event, _names(case)), internal)


def _names(case: Case) -> tuple[str, ...]:
    return NAMES[: case.seats]


def _internal_words(game: AnyGame) -> frozenset[str]:
    """Return words that people should not have to read."""
    classes = {kind.__name__ for kind in (*classes_of(game.move), *classes_of(game.event))}
    compound = {name for name in classes if re.search(r"[a-z][A-Z]", name)}
    return frozenset(compound | {"None", "Sealed", "sealed", "True", "False"})


def _check_line(line: str, internal: frozenset[str]) -> None:
    assert line, "the line is empty"
    assert line == " ".join(line.split()), f"not one line: {line!r}"
    found = internal.intersection(re.findall(r"\w+", line))
    assert not found, f"{line!r} speaks of {sorted(found)}"
