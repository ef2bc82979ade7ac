from io import StringIO
from typing import Any, Final

import pytest
from rich.console import Console

from howff.cli.terminal.boards.appenzell import board
from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.data import COLOURS
from howff.engine.games.appenzell.state import Ending, Options, State
from howff.engine.seats import Seat
from howff.engine.values import replace
from support.appenzell import F1, given, opening
from support.cli import howff
from support.playouts import play_out

NAMES: Final = ("Ivy", "Freya", "Jack", "Scott")
IVY, FREYA, JACK = Seat(0), Seat(1), Seat(2)

TABLE: Final = given(
    mice={0: "a1 a2 a6", 1: "f5 e5 g7", 2: "d6"},
    opened="O",
    trapped={1: 1},
    cheese={0: "goat brie", 2: "blue"},
    actions_left=2,
    turn=6,
)
END: Final = replace(
    TABLE,
    stage="finished",
    ending=Ending(("cheese_target", "third_mouse"), (JACK, IVY, FREYA)),
)
CASTLE: Final = """\
              nb ↓        nd ↓        nf ↓
       ┌─────┬───────────┬───────────┬─────┬─────┐
     7 │  #  │: A ::: A^:│/ B /// B^/│: C :│# (2)│
       ├─────┴─────┬─────┴─────┐/////│:::::├─────┤
w6 → 6 │E (1)   S  │  X   G (3)│/ B /│: C :│: F :│ ← e6
       ├─────┬─────┴─────┐     ├─────┴─────┤:::::│
     5 │/ G^/│/ H /// H^/│  E  │^ (2) S (2)│: F^:│
       │/////└─────┐/////├─────┤           ├─────┤
w4 → 4 │/ G /// G /│/ H /│: J :│  C     X  │/ K /│ ← e4
       ├─────┬─────┴─────┤:::::├─────┬─────┘/////│
     3 │  ^  │: M ::: M^:│: J :│: N^:│/ K /// K^/│
       │     ├─────┬─────┴─────┤:::::├───────────┤
w2 → 2 │C (1)│  O  │= P === P =│: N :│: Q ::: Q :│ ← e2
       ├─────┤     │===========├─────┴─────┬─────┤
     1 │# (1)│  X  │= P^=== P =│: R^::: R :│  #  │
       └─────┴─────┴───────────┴───────────┴─────┘
          a     b     c     d     e     f     g
              sb ↑        sd ↑        sf ↑"""


def shown(state: State, width: int = 80, **settings: Any) -> str:
    screen = StringIO()
    console = Console(file=screen, width=width, **settings)
    console.print(board(GAME.view(state, None), NAMES[: state.seats]))
    return screen.getvalue()


def coloured(state: State) -> str:
    """Return the screen with the codes for its colours; the castle is coloured sign by sign."""
    return shown(state, force_terminal=True, color_system="standard")


def row(screen: str, *words: str) -> str:
    """Return the one row that begins with *words*, with single spaces."""
    rows = [" ".join(line.split()) for line in screen.splitlines()]
    (found,) = [each for each in rows if each.startswith(" ".join(words))]
    return found


def drawing(screen: str) -> str:
    """Return the castle on *screen*, from the slots of the north to those of the south."""
    lines = [line.rstrip() for line in screen.splitlines()]
    first = next(at for at, line in enumerate(lines) if "nb ↓" in line)
    last = next(at for at, line in enumerate(lines) if "sb ↑" in line)
    return "\n".join(lines[first : last + 1])


def test_the_castle_is_drawn_with_roofs_tiles_and_mice() -> None:
    assert drawing(shown(TABLE)) == CASTLE


def test_the_other_side_of_the_board_has_other_rooms() -> None:
    screen = shown(opening(2, Options(board_side="b", start_seat=IVY)))
    assert [line[10:48:6] for line in drawing(screen).splitlines()[2:-2:2]] == [
        "#AABCC#",
        "DDEBFGG",
        "HDEIFGG",
        "HJIIKKL",
        "MJNNKOL",
        "MPPQQOO",
        "#PPQRR#",
    ]


def test_what_lies_under_a_roof_makes_no_difference_to_what_is_drawn() -> None:
    exchanged = (*F1[:3], "B.GXCOR", *F1[4:])
    assert sorted(exchanged[3]) == sorted(F1[3])
    mice = {0: "a1", 1: "g7"}
    assert shown(given(mice=mice, floor=exchanged)) == shown(given(mice=mice))


def test_it_is_told_whose_turn_it_is_and_what_is_left_of_it() -> None:
    assert row(shown(TABLE), "Round") == "Round 3: Ivy has 2 actions left and may push a tile"
    late = replace(TABLE, actions_left=1, has_pushed=True, options=Options(round_limit=20))
    assert row(shown(late), "Round") == (
        "Round 3 of 20: Ivy has 1 action left and has pushed a tile"
    )
    placement = opening(3, Options(start_seat=FREYA))
    assert row(shown(placement), "Freya") == "Freya puts the first mouse on a tower"


