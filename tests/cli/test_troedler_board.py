from dataclasses import replace
from io import StringIO
from typing import Final

import pytest
from rich.console import Console

from howff.cli.terminal.boards.troedler import board
from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.state import Options, State
from howff.engine.seats import Seat, Viewer
from support.rng import LocalRng
from support.troedler import given

NAMES: Final = ("Ivy", "Freya", "Jack", "Scott")
STRICT: Final = given(
    stage="picking",
    active=1,
    round=9,
    dealer_piles=[["bridge", "bridge", "ferry"], ["extra", "req_cup2"], None, [], []],
    hands={2: {"feed": 1, "req_pot3": 1}},
    value_piles={1: {"feed": 2, "req_cup3": 1}},
    discard_pile=["req_anvil3", "ferry", "ferry"],
)
OPEN: Final = replace(STRICT, options=Options(memory="open"))


def shown(state: State, viewer: Viewer = None) -> list[str]:
    console = Console(width=120, file=StringIO())
    with console.capture() as capture:
        console.print(board(GAME.view(state, viewer), NAMES))
    return [" ".join(line.split()) for line in capture.get().splitlines()]


@pytest.mark.parametrize("viewer", [None, Seat(0)])
def test_open_memory_is_there_to_be_looked_up(viewer: Viewer) -> None:
    lines = shown(OPEN, viewer)
    at = lines.index("May be looked up")
    assert lines[at + 1 : at + 8] == [
        "Pile 1 bridge x2, ferry",
        "Pile 2 extra, 2 cup → 4",
        "Discard ferry x2, 3 anvil → 7",
        "Ivy's value 0 requests, 0 points, 0 feed",
        "Freya's value 1 requests, 7 points, 2 feed",
        "Jack's value 0 requests, 0 points, 0 feed",
        "Scott's value 0 requests, 0 points, 0 feed",
    ]


def test_the_setup_lies_below_all_that_was_discarded() -> None:
    first = GAME.start(Options(memory="open"), 4, LocalRng(2)).state
    top = GAME.view(first, None).discard_top
    assert top is not None
    (below,) = (line for line in shown(first) if line.startswith("Below it"))
    assert below.startswith("Below it 9 requests and 9 feed, on top of them ")


def test_without_that_option_it_must_be_kept_in_mind() -> None:
    assert not any(
        "looked up" in line or line.startswith("Freya's value") for line in shown(STRICT)
    )
