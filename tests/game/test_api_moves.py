from typing import Any, Final

import httpx
import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON, to_tagged
from howff.engine.seats import Seat, Viewer
from howff.match.commit import Commit, Version, commit_from_json, commit_to_json
from howff.match.redaction import redact_commit
from howff.match.signatures import public_key_from_jwk
from support.service import SERVED, Service, Table, new_key
from support.web import problem_of

EVERY_GAME: Final = pytest.mark.parametrize("game", SERVED)


def told(table: Table, version: int, seat: Viewer, *, live: bool) -> JSON:
    """Return a commit as *seat* may know it now."""
    log = table.log
    commit = log.commits[version - 1]
    seed = log.known.seed
    return commit_to_json(redact_commit(log.known.match, commit, seat, seed, told_live=live))


def other_move(table: Table, seat: Seat, move: JSON) -> JSON:
    """Return a legal move of *seat* that is not *move*."""
    match = table.match
    moves = map(to_tagged, match.game.legal_moves(match.state, seat))
    return next(each for each in moves if each != move)


def idle_seat(table: Table) -> int:
    """Return a seat that owes no decision."""
    to_act = table.match.to_act
    return next(seat for seat in range(len(table.accounts)) if seat not in to_act)


@EVERY_GAME
def test_a_move_is_answered_with_its_commit_as_told_to_its_seat(
    service: Service, game: str
) -> None:
    table = service.table(game, GAMES[game].seats[0])
    for version in range(2, 12):
        seat, move = table.to_act()
        answer = table.send(seat, move)
        assert answer.status_code == 200
        assert answer.json()["version"] == version
        assert answer.json()["commit"] == told(table, version, seat, live=True)
        assert answer.json()["commit"]["move"] == move
        assert "no-cache" in answer.headers["cache-control"]


@EVERY_GAME
def test_a_move_that_is_sent_again_is_answered_with_the_same_commit_read_again(
    service: Service, game: str
) -> None:
    table = service.table(game, GAMES[game].seats[0])
    sent: list[tuple[Seat, JSON, Any, httpx.Response]] = []
    for _ in range(8):
        seat, move = table.to_act()
        key = new_key()
        sent.append((seat, move, key, table.send(seat, move, key)))
    version = table.match.version
    for seat, move, key, first in sent:
        again = table.send(seat, move, key)
        assert again.status_code == 200
        assert again.json()["receipt"] == first.json()["receipt"]
        assert again.json()["commit"] == told(table, again.json()["version"], seat, live=False)
        assert again.json()["commit"]["hash"] == first.json()["commit"]["hash"]
        assert table.send(seat, move, key).content == again.content
        assert (again.content == first.content) == (again.json() == first.json())
    assert table.match.version == version


def test_the_same_key_is_another_one_for_another_seat(service: Service) -> None:
    table = service.table()
    key = new_key()
    played: dict[int, httpx.Response] = {}
    while len(played) < 2:
        seat, move = table.to_act()
        if seat in played:
            table.send(seat, move)
        else:
            played[seat] = table.send(seat, move, key)
    versions = {answer.json()["version"] for answer in played.values()}
    assert [answer.status_code for answer in played.values()] == [200, 200]
    assert len(versions) == 2


def test_another_move_under_a_known_key_is_refused(service: Service) -> None:
    table = service.table()
    seat, move = table.to_act()
    other = other_move(table, seat, move)
    key = new_key()
    assert table.send(seat, move, key).status_code == 200
    document = problem_of(table.send(seat, other, key), 409, "command_id_reused")
    assert (document["expected"], document["found"]) == ("a new id", "that of version 2")
    assert str(key) in document["detail"]
    assert table.match.version == 2


def test_a_refusal_is_not_remembered_under_its_key(service: Service) -> None:
    table = service.table()
    seat, move = table.to_act()
    key = new_key()
    problem_of(table.send(seat, move, key, expected_version=9), 409, "stale_version")
    assert table.send(seat, move, key, expected_version=1).status_code == 200


def test_a_move_counts_if_nothing_has_happened_since_the_version_it_names(
    service: Service,
) -> None:
    table = service.table()
    seat, move = table.to_act()
    for version in (2, 10**6):
        document = problem_of(
            table.send(seat, move, expected_version=version), 409, "stale_version"
        )
        assert document["expected"] == f"version {version} to be the newest"
        assert document["found"] == "version 1"
    assert table.send(seat, move, expected_version=1).json()["version"] == 2
    seat, move = table.to_act()
    problem_of(table.send(seat, move, expected_version=1), 409, "stale_version")
    assert table.match.version == 2


def test_a_move_sent_again_with_its_old_version_is_answered_still(service: Service) -> None:
    table = service.table()
    seat, move = table.to_act()
    key = new_key()
    first = table.send(seat, move, key, expected_version=1)
    table.play()
    again = table.send(seat, move, key, expected_version=1)
    assert again.json()["receipt"] == first.json()["receipt"]


