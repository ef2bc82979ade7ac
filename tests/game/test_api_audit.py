"""The server verifies its own log, as anybody may: sound logs are, forged ones are not."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON
from howff.game.adapters.commits import COMMIT_FORM
from howff.game.application.orders import StartOrder
from howff.match.commands import Origin, StartMatch
from howff.match.commit import CommandId, Commit, MatchId, Version
from howff.match.events import Account
from howff.match.export import read_export
from howff.match.match import match_of
from howff.match.notary import Notary
from howff.match.signatures import Signer, public_key_from_jwk
from howff.match.verify import verify
from howff.servicekit.nats.connection import Connection
from support.looking_back import finished
from support.service import SERVED, Service, Table, nats_server, new_key, service_on
from support.web import problem_of

EVERY_GAME: Final = pytest.mark.parametrize("game", SERVED)


def audited(table: Table, viewer: int | None, query: str = "") -> Any:
    """Return what the server finds for *viewer*."""
    answer = table.eyes(viewer).get(f"{table.path}/audit{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def checks_of(table: Table, viewer: int | None) -> list[dict[str, str]]:
    """Return what *viewer* finds by verifying its own export."""
    keys = table.eyes(None).get("/.well-known/howff-receipts.json").json()["keys"]
    export = read_export(table.eyes(viewer).get(f"{table.path}/export").content)
    report = verify(export, table.match.game, tuple(map(public_key_from_jwk, keys)))
    return [
        {"name": each.name, "result": each.result, "detail": each.detail} for each in report.checks
    ]


@EVERY_GAME
def test_an_audit_finds_what_everybody_finds_in_its_own_export(service: Service, game: str) -> None:
    options: JSON = {"round_limit": 1} if game == "troedler" else {}
    table = service.table(game, GAMES[game].seats[0], options=options)
    table.advance(12)
    names = {0: "seat:0", 1: "seat:1", None: "spectator"}
    for viewer, name in names.items():
        audit = audited(table, viewer)
        assert (audit["is_sound"], audit["viewer"], audit["version"]) == (True, name, 13)
        assert audit["checks"] == checks_of(table, viewer)
    table.advance()
    own = checks_of(table, 0)
    assert {each["result"] for each in own} == {"passed"}
    for viewer in names:
        audit = audited(table, viewer)
        assert (audit["is_sound"], audit["viewer"]) == (True, "all")
        assert audit["checks"] == own
    keys = service.eyes(None).get("/.well-known/howff-receipts.json").json()["keys"]
    assert audited(table, 0)["keys"] == [each["kid"] for each in keys]


def test_nobody_audits_through_the_eyes_of_others(service: Service) -> None:
    table = service.table()
    table.advance(3)
    problem_of(table.eyes(0).get(f"{table.path}/audit?as=seat:1"), 404, "no_such_match")
    assert audited(table, 0, "?as=spectator")["viewer"] == "spectator"


@pytest.fixture(scope="module")
def forged_on() -> Iterator[Service]:
    """Give a service whose streams a forger can write into."""
    with nats_server() as nats, service_on(nats) as service:
        yield service


def forged(table: Table) -> Commit:
    """Return a commit that could be the next of *table*, with the proofs of the last."""
    last = table.commits[-1]
    wish = {"type": "WishTold", "data": {"seat": 0, "wish": "abort", "is_wanted": True}}
    return replace(
        last,
        version=Version(last.version + 1),
        command=CommandId(str(new_key())),
        actor="seat:0",
        move=None,
        draws={},
        events=(wish,),
        prev=last.hash,
    )


def slip_in(table: Table, commit: Commit) -> None:
    """Write *commit* into the stream behind the back of the service."""

    async def story(connection: Connection) -> None:
        await connection.jetstream.publish(f"match.{table.id}", COMMIT_FORM.encode(commit))

    table.service.on_nats(story)
    assert table.match.version == commit.version


def failed_checks(table: Table, viewer: int | None) -> set[str]:
    audit = audited(table, viewer)
    assert not audit["is_sound"]
    return {each["name"] for each in audit["checks"] if each["result"] == "failed"}


def test_a_commit_with_a_wrong_hash_is_not_sound_to_anybody(forged_on: Service) -> None:
    table = forged_on.table()
    table.advance(4)
    assert audited(table, 0)["is_sound"]
    slip_in(table, forged(table))
    for viewer in (0, 1, None):
        assert failed_checks(table, viewer) == {"chain"}


def test_a_commit_that_another_key_has_signed_is_not_sound(forged_on: Service) -> None:
    table = forged_on.table()
    table.advance(4)
    forger = Notary(table.log.known.seed, Signer.of(bytes(range(1, 33))))
    slip_in(table, forger.attest(forged(table), table.match.game))
    for viewer in (0, None):
        assert failed_checks(table, viewer) == {"signatures"}


def test_a_branch_that_begins_otherwise_than_its_parent_stood_is_not_sound(
    service: Service,
) -> None:
    parent = finished(service)
    earlier = match_of(parent.match.game, parent.commits[:3])
    match = MatchId(f"branch-{new_key()}")
    seats = tuple(map(Account, parent.accounts))
    command = StartMatch(
        id=CommandId(match),
        match=match,
        options=parent.match.options,
        seats=seats,
        entropies=(None, None),
        origin=Origin(MatchId(parent.id), Version(5), earlier.state),
    )
    service.call(service.parts.matches.start(StartOrder(parent.match.game, command)))
    answer = service.eyes(None).get(f"/v1/matches/{match}")
    branch = Table(service, match, parent.accounts, answer)
    branch.advance()
    assert failed_checks(branch, None) == {"origin"}
