"""What a policy chooses follows from what its seat knows: neither from the true world, nor from
what was chosen before, nor from the process that it runs in."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import IS_LONG
from howff.bots.policies.catalogue import PLAYS
from howff.bots.policies.settings import Play
from howff.engine.catalogue import GAMES
from howff.engine.game import AnyGame
from support.bot_matches import TOY_PLAY
from support.toy_game import TOY
from support.two_worlds import chosen, decisions

TESTS = Path(__file__).parents[2]
COUNT = 60 if IS_LONG else 4
SUBJECTS: dict[str, tuple[AnyGame, Play]] = {
    "toy": (TOY, TOY_PLAY),
    **{key: (game, PLAYS[key]) for key, game in GAMES.items()},
}
CHOOSING = """
import json
from howff.bots.policies.catalogue import PLAYS
from howff.engine.catalogue import GAMES
from support.two_worlds import chosen, decisions
print(json.dumps([chosen(PLAYS[key], each) for key in GAMES for each in decisions(GAMES[key], 2)]))
"""


@pytest.mark.parametrize("key", SUBJECTS)
def test_policies_choose_alike_in_worlds_that_their_seat_cannot_tell_apart(key: str) -> None:
    game, play = SUBJECTS[key]
    compared = 0
    for decision in decisions(game, COUNT):
        here = chosen(play, decision)
        for other in map(decision.elsewhere, range(2)):
            compared += other.state != decision.state
            assert chosen(play, other) == here

    assert compared > COUNT // 2


@pytest.mark.parametrize("key", SUBJECTS)
def test_policies_choose_alike_whatever_they_have_chosen_before(key: str) -> None:
    game, play = SUBJECTS[key]
    found = list(decisions(game, COUNT, seed=2))
    forwards = [chosen(play, each) for each in found]
    backwards = [chosen(play, each) for each in reversed(found)]

    assert forwards == backwards[::-1]
    assert len({str(each) for each in forwards}) > 1


def test_policies_choose_alike_in_every_process() -> None:
    """Sets of texts come in another order where hashes have another seed."""
    found = [
        subprocess.run(  # noqa: S603 — this Python, as above
            [sys.executable, "-c", CHOOSING],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(TESTS)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert found[0] == found[1]
    assert len(json.loads(found[0])) == 2 * len(GAMES)
