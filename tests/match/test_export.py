import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from howff.engine.seats import Seat
from howff.match.canonical import canonical_bytes
from howff.match.errors import MalformedExportError, MatchGoesOnError, TruncatedExportError
from howff.match.export import read_export, write_export
from support.forging import finished, running, whole
from support.played import exported, exported_to, told


@cache
def content() -> bytes:
    return write_export(whole())


def changed_line(number: int, **changes: Any) -> bytes:
    """Return the file with keys of one line set, or removed where None is given."""
    lines = content().split(b"\n")
    plain = json.loads(lines[number - 1]) | changes
    kept = {key: value for key, value in plain.items() if value is not None}
    lines[number - 1] = canonical_bytes(kept)
    return b"\n".join(lines)


def refusal(changed: bytes) -> MalformedExportError:
    with pytest.raises(MalformedExportError) as raised:
        read_export(changed)
    return raised.value


def test_a_whole_export_comes_back_from_its_file() -> None:
    assert read_export(content()) == whole()
    assert write_export(read_export(content())) == content()


def test_the_export_of_each_viewer_comes_back_from_its_file() -> None:
    exports = told(running(), (None, Seat(0), Seat(1), Seat(2)))

    names = [export.header.viewer for export in exports.values()]
    assert names == ["spectator", "seat:0", "seat:1", "seat:2"]
    for export in exports.values():
        assert read_export(write_export(export)) == export


def test_the_header_tells_the_terms_of_the_match() -> None:
    header = json.loads(content().partition(b"\n")[0])

    assert header["game"] == "toy"
    assert header["viewer"] == "all"
    assert header["commits"] == len(whole().commits)
    assert header["seats"][2] == {"type": "Bot", "data": {"level": "medium"}}
    assert header["keys"][0]["kty"] == "OKP"


def test_there_is_no_whole_export_of_a_match_that_goes_on() -> None:
    with pytest.raises(MatchGoesOnError):
        exported(running())


def test_everybody_may_export_the_whole_of_a_finished_match() -> None:
    assert exported_to(finished(), None) == whole()


@pytest.mark.parametrize("cut", [1, 2, 100])
def test_a_file_that_breaks_off_within_a_line_is_refused(cut: int) -> None:
    found = refusal(content()[:-cut])

    assert isinstance(found, TruncatedExportError)
    assert found.code == "truncated_export"
    assert found.line == len(whole().commits) + 1


@pytest.mark.parametrize("nothing", [b"", b"\n", b"{"])
def test_a_file_without_a_header_is_refused(nothing: bytes) -> None:
    assert refusal(nothing).line == 1


def test_a_file_with_too_few_or_too_many_commits_is_refused() -> None:
    lines = content().splitlines(keepends=True)
    for changed in (lines[:-1], [*lines, lines[-1]], lines[:1]):
        assert isinstance(refusal(b"".join(changed)), TruncatedExportError)


def test_an_export_of_no_commits_is_refused() -> None:
    header = write_export(replace(whole(), header=replace(whole().header, commits=0), commits=()))

    assert isinstance(refusal(header), TruncatedExportError)


