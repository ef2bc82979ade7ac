"""What bots think of positions of Highland Clans, and whether they get anywhere with it."""

import time
from itertools import product

import pytest

from conftest import IS_LONG
from howff.bots.arena.matches import LineUp, play_match
from howff.bots.arena.tournaments import seatings
from howff.bots.policies.games.highland_clans import PLAY
from howff.bots.policies.greedy import best_of
from howff.bots.policies.settings import Setting
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.state import Options, State
from support.highland_clans import given, texts, when

OWNER = "W4 P2 M0 | E2: castle 1 | hand [3, 3, 4, 4]"
WEAK = "W4 P2 M0 | E2: castle 1 | hand [1, 1, 2, 2]"
ROBBER = "W4 P2 M0 | E3: cattle 1 | hand [1, 4, 4, 4]"
FULL = "W3 P2 M0 | E2: cattle 1, castle 1 | hand [1, 2, 3]"


def best(state: State) -> str:
    """Return the one move that looks best to the seat that is to act first."""
    seat = GAME.to_act(state)[0]
    moves = GAME.legal_moves(state, seat)
    (found,) = texts(best_of(moves, PLAY.judgement.weigh(state, seat, moves)))
    return found


def test_a_seat_takes_the_lead_in_green() -> None:
    boards = {0: FULL, 1: "W4 P0 M1 | E2", 2: "W4 P0 M1 | E2"}
    assert best(given(seats=3, boards=boards, drawn="G2 R4")) == "recruit_monks 2"


def test_a_seat_gets_an_estate_for_the_cattle_that_it_then_places() -> None:
    state = given(seats=3, boards={0: FULL}, drawn="Y1 R5")
    assert best(state) == "acquire_estate red false 0"
    assert best(when(state, "acquire_estate red false 0").state) == "place_cattle"


def test_the_holder_of_the_marker_returns_cubes_that_it_cannot_use() -> None:
    state = given(seats=3, boards={0: FULL}, marker=0, drawn="R6")
    assert best(state) == "redraw_cubes 0 0 0 6"


def test_a_seat_raids_the_one_with_the_worse_hand_of_two_alike() -> None:
    raider = "W4 P2 M0 | E3: cattle 1 | hand [2, 3, 3, 3]"
    assert best(given(seats=3, boards={0: raider, 1: WEAK, 2: OWNER})) == "raid 1"
    assert best(given(seats=3, boards={0: raider, 1: OWNER, 2: WEAK})) == "raid 2"


def test_a_raid_that_is_won_already_gets_the_worst_card() -> None:
    state = given(seats=3, boards={0: ROBBER, 1: OWNER})
    fights = ("commit_card 4 false", "commit_card 3 false") * 2
    assert best(when(state, "raid 1", *fights).state) == "commit_card 1 false"


def test_the_spoils_are_what_the_defender_misses_most() -> None:
    boards = {0: ROBBER, 1: "W4 P2 M0 | E3: castle 1, monastery 1 | hand [1, 1, 1, 1]"}
    fights = ("commit_card 4 false", "commit_card 1 false") * 3
    state = when(given(seats=3, boards=boards), "raid 1", *fights).state
    assert best(state) == "take_spoils monastery"


def test_the_lowest_cards_are_discarded_after_a_raid() -> None:
    boards = dict.fromkeys(range(3), "W4 P0 M0 | E2 | hand [2, 2, 2, 2]")
    fights = ("commit_card 2 false", "commit_card 2 false") * 3
    state = when(given(seats=3, boards=boards), "raid 1", *fights).state
    lowest = list(state.players[0].hand[:2])
    assert best(state) == f"discard_cards {lowest}"


def test_a_fight_counts_before_the_raid_has_ended() -> None:
    boards = {0: ROBBER, 1: "W4 P2 M0 | E2: castle 1 | hand [1, 4, 4, 4]"}
    raid = when(given(seats=3, boards=boards), "raid 1").state
    won = when(raid, "commit_card 4 false", "commit_card 1 false").state
    lost = when(raid, "commit_card 1 false", "commit_card 4 false").state
    attackers, defenders, _ = zip(*map(PLAY.judgement.estimate, (won, lost)), strict=True)
    assert attackers[0] > attackers[1]
    assert defenders[0] < defenders[1]


def test_seats_that_glance_beat_those_that_do_not() -> None:
    places: dict[str, list[int]] = {"greedy": [], "random": []}
    entrants = (Setting("greedy", 1), Setting("random", 0))
    for group, seating in product(range(20 if IS_LONG else 2), seatings(2, 3)):
        seats = tuple(entrants[each] for each in seating)
        line_up = LineUp(GAME, Options(), PLAY, seats)
        course = play_match(line_up, b"group %d" % group, time.thread_time_ns)
        for setting, place in zip(seats, course.outcome.places, strict=True):
            places[setting.policy].append(place)
    assert 3 * sum(places["greedy"]) < 2 * sum(places["random"])


@pytest.mark.parametrize(
    ("seats", "edition"), [(3, "consolidated"), (4, "dutch"), (5, "consolidated")]
)
def test_a_search_plays_to_the_end_at_every_table(seats: int, edition: str) -> None:
    searching = (Setting("mcts", 2),) * 2
    glancing = (Setting("greedy", 1),) * (seats - 2)
    options = GAME.read_options({"edition": edition})
    line_up = LineUp(GAME, options, PLAY, (*searching, *glancing))
    course = play_match(line_up, b"to the end", time.thread_time_ns)
    assert len(course.outcome.places) == seats
    assert min(course.decisions) > 0
