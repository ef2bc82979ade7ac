"""Every game of the catalogue keeps the contract, with every number of seats."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.conformance import (
    check_covered,
    check_endings,
    check_events,
    check_forms,
    check_gaps,
    check_memories,
    check_moves,
    check_moves_told,
    check_worlds,
    digest,
)
from engine.conformance.check_moves_told import Tally
from engine.conformance.subjects import CASES, GAMES, IS_LONG, Case
from howff.engine.game import AnyGame
from support.playouts import Playout
from support.rng import LocalRng

PLAYOUT_CHECKS: tuple[Callable[[Case, Playout], None], ...] = (
    check_moves.check_somebody_acts_until_the_end,
    check_moves.check_legal_moves_are_lists_of_choices,
    check_moves.check_legal_moves_are_accepted,
    check_moves.check_other_moves_are_refused,
    check_moves.check_default_moves_are_legal,
    check_events.check_folding_gives_the_live_states,
    check_events.check_evolve_changes_no_old_state,
    check_events.check_invariants,
    check_forms.check_values,
    check_forms.check_moves_and_events,
    check_endings.check_outcome,
    check_endings.check_lines_on_moves,
    check_endings.check_lines_on_events,
)
"""What must hold in every match."""
KNOWLEDGE_CHECKS: tuple[Callable[[Case, Playout], None], ...] = (
    check_memories.check_memories_are_true,
    check_memories.check_memories_say_something,
    check_memories.check_memories_keep_what_is_told,
    check_gaps.check_memories_with_gaps,
    check_worlds.check_hidden_places_vary,
    check_covered.check_covered_values,
    check_moves_told.check_luck_tells_nothing,
)
"""What must hold of what seats know; in the long run for every 20th match."""
PLAYOUTS = settings(max_examples=200 if IS_LONG else 1)
KNOWLEDGE = settings(max_examples=10 if IS_LONG else 1)
POSITIONS = settings(max_examples=100 if IS_LONG else 10)
SEEDS = st.integers(0, 199 if IS_LONG else 0)
"""All tests of a case share its matches; in the short run one, of many cases."""
LEAST_ALIKE = 0.25
"""The share of pairs of worlds in which nothing has to be excused, or the test says little."""

every_case = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])


@pytest.mark.parametrize("check", PLAYOUT_CHECKS, ids=lambda check: check.__name__)
@every_case
def test_a_match_keeps_the_contract(case: Case, check: Callable[[Case, Playout], None]) -> None:
    @PLAYOUTS
    @given(seed=SEEDS)
    def check_matches(seed: int) -> None:
        check(case, case.play_out(seed))

    check_matches()


@pytest.mark.parametrize("check", KNOWLEDGE_CHECKS, ids=lambda check: check.__name__)
@every_case
def test_a_seat_knows_what_it_may(case: Case, check: Callable[[Case, Playout], None]) -> None:
    @KNOWLEDGE
    @given(seed=SEEDS)
    def check_matches(seed: int) -> None:
        check(case, case.play_out(seed))

    check_matches()


@every_case
def test_an_opening_tells_a_viewer_the_same_with_other_luck(case: Case) -> None:
    check_moves_told.check_luck_of_openings(case)


@every_case
def test_a_viewer_cannot_tell_its_world_from_another(case: Case) -> None:
    @POSITIONS
    @given(seed=SEEDS, at=st.integers(0, 10**6))
    def check_positions(seed: int, at: int) -> None:
        playout = case.play_out(seed)
        for position in check_worlds.positions(case, playout, at % len(playout.steps)):
            check_worlds.check_another_world(position, LocalRng(at))

    check_positions()


@every_case
def test_a_move_tells_a_viewer_the_same_in_another_world(
    case: Case, record_property: Callable[[str, object], None]
) -> None:
    tally = Tally()

    @POSITIONS
    @given(seed=SEEDS, at=st.integers(0, 10**6))
    def check_moves_in_two_worlds(seed: int, at: int) -> None:
        playout = case.play_out(seed)
        version = at % (len(playout.steps) - 1)
        for position in check_worlds.positions_of_seats(case, playout, version):
            check_moves_told.check_a_move_in_two_worlds(position, at, tally)

    check_moves_in_two_worlds()
    record_property("compared", f"{tally.alike} of {tally.pairs}")
    assert tally.alike >= LEAST_ALIKE * tally.pairs > 0


@every_case
def test_moves_that_look_alike_are_told_alike(case: Case) -> None:
    @POSITIONS
    @given(seed=SEEDS, at=st.integers(0, 10**6))
    def check_moves_of_others(seed: int, at: int) -> None:
        playout = case.play_out(seed)
        for position in check_worlds.positions_of_seats(case, playout, at % len(playout.steps)):
            check_moves_told.check_moves_that_look_alike(position, at)

    check_moves_of_others()


@every_game
def test_a_game_declares_what_the_match_relies_on(game: AnyGame) -> None:
    check_events.check_declarations(game)
    check_events.check_forms_of_types(game)


def test_matches_are_the_same_in_every_process() -> None:
    with _digesting("1") as one, _digesting("2") as other:
        digests, others = one.communicate()[0].splitlines(), other.communicate()[0].splitlines()
    assert (one.returncode, other.returncode) == (0, 0)
    assert {line.partition("-")[0] for line in digests} == {game.key for game in GAMES}
    assert digests == others


def _digesting(hash_seed: str) -> "subprocess.Popen[str]":
    """Return a process that says what matches are like where hashes have that seed."""
    tests = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(tests)}
    command = [sys.executable, str(Path(digest.__file__))]
    return subprocess.Popen(  # noqa: S603 — our own script
        command, env=environment, stdout=subprocess.PIPE, text=True
    )
