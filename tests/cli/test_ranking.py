"""The table at the end of a match."""

from rich.console import Console

from howff.cli.terminal.ranking import ranking
from howff.engine.outcome import Figure, Outcome


def test_figures_are_told_in_order_of_places_and_what_is_so_or_not_as_yes_or_no() -> None:
    figures = (
        (Figure("total", 45), Figure("damage", 1), Figure("total_damage", 1)),
        (Figure("total", 37), Figure("damage", 0), Figure("total_damage", 0)),
    )
    console = Console(width=80)
    with console.capture() as capture:
        console.print(ranking(Outcome((2, 1), figures), ("Freya", "Jack")))
    rows = [line.split() for line in capture.get().splitlines()]
    assert [row for row in rows if row and row[0] in {"1", "2"}] == [
        ["1", "Jack", "37", "0", "no"],
        ["2", "Freya", "45", "1", "yes"],
    ]