def test_a_file_of_something_else_is_told_by_where_it_is_no_json() -> None:
    assert refusal(b"# Howff\n").found == '"# Howff" at character 1'
    assert refusal(b"{]\n").found == '"]" at character 2'


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{]", "JSON"),
        (b"\xff\xfe", "JSON in UTF-8"),
        (b'{"match":1.5}', "integers"),
        (b'{"match":NaN}', "integers"),
        (b'{"match":' + b"9" * 5000 + b"}", "JSON"),
        (b'{"match":' + b"9" * 50 + b"}", "2^53"),
        (b'{"match":"\\ud800"}', "Unicode"),
        (b'{"match":1,"match":1}', "each key once"),
        (b'{"match": 1}', "canonical"),
        (b'{"version":1,"match":1}', "canonical"),
        (b"[" * 100_000 + b"]" * 100_000, "JSON"),
        (b"[" * 33 + b"]" * 33, "nested"),
        (b"[]", "an object"),
        (b"{}", "a value"),
    ],
)
def test_a_line_that_is_no_canonical_commit_is_refused(line: bytes, says: str) -> None:
    lines = content().split(b"\n")
    lines[4] = line
    found = refusal(b"\n".join(lines))

    assert found.line == 5
    assert says in found.expected


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": 2},
        {"version": True},
        {"version": "2"},
        {"at": "2026-13-27T12:00:00.000Z"},
        {"at": "2026-11-27T12:00:00Z"},
        {"at": "0001-01-01T00:00:00.000+23:59"},
        {"draws": []},
        {"draws": {"deck": 0}},
        {"draws": {"deck": True}},
        {"events": {}},
        {"events": ["CardBid"]},
        {"events": [{"type": "CardBid"}]},
        {"events": [{"type": 1, "data": {}}]},
        {"events": [{"type": "CardBid", "data": []}]},
        {"events": [{"type": "CardBid", "data": {}, "salts": {}}]},
        {"events": [{"type": "CardBid", "data": {}, "salts": {"card": "00" * 16}}]},
        {"events": [{"type": "CardBid", "data": {"card": 1}, "salts": {"card": "00" * 15}}]},
        {"events": [{"type": "CardBid", "data": {"card": 1}, "salts": {"card": "AA" * 16}}]},
        {"events": [{"type": "CardBid", "data": {"card": 1}, "salts": {"card": None}}]},
        {"salts": {}},
        {"salts": {"seat": "00" * 16}},
        {"match": ""},
        {"match": "match\n1"},
        {"command": "x" * 101},
        {"command": "\u202eid"},
        {"actor": "nobody"},
        {"actor": "seat:01"},
        {"actor": "\x1b[31mseat:1"},
        {"prev": "AB" * 32},
        {"hash": "ab"},
        {"key": "\x1b]0;title\x07"},
        {"key": "A" * 42},
        {"signature": "A" * 85 + "="},
        {"hash": None},
        {"prev": None},
        {"surplus": 1},
    ],
)
def test_a_line_of_another_shape_is_refused(changes: dict[str, Any]) -> None:
    assert refusal(changed_line(3, **changes)).line == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"format": 2},
        {"viewer": "seat:01"},
        {"viewer": "everybody"},
        {"seats": [{"type": "Ghost", "data": {}}]},
        {"keys": [{"kty": "RSA"}]},
        {"commits": "22"},
        {"match": "\x9b"},
        {"game": "to\x1by"},
        {"rules_version": ""},
        {"rules_version": "é"},
        {"data_hash": "ab"},
        {"seed_commitment": "AB" * 32},
        {"seats": [{"type": "Account", "data": {"account": ""}}]},
        {"seats": [{"type": "Bot", "data": {"level": "\x07"}}]},
        {"keys": [{"crv": "Ed25519", "kty": "OKP", "x": "AAAA"}]},
        {"keys": [{"crv": "Ed25519", "kty": "OKP", "x": "A" * 43, "kid": "a"}]},
        {"game": None},
    ],
)
def test_a_header_of_another_shape_is_refused(changes: dict[str, Any]) -> None:
    assert refusal(changed_line(1, **changes)).line == 1


damages = st.lists(
    st.tuples(
        st.sampled_from(["flip", "cut", "insert", "swap"]),
        st.integers(0, 10_000),
        st.binary(min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(damages)
def test_whatever_is_damaged_reading_gives_an_export_or_a_refusal(
    damage: list[tuple[str, int, bytes]],
) -> None:
    damaged = bytearray(content())
    for kind, where, with_what in damage:
        at = where % max(1, len(damaged))
        end = at + len(with_what)
        match kind:
            case "flip":
                damaged[at] ^= with_what[0]
            case "cut":
                del damaged[at:end]
            case "insert":
                damaged[at:at] = with_what
            case _:
                damaged[at:end] = bytes(reversed(damaged[at:end]))
    try:
        read = read_export(bytes(damaged))
    except MalformedExportError:
        return
    assert write_export(read) == bytes(damaged)


@given(st.binary(max_size=200))
def test_bytes_that_are_no_export_are_refused(noise: bytes) -> None:
    assert refusal(noise).line >= 1


def test_an_empty_file_is_called_one() -> None:
    with pytest.raises(TruncatedExportError, match="expected a header, found an empty file"):
        read_export(b"")
