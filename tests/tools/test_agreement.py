"""Our own `verify` and the program without rules say the same of the same files.

Where only the rules tell that something is wrong, the program finds nothing, and says that it did
not check the decisions. Those are the commits that ours refuses in the check `decisions`, and whose
draws follow from the seed all the same: another move, or an event that luck has no part in.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from conftest import IS_LONG
from howff.match.export import Export
from howff.match.report import Failure
from support.damage import AGAINST_LUCK, KINDS, UNPROVEN, UNPROVEN_BEFORE_THE_END
from support.exports import TABLES, Played, Stops, contents_of, match_number, told_of, whole_of
from support.rng import LocalRng
from support.verifier import (
    Answer,
    Told,
    disagreement,
    needs_rules,
    our_answer,
    place_of,
    told_by_node,
)

MATCHES: Final = 9 if IS_LONG else 1
"""So many of each game and number of seats are compared."""
STOPS: Final = Stops(3, 10_000) if IS_LONG else Stops(1, 60)
"""When each of them is told while it runs, to each of its viewers."""
DAMAGES: Final = 7 if IS_LONG else 1
"""So many of each kind are done to a match of each game and number of seats."""
DRAWS: Final = {
    "troedler": {
        *("colours", "goods", "requests", "first discard pile", "round pile"),
        *("starting dealer", "discard pile"),
    },
    "hellweg": {"starting player", "trading deck"},
    "highland_clans": {
        *("clans", "hands", "start seat", "cubes", "redrawn cubes", "cards", "estate number"),
    },
    "appenzell": {"board side", "start seat", "floor tiles"},
    "dale_of_merchants": {
        *("sets", "first seat", "deck", "market deck", "reshuffle", "market reshuffle"),
        *("random card", "hands", "die", "gamble", "wily fellow"),
    },
}
"""The names of all draws, by game."""


def matches(key: str, seats: int) -> tuple[Played, ...]:
    return tuple(match_number(key, seats, number, STOPS) for number in range(MATCHES))


def test_both_accept_what_was_played_and_every_draw_is_compared(tmp_path: Path) -> None:
    played = [each for table in TABLES for each in matches(*table)]
    contents = [content for each in played for content in contents_of(each)]
    told = told_by_node(contents, tmp_path)

    for ours, theirs in zip(map(our_answer, contents), told, strict=True):
        assert disagreement(ours, theirs) is None
        assert theirs["failure"] is None
    details = [each["checks"][-2]["detail"] for each in told if is_whole(each)]
    for each, detail in zip(played, details, strict=True):
        made = sum(each.whole.match.draws.values())
        assert detail.startswith(f"{made} draws follow from the seed")
    assert len(told) >= (1000 if IS_LONG else 9 * 4)


@pytest.mark.parametrize("key", DRAWS)
def test_draws_of_every_name_are_among_those_that_are_compared(key: str) -> None:
    tables = [table for table in TABLES if table[0] == key]
    played = [each for table in tables for each in matches(*table)]

    assert set().union(*(each.whole.match.draws for each in played)) == DRAWS[key]


class Damaged(NamedTuple):
    kind: str
    is_whole: bool
    content: bytes


@cache
def exports(key: str, seats: int) -> tuple[Export, ...]:
    """Return the first match of a table: whole, and as it was told."""
    played = match_number(key, seats, 0, STOPS)
    return whole_of(played), *told_of(played)


def damaged() -> Iterator[Damaged]:
    """Yield files with each kind of damage: to every table, or in the short run to one."""
    for at, (kind, damage) in enumerate(KINDS.items()):
        for key, seats in TABLES if IS_LONG else (TABLES[4 * at % 9],):
            played = match_number(key, seats, 0, STOPS)
            whole, *told = exports(key, seats)
            for number in range(DAMAGES):
                rng = LocalRng(f"{key} {seats} {kind} {number}")
                export = whole if rng.draw("whole", 2) else rng.roll("told", told)
                yield Damaged(kind, export is whole, damage(played, export, rng))


def test_both_reject_what_was_damaged_or_forged(tmp_path: Path) -> None:
    files = tuple(damaged())
    told = told_by_node([each.content for each in files], tmp_path)
    found: Counter[str] = Counter()

    for each, theirs in zip(files, told, strict=True):
        ours = our_answer(each.content)
        assert disagreement(ours, theirs) is None, each.kind
        if each.kind in AGAINST_LUCK:
            check_luck(ours, theirs)
        found[verdict(ours, theirs)] += 1
        unproven = UNPROVEN if each.is_whole else UNPROVEN_BEFORE_THE_END
        assert is_rejected(ours) or each.kind in unproven, each.kind
    assert found["rejected by both"] > len(files) // 2
    assert found["rejected by the rules alone"]
    assert len(files) >= (1000 if IS_LONG else len(KINDS))


def check_luck(ours: Answer, theirs: Told) -> None:
    """Check that a forged draw is found without the rules, and at the same place."""
    failure = ours.failure
    assert isinstance(failure, Failure)
    told = theirs["failure"]
    assert (told["code"], told["version"], told["event"], told["field"]) == (
        failure.code,
        *place_of(failure),
    )
    assert theirs["checks"][-2]["result"] == "failed"


def is_rejected(ours: Answer) -> bool:
    return ours.refusal is not None or ours.failure is not None


def verdict(ours: Answer, theirs: Told) -> str:
    """Return who has rejected a file."""
    if not is_rejected(ours):
        return "accepted by both"
    return "rejected by the rules alone" if needs_rules(ours, theirs) else "rejected by both"


def is_whole(theirs: Told) -> bool:
    return bool(theirs["checks"][1]["result"] != "not checked")
