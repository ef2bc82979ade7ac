import asyncio
import json
from functools import partial
from typing import Final

import pytest
from nats.js.errors import NotFoundError

from howff.contracts.matches import CONTRACTS, LEVELS, WORK, MatchEnded, MatchStarted
from howff.contracts.turns import TURNS
from howff.engine.codec import JSON
from howff.engine.seats import Seat
from howff.game.adapters.messages import JetStreamPublisher
from howff.game.application.deadlines import Deadlines
from howff.game.application.outbox import Outbox
from howff.game.application.ports import Publisher, Told
from howff.match.commit import MatchId
from howff.match.journal import MATCHES
from howff.servicekit.eventstore.store import Position
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.ranks import RankedBucket
from howff.servicekit.nats.schedules import Register, Schedules
from support.bots import playing, policy_of
from support.messages import contents, start_by_queue, wait_for_messages
from support.service import (
    Service,
    Table,
    nats_server,
    new_key,
    on_nats,
    service_on,
    wait_until,
)

SHORT: Final[dict[str, JSON]] = {"round_limit": 2}
PEOPLE: Final[list[JSON]] = [{"account": "dora"}, {"account": "emil"}]
BOTS: Final[list[JSON]] = [{"bot": "random"}, {"bot": "random"}]


def started(service: Service, seats: list[JSON], **terms: JSON) -> str:
    content = {"game": "troedler", "seats": seats, **terms}
    answer = service.eyes("dora").post("/v1/matches", content, new_key())
    assert answer.status_code == 201, answer.text
    match: str = answer.json()["match"]
    return match


def is_over(service: Service, match: str) -> bool:
    return service.match(match).is_over


def wait_until_worked_off(service: Service) -> None:
    """Wait until the outbox has acknowledged every commit.

    A commit that was just stored may not be pending yet: what counts is where the stream ends.
    """

    async def story(connection: Connection) -> bool:
        try:
            outbox = await connection.jetstream.consumer_info(MATCHES, "outbox")
        except NotFoundError:
            return False  # the service has not made it yet
        stream = await connection.jetstream.stream_info(MATCHES)
        assert outbox.ack_floor is not None
        return bool(outbox.ack_floor.stream_seq == stream.state.last_seq)

    wait_until(lambda: service.on_nats(story))


def test_what_happened_to_a_match_is_told_to_others(service: Service) -> None:
    table = service.table(options=SHORT)
    log = table.log
    (start,) = wait_for_messages(service.nats, table.id, ["match_started"])
    seats = [{"account": account} for account in table.accounts]
    assert MatchStarted.model_validate_json(json.dumps(start)).match == table.id
    assert start == {
        "kind": "match_started",
        "match": table.id,
        "game": "troedler",
        "seats": seats,
        "watch": "public",
        "rated": False,
        "at": log.commits[0].at,
    }
    table.advance()
    _, end = wait_for_messages(service.nats, table.id, ["match_started", "match_ended"])
    last = table.commits[-1]
    assert MatchEnded.model_validate_json(json.dumps(end)).match == table.id
    ended = next(each["data"] for each in last.events if each["type"] == "MatchEnded")
    assert end == {
        "kind": "match_ended",
        "match": table.id,
        "game": "troedler",
        "seats": seats,
        "rated": False,
        "reason": "finished",
        "outcome": ended["outcome"],
        "version": last.version,
        "at": last.at,
    }


def outbox_of(
    service: Service, connection: Connection, publisher: Publisher | None = None
) -> Outbox:
    matches = service.parts.matches
    schedules = Schedules(connection, "DEADLINES", "deadline")
    register = Register(connection, "CLOCKED", "clocked")
    deadlines = Deadlines(matches, schedules=schedules, register=register)
    publisher = publisher or JetStreamPublisher(connection)
    turns = RankedBucket(connection, TURNS)
    return Outbox(matches, deadlines, turns=turns, publisher=publisher)


def positions_of(table: Table) -> list[Position]:
    """Return where the commits of a match stand."""
    base = table.log.known.base
    return [base.mark_at(version).position for version in range(1, base.mark.version + 1)]


def deliver_again(service: Service, table: Table, times: int) -> None:
    """Bring all commits of a match to an outbox again, the last ones first."""
    match, positions = MatchId(table.id), positions_of(table)

    async def story() -> None:
        async with await connect(service.nats.url, name="again") as connection:
            outbox = outbox_of(service, connection)
            for _ in range(times):
                again = (outbox.on_commit(match, each) for each in reversed(positions))
                await asyncio.gather(*again)

    service.call(story())


def test_a_commit_that_comes_again_is_told_of_once(service: Service) -> None:
    table = service.table(options={"round_limit": 1})
    table.advance()
    wait_for_messages(service.nats, table.id, ["match_started", "match_ended"])
    deliver_again(service, table, 3)
    wait_for_messages(service.nats, table.id, ["match_started", "match_ended"])


def test_the_end_is_never_told_before_the_start(service: Service) -> None:
    """Another process may have the first commit in hand while this one is given the last."""
    table = service.table(options=SHORT)
    table.advance()
    wait_until_worked_off(service)
    told: list[Told] = []

    class Kept:
        async def publish(self, message: Told) -> None:
            told.append(message)

    last = positions_of(table)[-1]

    async def story() -> None:
        async with await connect(service.nats.url, name="again") as connection:
            await outbox_of(service, connection, Kept()).on_commit(MatchId(table.id), last)

    service.call(story())
    first, second = told
    assert isinstance(first, MatchStarted)
    assert first.at == table.commits[0].at
    assert isinstance(second, MatchEnded)


