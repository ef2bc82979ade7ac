from dataclasses import replace

import pytest

from howff.engine.seats import Seat
from howff.match.errors import NotFoldableError, NotReplayableError
from howff.match.match import match_of
from howff.match.replay import replay
from support.played import exported, exported_to, played
from support.toy_game import TOY
from support.toy_types import Options


def test_replaying_gives_every_state_of_the_match() -> None:
    record = played(TOY, Options(), 3)
    steps = list(replay(exported(record), TOY))

    assert tuple(step.commit for step in steps) == record.commits
    assert steps[-1].match == record.match
    for version, step in enumerate(steps, start=1):
        assert step.match.state == match_of(TOY, record.commits[:version]).state


def test_a_file_with_sealed_fields_is_not_replayable() -> None:
    export = exported_to(played(TOY, Options(), 3).before_the_last(), Seat(1))

    with pytest.raises(NotReplayableError) as refusal:
        list(replay(export, TOY))
    assert refusal.value.code == "not_replayable"


def test_events_that_do_not_fit_the_state_are_refused() -> None:
    export = exported(played(TOY, Options(), 3))
    commits = list(export.commits)
    stray = {"type": "CardBid", "data": {"seat": 0, "card": 99}}
    commits[1] = replace(commits[1], events=(stray,))

    with pytest.raises(NotFoldableError):
        list(replay(replace(export, commits=tuple(commits)), TOY))
