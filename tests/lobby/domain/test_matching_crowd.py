"""A crowd through the matcher: each ticket ends once, in time, at a table that suits it or at none.

Bounds: who lets bots in has a table one round after that at the latest; nobody has one when the
ticket's time is over; a ticket expires one round after that at the latest.
"""

from typing import Final

import pytest

from conftest import IS_LONG
from support.crowd import ROUND, Arrival, Crowd, Evening, Fate, never_wider

PEOPLE: Final = 10_000 if IS_LONG else 500
A_SECOND: Final = 4.0
CROWDS = {
    "one game each": Crowd(people=PEOPLE, a_second=A_SECOND, names_all=False),
    "any game": Crowd(people=PEOPLE, a_second=A_SECOND, names_all=True),
}
if IS_LONG:
    CROWDS["windows that stay"] = Crowd(
        people=PEOPLE, a_second=A_SECOND, names_all=False, windows=never_wider
    )


@pytest.mark.parametrize("name", CROWDS)
def test_each_ticket_ends_once_and_in_time(name: str) -> None:
    evening = Evening(CROWDS[name]).pass_by()
    assert len(evening.arrivals) > PEOPLE
    assert evening.fates.keys() == evening.arrivals.keys()
    endings = {each.ending for each in evening.fates.values()}
    assert endings == {"matched", "with bots", "cancelled", "expired", "matched elsewhere"}
    for ticket, fate in evening.fates.items():
        _check_time(evening.arrivals[ticket], fate)
        _check_spread(evening.crowd, fate)


def _check_time(arrival: Arrival, fate: Fate) -> None:
    lifetime = (arrival.ticket.expires_at - arrival.ticket.since).total_seconds()
    assert 0 <= fate.waited <= lifetime + ROUND
    assert fate.waited <= arrival.bots_at - arrival.at + ROUND
    assert (fate.ending == "expired") == (fate.waited >= lifetime)
    if fate.ending == "cancelled":
        assert 0 <= fate.waited - (arrival.cancelled_at - arrival.at) <= ROUND


def _check_spread(crowd: Crowd, fate: Fate) -> None:
    widest = crowd.windows(fate.waited + 0.001)  # tickets tell times to the microsecond
    assert fate.spread is None or widest is None or fate.spread <= widest