def test_who_owes_no_decision_is_refused(service: Service) -> None:
    table = service.table()
    seat, move = table.to_act()
    idle = idle_seat(table)
    document = problem_of(table.send(idle, move), 409, "not_your_decision")
    assert (document["expected"], document["found"]) == (f"seat {seat}", f"seat {idle}")
    assert table.match.version == 1


@EVERY_GAME
def test_a_move_that_is_not_among_the_legal_ones_is_refused(service: Service, game: str) -> None:
    table = service.table(game, GAMES[game].seats[0])
    met: list[Any] = []
    while True:
        match = table.advance(table.match.version + 1)
        seat, _ = table.to_act()
        legal_now = match.game.legal_moves(match.state, seat)
        wrong = next((each for each in met if each not in legal_now), None)
        if wrong is not None:
            break
        met += legal_now
    document = problem_of(table.send(seat, to_tagged(wrong)), 409, "illegal_move")
    assert document["expected"].startswith(f"one of {len(legal_now)} legal moves (")
    assert document["found"] == repr(wrong)
    assert table.match.version == match.version


@pytest.mark.parametrize(
    "move",
    [
        {"type": "Cheat", "data": {}},
        {"type": "RaiseBid", "data": {"amount": 1, "extra": 2}},
        {"type": "", "data": {}},
        {"type": "A" * 65, "data": {}},
        {"data": {}},
        {"type": "Pass"},
        [],
        None,
        "Pass",
    ],
    ids=repr,
)
def test_a_move_without_the_form_of_one_is_malformed(service: Service, move: JSON) -> None:
    table = service.table()
    seat, _ = table.to_act()
    problem_of(table.send(seat, move), 422, "malformed")
    assert table.match.version == 1


def test_nobody_moves_once_the_match_is_over(service: Service) -> None:
    table = service.table(options={"round_limit": 1})
    table.advance()
    commits = table.commits
    last = max((each for each in commits if each.seat is not None), key=_version)
    assert last.seat is not None
    document = problem_of(table.send(last.seat, last.move), 409, "match_over")
    assert (document["expected"], document["found"]) == (
        "no more moves",
        f"one of seat {last.seat}",
    )
    stale = table.send(last.seat, last.move, expected_version=1)
    problem_of(stale, 409, "stale_version")


def _version(commit: Commit) -> Version:
    return commit.version


def test_a_move_that_ends_the_match_is_answered_whole(service: Service) -> None:
    table = service.table(options={"round_limit": 1})
    answer, key = table.answer, new_key()
    seat, move = table.to_act()
    while not table.match.is_over:
        key = new_key()
        seat, move = table.to_act()
        answer = table.send(seat, move, key)
    assert answer.json()["commit"] == commit_to_json(table.commits[-1])
    assert table.send(seat, move, key).content == answer.content


def test_a_seat_is_named_by_who_holds_several(service: Service) -> None:
    eyes = service.eyes("dora")
    seats = [{"account": "dora"}, {"account": "dora"}]
    match = eyes.post("/v1/matches", {"game": "troedler", "seats": seats}).json()["match"]
    table = Table(service, match, ("dora", "dora"), eyes.get(f"/v1/matches/{match}"))
    seat, move = table.to_act()
    document = problem_of(table.send(seat, move), 422, "ambiguous_seat")
    assert (document["expected"], document["found"]) == ("one of the seats 0, 1", "none named")
    assert table.send(seat, move, seat=seat).json()["commit"]["actor"] == f"seat:{seat}"
    seat, move = table.to_act()
    problem_of(table.send(seat, move, seat=1 - seat), 409, "not_your_decision")
    problem_of(table.send(seat, move, seat=2), 404, "no_such_match")


def test_a_key_is_asked_for_and_has_to_be_an_id(service: Service) -> None:
    table = service.table()
    seat, move = table.to_act()
    path, content = f"{table.path}/moves", {"move": move}
    document = problem_of(table.eyes(seat).post(path, content), 422, "malformed")
    assert document["errors"][0]["field"] == "header.Idempotency-Key"
    for key in ("", "1", "x" * 36, "0b0e7c8e-6c5c-4f0c-9a51", "*", "a" * 1000):
        problem_of(table.eyes(seat).post(path, content, key), 422, "malformed")
    assert table.match.version == 1


def test_receipts_are_signed_by_the_keys_that_are_published(service: Service) -> None:
    published = service.eyes(None).get("/.well-known/howff-receipts.json")
    assert "max-age" in published.headers["cache-control"]
    keys = {each["kid"]: each for each in published.json()["keys"]}
    table = service.table()
    for _ in range(5):
        answer = table.play().json()
        receipt = answer["receipt"]
        commit = commit_from_json(answer["commit"])
        assert receipt == {
            "match": table.id,
            "version": answer["version"],
            "hash": commit.hash,
            "key": commit.key,
            "signature": commit.signature,
        }
        key = public_key_from_jwk(keys[receipt["key"]])
        for version in (commit.version, 1):
            is_signed = key.has_signed(
                receipt["signature"], match=table.id, version=version, commit_hash=commit.hash
            )
            assert is_signed == (version == commit.version)
