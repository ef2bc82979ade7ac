import base64
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON, canonical, to_json, to_tagged
from howff.engine.seats import Seat, Viewer
from howff.game.adapters.commits import fold_commit
from howff.game.api import routes
from howff.game.application.commands import DefaultCommand, SeatCommandOf, StartCommand
from howff.game.application.matches import Answer, Log
from howff.game.application.orders import MoveWanted, SeatOrder
from howff.match.commit import CommandId, Version, commit_from_json, commit_to_json
from howff.match.draws import Draws
from howff.match.events import covered_fields
from howff.match.notary import Notary
from howff.match.redaction import redact_commit
from howff.match.seals import SeedSeal
from howff.match.signatures import Signer
from howff.servicekit.aggregates import Baseline
from howff.servicekit.eventstore.store import Position, Recorded
from howff.servicekit.nats.connection import Connection
from support.service import (
    SERVED,
    Service,
    Table,
    nats_server,
    new_key,
    service_on,
    wait_until,
)
from support.web import problem_of

EVERY_GAME: Final = pytest.mark.parametrize("game", SERVED)
SEED: Final = bytes.fromhex("c0ffee5eed" * 6 + "4711")
MOVES: Final = 8
CLIENTS: Final = ("httpx", "httpcore")
"""Whoever asks in these tests logs what it sends and gets."""


def seed_texts() -> tuple[str, ...]:
    """Return the seed as it may be written."""
    coded = base64.b64encode(SEED).decode().rstrip("=")
    urlsafe = base64.urlsafe_b64encode(SEED).decode().rstrip("=")
    listed = ", ".join(map(str, SEED[:8]))
    return SEED.hex(), coded, urlsafe, repr(SEED)[2:12], listed, str(int.from_bytes(SEED))


def salts_of(log: Log) -> frozenset[str]:
    """Return the salts of everything in *log* that is not public."""
    covered = covered_fields(log.known.match.game.event)
    return frozenset(
        SeedSeal(SEED, commit.match, commit.version, at).salt(name)
        for commit in log.commits
        for at, names in (
            (None, ("move", "bot")),
            *((at, covered.get(each["type"], ())) for at, each in enumerate(commit.events)),
        )
        for name in names
    )


@dataclass(frozen=True, slots=True)
class Watch:
    """A match with a known seed, and all that must be told of it nowhere, or to some alone."""

    table: Table
    answers: list[httpx.Response] = field(default_factory=list)

    def told(self, viewer: Viewer, *, live: bool = False) -> list[JSON]:
        """Return the commits as *viewer* may know them."""
        log = self.table.log
        return [
            commit_to_json(redact_commit(log.known.match, each, viewer, SEED, told_live=live))
            for each in log.commits
        ]

    def get(self, viewer: Viewer, path: str = "") -> httpx.Response:
        answer = self.table.eyes(viewer).get(f"{self.table.path}{path}")
        self.answers.append(answer)
        return answer

    def check_eyes(self, viewer: Viewer, query: str, eyes: Viewer) -> None:
        """Check everything that *viewer* gets to read through these *eyes*."""
        match, told = self.table.match, self.told(eyes)
        seen = self.get(viewer, query).json()
        assert seen["view"] == to_json(match.game.view_type, match.game.view(match.state, eyes))
        assert seen["state"] is seen["outcome"] is None
        assert self.get(viewer, f"/events{query}").json()["commits"] == told
        lines = self.get(viewer, f"/export{query}").text.splitlines()
        assert [json.loads(line) for line in lines[1:]] == told

    def check_moves(self, seat: Seat) -> None:
        """Check that a seat is told of its own moves alone, in words for its own eyes."""
        match = self.table.match
        moves = match.game.legal_moves(match.state, seat)
        view = match.game.view(match.state, seat)
        names = tuple(f"Seat {each}" for each in range(len(self.table.accounts)))
        assert self.get(seat, "/moves").json()["moves"] == [
            {"move": to_tagged(each), "text": match.game.explain(view, seat, each, names)}
            for each in moves
        ]

    def check_refusals(self, seat: Seat, move: JSON) -> None:
        """Check that refusals tell *seat* no more than it knows: its own moves, and whose turn."""
        match, table = self.table.match, self.table
        moves = match.game.legal_moves(match.state, seat)
        refused = table.send(seat, move)
        if seat in match.to_act:
            kinds = ", ".join(sorted({type(each).__name__ for each in moves}))
            expected = f"one of {len(moves)} legal moves ({kinds})"
            assert refused.json()["code"] == "illegal_move"
            assert refused.json()["expected"] == expected
        else:
            turns = " or ".join(f"seat {each}" for each in match.to_act)
            assert refused.json()["expected"] == turns
            assert refused.json()["found"] == f"seat {seat}"
        self.answers.extend(
            [
                refused,
                table.send(seat, {"type": "Cheat", "data": {"hand": SEED.hex()[:8]}}),
                table.send(seat, {"type": move["type"], "data": {"extra": [1]}}),
                table.send(seat, move, expected_version=9999),
                table.send(seat, move, seat=9),
                table.eyes(seat).post(f"{table.path}/moves", {"moves": move}, new_key()),
            ]
        )

    def check_viewer(self, viewer: Viewer, unlawful_move: JSON) -> None:
        """Check whatever *viewer* can ask, and that it can't look through other eyes."""
        self.check_eyes(viewer, "", viewer)
        self.check_eyes(viewer, "?as=spectator", None)
        if viewer is None:
            return
        self.check_moves(viewer)
        if unlawful_move is not None:
            self.check_refusals(viewer, unlawful_move)
        for other in set(self.table.viewers) - {None, viewer}:
            for path in ("", "/events", "/export"):
                assert self.get(viewer, f"{path}?as=seat:{other}").status_code == 404

    def check_covered(self) -> None:
        """Check that no answer has a salt but within a commit that has been compared."""
        salts = salts_of(self.table.log)
        assert salts
        for answer in self.answers:
            text = f"{answer.headers} {answer.text}"
            assert not [each for each in seed_texts() if each in text]
            if "/events" not in answer.url.path and "/export" not in answer.url.path:
                assert not [salt for salt in salts if salt in text], answer.url


