"""Whatever is damaged or forged: reading, verifying and replaying say so, and never break down."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from howff.engine.codec import JSON
from howff.engine.errors import RefusalError
from howff.engine.game import AnyGame
from howff.engine.games.troedler import GAME as TROEDLER
from howff.engine.seats import Seat
from howff.match.commit import Commit, commit_from_json, commit_to_json
from howff.match.export import Export, read_export, write_export
from howff.match.match import match_of
from howff.match.replay import replay
from howff.match.verify import verify
from support.forging import changed, rechained
from support.played import Record, exported, exported_to, played
from support.rng import LocalRng
from support.toy_game import TOY
from support.toy_types import Options

CASES = 80
LENGTH = 8
"""How many commits of a match are kept: its beginning, which then is said to end there."""
VALUES: tuple[JSON, ...] = (
    *(None, True, -1, 0, 1, 2, 5, 99, "", "x", "seat:1", "platform"),
    *([], [0], [[]], {}, {"sealed": "ab"}, {"sealed": "ab" * 32}),
)
GAMES: dict[str, tuple[AnyGame, Any]] = {
    "toy": (TOY, Options(rounds=1)),
    "troedler": (TROEDLER, TROEDLER.options(round_limit=1)),
}


@cache
def record_of(key: str) -> Record:
    game, options = GAMES[key]
    return played(game, options, 3)


def commits_of(key: str) -> tuple[Commit, ...]:
    return record_of(key).commits


@cache
def base(key: str, viewer: str) -> Export:
    """Return the shortened match: whole, or told to seat 0."""
    game, _ = GAMES[key]
    *kept, last = commits_of(key)[:LENGTH]
    if viewer == "seat:0":
        commits = (*kept, last)
        return exported_to(Record(match_of(game, commits), commits), Seat(0))
    ended = replace(last, events=(*last.events, *commits_of(key)[-1].events[-2:]))
    header = replace(exported(record_of(key)).header, commits=LENGTH)
    return rechained(Export(header, (*kept, ended)), game=game)


def places(plain: JSON) -> Iterator[tuple[Any, Any]]:
    """Yield every container of *plain* with each of its keys or indices."""
    if isinstance(plain, dict | list):
        for key in plain if isinstance(plain, dict) else range(len(plain)):
            yield plain, key
            yield from places(plain[key])


def spoil(plain: JSON, rng: LocalRng) -> None:
    """Change something within *plain*."""
    container, key = rng.roll("place", list(places(plain)))
    old = container[key]
    if isinstance(old, list) and old and rng.draw("list", 2):
        container[key] = deepcopy(rng.roll("list", [old[:-1], old + old[:1], old[::-1]]))
    elif isinstance(container, dict) and not rng.draw("key", 4):
        container[rng.roll("key", ["salts", "x", "sealed"])] = container.pop(key)
    else:
        container[key] = deepcopy(rng.roll("value", VALUES))


def forged(key: str, viewer: str, number: int) -> Export:
    """Return an export with a spoilt commit, signed anew.

    Raises:
        RefusalError: the commit has not even the form of one.
    """
    rng = LocalRng(f"{key} {viewer} {number}")
    export = base(key, viewer)
    plain = deepcopy(commit_to_json(rng.roll("commit", export.commits)))
    version = plain["version"]
    if not rng.draw("event of elsewhere", 3):
        plain["events"].insert(
            0, deepcopy(rng.roll("event", rng.roll("from", commits_of(key)).events))
        )
    if rng.draw("other rules", 2) and version > 1:
        rules = {"rules_version": "2", "data_hash": "ab" * 32}
        plain["events"].insert(0, {"type": "RulesChanged", "data": rules})
    parts = [part for part in (plain, plain["events"], plain["move"]) if part]
    for _ in range(1 + rng.draw("more", 2)):
        spoil(rng.roll("part", parts), rng)
    spoilt = commit_from_json(plain)
    return rechained(changed(export, version, lambda _: spoilt), game=GAMES[key][0])


def is_found_out(content: bytes, game: AnyGame) -> bool:
    """Return whether *content* is refused, or verifying it by the installed rules has failed."""
    try:
        export = read_export(content)
    except RefusalError:
        return True
    reports = [verify(export, each) for each in (game, replace(game, rules_version="2"))]
    try:
        steps = list(replay(export, game))
    except RefusalError:
        steps = []
    assert len(steps) in {0, len(export.commits)}
    return reports[0].failure is not None


@pytest.mark.parametrize("viewer", ["all", "seat:0"])
@pytest.mark.parametrize("key", GAMES)
def test_whatever_is_forged_and_signed_nothing_breaks_down(key: str, viewer: str) -> None:
    answers = {True: 0, False: 0}
    for number in range(CASES):
        try:
            content = write_export(forged(key, viewer, number))
        except RefusalError:
            continue
        answers[is_found_out(content, GAMES[key][0])] += 1

    assert answers[True] > CASES / 4


@pytest.mark.parametrize("viewer", ["all", "seat:0"])
@pytest.mark.parametrize("key", GAMES)
def test_whatever_is_damaged_is_noticed(key: str, viewer: str) -> None:
    content = write_export(base(key, viewer))
    rng = LocalRng(f"damage of {key} {viewer}")
    for _ in range(CASES):
        damaged = bytearray(content)
        at = rng.draw("place", len(content))
        piece = content[at : at + 1 + rng.draw("length", 40)]
        other = rng.draw("other place", len(content))
        match rng.draw("kind", 4):
            case 0:
                del damaged[at : at + len(piece)]
            case 1:
                damaged[other:other] = piece
            case 2:
                damaged[other : other + len(piece)] = piece
            case _:
                damaged[at] ^= 1 + rng.draw("difference", 255)
        assert bytes(damaged) == content or is_found_out(bytes(damaged), GAMES[key][0])
