"""Two ways to the canonical form: RFC 8785 as a library has it, and as the hot path has it."""

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from howff.engine.catalogue import GAMES
from howff.engine.game import AnyGame
from howff.match.canonical import (
    DEEPEST,
    LARGEST,
    canonical_bytes,
    canonical_line,
    check_plain,
)
from howff.match.commit import commit_to_json
from howff.match.errors import UnrecordableError
from support.played import played
from support.toy_game import TOY

ascii_texts = st.text(st.characters(max_codepoint=127))
scalars = st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.text()
plain_values = st.recursive(
    scalars, lambda each: st.lists(each) | st.dictionaries(ascii_texts, each), max_leaves=30
)
any_texts = st.text(st.characters(exclude_categories=()))
strange_scalars = scalars | st.integers() | st.floats() | any_texts | st.binary()
strange_values = st.recursive(
    strange_scalars,
    lambda each: st.lists(each)
    | st.tuples(each)
    | st.dictionaries(any_texts | st.integers() | st.none() | st.booleans(), each),
    max_leaves=8,
)


def is_plain(value: Any) -> bool:
    try:
        check_plain(value)
    except UnrecordableError:
        return False
    return True


@given(plain_values)
def test_both_ways_give_the_same_bytes(plain: Any) -> None:
    assert canonical_bytes(plain) == canonical_line(plain) == rfc8785.dumps(plain)


@given(plain_values)
def test_what_is_written_is_read_again(plain: Any) -> None:
    read = json.loads(canonical_line(plain))

    assert read == plain
    assert canonical_line(read) == canonical_line(plain)


@given(strange_values)
def test_whatever_is_not_refused_has_the_same_bytes_both_ways(value: Any) -> None:
    if is_plain(value):
        assert canonical_bytes(value) == canonical_line(value) == rfc8785.dumps(value)
    else:
        with pytest.raises(UnrecordableError):
            canonical_line(value)


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        -0.0,
        LARGEST + 1,
        -LARGEST - 1,
        (1, 2),
        {1: 2},
        {None: 2},
        {"ö": 1},
        ["\ud800"],
        {"\ud800": 1},
        b"bytes",
    ],
)
def test_what_one_of_both_ways_would_take_for_something_else_is_refused(value: Any) -> None:
    assert not is_plain(value)


def test_keys_that_are_not_ascii_would_be_sorted_in_two_ways() -> None:
    keys = {"\U0001f600": 1, "\ufb01": 2}

    assert canonical_bytes(keys) != rfc8785.dumps(keys)
    assert not is_plain(keys)


def test_values_may_be_nested_as_deep_as_a_line_is() -> None:
    deep: Any = 0
    for level in range(DEEPEST):
        deep = {"deeper": deep} if level % 2 else [deep]

    assert is_plain(deep)
    assert not is_plain([deep])
    assert not is_plain({"deeper": deep})


@pytest.mark.parametrize("game", [TOY, *GAMES.values()], ids=lambda game: game.key)
def test_whatever_a_game_records_is_plain(game: AnyGame) -> None:
    for commit in played(game, game.options(), game.seats[0]).commits:
        plain = commit_to_json(commit)
        assert canonical_bytes(plain) == canonical_line(plain)
