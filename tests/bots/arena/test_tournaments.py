import json
from collections import Counter
from dataclasses import asdict, replace
from typing import Any

import pytest

from howff.bots.arena.results import duels_of, standings_of, whole_groups, wilson
from howff.bots.arena.tournaments import (
    Entrant,
    Pairing,
    Played,
    Tournament,
    entrant_of,
    play_pairing,
    seatings,
    tournament_of,
)
from howff.bots.policies.errors import NotInstalledError
from howff.bots.policies.settings import Setting
from howff.contracts.matches import ROUNDS_OF_BOTS
from howff.engine.catalogue import GAMES
from howff.engine.errors import RefusalError


def tournament(*texts: str, groups: int = 2, seed: str = "a", **terms: Any) -> Tournament:
    """Return a tournament of short matches."""
    told = {"options": {"round_limit": 1}, "seats": None} | terms
    return tournament_of("troedler", texts, groups=groups, seed=seed, **told)


def played(contest: Tournament) -> list[Played]:
    """Return its matches, played here and without a clock."""
    return [play_pairing(contest, pairing, lambda: 0) for pairing in contest.pairings]


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (5, 3)])
def test_everybody_sits_everywhere_equally_often(entrants: int, seats: int) -> None:
    each_once = seatings(entrants, seats)

    assert len(set(each_once)) == len(each_once)
    for seat in range(seats):
        counts = Counter(seating[seat] for seating in each_once)
        assert counts.keys() == set(range(entrants))
        assert len(set(counts.values())) == 1
    assert all(len(set(seating)) == min(entrants, seats) for seating in each_once)


def test_every_group_has_every_seating() -> None:
    contest = tournament("random", "casual", groups=3)

    assert list(contest.pairings) == [
        Pairing(group, seating) for group in range(3) for seating in ((0, 1), (1, 0))
    ]


def test_equal_seeds_give_equal_matches_and_others_give_others() -> None:
    contest = tournament("random", "casual")

    assert played(contest) == played(contest)
    assert played(contest) != played(replace(contest, seed="b"))


def test_the_matches_of_a_group_begin_with_the_same_luck_and_groups_with_others() -> None:
    contest = tournament("random", "random", groups=4)
    outcomes = [each.course.outcome for each in played(contest)]

    # Both seats draw alike, whoever it is that sits there.
    assert outcomes[0::2] == outcomes[1::2]
    assert len({str(outcome) for outcome in outcomes}) > 1


def test_a_match_that_could_go_on_without_end_is_bounded() -> None:
    contest = tournament_of(
        "appenzell", ("random", "random"), options={}, seats=None, groups=1, seed="a"
    )

    assert contest.options == {"round_limit": ROUNDS_OF_BOTS}


@pytest.mark.parametrize("key", sorted(GAMES))
def test_there_are_as_many_seats_as_entrants_if_the_game_allows_it(key: str) -> None:
    few = tournament_of(key, ("random",) * 2, options={}, seats=None, groups=1, seed="a")
    many = tournament_of(key, ("random",) * 9, options={}, seats=None, groups=1, seed="a")

    assert few.seats == max(2, GAMES[key].seats[0])
    assert many.seats == GAMES[key].seats[-1]


def test_entrants_are_levels_or_policies_with_their_nodes() -> None:
    assert entrant_of("troedler", "random").setting == Setting("random", 0)
    assert entrant_of("troedler", "casual").setting == Setting("greedy", 1, slip=3)
    assert entrant_of("troedler", "greedy:7") == Entrant("greedy:7", Setting("greedy", 7))
    assert entrant_of("troedler", "mcts:20").setting == Setting("mcts", 20)
    assert [each.name for each in tournament("casual", "random", "casual").entrants] == [
        "casual",
        "random",
        "casual (2)",
    ]


