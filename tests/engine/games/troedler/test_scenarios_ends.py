"""The acceptance scenarios of scoring and ranking."""

from dataclasses import replace

import pytest

from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.events import GameEnded
from howff.engine.games.troedler.state import Options, Score
from support.texts import of
from support.troedler import BySeat, Counts, given, when

IVY = {"feed": 4, "req_anvil3": 1, "req_vase2_chair": 1, "req_anvil_bottle_cup": 1} | {
    "req_anvil_chair": 1
}
FREYA = {"feed": 3, "req_bottle_chair_pot": 1, "req_chair_cup_vase": 1, "req_anvil2": 1} | {
    "req_bottle2": 1
}
JACK = {"feed": 5, "req_chair2_bottle": 1, "req_anvil_cup_pot": 1, "req_chair2": 1} | {
    "req_bottle_cup": 1,
    "req_chair_pot": 1,
}
SCOTT = {"feed": 6, "req_bottle3": 1, "req_chair3": 1, "req_cup2": 1} | {
    "req_anvil_pot": 1,
    "req_cup_vase": 1,
}
FIVE_GOODS, SIX_GOODS, ONE_GOOD = {"anvil": 3, "pot": 2}, {"cup": 2, "chair": 4}, {"vase": 1}


def scores(
    value_piles: BySeat, collections: BySeat, hands: BySeat | None = None
) -> tuple[Score, ...]:
    """Return the scores of a match that ends with these piles and goods."""
    seats = len(value_piles)
    state = given(
        seats=seats,
        active=seats - 1,
        options=Options(round_limit=1),
        value_piles=value_piles,
        collections=collections,
        hands=hands or {},
    )
    draft = when(state, "end_turn")
    (ended,) = of(draft.events, GameEnded)
    assert draft.events[-1] == ended
    outcome = GAME.outcome(draft.state)
    assert outcome is not None
    assert outcome.places == tuple(each.rank for each in ended.scores)
    figures = [{figure.name: figure.value for figure in each} for each in outcome.figures]
    assert [each["total"] for each in figures] == [each.total for each in ended.scores]
    return ended.scores


def test_scenario_23_the_example_of_the_rulebook_is_scored() -> None:
    found = scores(
        {0: IVY, 1: FREYA, 2: JACK, 3: SCOTT}, {0: FIVE_GOODS, 1: SIX_GOODS, 2: ONE_GOOD}
    )
    assert found == (
        Score(4, 4, 5, damage=7, points=21, total=26, total_damage=True, rank=4),
        Score(4, 3, 6, damage=6, points=18, total=24, total_damage=False, rank=2),
        Score(5, 5, 1, damage=6, points=21, total=22, total_damage=False, rank=3),
        Score(5, 6, 0, damage=6, points=24, total=24, total_damage=False, rank=1),
    )


def test_the_end_is_told_with_who_has_total_damage() -> None:
    won = Score(5, 6, 0, damage=6, points=24, total=24, total_damage=False, rank=1)
    names = ("Freya", "Jack", "Ivy")

    def told(*found: Score) -> str:
        ended = GameEnded("requests", found)
        return GAME.explain(GAME.view(given(seats=3), None), None, ended, names)

    lost = replace(won, total_damage=True, total=37, rank=3)
    assert told(won, replace(won, rank=2), lost) == (
        "The match is over: Freya wins; Ivy has total damage, and so is last by the rules"
    )
    assert told(won, won, won) == "The match is over: Freya, Jack and Ivy share the win"


def test_scenario_24_a_shared_highest_damage_ruins_nobody() -> None:
    found = scores(
        {0: IVY, 1: FREYA, 2: JACK, 3: SCOTT | {"feed": 7}},
        {0: FIVE_GOODS, 1: SIX_GOODS, 2: ONE_GOOD},
    )
    assert [each.damage for each in found] == [7, 6, 6, 7]
    assert not any(each.total_damage for each in found)
    assert [each.rank for each in found] == [1, 3, 4, 2]
    assert [each.total for each in found] == [26, 24, 22, 24]


@pytest.mark.parametrize(("goods", "damage"), [({"cup": 4, "pot": 3}, 4), ({}, 0), ({"cup": 1}, 1)])
def test_scenario_25_half_of_the_goods_is_rounded_up(goods: Counts, damage: int) -> None:
    found = scores({0: {}, 1: {}, 2: {}}, {0: goods})
    assert found[0].damage == damage


@pytest.mark.parametrize(
    ("feed", "ranks", "ruined"), [(9, [1, 2], False), (10, [2, 1], True), (8, [1, 2], False)]
)
def test_scenario_26_two_seats_are_ruined_by_a_gap_of_three(
    feed: int, ranks: list[int], *, ruined: bool
) -> None:
    found = scores({0: {"feed": feed, "req_cup3": 1}, 1: {"feed": 7}}, {})
    assert [each.damage for each in found] == [feed, 7]
    assert [each.rank for each in found] == ranks
    assert [each.total_damage for each in found] == [ruined, False]


def test_scenario_27_a_win_is_shared() -> None:
    found = scores(
        {
            0: {"feed": 3, "req_cup3": 1, "req_pot3": 1, "req_chair_pot": 1},
            1: {"feed": 3, "req_vase3": 1, "req_cup2_pot": 1, "req_cup2": 1},
            2: {"req_anvil3": 1, "req_chair3": 1},
        },
        {0: {"cup": 3}, 1: {"pot": 2, "vase": 1}, 2: {"pot": 4}},
    )
    assert [(each.damage, each.total, each.goods_left) for each in found] == [
        (5, 20, 3),
        (5, 20, 3),
        (2, 18, 4),
    ]
    assert [each.rank for each in found] == [1, 1, 3]
    assert not any(each.total_damage for each in found)


def test_scenario_28_feed_in_hand_is_harmless() -> None:
    found = scores({0: {}, 1: {}, 2: {}, 3: {}}, {}, {0: {"feed": 4}})
    assert (found[0].damage, found[0].feed_used) == (0, 0)


def test_scenario_18_surplus_feed_is_damage() -> None:
    found = scores({0: {}, 1: {}, 2: {}}, {}, {2: {"feed": 6, "ferry": 1}})
    assert (found[2].feed_used, found[2].damage) == (2, 2)
    assert [each.total_damage for each in found] == [False, False, True]


def test_fewer_goods_break_a_tie() -> None:
    found = scores(
        {0: {"req_cup2": 1}, 1: {"req_chair_pot": 1}, 2: {}}, {1: {"cup": 1}, 2: {"pot": 1}}
    )
    assert [each.total for each in found] == [4, 4, 1]
    assert [each.rank for each in found] == [1, 2, 3]
