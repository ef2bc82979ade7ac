"""What is read of the live rows: leaderboards, players, matches and the history of ratings."""

from collections.abc import Sequence
from typing import Any

import pytest

from howff.scoring.adapters.plans import PLANS, RECORDS, STATISTICS
from howff.scoring.adapters.projections import Plan
from howff.scoring.adapters.queries import SqlScores
from howff.scoring.application.statistics import statistics_of
from howff.scoring.domain.errors import NoSuchPlayerError
from howff.scoring.domain.ratings import FIRST_POINTS
from howff.scoring.domain.statistics import who_played
from howff.servicekit.sql.database import Database
from support.projected import archived, projected
from support.results import result, results_of_all_kinds, seat


async def scores_of(database: Database, *told: Any, plans: Sequence[Plan] = PLANS) -> SqlScores:
    await archived(database, told)
    await projected(database, *plans)
    return SqlScores(database)


def ladder(count: int) -> list[Any]:
    """Return matches after which so many players are the better the lower their number."""
    return [
        result(f"m{number}-{time}", seat(f"p{number}", 1), seat(f"p{number + 1}", 2))
        for time in range(3)
        for number in range(count - 1)
    ]


def test_before_anything_has_ended_there_is_nobody(on_database: Any) -> None:
    async def story(database: Database) -> None:
        scores = SqlScores(database)
        assert await scores.leaders("troedler", "live", 10) == []
        with pytest.raises(NoSuchPlayerError):
            await scores.player("freya", is_own=True)
        with pytest.raises(NoSuchPlayerError):
            await scores.around("troedler", "live", "freya", 10)
        assert await scores.matches_of("freya", 10, None, is_own=True) == []
        assert await scores.steps_of("freya", "troedler", "live", 10, None, is_own=True) == []
        assert await scores.opponents_of("freya", None, 10, None, is_own=True) == []
        assert await scores.counters_of("troedler", None, None) == []

    on_database(story)


def test_pages_of_a_leaderboard_make_the_whole_of_it(on_database: Any) -> None:
    async def story(database: Database) -> None:
        scores = await scores_of(database, *ladder(9))
        whole = await scores.leaders("troedler", "live", 100)
        assert {each.player for each in whole} == {f"p{number}" for number in range(9)}
        for each in whole:
            assert each.rank == 1 + sum(other.sure_rating > each.sure_rating for other in whole)
        assert whole == sorted(whole, key=lambda each: -each.sure_rating)
        pages: list[Any] = []
        while True:
            after = (pages[-1].sure_rating, pages[-1].player) if pages else None
            page = await scores.leaders("troedler", "live", 4, after)
            if not page:
                break
            pages += page
        assert pages == whole
        for at, each in enumerate(whole):
            around = await scores.around("troedler", "live", each.player, 5)
            assert each in around
            first = whole.index(around[0])
            assert around == whole[first : first + len(around)]
            assert len(around) == 5 or at < 2 or at > 5

    on_database(story)


def test_equals_share_a_rank(on_database: Any) -> None:
    told = [
        result("one", seat("a", 1), seat("b", 2)),
        result("two", seat("c", 1), seat("d", 2)),
        result("three", seat("e", 1), seat("f", 2)),
    ]

    async def story(database: Database) -> None:
        scores = await scores_of(database, *told)
        whole = await scores.leaders("troedler", "live", 10)
        assert [(each.player, each.rank) for each in whole] == [
            ("a", 1),
            ("c", 1),
            ("e", 1),
            ("b", 4),
            ("d", 4),
            ("f", 4),
        ]
        assert (
            await scores.leaders("troedler", "live", 3, (whole[0].sure_rating, "a")) == whole[1:4]
        )
        assert [each.rank for each in await scores.around("troedler", "live", "d", 3)] == [4, 4, 4]

    on_database(story)