def test_a_row_tells_of_a_seat() -> None:
    screen = shown(TABLE)
    assert row(screen, "Mice") == "Mice Player Reserve Board Trapped Cheese"
    assert row(screen, "> (1)") == "> (1) red Ivy 1 3 0 O R"
    assert row(screen, "(2)") == "(2) green Freya 0 3 1 none"
    assert row(screen, "(3)") == "(3) blue Jack 3 1 0 B"


def test_what_lies_beside_the_castle_is_told() -> None:
    screen = shown(TABLE)
    assert row(screen, "To win") == "To win 4 kinds of cheese"
    assert row(screen, "Outside") == "Outside . a plain tile"
    assert row(screen, "Supply") == (
        "Supply E Emmental 4 B blue cheese 3 S cheese slices 4 G Gouda 4"
    )
    assert row(screen, "R Brie") == "R Brie 3 C Camembert 4 O goat cheese 3"


def test_at_the_end_the_whole_floor_lies_open_and_the_ranking_is_told() -> None:
    screen = shown(END)
    assert row(screen, "Round") == "Round 3, the match is over"
    assert row(screen, "The end").startswith("The end somebody has enough kinds of cheese")
    assert row(screen, "Ranking") == "Ranking 1 Jack 2 Ivy 3 Freya"
    assert not [line for line in screen.splitlines() if line.lstrip().startswith(">")]
    assert "To win" not in screen
    castle = drawing(screen)
    assert not set(castle) & set(":/=")
    assert [line[8:49].replace("│", " ").split() for line in castle.splitlines()[2:-2:2]] == [
        ["#", "E", "^", ".", "^", "B", "#", "(2)"],
        ["E", "(1)", "S", "X", "G", "(3)", ".", "R", "C"],
        ["^", ".", "^", "E", "^", "(2)", "S", "(2)", "^"],
        ["B", ".", "G", "O", "C", "X", "R"],
        ["^", "S", "^", ".", "^", "G", "^"],
        ["C", "(1)", "O", ".", "B", "R", ".", "O"],
        ["#", "(1)", "X", "^", ".", "^", ".", "#"],
    ]


@pytest.mark.parametrize(
    ("number", "style"), [("1", "37;41"), ("2", "30;42"), ("3", "37;44"), ("4", "30;43")]
)
def test_a_mouse_is_told_by_the_number_and_the_colour_of_its_seat(number: str, style: str) -> None:
    screen = coloured(given(mice={0: "a1", 1: "g7", 2: "a7", 3: "g1"}))
    assert screen.count(f"\x1b[{style}m({number})\x1b[0m") == 1, "beside the name"
    assert screen.count(f"\x1b[{style}m{number}\x1b[0m") == 1, "in the castle"


def test_a_trap_stands_out() -> None:
    assert coloured(TABLE).count("\x1b[7mX\x1b[0m") == 4, "three lie open, and one among the signs"


def test_the_slots_grow_pale_when_no_tile_may_be_pushed_any_more() -> None:
    assert "\x1b[1mn\x1b[0m\x1b[1mb\x1b[0m" in coloured(TABLE)
    assert "\x1b[2mn\x1b[0m\x1b[2mb\x1b[0m" in coloured(replace(TABLE, has_pushed=True))


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize("width", [80, 120])
def test_the_board_fits_at_every_stage(seats: int, side: Any, width: int) -> None:
    playout = play_out(GAME, Options(board_side=side, round_limit=60), seats, seed=1)
    states = [step.after for step in playout.steps]
    for state in (*states[::40], states[-1]):
        screen = shown(state, width)
        assert max(map(len, screen.splitlines())) <= width
        for seat, name in enumerate(NAMES[:seats]):
            assert f"({seat + 1}) {COLOURS[seat]} {name} " in " ".join(screen.split())
        assert "…" not in screen


def test_a_wide_terminal_has_the_seats_beside_the_castle() -> None:
    assert not {"#", "Reserve"} <= set(row(shown(TABLE), "7").split())
    wide = shown(TABLE, 120).splitlines()
    (line,) = [line for line in wide if "Reserve" in line]
    assert "┬" in line
    assert len(wide) < 22


def test_a_person_can_play_to_the_end() -> None:
    arguments = ("--seats", "3", "--bots", "2", "-o", "round_limit=20")
    result = howff("play", "appenzell", *arguments, typed="1\n" * 200, columns=80)
    assert result.exit_code == 0, result.output
    assert "nb ↓" in result.stdout
    assert "To win" in result.stdout
    assert "Ranking" in result.stdout
