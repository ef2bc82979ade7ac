"""Whatever is recorded can be read again: what could not is refused before anything is decided."""

import math
from dataclasses import replace
from typing import Any

import pytest

from howff.engine.catalogue import GAMES
from howff.engine.seats import Seat
from howff.match.canonical import DEEPEST
from howff.match.commands import PlayMove
from howff.match.commit import CommandId, MatchId
from howff.match.errors import UnrecordableError
from howff.match.events import Account, Bot
from howff.match.export import Export, read_export, write_export
from howff.match.match import Match
from howff.match.play import play, start
from howff.match.record import Recorder
from support.played import NOON, NOTARY, Record, exported_to, recorder, start_command
from support.toy_game import TOY
from support.toy_types import Bid, Options, Peek


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else 0


def bid(match: Match, **changes: Any) -> PlayMove:
    move = TOY.legal_moves(match.state, Seat(1))[0]
    return replace(PlayMove(id=CommandId("bid"), seat=Seat(1), move=move), **changes)


def is_refused(**changes: Any) -> bool:
    match = recorder(TOY, Options(), 3).match
    with pytest.raises(UnrecordableError) as refusal:
        play(match, bid(match, **changes), at=NOON, notary=NOTARY)
    return refusal.value.code == "unrecordable"


class Level(int):
    """An integer that is more than one."""


@pytest.mark.parametrize(
    "bot",
    [
        {"temperature": 0.5},
        math.nan,
        math.inf,
        {"seed": 2**53},
        {"seed": -(2**53)},
        {"seed": 10**5000},
        "\ud800",
        {"\ud800": 1},
        {"größe": 1},
        {1: 2},
        {(1, 2): 2},
        (1, 2),
        {"level": Level(3)},
        b"bytes",
        {1, 2},
        nested(DEEPEST),
    ],
)
def test_how_a_bot_came_to_its_move_is_refused_if_it_has_no_form_in_a_file(bot: Any) -> None:
    assert is_refused(bot=bot)


@pytest.mark.parametrize(
    "bot",
    [
        None,
        {"policy": "deep", "seed": 2**53 - 1, "path": [True, None, "\u202e ü \x1b"]},
        {"sealed": "a plan"},
        {"sealed": "ab" * 32},
        nested(DEEPEST - 1),
    ],
)
def test_whatever_else_a_bot_tells_is_recorded_and_read_again(bot: Any) -> None:
    record = recorder(TOY, Options(), 3)
    command = bid(record.match)
    record.play(command.seat, command.move, at=NOON, bot=bot)
    export = with_secrets(record)

    assert read_export(write_export(export)).commits[1].bot == bot


@pytest.mark.parametrize("command", ["", "x" * 101, "\ud800", "tab\t", "ü", 5, None, b"id", ["id"]])
def test_a_command_id_is_a_printable_text(command: Any) -> None:
    assert is_refused(id=command)


@pytest.mark.parametrize("seat", [-1, 100, True, None, "east"])
def test_what_can_be_no_seat_is_refused(seat: Any) -> None:
    assert is_refused(seat=seat)


def test_a_move_is_refused_that_would_be_read_as_another_one() -> None:
    match = recorder(TOY, Options(), 3).match
    with_a_one = next(seat for seat in match.to_act if Bid(1) in TOY.legal_moves(match.state, seat))

    assert is_refused(move=Bid(card=True), seat=with_a_one)
    assert is_refused(move=Bid("6"))  # type: ignore[arg-type]
    assert is_refused(move=Account("of no game"))


def test_a_refused_command_may_come_again_in_its_right_form() -> None:
    match = recorder(TOY, Options(), 3).match
    with pytest.raises(UnrecordableError):
        play(match, bid(match, bot=0.5), at=NOON, notary=NOTARY)

    assert play(match, bid(match), at=NOON, notary=NOTARY).commit.version == 2


def test_what_can_not_be_recorded_is_refused_before_the_rules_are_asked() -> None:
    assert is_refused(move=Peek(), bot=0.5)


def with_secrets(record: Recorder) -> Export:
    """Return the export of a running match with all that its commits tell."""
    told = exported_to(Record.of(record), None)
    return replace(told, commits=tuple(record.commits))


SEATS = start_command(Options(), 3).seats


@pytest.mark.parametrize(
    "changes",
    [
        {"id": CommandId("")},
        {"id": 5},
        {"match": MatchId("\x1b[2J")},
        {"match": MatchId("\ud800")},
        {"match": None},
        {"seats": (Account("\ud800"), *SEATS[1:])},
        {"seats": (Account(""), *SEATS[1:])},
        {"seats": (Account(7), *SEATS[1:])},  # type: ignore[arg-type]
        {"seats": (Bot("very\nhard"), *SEATS[1:])},
        {"seats": (Bot(None), *SEATS[1:])},  # type: ignore[arg-type]
        {"watch": "nobody"},
        {"rated": 1},
        {"entropies": (None, None, "\ud800")},
        {"entropies": (None, None, 5)},
        {"options": Options(memory="\ud800")},  # type: ignore[arg-type]
        {"options": Options(rounds=2**53)},
        {"options": Options(rounds=True)},
        {"options": Options(memory="shut")},  # type: ignore[arg-type]
    ],
)
def test_a_match_is_not_started_by_terms_that_have_no_form_in_a_file(
    changes: dict[str, Any],
) -> None:
    command = replace(start_command(Options(), 3), **changes)

    with pytest.raises(UnrecordableError) as refusal:
        start(TOY, command, at=NOON, notary=NOTARY)
    assert refusal.value.code == "unrecordable"


def test_the_games_name_themselves_as_a_file_may() -> None:
    for game in GAMES.values():
        export = with_secrets(recorder(game, game.options(), game.seats[0]))
        assert read_export(write_export(export)) == export
