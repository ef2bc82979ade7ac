import hashlib
import hmac
import json
from dataclasses import replace
from typing import Any

from howff.engine.seats import Seat
from howff.match.chain import hash_of_redacted, hash_of_whole
from howff.match.commit import CommandId, Commit
from howff.match.events import covered_fields
from howff.match.redaction import redact_commit
from support.played import NOON, SEED, played, recorder
from support.toy_game import TOY
from support.toy_types import Options

SECRETS = {"DeckShuffled": "order", "CardsDrawn": "cards", "CardBid": "card"}


def three_commits() -> tuple[Commit, ...]:
    record = recorder(TOY, Options(rounds=1), 2)
    for seat in (Seat(1), Seat(0)):
        move = TOY.legal_moves(record.match.state, seat)[0]
        record.play(seat, move, at=NOON, bot=["why", seat])
    return tuple(record.commits)


def jcs(plain: Any) -> bytes:
    return json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()


def plain_seal(commit: Commit, event: int | None, field: str, value: Any) -> Any:
    place = jcs(["salt", commit.match, commit.version, event, field])
    salt = hmac.new(SEED, place, hashlib.sha256).digest()[:16]
    return {"sealed": hashlib.sha256(salt + jcs(value)).hexdigest()}


def plain_hash(commit: Commit) -> str:
    """Hash a commit as docs tell, with nothing of the code under test."""
    plain: dict[str, Any] = {
        name: getattr(commit, name)
        for name in ("match", "version", "command", "actor", "at", "schema", "draws", "prev")
    }
    for name in ("move", "bot"):
        plain[name] = plain_seal(commit, None, name, getattr(commit, name))
    plain["events"] = events = json.loads(json.dumps(commit.events))
    for at, event in enumerate(events):
        field = SECRETS.get(event["type"])
        if field:
            event["data"][field] = plain_seal(commit, at, field, event["data"][field])
    return hashlib.sha256(jcs(plain)).hexdigest()


def rehashed(commit: Commit) -> str:
    return hash_of_whole(commit, covered_fields(TOY.event), SEED)


def test_the_hash_of_a_commit_never_changes() -> None:
    assert [commit.hash for commit in three_commits()] == [
        "4b00f1861b8cdbebd426dd069da191a5b36c366fd7a75b3ae6733c1dcdf5b7b5",
        "b01aa30039b7f126bb8bbc9e5d9d47958ae759d7cafdfd1f27a9efc2dc9110af",
        "2c4fcce988ed4a2b308967dba7535c713d501496f9227748267b825a4b8ee081",
    ]


def test_a_commit_is_hashed_as_an_independent_reader_hashes_it() -> None:
    for commit in three_commits()[:2]:
        assert commit.hash == plain_hash(commit)


def test_each_commit_names_the_hash_of_the_one_before() -> None:
    first, second, third = three_commits()

    assert first.prev == "0" * 64
    assert (second.prev, third.prev) == (first.hash, second.hash)


def test_key_and_signature_stand_outside_the_hash() -> None:
    commit = three_commits()[1]

    assert rehashed(replace(commit, hash="", key="another", signature="other")) == commit.hash
    assert rehashed(replace(commit, command=CommandId("another"))) != commit.hash


def test_a_null_is_sealed_like_any_other_value() -> None:
    first = three_commits()[0]

    assert first.move is None
    assert rehashed(replace(first, move=0)) != first.hash


def test_a_field_that_younger_rules_have_added_does_not_stand_in_an_older_hash() -> None:
    commit = three_commits()[1]
    covered = {**covered_fields(TOY.event), "CardBid": ("card", "added")}

    assert hash_of_whole(commit, covered, SEED) == commit.hash


def test_every_redacted_form_of_a_commit_has_its_hash() -> None:
    running = played(TOY, Options(), 4).before_the_last()
    for viewer in (None, Seat(0), Seat(1), Seat(2), Seat(3)):
        for commit in running.commits:
            for told_live in (True, False):
                told = redact_commit(running.match, commit, viewer, SEED, told_live=told_live)
                assert hash_of_redacted(told) == commit.hash
