"""What is played for a seat that is away."""

import pytest

from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.state import State
from howff.engine.seats import Seat
from support.highland_clans import given, texts, when

WINS = ("raid 1", *("commit_card 4 false", "commit_card 1 false") * 3)
WINNER = "W4 | hand [4, 4, 4, 4]"
LOSER = "W4 | E5: cattle 1, castle 1, monastery 1 | hand [1, 1, 1, 1]"


def default(state: State) -> str:
    (seat, *_) = GAME.to_act(state)
    moves = GAME.legal_moves(state, seat)
    return texts([GAME.default_move(GAME.view(state, seat), moves)])[0]


@pytest.mark.parametrize(
    ("drawn", "board", "expected"),
    [
        ("Y1 B2 G2 R1", "E3: cattle 1", "place_cattle"),
        ("Y1 B2 G3", "E3: cattle 1", "build_monastery"),
        ("Y1 B3 G2", "E3: cattle 1", "build_castle"),
        ("Y1 B3 G2", "E2: cattle 1, castle 1", "recruit_monks 2"),
        ("Y2 B3 G1", "E2: cattle 1, castle 1", "recruit_monks 1"),
        ("Y3 B3", "E2: cattle 1, castle 1", "recruit_bagpiper"),
        ("Y4 R2", "E2: cattle 1, castle 1", "recruit_warrior"),
        ("R6", "E2: cattle 1, castle 1", "acquire_estate red true 0"),
    ],
)
def test_an_absent_seat_does_what_helps_itself(drawn: str, board: str, expected: str) -> None:
    assert default(given(drawn=drawn, boards={0: board})) == expected


def test_an_absent_seat_does_one_action_only() -> None:
    state = when(given(drawn="Y3 G2 R1"), "recruit_warrior").state
    assert default(state) == "end_actions"


def test_an_absent_holder_of_the_marker_keeps_its_cubes() -> None:
    assert default(given(drawn="Y3 G2 R1", marker=0)) == "keep_cubes"


def test_an_absent_seat_does_not_raid() -> None:
    assert default(given()) == "end_turn"


def test_an_absent_seat_fights_with_its_best_card_and_no_bagpiper() -> None:
    state = given(boards={0: "W4 P2 | hand [1, 3, 4, 4]", 1: "W4 P2 | hand [1, 2, 2, 3]"})
    raided = when(state, "raid 1").state
    assert default(raided) == "commit_card 4 false"
    assert default(when(raided, "commit_card 4 true").state) == "commit_card 3 false"


@pytest.mark.parametrize(
    ("estates", "expected"), [("E3: cattle 1", "cattle"), ("E2: cattle 1, castle 1", "none")]
)
def test_an_absent_winner_takes_what_it_has_room_for(estates: str, expected: str) -> None:
    state = given(boards={0: f"{WINNER} | {estates}", 1: LOSER})
    assert default(when(state, *WINS).state) == f"take_spoils {expected}"


def test_an_absent_seat_discards_its_lowest_cards() -> None:
    state = given(boards={0: WINNER, 1: LOSER})
    refreshing = when(state, *WINS, "take_spoils none").state
    for seat in map(Seat, (0, 1)):
        lowest = refreshing.players[seat].hand[:2]
        move = GAME.default_move(GAME.view(refreshing, seat), GAME.legal_moves(refreshing, seat))
        assert texts([move]) == [f"discard_cards {list(lowest)}"]
