"""How the end of a match looks in the terminal."""

from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table

from howff.engine.outcome import Figure, Outcome

_YES_OR_NO: Final = frozenset({"total_damage"})
"""Figures that only tell whether something is so."""


def ranking(outcome: Outcome, names: tuple[str, ...]) -> Table:
    """Return the places of all seats, with the figures that led there."""
    table = Table(title="Ranking", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("Player")
    for figure in outcome.figures[0]:
        words = figure.name.split("_")
        table.add_column(" ".join(words), justify="right", min_width=max(map(len, words)))
    for seat in sorted(range(len(names)), key=lambda seat: outcome.places[seat]):
        figures = map(_shown, outcome.figures[seat])
        table.add_row(str(outcome.places[seat]), names[seat], *figures)
    return table


def _shown(figure: Figure) -> str:
    if figure.name in _YES_OR_NO:
        return "yes" if figure.value else "no"
    return str(figure.value)
