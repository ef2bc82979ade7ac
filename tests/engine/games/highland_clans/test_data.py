"""The tables meet the constraints that the rules set on them."""

from collections import Counter

import pytest

from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import (
    ACTIONS,
    ACTIONS_OF_LAST_SEAT,
    ALL_CARDS,
    ALL_CUBES,
    BARD_PRICE,
    CLANS,
    CUBES_DRAWN,
    CUBES_USED,
    EACH_CATTLE,
    ESTATE_NUMBERS,
    ESTATE_PRICES,
    FEWEST_WARRIORS,
    FIGHTS,
    FIGURES,
    LOWEST_SCORE,
    MADE_OF,
    MOST_CATTLE,
    MOST_ESTATES,
    MOST_EXCHANGED,
    MOST_GREEN,
    RAID_POINTS,
    RED_FROM,
    REFRESH_DISCARDED,
    REFRESH_DRAWN,
    SECOND_GREEN,
    START_BAGPIPERS,
    START_CATTLE,
    START_ESTATES,
    START_WARRIORS,
    TIED_GREEN,
    RaidPoints,
)
from howff.engine.games.highland_clans.events import RaidResolved
from howff.engine.games.highland_clans.state import Options
from support.highland_clans import cubes
from support.playouts import play_out


def test_constraints_01_and_02_there_are_67_cards_in_unequal_numbers() -> None:
    counts = Counter(ALL_CARDS)
    assert counts == {1: 20, 2: 18, 3: 16, 4: 13}
    assert counts.total() == 67
    assert len(set(counts.values())) == 4


def test_constraint_03_a_hand_may_lack_threes_and_fours() -> None:
    high = sum(card >= 3 for card in ALL_CARDS)
    assert high == 29
    assert 2 * high < len(ALL_CARDS)


def test_constraint_04_raids_are_not_one_sided() -> None:
    results = Counter(
        event.result
        for seed in range(60)
        for event in play_out(GAME, Options(), 4, seed).events
        if isinstance(event, RaidResolved)
    )
    shares = {result: count / results.total() for result, count in results.items()}
    assert results.total() > 400
    assert 0.35 < shares["attacker"] < 0.47
    assert 0.31 < shares["defender"] < 0.45
    assert 0.15 < shares["draw"] < 0.29
    assert round(sum(ALL_CARDS) / len(ALL_CARDS), 2) == 2.33


def test_constraints_05_and_06_25_tiles_bear_the_numbers_30_to_42() -> None:
    counts = Counter(ESTATE_NUMBERS)
    assert counts == dict.fromkeys(range(30, 42), 2) | {42: 1}
    assert counts.total() == 25
    assert round(sum(ESTATE_NUMBERS) / 25, 2) == 35.76


def test_constraint_07_the_red_zone_starts_at_the_lowest_number() -> None:
    assert min(ESTATE_NUMBERS) == RED_FROM == 30


@pytest.mark.parametrize("seats", GAME.seats)
def test_constraint_08_the_bag_differs_in_red_cubes_only(seats: int) -> None:
    figures = FIGURES[seats]
    boards = cubes(f"Y{START_WARRIORS * seats} B{START_BAGPIPERS * seats} R{START_CATTLE * seats}")
    assert ALL_CUBES - figures.set_aside - boards == cubes(f"Y9 B17 G20 R{10 - seats}")
    missing = 5 - seats
    assert (figures.yellow, figures.blue) == (START_WARRIORS * missing, START_BAGPIPERS * missing)


def test_constraint_09_cards_never_run_out() -> None:
    in_hands = ALL_CUBES.yellow + 2 * (REFRESH_DRAWN - FIGHTS)
    assert in_hands == 33
    assert len(ALL_CARDS) - in_hands == 34
    assert len(ALL_CARDS) - in_hands >= REFRESH_DRAWN


def test_the_pieces_are_those_of_the_box() -> None:
    assert cubes("Y29 B27 G20 R10") == ALL_CUBES
    assert ALL_CUBES.total == 86
    assert [FIGURES[seats].score for seats in GAME.seats] == [2, 5, 8]
    assert (START_WARRIORS, START_BAGPIPERS, START_ESTATES, START_CATTLE) == (4, 2, 2, 1)
    people = {"warrior": cubes("Y1"), "bagpiper": cubes("B1"), "monk": cubes("G1")}
    buildings = {"castle": cubes("B2"), "monastery": cubes("G3"), "cattle": cubes("R1")}
    assert people | buildings == MADE_OF
    assert cubes("B1") == BARD_PRICE
    assert {"red": cubes("Y1 R1"), "green": cubes("Y1 G2")} == ESTATE_PRICES


def test_the_limits_are_those_of_the_rulebook() -> None:
    assert (CUBES_DRAWN, CUBES_USED, ACTIONS, ACTIONS_OF_LAST_SEAT) == (6, 4, 2, 1)
    assert (FEWEST_WARRIORS, MOST_ESTATES, MOST_EXCHANGED) == (3, 6, 3)
    assert (FIGHTS, REFRESH_DRAWN, REFRESH_DISCARDED, LOWEST_SCORE) == (3, 5, 2, 0)


def test_the_points_are_those_of_the_rulebook() -> None:
    assert (MOST_GREEN, SECOND_GREEN, TIED_GREEN, EACH_CATTLE, MOST_CATTLE) == (3, 2, 1, 1, 2)
    assert (
        RaidPoints(
            attacker_wins=1,
            attacker_wins_nothing=2,
            attacker_draws=1,
            attacker_loses=-1,
            defender_wins=2,
        )
        == RAID_POINTS
    )


def test_five_clans_have_names_and_colours_of_their_own() -> None:
    assert [each.name for each in CLANS.values()] == [
        "Campbell",
        "MacDonald",
        "MacGregor",
        "MacKenzie",
        "MacLeod",
    ]
    colours = {each.colour for each in CLANS.values()}
    assert len(colours) == 5
    assert not colours & {"yellow", "blue", "green", "red"}
