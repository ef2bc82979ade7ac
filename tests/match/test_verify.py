from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON
from howff.engine.game import AnyGame
from howff.engine.seats import Viewer
from howff.match.canonical import sha256_hex
from howff.match.chain import hash_of_whole
from howff.match.commit import CommandId, Commit, Version
from howff.match.errors import MalformedExportError
from howff.match.events import covered_fields
from howff.match.export import read_export, write_export
from howff.match.match import match_of
from howff.match.signatures import Signer
from howff.match.verify import verify
from support.forging import (
    NEWER,
    VIEWERS,
    Change,
    changed,
    failure,
    rechained,
    results,
    told_to,
    whole,
    with_event,
    with_header,
)
from support.played import KEYS, SEED, SIGNER, Record, exported, played, played_on, resumed
from support.rng import LocalRng
from support.toy_game import TOY

FORGER = Signer.of(b"a forger's key, which is no good")


def test_a_whole_match_passes_every_check() -> None:
    report = verify(whole(), TOY)

    assert report.failure is None
    assert set(results(report).values()) == {"passed"}
    assert report.keys == (SIGNER.id,)


def test_every_game_of_the_catalogue_is_decided_again_alike() -> None:
    for game in GAMES.values():
        record = played(game, game.options(), game.seats[-1])
        export = read_export(write_export(exported(record)))
        assert set(results(verify(export, game, KEYS)).values()) == {"passed"}


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_log_of_every_viewer_verifies(viewer: Viewer) -> None:
    report = verify(told_to(viewer), TOY)

    assert report.failure is None
    assert results(report) == {
        "header": "passed",
        "seed": "not checked",
        "chain": "passed",
        "signatures": "passed",
        "record": "passed",
        "decisions": "not checked",
    }


@pytest.mark.parametrize("viewer", ["all", *VIEWERS])
def test_no_change_of_a_byte_is_unnoticed(viewer: Viewer | str) -> None:
    content = write_export(whole() if isinstance(viewer, str) else told_to(viewer))
    rng = LocalRng(f"bytes of {viewer}")
    for _ in range(80):
        changed_bytes = bytearray(content)
        changed_bytes[rng.draw("place", len(content))] ^= 1 + rng.draw("difference", 255)
        assert not is_accepted(bytes(changed_bytes))


def is_accepted(content: bytes) -> bool:
    try:
        return verify(read_export(content), TOY).failure is None
    except MalformedExportError:
        return False


def test_a_commit_whose_hashes_no_longer_fit_breaks_the_chain() -> None:
    forged = changed(whole(), 3, lambda commit: replace(commit, command=CommandId("another")))
    found = failure(verify(forged, TOY))

    assert (found.code, found.place.version, found.place.field) == ("broken_chain", 3, "hash")


@pytest.mark.parametrize(
    "commits",
    [lambda each: (*each[:4], *each[5:]), lambda each: (*each[:2], each[3], each[2], *each[4:])],
)
def test_commits_left_out_or_exchanged_break_the_chain(commits: Callable[[Any], Any]) -> None:
    assert failure(verify(replace(whole(), commits=commits(whole().commits)), TOY)).code == (
        "broken_chain"
    )


def test_a_commit_that_names_another_predecessor_breaks_the_chain() -> None:
    *others, last = whole().commits
    strayed = replace(last, prev="ab" * 32)
    strayed = replace(strayed, hash=hash_of_whole(strayed, covered_fields(TOY.event), SEED))
    found = failure(verify(replace(whole(), commits=(*others, strayed)), TOY))

    assert (found.code, found.place.field) == ("broken_chain", "prev")


def test_commits_chained_anew_without_the_key_have_bad_signatures() -> None:
    forged = rechained(changed(whole(), 2, with_event(0, card=6)), signer=None)
    found = failure(verify(forged, TOY))

    assert (found.code, found.place.version) == ("bad_signature", 2)


