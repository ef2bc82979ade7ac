from io import StringIO
from typing import Any, Final

import pytest
from rich.console import Console

from howff.cli.terminal.boards.highland_clans import board
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import Card, Cubes
from howff.engine.games.highland_clans.state import (
    Board,
    Commitment,
    Debt,
    Ending,
    Fight,
    Options,
    Player,
    RunningRaid,
    State,
    Turn,
)
from howff.engine.seats import Seat, Viewer
from howff.engine.values import replace
from support.cli import howff
from support.playouts import play_out

NAMES: Final = ("Ivy", "Freya", "Jack", "Scott", "Isla")
IVY, FREYA, JACK = Seat(0), Seat(1), Seat(2)

TURN: Final = Turn(
    seat=IVY,
    position=2,
    action_limit=2,
    may_redraw=False,
    cubes=Cubes(yellow=1, blue=2, green=1),
    used=2,
    done=("recruit_monks",),
)
TABLE: Final = State(
    options=Options(),
    seats=3,
    round=4,
    start_seat=JACK,
    turn=TURN,
    players=(
        Player("campbell", Board(4, 1, 3, 4, 1, 1, 1, score=12), hand=(Card(1), Card(3), Card(4))),
        Player("macgregor", Board(3, 2, 0, 2, score=7), hand=(Card(2), Card(2), Card(2))),
        Player("mackenzie", Board(5, 0, 1, 2, 2, score=31), hand=(Card(1), Card(1))),
    ),
    marker=JACK,
    bag=Cubes(9, 17, 20, 7),
    deck=(Card(1),) * 40,
    discard_pile=(Card(1),) * 12,
    supply=16,
    revealed=(34, 39),
    removed=3,
)
RAID: Final = RunningRaid(
    attacker=IVY,
    defender=FREYA,
    fights=(
        Fight(Commitment(Card(2), bagpiper=True), Commitment(Card(4), bagpiper=False), FREYA),
        Fight(Commitment(Card(3), bagpiper=False), Commitment(Card(3), bagpiper=False), None),
    ),
    commitments=(Commitment(Card(4), bagpiper=True),),
)


def shown(state: State, viewer: Viewer = IVY, width: int = 80, **settings: Any) -> str:
    screen = StringIO()
    console = Console(file=screen, width=width, **settings)
    console.print(board(GAME.view(state, viewer), NAMES[: state.seats]))
    return screen.getvalue()


def row(screen: str, *words: str) -> str:
    """Return the one row that begins with *words*, with single spaces."""
    rows = [" ".join(line.split()) for line in screen.splitlines()]
    (found,) = [each for each in rows if each.startswith(" ".join(words))]
    return found


def test_a_row_tells_of_a_clan() -> None:
    screen = shown(TABLE)
    assert row(screen, "> Ivy") == "> Ivy (you) Campbell 4 1 3 R BB GGG [] 3 12"
    assert row(screen, "Freya") == "Freya MacGregor 3 2 0 [] [] 3 7"
    assert row(screen, "SM Jack") == "SM Jack MacKenzie 5 0 1 R R 2 31"


def test_the_table_is_told_with_what_is_left_of_the_turn() -> None:
    screen = shown(TABLE)
    assert row(screen, "Round") == "Round 4, turn 2 of 3"
    assert row(screen, "Bag") == "Bag Y 9 B 17 G 20 R 7 53 in all"
    assert row(screen, "Cards") == "Cards 40 in the deck, 12 discarded"
    assert row(screen, "Estates 16").endswith("3 left the match; numbers seen: 34, 39")
    assert row(screen, "Turn") == "Turn Ivy acts"
    assert row(screen, "Actions") == "Actions 1 left, recruit monks done"
    assert row(screen, "Cubes") == "Cubes Y B B G 2 of them may be used"
    assert row(screen, "Your hand") == "Your hand 1 3 4"


