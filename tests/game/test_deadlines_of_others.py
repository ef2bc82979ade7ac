"""A match that can't be gone on with leaves the deadlines of the others alone."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Final, cast

import pytest

from howff.engine.errors import MatchOverError
from howff.game.application.deadlines import Deadlines
from howff.match.commit import MatchId
from howff.servicekit.eventstore.errors import BrokenStreamError, UnavailableError

BROKEN: Final = "broken"
OTHERS: Final = {f"other-{number}" for number in range(9)}


@dataclass
class Matches:
    """All are over, but for one that does what its log makes it do."""

    error: Exception
    asked_for: set[str] = field(default_factory=set[str])

    async def expire(self, match: MatchId) -> None:
        self.asked_for.add(match)
        raise self.error if match == BROKEN else MatchOverError(None)

    async def find(self, _: MatchId) -> Any:
        return type("Found", (), {"match": type("Over", (), {"clocks": None})})


@dataclass(frozen=True)
class Known:
    """What a register or the schedules hold."""

    held: set[str]

    async def keys(self) -> set[str]:
        return self.held


def deadlines_of(matches: Matches) -> Deadlines:
    register, schedules = Known({BROKEN, *OTHERS}), Known(set())
    return Deadlines(
        cast("Any", matches), schedules=cast("Any", schedules), register=cast("Any", register)
    )


@pytest.mark.parametrize(
    "error", [KeyError("a secret"), BrokenStreamError("m", expected=2, found="the end")]
)
def test_all_others_are_looked_after(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    matches = Matches(error)
    assert asyncio.run(deadlines_of(matches).sweep()) == 10
    assert matches.asked_for == {BROKEN, *OTHERS}
    (record,) = caplog.records
    assert record.getMessage().startswith("the deadline of match broken can't be mended")


def test_the_round_ends_when_the_store_is_away() -> None:
    away = UnavailableError(expected="an answer", found="none")
    with pytest.raises(UnavailableError):
        asyncio.run(deadlines_of(Matches(away)).sweep())