def test_commits_signed_with_another_key_are_of_an_unknown_one() -> None:
    found = failure(verify(rechained(whole(), FORGER), TOY))

    assert (found.code, found.found) == ("unknown_key", FORGER.id)


def test_a_forger_who_names_his_key_in_the_file_is_caught_by_pinned_keys() -> None:
    forged = with_header(rechained(whole(), FORGER), keys=(FORGER.public_key,))

    assert verify(forged, TOY).keys == (FORGER.id,)
    assert verify(forged, TOY).failure is None
    assert failure(verify(forged, TOY, KEYS)).code == "unknown_key"


def test_without_a_trusted_key_no_signature_counts() -> None:
    for export, keys in ((whole(), ()), (with_header(whole(), keys=()), None)):
        found = failure(verify(export, TOY, keys))
        assert (found.code, found.expected) == ("unknown_key", "a trusted key, but none was given")


def test_another_seed_than_the_one_committed_to_is_wrong() -> None:
    last = whole().commits[-1].version
    forged = changed(whole(), last, with_event(-1, seed="00" * 32))
    report = verify(rechained(forged, seed=bytes(32)), TOY)

    assert failure(report).code == "wrong_seed"
    assert results(report)["chain"] == "not checked"


@pytest.mark.parametrize("seed", [SEED.hex().upper(), "00", "no hex", 7, None])
def test_what_is_no_seed_is_wrong(seed: JSON) -> None:
    last = whole().commits[-1].version

    assert failure(verify(changed(whole(), last, with_event(-1, seed=seed)), TOY)).code == (
        "wrong_seed"
    )


def test_a_whole_export_that_reveals_no_seed_is_not_believed() -> None:
    cut = replace(whole(), commits=whole().commits[:-1])

    assert failure(verify(cut, TOY)).code == "wrong_seed"


def test_a_seed_chosen_afterwards_did_not_make_the_draws() -> None:
    seed = bytes(32)
    forged = changed(whole(), 1, with_event(0, seed_commitment=sha256_hex(seed)))
    forged = changed(forged, forged.commits[-1].version, with_event(-1, seed=seed.hex()))
    forged = rechained(with_header(forged, seed_commitment=sha256_hex(seed)), seed=seed)
    found = failure(verify(forged, TOY))

    assert (found.code, found.place.version) == ("unlawful_commit", 1)


def test_an_event_that_the_rules_would_not_have_made_is_named_with_its_field() -> None:
    right = whole().commits[1].events[0]["data"]["card"]
    forged = rechained(changed(whole(), 2, with_event(0, card=right % 6 + 1)))
    found = failure(verify(forged, TOY))

    assert found.code == "unlawful_commit"
    assert (found.place.version, found.place.event, found.place.field) == (2, 0, "card")
    assert (found.expected, found.found) == (str(right), str(right % 6 + 1))


def test_a_field_that_is_missing_is_told_apart_from_a_null() -> None:
    more = failure(verify(rechained(changed(whole(), 2, with_event(0, x=None))), TOY))
    assert (more.place.field, more.expected, more.found) == ("x", '"no such field"', "null")

    last = whole().commits[-1].version
    fewer = changed(whole(), last, lambda commit: replace(commit, events=commit.events[1:]))
    assert failure(verify(rechained(fewer), TOY)).code == "unlawful_commit"


def bid_of_no_hand(commit: Commit) -> Commit:
    return replace(commit, move={"type": "Bid", "data": {"card": 99}})


def one_event_more(commit: Commit) -> Commit:
    return replace(commit, events=(*commit.events, {"type": "TurnEnded", "data": {"seat": 0}}))


def one_for_true(commit: Commit) -> Commit:
    seat = commit.events[0]["data"]["seat"]
    return with_event(0, seat=bool(seat) if seat < 2 else seat * 10)(commit)