@pytest.mark.parametrize(
    ("texts", "terms"),
    [
        (("random",), {}),
        (("random", "divine"), {}),
        (("random", "mcts"), {}),
        (("random", "mcts:"), {}),
        (("random", "mcts:0"), {}),
        (("random", "mcts:-1"), {}),
        (("random", "mcts:²"), {}),
        (("random", "random:3"), {}),
        (("random", "steady:3"), {}),
        (("random", "casual"), {"seats": 5}),
        (("random", "casual"), {"options": {"speed": 3}}),
    ],
)
def test_what_no_tournament_can_be_of_is_refused(
    texts: tuple[str, ...], terms: dict[str, Any]
) -> None:
    with pytest.raises(RefusalError) as refusal:
        tournament(*texts, **terms)
    assert refusal.value.expected
    assert refusal.value.code in {"wrong_entrants", "wrong_seat_count", "wrong_option"}


def test_a_game_that_bots_do_not_know_is_refused() -> None:
    with pytest.raises(RefusalError):
        tournament_of("chess", ("random",) * 2, options={}, seats=None, groups=1, seed="a")
    with pytest.raises(NotInstalledError):
        entrant_of("chess", "casual")


def test_equals_win_as_often_as_not() -> None:
    contest = tournament("casual", "casual", groups=3)
    (duel,) = duels_of(contest, played(contest))

    # A group has both seatings and each match of it the same draws, but bots have luck by seat.
    assert (duel.better, duel.worse, duel.groups) == ("casual", "casual (2)", 3)
    assert duel.share == 0.5


def test_whoever_is_placed_better_is_rated_better() -> None:
    contest = tournament("random", "greedy:4", groups=2)
    first, second = (0, 1), (1, 0)
    matches = [
        with_places(contest, Pairing(group, seating), tuple(2 - number for number in seating))
        for group in range(2)
        for seating in (first, second)
    ]
    best, worst = standings_of(contest, matches)
    (duel,) = duels_of(contest, matches)

    assert (best.name, best.mean_place, best.matches) == ("greedy:4", 1.0, 4)
    assert (worst.name, worst.mean_place, worst.matches) == ("random", 2.0, 4)
    assert best.rating > 25 > worst.rating
    assert best.rating_interval < 2 * 25 / 3
    assert (duel.better, duel.worse, duel.groups, duel.share) == ("greedy:4", "random", 2, 1.0)
    assert (duel.low, duel.high) == pytest.approx(wilson(1.0, 2))


def test_only_groups_that_were_played_to_their_end_count() -> None:
    contest = tournament("random", "casual", groups=3)
    matches = played(contest)
    late = [matches[5], matches[0], matches[2], matches[1]]

    assert whole_groups(contest, late) == matches[:2]
    assert whole_groups(contest, matches[:1]) == []


@pytest.mark.parametrize(
    ("share", "tries", "low", "high"),
    [
        (0.5, 10, 0.2366, 0.7634),
        (1.0, 10, 0.7225, 1.0),
        (0.0, 20, 0.0, 0.1611),
        (0.75, 100, 0.6569, 0.8245),
    ],
)
def test_intervals_are_those_of_wilson(share: float, tries: int, low: float, high: float) -> None:
    assert wilson(share, tries) == pytest.approx((low, high), abs=0.0001)


def test_all_of_it_can_be_told_in_json() -> None:
    contest = tournament("random", "casual", groups=1)

    parts = [asdict(each) for each in standings_of(contest, played(contest))]
    parts += [asdict(each) for each in duels_of(contest, played(contest))]

    assert len(parts) == 3
    assert json.loads(json.dumps(parts)) == parts


def with_places(contest: Tournament, pairing: Pairing, places: tuple[int, ...]) -> Played:
    """Return a match as if it had ended with these *places*."""
    match = play_pairing(contest, pairing, lambda: 0)
    outcome = replace(match.course.outcome, places=places)
    return replace(match, course=replace(match.course, outcome=outcome))
