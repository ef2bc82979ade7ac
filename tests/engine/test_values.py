import dataclasses
from dataclasses import FrozenInstanceError, dataclass

import pytest

from howff.engine.tables import hash_of_tables, read_tables
from howff.engine.values import replace, with_item


@dataclass(frozen=True)
class Hand:
    owner: str
    cards: tuple[str, ...] = ()


def test_a_changed_copy_is_what_the_standard_library_would_make() -> None:
    hand = Hand("ivy", ("feed",))
    changed = replace(hand, cards=())
    assert changed == dataclasses.replace(hand, cards=()) == Hand("ivy")
    assert hash(changed) == hash(Hand("ivy"))
    assert hand == Hand("ivy", ("feed",))


def test_a_changed_copy_is_frozen_too() -> None:
    changed = replace(Hand("ivy"), owner="jack")
    with pytest.raises(FrozenInstanceError):
        changed.owner = "freya"  # type: ignore[misc]


def test_an_item_is_changed_in_its_place() -> None:
    assert with_item((1, 2, 3), 1, 5) == (1, 5, 3)


def test_the_hash_of_tables_depends_on_figures_not_on_their_order() -> None:
    tables = read_tables("howff.engine.games.troedler")
    turned = dict(reversed(tables.items()))
    assert hash_of_tables(turned) == hash_of_tables(tables)
    assert hash_of_tables(tables | {"pieces_per_good": 9}) != hash_of_tables(tables)