def test_a_player_has_its_ratings_and_a_record_a_game(on_database: Any) -> None:
    told = [
        result("m1", seat("freya", 1), seat("ivy", 2)),
        result("m2", seat("freya", 2, stay="resigned"), seat("ivy", 1), speed="days"),
        result("m3", seat("freya", None), seat("ivy", None), reason="aborted", is_rated=False),
        result("m4", seat("freya", 1), seat("ivy", 1), is_branch=True, is_rated=False),
        result("m5", seat("freya", 1), seat("bot:strong", 2), game="hellweg", is_rated=False),
    ]

    async def story(database: Database) -> None:
        scores = await scores_of(database, *told)
        freya = await scores.player("freya", is_own=False)
        assert [(each.game, each.kind) for each in freya.ratings] == [
            ("troedler", "days"),
            ("troedler", "live"),
        ]
        assert [each.rank for each in freya.ratings] == [2, 1]
        assert [(each.game, each.matches, each.wins, each.left) for each in freya.records] == [
            ("hellweg", 1, 1, 0),
            ("troedler", 2, 1, 1),
        ]
        assert [(each.kind, each.is_won, each.length, each.longest) for each in freya.streaks] == [
            ("days", False, 1, 0),
            ("live", True, 1, 1),
        ]

    on_database(story)


def test_matches_come_the_newest_first_with_what_they_changed(on_database: Any) -> None:
    told = [
        result(f"m{number}", seat("freya", 1 + number % 2), seat("ivy", 2 - number % 2))
        for number in range(5)
    ]
    alone = result("both", seat("freya", 1), seat("freya", 2), is_rated=False, is_public=False)

    async def story(database: Database) -> None:
        scores = await scores_of(database, *told, alone)
        found: list[Any] = []
        while page := await scores.matches_of(
            "freya", 2, found[-1][0] if found else None, is_own=True
        ):
            found += page
        assert [each.match for _, each in found] == ["both", "both", "m4", "m3", "m2", "m1", "m0"]
        assert [each.seat for _, each in found[:2]] == [0, 1]
        others = await scores.matches_of("freya", 10, None, is_own=False)
        assert [each.match for _, each in others] == ["m4", "m3", "m2", "m1", "m0"]
        steps = [
            step
            for _, step in await scores.steps_of("freya", "troedler", "live", 10, None, is_own=True)
        ]
        assert [each.change for each in steps] == [each.rating_change for _, each in others]
        assert sum(each.change for each in steps) == steps[0].rating - FIRST_POINTS
        assert [each.rating_change for _, each in found[:2]] == [None, None]
        later = await scores.steps_of("freya", "troedler", "live", 10, 8, is_own=True)
        assert [step.match for _, step in later] == ["m1", "m0"]

    on_database(story)


def test_a_private_match_is_named_to_the_account_alone(on_database: Any) -> None:
    told = result("secret", seat("freya", 1), seat("ivy", 2), is_public=False)

    async def story(database: Database) -> None:
        scores = await scores_of(database, told)
        for is_own, expected in ((True, "secret"), (False, None)):
            found = await scores.steps_of("freya", "troedler", "live", 9, None, is_own=is_own)
            assert [step.match for _, step in found] == [expected]

    on_database(story)


def test_a_record_tells_of_each_seat_and_option(on_database: Any) -> None:
    told = [
        result("m1", seat("freya", 1), seat("ivy", 2), options={"memory": "open"}),
        result("m2", seat("freya", 2), seat("ivy", 1), options={"memory": "strict"}),
        result("m3", seat("ivy", 1), seat("jack", 2), seat("freya", 3), options={"memory": "open"}),
        result("m4", seat("freya", 2), seat("ivy", 1), options={"memory": "open"}),
    ]

    async def story(database: Database) -> None:
        scores = await scores_of(database, *told)
        (record,) = (await scores.player("freya", is_own=False)).records
        assert (record.matches, record.wins, record.mean_place, record.left) == (4, 1, 2.0, 0)
        assert [(at.seats, at.seat, at.matches, at.mean_place) for at in record.by_seat] == [
            (2, 0, 3, 1.667),
            (3, 2, 1, 3.0),
        ]
        assert [(at.name, at.value, at.matches, at.wins) for at in record.by_option] == [
            ("memory", '"open"', 3, 1),
            ("memory", '"strict"', 1, 0),
        ]

    on_database(story)


