"""What the log of a match says of its seats."""

from typing import Any

import pytest

from howff.engine.catalogue import GAMES, game_of
from howff.match.clocks import PerMove, PerTurn, speed_of
from howff.match.export import Export, export_for, export_whole
from howff.scoring.domain.errors import UnfinishedError
from howff.scoring.domain.results import MatchResult, result_of
from support.played import KEYS, Record, played
from support.timed import TimedMatch, start_timed
from support.toy_types import Options


def told(record: Record | TimedMatch) -> MatchResult:
    return result_of(export_whole(record.match, tuple(record.commits), KEYS))


@pytest.mark.parametrize("key", list(GAMES))
def test_a_finished_match_has_the_places_figures_and_moves_of_its_log(key: str) -> None:
    game = game_of(key)
    options: Any = game.read_options(game.bounded({}, 3))
    record = played(game, options, game.seats[0])
    result, outcome = told(record), record.match.outcome
    assert outcome is not None
    assert (result.game, result.reason, result.is_branch) == (key, "finished", False)
    assert tuple(seat.place for seat in result.seats) == outcome.places
    assert tuple(seat.figures for seat in result.seats) == outcome.figures
    moves = [commit.move["type"] for commit in record.commits if commit.move is not None]
    counted = sum(each.count for seat in result.seats for each in seat.moves)
    assert counted == len(moves)
    assert {each.kind for seat in result.seats for each in seat.moves} == set(moves)
    assert result.commits == len(record.commits)
    assert (result.started_at, result.ended_at) == (record.commits[0].at, record.commits[-1].at)


def test_a_match_that_goes_on_has_no_result() -> None:
    game = game_of("troedler")
    record = played(game, game.read_options({}), 2, most=5)
    redacted: Export = export_for(record.match, record.commits, None, bytes(32), KEYS)
    with pytest.raises(UnfinishedError):
        result_of(redacted)


def test_who_resigns_has_left_the_match() -> None:
    match = TimedMatch(start_timed(Options(), 3, rated=True))
    match.resigns(0)
    match.resigns(1)
    result = told(match)
    assert [seat.stay for seat in result.seats] == ["resigned", "resigned", "stayed"]
    assert [seat.place for seat in result.seats] == [3, 2, 1]
    assert (result.reason, result.is_rated) == ("resigned", True)


def test_an_aborted_match_has_no_places_and_counts_for_nothing() -> None:
    match = TimedMatch(start_timed(Options(), 2, rated=True))
    match.aborts()
    result = told(match)
    assert (result.reason, result.is_rated) == ("aborted", False)
    assert [(seat.place, seat.figures) for seat in result.seats] == [(None, ()), (None, ())]


def test_a_seat_that_a_bot_took_over_was_left_unless_its_holder_came_back() -> None:
    clock = PerMove(60_000)
    match = TimedMatch(start_timed(Options(), 3, clock=clock, on_flag="bot", rated=True))
    match.waits_until_due(2000).expires_all()
    replaced = set(match.match.presence.stand_ins)
    assert replaced
    match.takes_back(min(replaced))
    match.resigns(max(set(range(3)) - replaced, default=2))
    match.resigns(1)
    result = told(match)
    assert result.seats[min(replaced)].flags == 1
    assert result.seats[min(replaced)].stay == "stayed"


def test_a_match_by_the_turn_or_without_a_clock_goes_over_days() -> None:
    assert speed_of(None) == speed_of(PerTurn(1)) == "days"
    assert speed_of(PerMove(60_000)) == "live"
