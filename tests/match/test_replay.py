from dataclasses import replace

import pytest

from howff.engine.seats import Seat
from howff.match.errors import NotFoldableError, NotReplayableError
from howff.match.export import export_for, export_whole
from howff.match.match import match_of
from howff.match.replay import replay
from support.played import KEYS, SEED, played
from support.toy_game import TOY
from support.toy_types import Options


def test_replaying_gives_every_state_of_the_match() -> None:
    match = played(TOY, Options(), 3)
    steps = list(replay(export_whole(match, KEYS), TOY))

    assert [step.commit for step in steps] == list(match.commits)
    assert steps[-1].match == match
    for version, step in enumerate(steps, start=1):
        assert step.match.state == match_of(TOY, match.commits[:version]).state


def test_a_file_with_sealed_fields_is_not_replayable() -> None:
    running = match_of(TOY, played(TOY, Options(), 3).commits[:-1])
    export = export_for(running, Seat(1), SEED, KEYS)

    with pytest.raises(NotReplayableError) as refusal:
        list(replay(export, TOY))
    assert refusal.value.code == "not_replayable"


def test_events_that_do_not_fit_the_state_are_refused() -> None:
    export = export_whole(played(TOY, Options(), 3), KEYS)
    commits = list(export.commits)
    stray = {"type": "CardBid", "data": {"seat": 0, "card": 99}}
    commits[1] = replace(commits[1], events=(stray,))

    with pytest.raises(NotFoldableError):
        list(replay(replace(export, commits=tuple(commits)), TOY))