def test_private_matches_are_in_the_records_that_an_account_reads_of_itself(
    on_database: Any,
) -> None:
    told = [
        result("m1", seat("freya", 1), seat("ivy", 2), is_rated=False),
        result("m2", seat("freya", 2), seat("ivy", 1), is_rated=False, is_public=False),
        result("m3", seat("jack", 1), seat("ivy", 2), is_rated=False, is_public=False),
    ]

    async def story(database: Database) -> None:
        scores = await scores_of(database, *told)
        for is_own, matches in ((True, 2), (False, 1)):
            (record,) = (await scores.player("freya", is_own=is_own)).records
            met = await scores.opponents_of("freya", None, 9, None, is_own=is_own)
            assert record.matches == record.by_seat[0].matches == matches
            assert [each.matches for _, each in met] == [matches]
        assert (await scores.player("jack", is_own=True)).records
        with pytest.raises(NoSuchPlayerError):
            await scores.player("jack", is_own=False)

    on_database(story)


def test_pages_of_opponents_make_the_whole_list_the_most_frequent_first(on_database: Any) -> None:
    told = results_of_all_kinds(30)

    async def story(database: Database) -> None:
        scores = await scores_of(database, *told, plans=[RECORDS])
        whole = await scores.opponents_of("freya", None, 100, None, is_own=True)
        names = [each.account or f"bot:{each.level}" for _, each in whole]
        assert sorted(names) == ["bot:casual", "bot:strong", "ivy", "jack", "scott"]
        assert [place for place, _ in whole] == sorted(
            [(each.matches, name) for name, (_, each) in zip(names, whole, strict=True)],
            key=lambda place: (-place[0], place[1]),
        )
        pages: list[Any] = []
        while page := await scores.opponents_of(
            "freya", None, 2, pages[-1][0] if pages else None, is_own=True
        ):
            pages += page
        assert pages == whole
        for _, each in whole:
            assert each.matches == each.ahead + each.behind + each.equal
        by_game = [
            await scores.opponents_of("freya", game, 100, None, is_own=True)
            for game in ("troedler", "hellweg")
        ]
        assert sum(each.matches for game in by_game for _, each in game) == sum(
            each.matches for _, each in whole
        )

    on_database(story)


def test_two_who_have_met_tell_the_same_of_it(on_database: Any) -> None:
    async def story(database: Database) -> None:
        scores = await scores_of(database, *results_of_all_kinds(30), plans=[RECORDS])
        met = {
            (player, each.account): each
            for player in ("freya", "ivy", "jack", "scott")
            for _, each in await scores.opponents_of(player, None, 100, None, is_own=True)
            if each.account is not None
        }
        assert len(met) == 12
        for (player, opponent), each in met.items():
            other = met[opponent, player]
            assert (each.matches, each.equal) == (other.matches, other.equal)
            assert (each.ahead, each.behind) == (other.behind, other.ahead)

    on_database(story)


def test_statistics_are_those_of_the_matches_that_were_asked_for(on_database: Any) -> None:
    told = results_of_all_kinds(30)
    public = [each for each in told if each.game == "hellweg" and each.is_public]
    counted = [each for each in public if not each.is_branch]

    async def story(database: Database) -> None:
        scores = await scores_of(database, *told, plans=[STATISTICS])
        whole = statistics_of("hellweg", await scores.counters_of("hellweg", None, None))
        assert sum(each.matches for each in whole.groups) == len(counted)
        for group in whole.groups:
            alone = await scores.counters_of("hellweg", group.seats, group.who)
            assert statistics_of("hellweg", alone).groups == (group,)
            of_it = [
                each
                for each in counted
                if len(each.seats) == group.seats and who_played(each) == group.who
            ]
            finished = [each for each in of_it if each.reason == "finished"]
            assert (group.matches, group.finished) == (len(of_it), len(finished))
            assert len(group.by_seat) == (group.seats if finished else 0)
            for each in group.by_seat:
                places = [match.seats[each.seat].place or 0 for match in finished]
                assert each.wins == places.count(1)
                assert each.mean_place == round(sum(places) / len(places), 3)

    on_database(story)
