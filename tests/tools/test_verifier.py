"""`tools/verify.mjs` from outside: what it prints, how it ends, and what it takes."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from howff.engine.codec import JSON, to_json
from howff.engine.games.troedler import GAME as TROEDLER
from howff.match.canonical import canonical_line
from howff.match.commit import Commit
from howff.match.export import Export, write_export
from howff.match.signatures import PublicKey, Signer
from support.forging import changed, rechained, with_event, with_header
from support.played import KEYS, Record, exported, exported_to, played
from support.verifier import our_answer, results_of, run_verifier, told_by_node

FORGER = Signer.of(b"another private key of the tests")
CHECKS = ("header", "seed", "chain", "signatures", "record", "draws", "decisions")


@cache
def short() -> Record:
    """Return a match of one round."""
    return played(TROEDLER, TROEDLER.options(round_limit=1), 3)


@cache
def whole() -> Export:
    return exported(short())


@cache
def content() -> bytes:
    return write_export(whole())


def resigned(export: Export) -> bytes:
    return write_export(rechained(export, game=TROEDLER))


def written(folder: Path, file_content: bytes) -> Path:
    file = folder / "match.jsonl"
    file.write_bytes(file_content)
    return file


def keys_file(folder: Path, keys: JSON) -> Path:
    file = folder / "keys.json"
    file.write_text(keys if isinstance(keys, str) else json.dumps(keys), "utf-8")
    return file


def test_a_match_is_told_check_by_check_and_ends_with_0(tmp_path: Path) -> None:
    run = run_verifier(written(tmp_path, content()))
    lines = run.stdout.splitlines()

    assert run.returncode == 0
    assert [line.split()[0] for line in lines[:-1]] == list(CHECKS)
    assert [line[12:23].strip() for line in lines[:-1]] == ["passed"] * 6 + ["not checked"]
    assert lines[-1] == f"Signed by {KEYS[0].id} (the file itself names this key)"


def test_what_a_viewer_was_told_leaves_seed_and_draws_unchecked(tmp_path: Path) -> None:
    told = exported_to(short().before_the_last(), None)
    (report,) = told_by_node([write_export(told)], tmp_path)
    results = results_of(report)

    assert report["failure"] is None
    assert {name for name in CHECKS if results[name] == "not checked"} == {
        *("seed", "draws", "decisions"),
    }


def test_a_failure_names_code_version_event_and_field_and_ends_with_1(tmp_path: Path) -> None:
    events = whole().commits[0].events
    at = next(at for at, each in enumerate(events) if each["type"] == "StartingDealerChosen")
    seat = events[at]["data"]["seat"]
    forged = changed(whole(), 1, with_event(at, seat=(seat + 1) % 3))
    run = run_verifier(written(tmp_path, resigned(forged)))

    assert run.returncode == 1
    assert (
        f"draws       failed       unlawful_commit at version 1, event {at}, field seat: "
        f"expected {seat}, found {(seat + 1) % 3}"
    ) in run.stdout


def test_a_commit_that_says_other_counts_of_draws_is_unlawful(tmp_path: Path) -> None:
    forged = changed(whole(), 2, lambda commit: replace(commit, draws={"discard pile": 1}))
    (report,) = told_by_node([resigned(forged)], tmp_path)

    assert report["failure"]["code"] == "unlawful_commit"
    assert (report["failure"]["version"], report["failure"]["field"]) == (2, "draws")


def test_draws_by_other_rules_are_counted_and_not_passed_over(tmp_path: Path) -> None:
    forged = with_header(changed(whole(), 1, with_event(0, rules_version="9")), rules_version="9")
    (report,) = told_by_node([resigned(forged)], tmp_path)
    made = sum(short().match.draws.values())

    assert report["failure"] is None
    assert results_of(report)["draws"] == "not checked"
    assert report["checks"][-2]["detail"].startswith(f"{made} draws NOT compared, made by other")


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        (lambda each: replace(each, events=({"type": "Cheat", "data": {}},)), "unlawful", "type"),
        (lambda each: replace(each, actor="seat:7"), "unlawful", "actor"),
        (lambda each: replace(each, move=None), "unlawful", "move"),
        (lambda each: replace(each, at="2020-01-01T00:00:00.000Z"), "unlawful", "at"),
        (lambda each: replace(each, match="match-2"), "broken", "match"),
        (lambda each: replace(each, prev="0" * 64, version=1), "broken", "version"),
    ],
)
def test_what_no_match_has_is_named(
    change: Callable[[Commit], Commit], code: str, field: str, tmp_path: Path
) -> None:
    (report,) = told_by_node([resigned(changed(whole(), 2, change))], tmp_path)

    assert report["failure"]["code"].startswith(code)
    assert report["failure"]["field"] == field


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"entropies": [None]}, "entropies"),
        ({"entropies": ["é", None, None]}, "entropies"),
        ({"options": {}}, "options"),
        ({"options": {"memory": "other"}}, "options"),
    ],
)
def test_a_start_that_no_match_has_is_named(
    data: dict[str, JSON], field: str, tmp_path: Path
) -> None:
    forged = changed(whole(), 1, with_event(0, **data))
    if "options" in data:
        forged = with_header(forged, options=data["options"])
    (report,) = told_by_node([resigned(forged)], tmp_path)

    assert report["failure"]["code"] == "unlawful_commit"
    failure = report["failure"]
    assert (failure["version"], failure["event"], failure["field"]) == (1, 0, field)


@pytest.mark.parametrize("places", [[1, 1, 1, 1], [1, 1, 2], [0, 1, 2]])
def test_an_account_that_is_none_of_these_seats_is_a_wrong_outcome(
    places: list[int], tmp_path: Path
) -> None:
    last = whole().commits[-1]
    outcome = last.events[-2]["data"]["outcome"] | {"places": places}
    forged = changed(whole(), last.version, with_event(-2, outcome=outcome))
    (report,) = told_by_node([resigned(forged)], tmp_path)

    assert report["failure"]["code"] == "wrong_outcome"


def test_only_pinned_keys_count(tmp_path: Path) -> None:
    forged = rechained(whole(), FORGER, game=TROEDLER)
    forged = with_header(forged, keys=(FORGER.public_key,))
    file = written(tmp_path, write_export(forged))
    jwks = [to_json(PublicKey, key) | {"use": "sig"} for key in KEYS]
    pinned = run_verifier("--json", "--keys", keys_file(tmp_path, {"keys": jwks}), file)

    assert run_verifier(file).returncode == 0
    assert pinned.returncode == 1
    assert json.loads(pinned.stdout)["failure"]["code"] == "unknown_key"


def test_the_right_pinned_key_is_one_that_is_trusted(tmp_path: Path) -> None:
    keys = keys_file(tmp_path, [to_json(PublicKey, key) for key in KEYS])
    run = run_verifier("--keys", keys, written(tmp_path, content()))

    assert run.returncode == 0
    assert f"Signed by {KEYS[0].id} (a key you trust)" in run.stdout


@pytest.mark.parametrize(
    "words", [[], ["--what"], ["--keys"], ["--keys", "nowhere.json", "x"], ["nowhere"], [os.sep]]
)
def test_what_can_not_be_read_ends_with_2_and_a_line(words: list[str]) -> None:
    run = run_verifier(*words)

    assert run.returncode == 2
    assert len((run.stdout + run.stderr).splitlines()) == 1


@pytest.mark.parametrize("keys", ["no JSON", {}, {"keys": 1}, [1], [{"kty": "OKP"}], "[", "null"])
def test_what_is_no_list_of_keys_is_refused(keys: JSON, tmp_path: Path) -> None:
    file = written(tmp_path, content())
    run = run_verifier("--keys", keys_file(tmp_path, keys), file)

    assert run.returncode == 2
    assert run.stderr.startswith("wrong_keys  ")


def header_with(**fields: Any) -> bytes:
    first, *others = content().splitlines(keepends=True)
    plain = json.loads(first) | fields
    return canonical_line(plain) + b"\n" + b"".join(others)


def with_bot(told: bytes) -> bytes:
    """Return the match with something else for how a bot came to its moves."""
    return content().replace(b'"bot":{"policy":"chance"}', b'"bot":' + told)


NESTED = b'{"a":' + b"[" * 100_000


def unreadable() -> dict[str, bytes]:
    whole_one = content()
    return {
        "empty": b"",
        "line feed": b"\n",
        "no line feed": whole_one[:-1],
        "fewer": b"".join(whole_one.splitlines(keepends=True)[:-1]),
        "blank": b" " + whole_one,
        "no UTF-8": b"\xff\xfe" + whole_one,
        "byte order mark": b"\xef\xbb\xbf" + whole_one,
        "deep": NESTED + b"\n",
        "list": b"[]\n",
        "float": whole_one.replace(b'"format":1', b'"format":1.0', 1),
        "exponent": whole_one.replace(b'"format":1', b'"format":1e0', 1),
        "minus nought": whole_one.replace(b'"version":1}', b'"version":-0}', 1),
        "huge": whole_one.replace(b'"version":1}', b'"version":9007199254740993}', 1),
        "twice": whole_one.replace(b'"format":1', b'"format":1,"format":1', 1),
        "half a character": whole_one.replace(b'"match-1"', b'"\\ud800"', 1),
        "key of no ASCII": whole_one.replace(b'"format":1', '"é":1'.encode(), 1),
        "prototype": whole_one.replace(b'{"commits"', b'{"__proto__":{},"commits"', 1),
        "unknown game": header_with(game="chess"),
        "game of all objects": header_with(game="constructor"),
        "other format": header_with(format=2),
        "no viewer": header_with(viewer="seat:100"),
        "fraction": with_bot(b"0.5"),
        "great number": with_bot(b"1e+21"),
        "half of a character": with_bot(b'"\\ud800"'),
        "strange key": with_bot('{"é":1}'.encode()),
        "33 lists": with_bot(b"[" * 32 + b"]" * 32),
        "no day": whole_one.replace(b"2026-11-27T", b"2026-02-30T"),
        "no year": whole_one.replace(b"2026-11-27T", b"0000-11-27T"),
    }


def test_what_is_no_export_is_refused_as_ours_refuses_it(tmp_path: Path) -> None:
    contents = unreadable()
    told = told_by_node(list(contents.values()), tmp_path)

    for (name, each), theirs in zip(contents.items(), told, strict=True):
        refusal = our_answer(each).refusal
        assert refusal is not None, name
        assert theirs["error"]["code"] == refusal, name
