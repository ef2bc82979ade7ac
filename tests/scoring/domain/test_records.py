"""Records and streaks: what a match adds to how accounts have done."""

from itertools import groupby
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from howff.contracts.ids import ID
from howff.scoring.domain.ratings import Pool
from howff.scoring.domain.records import MeetingTally, tallies_of
from howff.scoring.domain.standings import BOT
from howff.scoring.domain.streaks import Streak, streak_after, wins_of
from support.results import result, seat

PAIR = (seat("freya", 1), seat("ivy", 2))


def met(told: Any) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Return who has come out ahead of whom, behind, or level."""
    found = {
        (each.player, each.opponent): (each.ahead, each.behind, each.level)
        for each in tallies_of(told).meetings
    }
    assert len(found) == len(tallies_of(told).meetings)
    return found


def test_each_account_has_a_record_of_its_seat_and_of_each_plain_option() -> None:
    options = {"memory": "open", "limit": 3, "is_short": False, "clans": None, "sets": ["a"]}
    told = result("m", seat("freya", 2), seat("bot:casual", 1), options=options)
    tallies = tallies_of(told)
    (own,) = tallies.seats
    assert (own.player, own.seats, own.seat) == ("freya", 2, 0)
    assert (own.matches, own.firsts, own.places, own.left) == (1, 0, 2, 0)
    assert [(each.player, each.name, each.value) for each in tallies.options] == [
        ("freya", "memory", '"open"'),
        ("freya", "limit", "3"),
        ("freya", "is_short", "false"),
    ]
    assert {each.places for each in tallies.options} == {2}


def test_an_option_that_is_a_long_text_has_no_record() -> None:
    told = result("m", *PAIR, options={"poem": "x" * 201, "n" * 201: 1, "fits": "x" * 198})
    assert {each.name for each in tallies_of(told).options} == {"fits"}


def test_what_was_aborted_and_branches_are_in_no_record() -> None:
    ended = (seat("freya", None), seat("ivy", None))
    for told in (result("m", *ended, reason="aborted"), result("m", *PAIR, is_branch=True)):
        tallies = tallies_of(told)
        assert (tallies.seats, tallies.options, tallies.meetings) == ((), (), ())
    assert len(tallies_of(result("m", *PAIR, is_rated=False)).seats) == 2


def test_whoever_has_left_is_behind_all_who_stayed() -> None:
    told = result("m", seat("freya", 1, stay="replaced"), seat("ivy", 2), seat("jack", 2))
    assert met(told) == {
        ("freya", "ivy"): (0, 1, 0),
        ("freya", "jack"): (0, 1, 0),
        ("ivy", "freya"): (1, 0, 0),
        ("ivy", "jack"): (0, 0, 1),
        ("jack", "freya"): (1, 0, 0),
        ("jack", "ivy"): (0, 0, 1),
    }
    freya = next(each for each in tallies_of(told).seats if each.player == "freya")
    assert (freya.firsts, freya.left) == (1, 1)


def test_of_several_seats_the_best_one_counts() -> None:
    told = result(
        "m", seat("freya", 3), seat("bot:casual", 2), seat("freya", 1), seat("bot:casual", 4)
    )
    tallies = tallies_of(told)
    assert [(each.seat, each.places) for each in tallies.seats] == [(2, 1)]
    assert tallies.meetings == (
        MeetingTally(player="freya", opponent="bot:casual", ahead=1, behind=0, level=0),
    )


def test_no_account_can_have_the_name_of_a_level_of_bots() -> None:
    assert ID.fullmatch(f"{BOT}casual") is None
    told = result("m", seat("freya", 1), seat("casual", 2), seat("bot:casual", 3))
    assert ("freya", "casual") in met(told)
    assert ("freya", "bot:casual") in met(told)


def test_a_streak_is_of_accounts_in_matches_that_are_rated() -> None:
    told = result("m", seat("freya", 2), seat("bot:strong", 1), seat("ivy", 3))
    live = Pool("troedler", "live")
    assert wins_of(told) == {live: {"freya": True, "ivy": False}}
    left = result("m", seat("freya", 1, stay="resigned"), seat("ivy", 2), reason="resigned")
    assert wins_of(left) == {live: {"freya": False, "ivy": True}}
    assert wins_of(result("m", seat("freya", 1), seat("ivy", 1))) == {
        live: {"freya": True, "ivy": True}
    }
    twice = result("m", seat("freya", 3), seat("ivy", 2), seat("freya", 1))
    assert wins_of(twice) == {live: {"freya": True, "ivy": False}}
    assert wins_of(result("m", seat("bot:strong", 1), seat("bot:casual", 2))) == {}
    assert wins_of(result("m", *PAIR, is_rated=False)) == {}


@given(st.lists(st.booleans(), min_size=1))
def test_a_streak_is_the_last_run_and_its_longest_the_first_that_is_longest(
    wins: list[bool],
) -> None:
    streak = None
    for number, is_won in enumerate(wins):
        streak = streak_after(streak, is_won=is_won, at=f"{number:03}")
    runs = [list(run) for _, run in groupby(enumerate(wins), key=lambda each: each[1])]
    last, won = runs[-1], [run for run in runs if run[0][1]]
    longest = max(won, key=len, default=[])
    assert streak == Streak(
        is_won=last[0][1],
        length=len(last),
        since=f"{last[0][0]:03}",
        longest=len(longest),
        longest_since=f"{longest[0][0]:03}" if longest else None,
    )