@pytest.mark.parametrize(
    "change",
    [
        bid_of_no_hand,
        one_event_more,
        one_for_true,
        lambda commit: replace(commit, events=()),
        lambda commit: replace(commit, move=None),
        lambda commit: replace(commit, move={"type": "Cheat", "data": {}}),
        lambda commit: replace(commit, actor="platform"),
        lambda commit: replace(commit, actor="seat:7"),
        lambda commit: replace(commit, draws={"deck": 1}),
        lambda commit: replace(commit, at="2020-01-01T00:00:00.000Z"),
        lambda commit: replace(commit, command=whole().commits[0].command, actor="platform"),
    ],
)
def test_a_commit_that_the_rules_would_not_have_made_is_unlawful(change: Change) -> None:
    found = failure(verify(rechained(changed(whole(), 2, change)), TOY))

    assert (found.code, found.place.version) == ("unlawful_commit", 2)


@pytest.mark.parametrize(
    ("game", "data"),
    [
        (TOY, {"options": {"rounds": 99, "memory": "strict"}}),
        (TOY, {"options": {"rounds": 3}}),
        (TOY, {"options": {}}),
        (TOY, {"entropies": [None]}),
        (TOY, {"seats": []}),
        (NEWER, {"options": {"rounds": 99, "memory": "strict"}}),
        (NEWER, {"seats": []}),
    ],
)
def test_a_start_that_the_game_does_not_offer_is_unlawful(
    game: AnyGame, data: dict[str, JSON]
) -> None:
    forged = with_header(
        changed(whole(), 1, with_event(0, **data)),
        options=data.get("options", whole().header.options),
        seats=() if "seats" in data else whole().header.seats,
    )
    found = failure(verify(rechained(forged), game))

    assert (found.code, found.place.version) == ("unlawful_commit", 1)


@pytest.mark.parametrize("changes", [{"actor": "seat:0"}, {"move": {}}])
def test_a_start_is_no_move_of_a_seat(changes: dict[str, Any]) -> None:
    forged = changed(whole(), 1, lambda commit: replace(commit, **changes))
    found = failure(verify(rechained(forged), TOY))

    assert (found.code, found.place.version) == ("unlawful_commit", 1)
    assert found.place.field == next(iter(changes))


@pytest.mark.parametrize("game", [TOY, NEWER])
def test_no_commit_follows_the_end(game: AnyGame) -> None:
    last = whole().commits[-1]
    version = Version(last.version + 1)
    after = replace(
        last, version=version, command=CommandId("after"), events=(last.events[-1],), draws={}
    )
    export = replace(whole(), commits=(*whole().commits, after))
    found = failure(verify(rechained(export), game))

    assert (found.code, found.place.version) == ("unlawful_commit", last.version)
    assert found.found == "MatchEnded"


def test_a_changed_outcome_is_told_apart() -> None:
    last = whole().commits[-1]
    outcome = last.events[-2]["data"]["outcome"]
    turned = outcome | {"places": outcome["places"][::-1]}
    forged = rechained(changed(whole(), last.version, with_event(-2, outcome=turned)))
    place = failure(verify(forged, TOY)).place

    assert failure(verify(forged, TOY)).code == "wrong_outcome"
    assert (place.version, place.event, place.field) == (
        last.version,
        len(last.events) - 2,
        "outcome",
    )
    assert failure(verify(forged, NEWER)).code == "wrong_outcome"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("match", "match-2"),
        ("game", "chess"),
        ("rules_version", "0"),
        ("data_hash", ""),
        ("options", {}),
        ("seats", ()),
        ("seed_commitment", ""),
        ("viewer", "spectator"),
        ("viewer", "seat:1"),
    ],
)
def test_a_header_that_does_not_agree_with_the_match_is_wrong(field: str, value: JSON) -> None:
    assert failure(verify(with_header(whole(), **{field: value}), TOY)).code == "wrong_header"


