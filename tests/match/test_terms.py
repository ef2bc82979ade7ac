"""What a match may be played by."""

from dataclasses import replace
from typing import Any

import pytest

from howff.engine.seats import Seat
from howff.match.clocks import Clock, PerMatch, PerMove, PerTurn
from howff.match.commands import (
    AbortMatch,
    CreditTime,
    ExpireDeadline,
    PlayDefault,
    PlayMove,
    Resign,
    SeatCommand,
    TakeBack,
    TellWish,
)
from howff.match.commit import CommandId, Commit
from howff.match.errors import CommandIdReusedError, UnrecordableError, WrongTermError
from howff.match.play import check_repeated, start
from support.played import NOON, NOTARY
from support.timed import STAND_IN, start_timed, timed
from support.toy_game import TOY
from support.toy_types import Move, Options

DAYS = 24 * 60 * 60


@pytest.mark.parametrize(
    "clock",
    [
        None,
        PerMove(1),
        PerMove(7 * DAYS),
        PerMatch(1, 0),
        PerMatch(30 * DAYS, DAYS),
        PerTurn(1),
        PerTurn(30),
    ],
)
def test_a_clock_may_have_these_times(clock: Clock | None) -> None:
    assert timed(clock=clock).match.started.clock == clock


@pytest.mark.parametrize(
    ("clock", "term"),
    [
        (PerMove(0), "move_seconds"),
        (PerMove(7 * DAYS + 1), "move_seconds"),
        (PerMatch(0, 0), "match_seconds"),
        (PerMatch(30 * DAYS + 1, 0), "match_seconds"),
        (PerMatch(1, -1), "increment_seconds"),
        (PerMatch(1, DAYS + 1), "increment_seconds"),
        (PerTurn(0), "turn_days"),
        (PerTurn(31), "turn_days"),
    ],
)
def test_a_clock_may_not_have_these(clock: Clock, term: str) -> None:
    with pytest.raises(WrongTermError) as refusal:
        timed(clock=clock)
    assert refusal.value.code == "wrong_term"
    assert term in str(refusal.value)


@pytest.mark.parametrize("seconds", [True, 60.0])
def test_a_clock_has_whole_numbers(seconds: Any) -> None:
    with pytest.raises(UnrecordableError):
        timed(clock=PerMove(seconds))


@pytest.mark.parametrize(
    ("on_flag", "on_leave", "stand_in", "is_right"),
    [
        ("resign", "default_moves", None, True),
        ("resign", "default_moves", STAND_IN, False),
        ("bot", "default_moves", STAND_IN, True),
        ("bot", "default_moves", None, False),
        ("resign", "bot", STAND_IN, True),
        ("resign", "bot", None, False),
        ("bot", "bot", STAND_IN, True),
    ],
)
def test_a_stand_in_is_named_where_one_is_needed(
    on_flag: Any,
    on_leave: Any,
    stand_in: str | None,
    is_right: bool,  # noqa: FBT001 — a case of the table
) -> None:
    command = start_timed(Options(), 3)
    command = replace(command, on_flag=on_flag, on_leave=on_leave, stand_in=stand_in)
    if is_right:
        assert start(TOY, command, at=NOON, notary=NOTARY).match.started.stand_in == stand_in
        return
    with pytest.raises(WrongTermError):
        start(TOY, command, at=NOON, notary=NOTARY)


COMMAND = CommandId("repeated")
SEAT = Seat(1)
LOWEST: Move = TOY.legal_moves(timed().match.state, SEAT)[0]
OF_A_SEAT: tuple[SeatCommand, ...] = (
    Resign(id=COMMAND, seat=SEAT),
    TellWish(id=COMMAND, seat=SEAT, wish="pause", is_wanted=True),
    TellWish(id=COMMAND, seat=SEAT, wish="abort", is_wanted=True),
    TellWish(id=COMMAND, seat=SEAT, wish="abort", is_wanted=False),
    TakeBack(id=COMMAND, seat=SEAT),
    PlayMove(id=COMMAND, seat=SEAT, move=LOWEST),
    PlayDefault(id=COMMAND, seat=SEAT),
)
OF_THE_PLATFORM = (
    CreditTime(id=COMMAND, seat=SEAT, seconds=60),
    CreditTime(id=COMMAND, seat=SEAT, seconds=61),
    CreditTime(id=COMMAND, seat=Seat(2), seconds=60),
    AbortMatch(id=COMMAND),
    ExpireDeadline(id=COMMAND),
)


def commit_of(command: Any) -> Commit:
    """Return the commit that *command* leads to, in a match where it is possible."""
    match = timed(clock=PerMatch(60, 0), on_flag="bot")
    match.moves(0)
    match.moves(2)
    match command:
        case TellWish(is_wanted=False):
            match.wants(command.wish, 1)
        case TakeBack() | ExpireDeadline():
            match.waits_until_due()
        case PlayDefault():
            match.resigns(1)
        case _:
            pass
    if isinstance(command, TakeBack):
        match.expires()
    match.gives(command)
    return match.commits[-1]


@pytest.mark.parametrize("commands", [OF_A_SEAT, OF_THE_PLATFORM])
def test_an_id_stands_for_one_command_of_its_actor(commands: tuple[Any, ...]) -> None:
    for first in commands:
        commit = commit_of(first)
        for other in commands:
            if other == first:
                check_repeated(commit, other)
            elif (type(first), type(other)) == (PlayDefault, PlayMove):
                continue  # the same move of the same seat, however it was chosen
            else:
                with pytest.raises(CommandIdReusedError):
                    check_repeated(commit, other)
