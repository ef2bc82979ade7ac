from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from howff.bots.policies.catalogue import play_of
from howff.bots.policies.settings import version_of
from howff.cli.commands.options import Level
from howff.cli.local.bots import ROUNDS
from howff.cli.local.matches import STEADY, options_from
from howff.contracts.matches import LEVELS, ROUNDS_OF_BOTS
from howff.engine.catalogue import GAMES, game_of
from howff.match.events import Bot
from howff.match.export import Export, read_export, write_export
from support.bot_matches import bots_at
from support.cli import howff, played_export, redacted_export
from support.forging import changed, rechained

TROEDLER = game_of("troedler")


@cache
def by_bots() -> Export:
    options = TROEDLER.read_options({"round_limit": 1})
    return bots_at(TROEDLER, play_of("troedler"), ("steady", "casual"), options).export()


def written(tmp_path: Path, export: Export) -> str:
    file = tmp_path / "match.jsonl"
    file.write_bytes(write_export(export))
    return str(file)


def with_statement(change: dict[str, Any]) -> tuple[Export, int]:
    """Return the match with a *change* to what a bot states first, in a log that is sound again.

    And the version of that.
    """
    version = next(each.version for each in by_bots().commits if each.bot)
    export = changed(by_bots(), version, lambda each: replace(each, bot=each.bot | change))
    return rechained(export, game=TROEDLER), version


def test_the_levels_to_choose_from_are_those_of_servers() -> None:
    literal, _none = get_args(get_args(Level)[0])

    assert get_args(literal) == LEVELS
    assert STEADY in LEVELS
    assert ROUNDS == ROUNDS_OF_BOTS


def test_the_bots_of_the_demo_can_be_checked(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    howff("demo", "--seats", "2", "-o", "round_limit=1", "--out", str(file))
    result = howff("verify", "--bots", str(file))

    assert result.exit_code == 0, result.output
    assert read_export(file.read_bytes()).header.seats == (Bot("steady"), Bot("steady"))
    assert "bot of seat:0   passed" in result.stdout
    assert "bot of seat:1   passed" in result.stdout


def test_bots_at_the_terminal_play_at_the_level_that_was_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    options = ("--seats", "2", "--level", "casual", "-o", "round_limit=1", "--out", str(file))
    played = howff("play", "troedler", *options, typed="2\n" + "1\n" * 200)
    result = howff("verify", "--bots", str(file))

    assert played.exit_code == 0, played.output
    assert result.exit_code == 0, result.output
    assert read_export(file.read_bytes()).header.seats[1] == Bot("casual")
    assert "bot of seat:1   passed" in result.stdout
    assert "bot of seat:0" not in result.stdout


@pytest.mark.parametrize("key", sorted(GAMES))
def test_matches_between_bots_have_an_end_in_every_game(key: str) -> None:
    options = options_from(GAMES[key], [], ROUNDS)

    assert getattr(options, "round_limit", None) != 0
    if key == "appenzell":
        assert options.round_limit == ROUNDS
        assert options_from(GAMES[key], ["round_limit=7"], ROUNDS).round_limit == 7


def test_a_level_that_there_is_not_is_refused() -> None:
    result = howff("play", "troedler", "--level", "divine")

    assert result.exit_code == 2
    assert "master" in result.stderr


def test_a_move_that_does_not_follow_fails_and_is_told_in_full(tmp_path: Path) -> None:
    moves = [each.move for each in by_bots().commits if each.seat == 1]
    version = next(each.version for each in by_bots().commits if each.seat == 1)
    other = next(move for move in moves if move != moves[0])
    export = changed(by_bots(), version, lambda each: replace(each, move=other))
    file = written(tmp_path, rechained(export, game=TROEDLER))

    # The log itself shows that already, so bots are not asked.
    result = howff("verify", "--bots", file)
    assert result.exit_code == 1
    assert "unlawful_commit" in result.stdout
    assert "bot of" not in result.stdout


def test_a_bot_with_another_seed_is_found_out(tmp_path: Path) -> None:
    seeds = (f"{number:032x}" for number in range(50))
    forgeries = (with_statement({"seed": seed, "policy": "random"}) for seed in seeds)
    results = (
        (howff("verify", "--bots", written(tmp_path, export), columns=200), version)
        for export, version in forgeries
    )
    result, version = next(each for each in results if each[0].exit_code)

    assert result.exit_code == 1
    assert "failed" in result.stdout
    assert f"different at version {version}, seat:" in result.stdout


def test_a_statement_that_is_none_fails(tmp_path: Path) -> None:
    export, version = with_statement({"seed": "none"})
    result = howff("verify", "--bots", written(tmp_path, export))

    assert result.exit_code == 1
    assert f"malformed at version {version}" in result.stdout
    assert "expected 32 digits of lower-case hex, found" in result.stdout


def test_policies_that_are_not_installed_are_told_but_fail_nothing(tmp_path: Path) -> None:
    export, _ = with_statement({"version": "0.9"})
    result = howff("verify", "--bots", written(tmp_path, export), columns=200)

    assert result.exit_code == 0
    assert "not checked" in result.stdout
    assert f"1 NOT chosen again: expected '{version_of(play_of('troedler'))}'" in result.stdout
    assert "found '0.9'" in result.stdout


def test_a_bot_that_states_nothing_fails(tmp_path: Path) -> None:
    assert howff("verify", written(tmp_path, played_export())).exit_code == 0
    assert howff("verify", "--bots", written(tmp_path, played_export())).exit_code == 1


def test_bots_in_a_redacted_export_cannot_be_checked(tmp_path: Path) -> None:
    result = howff("verify", "--bots", written(tmp_path, redacted_export()))

    assert result.exit_code == 1
    assert result.stderr.startswith("not_whole")
    assert "expected the whole export" in result.stderr
