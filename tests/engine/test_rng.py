from collections import Counter
from itertools import permutations

from engine.conformance.luck import NamedLuck
from howff.engine.rng import pick
from support.rng import LocalRng


def test_items_are_picked_without_putting_any_back() -> None:
    assert sorted(pick(LocalRng(0), "cards", "abcd", 4)) == ["a", "b", "c", "d"]


def test_nothing_can_be_picked_of_nothing() -> None:
    assert pick(LocalRng(0), "cards", (), 0) == ()


def test_each_pick_is_a_draw_of_its_own() -> None:
    luck = NamedLuck(0)
    pick(luck, "cards", "abcd", 3)
    assert luck.draws == ["cards"] * 3


def test_every_order_is_picked_equally_often() -> None:
    rng = LocalRng(1)
    picked = Counter(pick(rng, "cards", "aabc", 2) for _ in range(6_000))
    ways = Counter(permutations("aabc", 2))
    assert picked.keys() == ways.keys()
    for order, count in ways.items():
        assert abs(picked[order] - 500 * count) < 150
