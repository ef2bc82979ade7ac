"""What holds whatever the rules: of the logs of viewers, and of commits that other rules decided.

Every forgery is signed anew with the true key.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from howff.engine.codec import JSON
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.match.commit import CommandId, Commit
from howff.match.errors import DisorderError
from howff.match.export import Export
from howff.match.replay import replay
from howff.match.verify import verify
from support.forging import (
    NEWER,
    Change,
    changed,
    failure,
    rechained,
    told_to,
    whole,
    with_event,
)
from support.toy_game import TOY

RECORDS: tuple[Callable[[], Export], ...] = (
    whole,
    lambda: told_to(None),
    lambda: told_to(Seat(0)),
)


def with_events(change: Callable[[tuple[JSON, ...]], tuple[JSON, ...]]) -> Change:
    return lambda commit: replace(commit, events=change(commit.events))


def event(kind: str, **data: JSON) -> JSON:
    return {"type": kind, "data": data}


def command_of_the_second(commit: Commit) -> Commit:
    second = whole().commits[1]
    return replace(commit, actor=second.actor, command=second.command)


STARTED = whole().commits[0].events[0]
ENDING = whole().commits[-1].events[-2:]
BRANCHED = event("MatchBranched", parent="match-0", version=1, state={"sealed": "ab" * 32})
CHANGED = event("RulesChanged", rules_version="2", data_hash="ab" * 32)


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize(
    ("version", "field", "change"),
    [
        (1, "actor", lambda commit: replace(commit, actor="seat:0")),
        (3, "actor", lambda commit: replace(commit, actor="seat:3")),
        (3, "actor", lambda commit: replace(commit, actor="seat:77")),
        (3, "actor", lambda commit: replace(commit, actor="nobody")),
        (3, "at", lambda commit: replace(commit, at="2020-01-01T00:00:00.000Z")),
        (3, "command", command_of_the_second),
        (1, "move", lambda commit: replace(commit, move=event("Bid", card=1))),
        (3, "move", lambda commit: replace(commit, move=None)),
        (3, "move", lambda commit: replace(commit, move=17)),
        (3, "move", lambda commit: replace(commit, move={"type": "Bid"})),
        (3, "move", lambda commit: replace(commit, move={"type": 1, "data": {}})),
        (3, "move", lambda commit: replace(commit, move={"type": "Bid", "data": []})),
        (3, "move", lambda commit: replace(commit, move={"sealed": "ab"})),
        (3, None, with_events(lambda events: (STARTED, *events))),
        (1, None, with_events(lambda events: (*events, STARTED))),
        (1, None, with_events(lambda events: (*events, CHANGED))),
        (3, None, with_events(lambda events: (*events, CHANGED))),
        (1, None, with_events(lambda events: (*events, BRANCHED))),
        (3, None, with_events(lambda events: (*events, BRANCHED))),
        (3, None, with_events(lambda events: (events[0], BRANCHED, *events[1:]))),
        (3, None, with_events(lambda events: (*events, *ENDING))),
        (3, None, with_events(lambda events: (*events, event("MatchAborted", by="agreement")))),
        (3, None, with_events(lambda events: (ENDING[0], *events))),
        (3, None, with_events(lambda events: (*events, ENDING[1]))),
        (1, None, with_event(0, entropies=[None])),
        (1, None, with_event(0, entropies=["x" * 65, None, None])),
    ],
)
def test_a_record_out_of_order_is_unlawful_by_any_rules(
    record: Callable[[], Export], version: int, field: str | None, change: Change
) -> None:
    forged = rechained(changed(record(), version, change))
    found = failure(verify(forged, NEWER))

    assert (found.code, found.place.version) == ("unlawful_commit", version)
    assert found.place.field == field
    with pytest.raises(DisorderError) as refusal:
        list(replay(forged, NEWER))
    assert refusal.value.code == "disorder"


@pytest.mark.parametrize("kind", ["SeatResigned", "WishTold", "SeatGivenBack"])
def test_who_does_something_else_does_not_move(kind: str) -> None:
    more = {"seat": 0, "order": 1, "wish": "pause", "is_wanted": True}
    told = with_events(lambda events: (event(kind, **more), *events))
    found = failure(verify(rechained(changed(whole(), 3, told)), NEWER))

    assert (found.code, found.place.version, found.place.field) == ("unlawful_commit", 3, "move")


@pytest.mark.parametrize("record", RECORDS)
def test_rules_may_change_at_the_beginning_of_any_later_commit(
    record: Callable[[], Export],
) -> None:
    export = changed(record(), 3, with_events(lambda events: (CHANGED, *events)))

    assert verify(rechained(export), replace(TOY, rules_version="3")).failure is None


@pytest.mark.parametrize("viewer", [None, Seat(0)])
def test_the_log_of_a_running_match_tells_of_no_end(viewer: Seat | None) -> None:
    export = told_to(viewer)
    last = export.commits[-1].version
    for ending in (ENDING, ENDING[:1], ENDING[1:]):
        more = with_events(lambda events, ending=ending: (*events, *ending))  # type: ignore[misc]
        found = failure(verify(rechained(changed(export, last, more)), TOY))
        assert (found.code, found.place.version) == ("unlawful_commit", last)


@pytest.mark.parametrize(
    "change",
    [
        lambda events: (*events[:-2], events[-1]),
        lambda events: (*events[:-1], *events[-2:]),
        lambda events: (*events[:-2], events[-2], *events[-2:]),
        lambda events: (*events[:-2], events[-2], events[-1], events[-1]),
    ],
)
def test_a_whole_match_ends_once_and_then_reveals_its_seed(
    change: Callable[[tuple[JSON, ...]], tuple[JSON, ...]],
) -> None:
    last = whole().commits[-1].version
    found = failure(verify(rechained(changed(whole(), last, with_events(change))), NEWER))

    assert (found.code, found.place.version) == ("unlawful_commit", last)


@pytest.mark.parametrize(
    "outcome",
    [
        {"places": [], "figures": []},
        {"places": [1, 2], "figures": [[], []]},
        {"places": [1, 2, 9], "figures": [[], [], []]},
        {"places": [1, 2, 3], "figures": [[], [], [{"name": "points", "value": 1}]]},
    ],
)
def test_an_outcome_that_is_not_of_these_seats_is_wrong(outcome: JSON) -> None:
    last = whole().commits[-1].version
    forged = rechained(changed(whole(), last, with_event(-2, outcome=outcome)))

    assert failure(verify(forged, NEWER)).code == "wrong_outcome"
    with pytest.raises(DisorderError):
        list(replay(forged, TOY))


def with_event_salts(commit: Commit) -> Commit:
    *others, last = commit.events
    salted = last | {"salts": {next(iter(last["data"])): "00" * 16}}
    return replace(commit, events=(*others, salted))


@pytest.mark.parametrize("game", [TOY, NEWER])
@pytest.mark.parametrize(
    "change", [with_event_salts, lambda commit: replace(commit, salts={"move": "00" * 16})]
)
@pytest.mark.parametrize("version", [1, 2])
def test_no_salts_stand_in_a_whole_match(game: AnyGame, change: Change, version: int) -> None:
    # Nothing is signed anew: the hash of a whole commit does not look at them.
    found = failure(verify(changed(whole(), version, change), game))

    assert (found.code, found.place.version) == ("unlawful_commit", version)
    assert found.place.field == "salts"


def test_a_command_id_may_be_used_by_another_actor() -> None:
    second = whole().commits[1]
    export = changed(whole(), 3, lambda commit: replace(commit, command=second.command))
    export = changed(export, 4, lambda commit: replace(commit, command=CommandId("start")))

    assert verify(rechained(export), TOY).failure is None