def test_a_match_of_another_game_is_wrong() -> None:
    assert failure(verify(whole(), replace(TOY, key="other"))).code == "wrong_header"


def test_a_match_that_does_not_begin_with_its_start_has_a_wrong_header() -> None:
    first, second, *others = whole().commits
    for events in ((), second.events):
        forged = replace(whole(), commits=(replace(first, events=events), second, *others))
        assert failure(verify(forged, TOY)).code == "wrong_header"


@pytest.mark.parametrize("viewer", [viewer for viewer in VIEWERS if viewer != 1])
def test_a_log_told_to_another_viewer_than_the_header_names_is_noticed(viewer: Viewer) -> None:
    forged = with_header(told_to(viewer), viewer="seat:1")

    assert failure(verify(forged, TOY)).place.field is not None
    assert failure(verify(forged, TOY)).code == "wrong_header"


def test_commits_of_other_rules_are_folded_and_said_not_to_be_decided_again() -> None:
    report = verify(whole(), NEWER)

    assert report.failure is None
    assert results(report)["decisions"] == "not checked"
    count = len(whole().commits)
    rules = f"{count} by rules 1 (data {TOY.data_hash[:8]})"
    assert f"{count} of {count} commits NOT decided again, only folded: {rules}" in (
        report.checks[-1].detail
    )


def test_rules_that_a_signer_has_made_up_are_named_and_prove_nothing() -> None:
    made_up = {"rules_version": "9", "data_hash": "ab" * 32}
    change = {"type": "RulesChanged", "data": made_up}
    last = whole().commits[-1].version

    def behind_other_rules(commit: Commit) -> Commit:
        return replace(commit, events=(change, *commit.events), draws={"luck": 7})

    report = verify(rechained(changed(whole(), last, behind_other_rules)), TOY)
    assert results(report)["decisions"] == "not checked"
    assert f"1 of {last} commits NOT" in report.checks[-1].detail
    assert "1 by rules 9 (data abababab)" in report.checks[-1].detail


def test_commits_of_other_rules_that_do_not_fold_are_unlawful() -> None:
    for event in (with_event(0, seat=9), with_event(0, card="six")):
        forged = rechained(changed(whole(), 2, event))
        found = failure(verify(forged, NEWER))
        assert (found.code, found.place.version) == ("unlawful_commit", 2)


def test_a_state_that_other_rules_have_spoilt_is_no_surprise_to_the_installed_ones() -> None:
    first, second, *_ = whole().commits
    old = first.events[0] | {"data": first.events[0]["data"] | {"rules_version": "0"}}
    turn = {"type": "TurnStarted", "data": {"seat": 0}}
    installed = {"rules_version": TOY.rules_version, "data_hash": TOY.data_hash}
    ending = whole().commits[-1].events[-2:]
    # Seat 0 peeks at the bottom of a deck that was never laid down.
    peek = replace(
        second,
        actor="seat:0",
        move={"type": "Peek", "data": {}},
        events=({"type": "RulesChanged", "data": installed}, *ending),
    )
    export = replace(whole(), commits=(replace(first, events=(old, first.events[1], turn)), peek))
    found = failure(verify(rechained(with_header(export, rules_version="0")), TOY))

    assert (found.code, found.place.version) == ("unlawful_commit", 2)
    assert "IndexError" in found.found


def test_a_match_that_went_on_under_new_rules_is_decided_again_from_there() -> None:
    commits = whole().commits[:5]
    old = Record(match_of(NEWER, commits), commits)
    export = exported(played_on(resumed(old)))

    report = verify(export, NEWER)
    assert report.failure is None
    assert f"{len(export.commits) - 5} decided again alike" in report.checks[-1].detail
    assert verify(export, TOY).failure is None
    forged = rechained(changed(export, 6, lambda commit: replace(commit, draws={"x": 1})))
    assert failure(verify(forged, NEWER)).code == "unlawful_commit"
