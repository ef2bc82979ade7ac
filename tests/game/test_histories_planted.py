"""Bugs planted into the service, and which check of its histories catches each."""

import os
from copy import deepcopy
from pathlib import Path
from typing import Final

import pytest

from howff.servicekit.running import run
from support.histories.checks import violations
from support.histories.forged import FORGERIES, Forgery
from support.histories.history import History
from support.histories.planted import PLANTED, QUICK, Planted
from support.histories.replicas import replicas_inside
from support.histories.rough import Replacements, on_rough_ground
from support.histories.runs import Plan, prepared, recorded
from support.histories.world import Terms
from support.nats import own_server

IS_LONG: Final = bool(os.environ.get("HOWFF_LONG"))
SHORT: Final = {"round_limit": 1}
TABLES: Final = (
    Terms("troedler", 2, options=SHORT),
    Terms("troedler", 3, 1, options=SHORT, watchers=0),
)
CLOCKED: Final = (
    Terms("troedler", 2, options=SHORT, most=9, clock={"move_seconds": 1}),
    Terms("troedler", 3, options=SHORT, most=9, clock={"match_seconds": 1, "increment_seconds": 1}),
)
"""Where people leave, and their clocks run out."""
UNWATCHED: Final = (Terms("dale_of_merchants", 2, most=60, watchers=0),) * 2
"""Where replicas hear of nothing but what they are asked."""
MOST_TRIES: Final = 5
"""How many seeds may be needed until a bug shows."""


def history_of(folder: Path, plan: Plan, parts: Replacements) -> History:
    """Return the history of two replicas on rough ground, made of these *parts*."""

    async def story() -> History:
        await prepared([nats])
        async with replicas_inside([nats]) as replicas:
            return await recorded(plan, [nats], replicas)

    with own_server(folder) as nats, on_rough_ground(plan.seed, parts):
        return run(story())


def test_the_service_passes_every_check_on_rough_ground_and_no_forgery_does(
    tmp_path: Path,
) -> None:
    """Of one history, since it takes a while to play one."""
    clean = history_of(tmp_path, Plan("rough", TABLES + CLOCKED), {})
    assert violations(clean) == {}
    assert [each.name for each in FORGERIES if not is_noticed(clean, each)] == []


def is_noticed(clean: History, forgery: Forgery) -> bool:
    """Tell whether the check of which it is said notices the *forgery*."""
    history = deepcopy(clean)
    forgery.forge(history)
    return bool(violations(history, [forgery.noticed_by]))


@pytest.mark.parametrize("bug", PLANTED if IS_LONG else QUICK, ids=lambda bug: str(bug.name))
def test_a_planted_bug_is_caught(tmp_path: Path, bug: Planted) -> None:
    found: dict[str, list[str]] = {}
    for number in range(MOST_TRIES):
        tables = UNWATCHED if bug.shows_unwatched else CLOCKED if bug.shows_by_clocks else TABLES
        plan = Plan(f"planted-{number}", tables, within=2.0, patience=0.8)
        found = violations(history_of(tmp_path / str(number), plan, bug.parts))
        if bug.caught_by in found:
            return
    pytest.fail(f"{bug.name} is caught by {sorted(found)} only")
