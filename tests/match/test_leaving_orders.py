"""Who leaves in what order, and what places that gives, in every game.

The short form tries some orders of every game and number of seats; with HOWFF_LONG set all orders
are tried.
"""

import os
from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations, product
from typing import Final

import pytest

from howff.engine.catalogue import GAMES
from howff.engine.game import AnyGame
from howff.match.clocks import PerMatch
from howff.match.events import MatchEnded
from howff.match.match import Match
from support.model_of_time import groups_of, places_of
from support.rng import LocalRng
from support.timed import TimedMatch, start_timed, timed
from support.toy_game import TOY

IS_LONG: Final = bool(os.environ.get("HOWFF_LONG"))
ORDERS: Final = 1000 if IS_LONG else 4
SEEDS: Final = 20 if IS_LONG else 1
GAMES_AND_SEATS: Final = [
    pytest.param(game, seats, id=f"{game.key}-{seats}")
    for game in (TOY, *GAMES.values())
    for seats in game.seats
]
OF_THREE_OR_MORE: Final = [case for case in GAMES_AND_SEATS if case.values[1] != 2]


@cache
def after(game: AnyGame, seats: int, moves: int) -> TimedMatch:
    """Return a match after some *moves*, which nobody may go on with but `resumed`."""
    match = TimedMatch(start_timed(game.options(), seats), game)
    rng = LocalRng(seats)
    for _ in range(moves):
        match.moves_by_chance(rng)
    assert match.match.to_act, "the match is over already"
    return match


def resumed(before: TimedMatch) -> TimedMatch:
    """Return a match that goes on from where the one *before* stands."""
    match = TimedMatch(start_timed(before.match.options, before.seats), before.game)
    match.commits = list(before.commits)
    match.match = before.match
    return match


def orders(seats: int) -> list[tuple[int, ...]]:
    """Return the orders of leaving, the seat that stays last; in the short form some of them."""
    every = tuple(permutations(range(seats)))
    return list(LocalRng(seats).shuffle("orders", every)[:ORDERS])


def check_left_alone(match: Match, order: tuple[int, ...]) -> None:
    """Check that the last of *order* has won, and whoever has left later is before the others."""
    ended = match.outcome
    assert ended is not None
    assert list(ended.places) == places_of([{seat} for seat in reversed(order)])
    assert ended.figures == ((),) * len(order)


@pytest.mark.parametrize("moves", [0, 7])
@pytest.mark.parametrize(("game", "seats"), GAMES_AND_SEATS)
def test_the_last_to_stay_wins_and_the_last_to_leave_is_next(
    game: AnyGame, seats: int, moves: int
) -> None:
    for order in orders(seats):
        match = resumed(after(game, seats, moves))
        *early, late, _ = order
        for seat in early:
            match.resigns(seat)
            assert not match.match.is_over
        ended = match.resigns(late)[-2]

        assert isinstance(ended, MatchEnded)
        assert ended.reason == "resigned"
        check_left_alone(match.match, order)
        match.verified()


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize(
    ("game", "seats"), [each for each in GAMES_AND_SEATS if each.values[1] != 2]
)
def test_who_stays_is_placed_by_the_game_before_those_who_have_left(
    game: AnyGame, seats: int, seed: int
) -> None:
    rng = LocalRng(f"{game.key} {seats} {seed}")
    match = resumed(after(game, seats, 0))
    leaving = rng.shuffle("order", range(seats))[: 1 + rng.draw("leaving", seats - 2)]
    for seat in leaving:
        for _ in range(rng.draw("moves", 5)):
            match.moves_by_chance(rng)
        match.resigns(seat)
    while match.match.to_act:
        match.moves_by_chance(rng)

    of_game, outcome = game.outcome(match.match.state), match.match.outcome
    assert of_game is not None
    assert outcome is not None
    staying = {seat: of_game.places[seat] for seat in range(seats) if seat not in leaving}
    assert list(outcome.places) == places_of(
        [*groups_of(staying), *({seat} for seat in reversed(leaving))]
    )
    assert outcome.figures == of_game.figures
    match.verified()


def fallings(seats: int) -> Iterator[tuple[int, ...]]:
    """Return for each seat when its flag falls, as ranks without gaps: all ways there are."""
    for ranks in product(range(seats), repeat=seats):
        if set(ranks) == set(range(max(ranks) + 1)):
            yield ranks


@pytest.mark.parametrize("seats", TOY.seats)
def test_flags_of_one_moment_share_a_place(seats: int) -> None:
    for ranks in fallings(seats):
        match = timed(seats, clock=PerMatch(60, 0))
        for seat, rank in enumerate(ranks):
            if rank:
                match.credits(seat, rank)
        match.waits(10**9).expires_all()
        falling = groups_of(dict(enumerate(ranks)))
        # The match ends when at most one is left: who would have fallen later is the winner.
        if len(falling[-1]) == 1 and len(falling) > 1:
            winner = falling.pop()
            assert winner.isdisjoint(match.match.presence.resigned)
        else:
            winner = set[int]()

        assert match.match.outcome is not None
        assert list(match.match.outcome.places) == places_of(
            [group for group in (winner, *reversed(falling)) if group]
        )
        match.verified()


@pytest.mark.parametrize("seats", TOY.seats)
def test_all_may_leave_but_one_in_the_middle_of_simultaneous_decisions(seats: int) -> None:
    for number in range(1, seats):
        for moved in combinations(range(seats), number):
            match = timed(seats, clock=PerMatch(60, 0))
            for seat in moved:
                match.moves(seat)
            match.waits_until_due().expires()
            gone = set(range(seats)) - set(moved)

            assert match.match.presence.resigned == dict.fromkeys(gone, 1)
            assert match.match.is_over == (number == 1)
            if number == 1:
                assert match.match.outcome is not None
                assert list(match.match.outcome.places) == places_of([set(moved), gone])
