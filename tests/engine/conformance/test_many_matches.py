"""Many random matches of every game; the long run prints what they are like."""

from collections.abc import Callable

import pytest

from engine.conformance.many_matches import Tally, play
from engine.conformance.subjects import CASES, IS_LONG, Case, cases_tested

MATCHES = 10_000 if IS_LONG else 12
"""How many matches of a game are played, by all numbers of seats and sets of options together."""


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_many_matches_come_to_an_end(
    case: Case, record_property: Callable[[str, object], None]
) -> None:
    tally = Tally(case)
    for number in range(MATCHES // len(cases_tested(case.game)) + 1):
        play(case, number, tally)
    record_property("figures", tally.summary())
