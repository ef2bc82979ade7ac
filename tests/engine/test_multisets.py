from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from howff.engine.multisets import holds_all, still_known, without, without_all

hands = st.lists(st.sampled_from("abc"), max_size=8).map(sorted).map(tuple)


def test_one_of_equal_items_goes() -> None:
    assert without(("a", "a", "b"), "a") == ("a", "b")
    assert without_all(("a", "a", "b"), ("b", "a")) == ("a",)


def test_what_is_not_there_cannot_go() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        without(("a",), "b")


@given(hands, hands)
def test_a_multiset_holds_what_can_be_taken_from_it(
    items: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    assert holds_all(items, wanted) == (Counter(wanted) <= Counter(items))


@given(hands, hands, st.data())
def test_what_is_still_known_is_still_there(
    known: tuple[str, ...], unseen: tuple[str, ...], data: st.DataObject
) -> None:
    place = tuple(sorted(known + unseen))
    if place:
        gone = data.draw(st.sampled_from(place))
        left = without(place, gone)
        assert holds_all(left, still_known(known, gone))
        assert holds_all(left, still_known(known, None))


def test_an_unseen_loss_gives_up_one_of_each_sort() -> None:
    assert still_known(("a", "a", "b"), None) == ("a",)
    assert still_known(("a", "a", "b"), "a") == ("a", "b")
    assert still_known(("a", "a", "b"), "c") == ("a", "a", "b")