def test_nothing_is_left_to_do_after_a_bard() -> None:
    turn = replace(TURN, used=1, done=("play_bard",))
    state = replace(
        TABLE, turn=turn, stage="hand_limit", owed=(Debt(FREYA, 1, reason="hand_limit"),)
    )
    screen = shown(state)
    assert row(screen, "Actions") == "Actions 0 left, play bard done"
    assert row(screen, "Cubes").endswith("0 of them may be used")
    assert row(screen, "To discard") == "To discard Freya 1 card"


def test_a_card_that_lies_face_down_is_shown_to_the_attacker_alone() -> None:
    turn = replace(TURN, cubes=Cubes())
    state = replace(TABLE, stage="defender_commit", turn=turn, raid=RAID)
    assert row(shown(state), "3 ") == "3 4 + bagpiper, face down to come"
    for viewer in (FREYA, JACK, None):
        assert row(shown(state, viewer), "3 ") == "3 a card + bagpiper, face down to come"


def test_the_fights_of_a_raid_are_shown_with_their_winners() -> None:
    screen = shown(replace(TABLE, stage="defender_commit", raid=RAID), None)
    assert row(screen, "Raid") == "Raid of Ivy on Freya"
    assert row(screen, "1 ") == "1 2 + bagpiper 4 Freya"
    assert row(screen, "2 ") == "2 3 3 nobody"


def test_a_fight_without_a_card_is_to_come() -> None:
    raid = replace(RAID, commitments=())
    screen = shown(replace(TABLE, stage="attacker_commit", raid=raid))
    assert row(screen, "3 ") == "3 to come to come"


def test_only_what_was_just_drawn_is_offered_where_nothing_else_may_go() -> None:
    ivy = replace(TABLE.players[IVY], fresh=(Card(1), Card(3)))
    state = replace(TABLE, players=TABLE.with_player(IVY, ivy), stage="refresh", raid=RAID)
    assert row(shown(state), "Just drawn").startswith("Just drawn 1 3, and only of these")
    assert "Just drawn" not in shown(state, FREYA)


def test_a_spectator_sees_no_hand() -> None:
    screen = shown(TABLE, None)
    assert "Your hand" not in screen
    assert "(you)" not in screen


def test_at_the_end_the_hands_lie_open_and_the_reason_is_told() -> None:
    ending = Ending(reason="bag_exhausted", ranking=(2, 3, 1))
    screen = shown(replace(TABLE, stage="finished", turn=None, ending=ending), None)
    assert row(screen, "Freya") == "Freya MacGregor 3 2 0 [] [] 2 2 2 7"
    assert row(screen, "The end") == "The end the bag holds too few cubes for the next turn"


def test_a_cube_is_told_by_its_letter_and_by_its_colour() -> None:
    screen = shown(TABLE, force_terminal=True, color_system="standard")
    assert "\x1b[30;43mY\x1b[0m" in screen
    assert "\x1b[37;44mB\x1b[0m" in screen
    assert "\x1b[30;42mG\x1b[0m" in screen
    assert "\x1b[37;41mR\x1b[0m" in screen


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("width", [80, 120])
def test_each_clan_has_one_line_at_every_stage(seats: int, width: int) -> None:
    playout = play_out(GAME, Options(edition="dutch"), seats, seed=1)
    for state in {step.after.stage: step.after for step in playout.steps}.values():
        lines = shown(state, width=width).splitlines()
        assert max(map(len, lines)) <= width
        rule = next(at for at, line in enumerate(lines) if "───" in line)
        rows = lines[rule + 1 : rule + 1 + seats]
        assert all(name in line for name, line in zip(NAMES[:seats], rows, strict=True))
        assert not lines[rule + 1 + seats].strip()


def test_a_person_can_play_to_the_end() -> None:
    result = howff("play", "highland_clans", "--seats", "3", typed="1\n" * 2000, columns=80)
    assert result.exit_code == 0, result.output
    assert "Your hand" in result.stdout
    assert "Raid of" in result.stdout
    assert "Ranking" in result.stdout
