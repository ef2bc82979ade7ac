"""Measure quick match: JSON lines, and a table that says the same.

How long a round takes is of this process alone; how a crowd fares is in simulated time, so the
same on any machine.
"""

import json
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from howff.lobby.domain.matching.proposals import propose
from howff.lobby.domain.matching.waiting import WaitingTicket
from howff.lobby.domain.matching.windows import window
from support.crowd import Crowd, Evening, arrivals, never_wider

PEOPLE: Final = 10_000
A_SECOND: Final = 1.0
WAITING: Final = 2_000
"""Tickets that are looked through at once."""
SHARES: Final = (50, 90, 99)
CROWDS: Final = {
    ("one game each", "widening"): (False, window),
    ("one game each", "fixed"): (False, never_wider),
    ("any game", "widening"): (True, window),
    ("any game", "fixed"): (True, never_wider),
}


def main() -> None:
    for names_all in (False, True):
        report("any game" if names_all else "one game each", "-", *rounds(names_all=names_all))
    rows: list[str] = []
    for (games, windows), (names_all, allowed) in CROWDS.items():
        crowd = Crowd(people=PEOPLE, a_second=A_SECOND, names_all=names_all, windows=allowed)
        figures = list(fared(Evening(crowd).pass_by()))
        for figure in figures:
            report(games, windows, *figure)
        rows.append(f"| {games} | {windows} | {' | '.join(_cells(figures))} |")
    print("| games named | windows | waited, s | apart | with bots | expired |")
    print("|---|---|---|---|---|---|", *rows, sep="\n")


def report(games: str, windows: str, figure: str, value: float, unit: str) -> None:
    rounded = round(value, 4 if value < 1 else 1)
    line = {"figure": figure, "games": games, "windows": windows, "value": rounded, "unit": unit}
    print(json.dumps(line), flush=True)


def rounds(*, names_all: bool) -> tuple[str, float, str]:
    """Return how long a round takes with a crowd that has come within two minutes."""
    crowd = Crowd(people=WAITING, a_second=WAITING / 120, names_all=names_all)
    tickets: list[WaitingTicket] = [each.ticket for each in arrivals(crowd)][:WAITING]
    now = tickets[-1].since + timedelta(seconds=1)
    start = time.process_time()
    propose(tickets, now)
    return f"a round with {WAITING} tickets", time.process_time() - start, "s"


def fared(evening: Evening) -> Iterator[tuple[str, float, str]]:
    """Give how long those waited who got a match among people, and how far apart they were."""
    matched = [each for each in evening.fates.values() if each.ending == "matched"]
    waits = [each.waited for each in matched]
    spreads = [each.spread for each in matched if each.spread is not None]
    for share in SHARES:
        yield f"waited, p{share}", percentile(waits, share), "s"
    for share in SHARES:
        yield f"ratings apart, p{share}", percentile(spreads, share), "points"
    for ending in ("with bots", "expired"):
        ended = sum(each.ending == ending for each in evening.fates.values())
        yield ending, 100 * ended / len(evening.fates), "% of tickets"


def percentile(values: Sequence[float], share: int) -> float:
    return sorted(values)[len(values) * share // 100]


def _cells(figures: Sequence[tuple[str, float, str]]) -> list[str]:
    values = [f"{value:.0f}" for _, value, _ in figures]
    return ["/".join(values[:3]), "/".join(values[3:6]), f"{values[6]} %", f"{values[7]} %"]


if __name__ == "__main__":
    main()