def test_all_commits_of_a_new_consumer_are_told_of_once_and_move_no_bot_twice() -> None:
    with nats_server() as nats:
        with service_on(nats) as service, playing(service):
            matches = [started(service, BOTS, options={"round_limit": 1}) for _ in range(3)]
            matches.append(started(service, PEOPLE))
            for match in matches[:3]:
                wait_until(partial(is_over, service, match))
            wait_until_worked_off(service)
            versions = [service.match(match).version for match in matches]
        told = [contents(nats, CONTRACTS, match) for match in matches]

        async def forget(connection: Connection) -> bool:
            return await connection.jetstream.delete_consumer(MATCHES, "outbox")

        assert on_nats(nats, forget)
        with service_on(nats) as service, playing(service):
            wait_until_worked_off(service)
            assert [service.match(match).version for match in matches] == versions
        assert [contents(nats, CONTRACTS, match) for match in matches] == told
        assert [len(each) for each in told] == [2, 2, 2, 1]


def test_bots_go_on_after_the_service_was_stopped_in_the_middle() -> None:
    with nats_server() as nats:
        with service_on(nats) as service, playing(service):
            matches = [started(service, BOTS, options={"round_limit": 4}) for _ in range(2)]
            wait_until(lambda: all(service.match(each).version > 5 for each in matches))
        stopped = [len(contents(nats, MATCHES, match)) for match in matches]
        with service_on(nats) as restarted, playing(restarted):
            wait_until(lambda: all(restarted.match(each).is_over for each in matches))
            for match, version in zip(matches, stopped, strict=True):
                commits = restarted.log(match).commits
                assert 5 < version < len(commits)
                assert [each.version for each in commits] == list(range(1, len(commits) + 1))
                assert len({each.command for each in commits}) == len(commits)
                assert {policy_of(each) for each in commits[1:]} == {"random"}
                wait_for_messages(nats, match, ["match_started", "match_ended"])


def test_a_bot_answers_a_person_in_a_practice_match(played_service: Service) -> None:
    service = played_service
    match = started(service, [{"account": "dora"}, {"bot": "master"}], options=SHORT)
    accounts = ("dora", "nobody")
    table = Table(service, match, accounts, service.eyes("dora").get(f"/v1/matches/{match}"))
    for _ in range(5):
        wait_until(lambda: table.match.is_over or Seat(0) in table.match.to_act)
        if table.match.is_over:
            break
        seat, move = table.chosen(table.match)
        assert table.send(seat, move).status_code == 200
    assert {"seat:0", "seat:1"} <= {each.actor for each in table.commits}


def test_a_decision_of_another_bot_is_brought_before_whoever_takes_it(service: Service) -> None:
    match = f"strong-{new_key()}"
    start_by_queue(service, match, rated=True, options={"starting_dealer": 0})
    table = Table(service, match, ("dora", "x"), service.eyes("dora").get(f"/v1/matches/{match}"))
    assert Seat(1) not in table.match.to_act
    while Seat(1) not in table.match.to_act:
        seat, move = table.chosen(table.match)
        table.send(seat, move)
    version = table.match.version
    due = {"match": match, "version": version, "seat": 1, "game": "troedler", "level": "strong"}
    subject = f"work.decision_due.{match}"
    wait_until_worked_off(service)
    assert contents(service.nats, WORK, match)[-1] == (subject, due)
    versions = [content["version"] for _, content in contents(service.nats, WORK, match)]
    commits = {each.version: each for each in table.commits}
    assert versions == sorted(set(versions))
    assert set(versions) <= set(commits)


@pytest.mark.parametrize("rated", [True, False])
@pytest.mark.parametrize("level", LEVELS)
def test_the_decisions_of_every_bot_are_left_to_whoever_takes_them(
    service: Service, level: str, *, rated: bool
) -> None:
    match = f"left-{new_key()}"
    start_by_queue(service, match, rated=rated, seats=[{"bot": level}, {"bot": level}])
    wait_until_worked_off(service)
    (due,) = contents(service.nats, WORK, match)
    seat = service.match(match).to_act[0]
    assert due[1] == {
        "match": match,
        "version": 1,
        "seat": seat,
        "game": "troedler",
        "level": level,
    }
    assert service.match(match).version == 1


def test_a_commit_that_is_no_longer_the_newest_asks_nobody(service: Service) -> None:
    match = f"moved-{new_key()}"
    start_by_queue(service, match, options={"starting_dealer": 0})
    table = Table(service, match, ("dora", "x"), service.eyes("dora").get(f"/v1/matches/{match}"))
    while Seat(1) not in table.match.to_act:
        seat, move = table.chosen(table.match)
        table.send(seat, move)
    wait_until_worked_off(service)
    before = contents(service.nats, WORK, match)
    assert [each["version"] for _, each in before] == [table.match.version]
    old = positions_of(table)[:-1]
    assert old

    async def story() -> None:
        async with await connect(service.nats.url, name="again") as connection:
            for position in old:
                await outbox_of(service, connection).on_commit(MatchId(match), position)

    service.call(story())
    assert contents(service.nats, WORK, match) == before
    assert service.match(MatchId(match)).version == table.match.version
