"""Many matches of bots: under workers that are killed, and with an eye on their memory."""

from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import pytest

from conftest import IS_LONG
from howff.bots.blindness import choose_again
from howff.bots.policies.catalogue import play_of
from howff.contracts.matches import WORKERS_ACK_WAIT
from howff.engine.catalogue import game_of
from howff.match.export import Export
from howff.match.verify import verify
from support.rng import LocalRng
from support.service import wait_until
from support.working_bots import Hall, started

MATCHES: Final = 100
AT_ONCE: Final = 10
SOAKED: Final = 1000
KILLED_AFTER: Final = range(1, 12)
"""After how many more commits one of the workers is killed."""
SHORT: Final[dict[str, Any]] = {"options": {"round_limit": 1}}
LONG_WITHIN: Final = 3600.0
LATEST: Final = 5 * WORKERS_ACK_WAIT
"""Seconds in which a decision is made though worker after worker that has it in hand is killed."""

pytestmark = pytest.mark.skipif(not IS_LONG, reason="takes many minutes")


def test_no_match_stops_whatever_is_killed_and_all_moves_can_be_chosen_again(hall: Hall) -> None:
    rng, waits = LocalRng(7), list[float]()
    workers = [started(hall.settings()) for _ in range(2)]
    try:
        for _ in range(MATCHES // AT_ONCE):
            matches = [hall.start("casual", "random", **SHORT) for _ in range(AT_ONCE)]
            while going_on(hall, matches):
                most = commits_of(hall, matches) + rng.roll("after", KILLED_AFTER)
                wait_until(partial(has_come, hall, matches, most), LONG_WITHIN)
                at = rng.draw("worker", len(workers))
                workers[at].kill()
                workers[at].wait()
                workers[at] = started(hall.settings())
            for match in matches:
                export = hall.export(match)
                assert verify(export, game_of("troedler")).failure is None
                found = choose_again(export, game_of("troedler"), play_of("troedler"))
                assert {each.verdict for each in found} == {"alike"}
                waits.append(longest_wait(export))
    finally:
        for each in workers:
            each.kill()
            each.wait()
    assert max(waits) <= LATEST, sorted(waits)


def test_a_worker_takes_no_more_memory_the_longer_it_plays(hall: Hall) -> None:
    sizes: list[int] = []
    with hall.process() as worker:
        for _ in range(SOAKED // AT_ONCE):
            hall.wait_until_over(
                *(hall.start("random", "random", **SHORT) for _ in range(AT_ONCE)),
                within=LONG_WITHIN,
            )
            sizes.append(resident(worker.pid))
    quarter = len(sizes) // 4
    second, last = fmean(sizes[quarter : 2 * quarter]), fmean(sizes[-quarter:])
    assert last <= 1.1 * second, sizes


def going_on(hall: Hall, matches: list[str]) -> bool:
    return not all(hall.service.match(each).is_over for each in matches)


def has_come(hall: Hall, matches: list[str], most: int) -> bool:
    return commits_of(hall, matches) >= most or not going_on(hall, matches)


def longest_wait(export: Export) -> float:
    """Return the most seconds between two commits of a match."""
    times = [datetime.fromisoformat(each.at) for each in export.commits]
    return max((later - earlier).total_seconds() for earlier, later in pairwise(times))


def commits_of(hall: Hall, matches: list[str]) -> int:
    return sum(hall.service.match(each).version for each in matches)


def resident(process: int) -> int:
    """Return the memory of *process* in KiB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise ProcessLookupError(process)