def unlawful(table: Table) -> JSON:
    """Return a move of the right form that nobody may make now."""
    match = table.match
    lawful = {
        canonical(to_tagged(each))
        for seat in match.to_act
        for each in match.game.legal_moves(match.state, seat)
    }
    for commit in table.commits:
        if commit.move is not None and canonical(commit.move) not in lawful:
            return commit.move
    return None


@EVERY_GAME
def test_no_answer_tells_more_than_its_caller_may_know(
    service: Service, game: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    table = service.table(game, GAMES[game].seats[0], seed=SEED)
    watch = Watch(table)
    for _ in range(MOVES):
        seat, move = table.to_act()
        answer = table.send(seat, move).json()
        assert answer["commit"] == watch.told(seat, live=True)[-1]
        wrong = unlawful(table)
        for viewer in table.viewers:
            watch.check_viewer(viewer, wrong)
    for path in ("/openapi.json", "/v1/games", "/.well-known/howff-receipts.json", "/x"):
        watch.answers.append(service.eyes(None).get(path))
    watch.check_covered()
    assert table.match.version == MOVES + 1
    assert sum(answer.status_code >= 400 for answer in watch.answers) > MOVES
    check_records(table, caplog)


def check_records(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    """Check that what is logged names codes and places, and nothing of what is in a match."""
    salts = salts_of(table.log)
    formatter = logging.Formatter()
    told = [
        f"{formatter.format(each)} {each.__dict__}"
        for each in caplog.records
        if not each.name.startswith(CLIENTS)
    ]
    assert any("refused: illegal_move" in each for each in told)
    secret = {*seed_texts(), *salts, *(commit.hash for commit in table.commits), "Bearer ey"}
    for commit in table.commits:
        secret |= {json.dumps(each["data"]) for each in commit.events}
    for each in told:
        assert not [text for text in secret if text in each], each


def test_a_mistake_of_the_service_tells_nothing_but_where_it_was(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    table = service.table(seed=SEED)
    table.advance(5)

    def mistaken(match: Any, _: Any) -> None:
        message = f"mistaken about {match!r} of {service.parts!r}"
        raise ValueError(message)

    with monkeypatch.context() as patched:
        patched.setattr(routes, "match_answer", mistaken)
        answer = table.eyes(Seat(0)).get(table.path)
    document = answer.json()
    assert (answer.status_code, document["code"]) == (500, "internal_error")
    assert document["instance"].startswith("urn:uuid:")
    assert "mistaken" not in answer.text
    logged = "".join(
        logging.Formatter().format(each) for each in caplog.records if each.levelname == "ERROR"
    )
    assert document["instance"] in logged
    assert "mistaken about" in logged
    check_hidden(logged, table.log)


def check_hidden(text: str, log: Log) -> None:
    """Check that *text* tells neither the seed nor salts nor what anybody has in hand."""
    assert not [each for each in (*seed_texts(), *salts_of(log)) if each in text]
    for commit in log.commits:
        for data in (commit.move, *(each["data"] for each in commit.events)):
            for hidden in (json.dumps(data), canonical(data), repr(data)):
                assert len(hidden) <= len("null") or hidden not in text
    assert repr(log.known.match.state) not in text


def values_with_secrets(log: Log) -> Iterator[object]:
    """Yield whatever the service passes around that has secrets within."""
    known, commit = log.known, log.commits[-1]
    match, notary = known.match, Notary(SEED, Signer.of(SEED))
    recorded = Recorded(commit, Position(7))
    move = commit.move
    order = SeatOrder(
        id=CommandId("a"),
        asker="dora",
        seat=None,
        wanted=MoveWanted(move, move),
        expected_version=None,
    )
    bound: dict[str, Any] = {"notary": notary, "now": None}
    yield from (known, Log(known, log.commits), Answer(known, commit), commit, recorded, match)
    yield Baseline(match, recorded, b"")
    yield SeatCommandOf(order=order, **bound)
    yield DefaultCommand(version=Version(1), seat=Seat(0), **bound)
    yield StartCommand(game=match.game, start=None, **bound)  # type: ignore[arg-type]
    yield from (notary, notary.signer, order, SeedSeal(SEED, match.id, 1, 0))
    yield Draws(SEED, match.id, (None, None), {})


def test_what_the_service_passes_around_is_printed_without_its_secrets(service: Service) -> None:
    table = service.table(seed=SEED)
    table.advance(6)
    log = table.log
    assert log.known.seed == SEED
    for each in values_with_secrets(log):
        check_hidden(repr(each), log)


@EVERY_GAME
def test_the_seed_is_told_by_the_commit_that_ends_the_match(service: Service, game: str) -> None:
    options = {"round_limit": 1} if game == "troedler" else {}
    table = service.table(game, GAMES[game].seats[0], seed=SEED, options=options)
    table.advance()
    page = table.eyes(None).get(f"{table.path}/events").json()["commits"]
    assert page == list(map(commit_to_json, table.commits))
    assert SEED.hex() not in json.dumps(page[:-1])
    assert page[-1]["events"][-1] == {"type": "SeedRevealed", "data": {"seed": SEED.hex()}}


@pytest.mark.parametrize("kind", ["no commit", "no event"])
def test_a_log_that_can_not_be_read_is_quoted_nowhere(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """What stands there may be anybody's secret, in whatever form it has come to be in."""
    caplog.set_level(logging.DEBUG)
    with nats_server() as nats, service_on(nats) as service:
        table = service.table()
        first = commit_to_json(table.commits[0])
        mark = "a-card-of-somebody"
        broken: JSON = {**first, "version": 2, "prev": first["hash"], "command": "2"}
        if kind == "no commit":
            broken["draws"] = mark
        else:
            broken["events"] = [{"type": "BidRaised", "data": {"amount": mark}}]

        async def publish(connection: Connection) -> None:
            content = json.dumps(broken).encode()
            await connection.jetstream.publish(f"match.{table.id}", content)

        service.on_nats(publish)
        answers = [
            table.eyes(0).get(table.path),
            table.eyes(1).get(f"{table.path}/export"),
            table.eyes(None).get(f"{table.path}/events"),
            table.send(*table.chosen(fold_commit(None, commit_from_json(first)))),
        ]
        wait_until(lambda: any("outbox" in each.getMessage() for each in caplog.records))
    for answer in answers:
        problem_of(answer, 500, "unreadable_commit")
        assert mark not in answer.text
    assert mark not in caplog.text
