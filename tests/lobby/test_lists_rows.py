"""Rows of lists: what streams make of them, once, whatever is delivered how often and to whom."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from howff.contracts.turns import TurnsTold
from howff.engine.errors import RefusalError
from howff.lobby.adapters.commit_rows import apply_commit
from howff.lobby.adapters.feed_rows import Numbers
from howff.lobby.adapters.list_queries import COMMITS, NotReadYetError
from howff.lobby.adapters.list_rows import (
    MatchRow,
    RatingRow,
    TablePartRow,
    TicketRow,
    TurnRow,
)
from howff.lobby.adapters.lists import CONTRACT_ROWS, ListsAtWork
from howff.lobby.adapters.streams import LOBBY
from howff.lobby.application.feeds import Mark
from howff.lobby.application.lists import Span
from howff.lobby.domain.tables.commands import (
    CloseTable,
    LeaveSeat,
    NoteBegun,
    NoteOver,
    TakeSeat,
)
from howff.lobby.domain.tickets.commands import ClaimTicket, EndTicket, NoteMatched, ReleaseTicket
from howff.servicekit.eventstore.store import Position
from howff.servicekit.nats.reading import stored_at
from howff.servicekit.sql.checkpoints import CheckpointMovedError, QuarantineRow, SqlProjection
from howff.servicekit.sql.database import Database
from support.lists import (
    Streams,
    all_read,
    check_numbers,
    database_in,
    dump,
    entries_of,
    forget_lists,
    lists_at_work,
    lists_of,
    match_ended,
    match_started,
    rated,
    rows_of,
    second,
    started_table,
    streams_on,
    told_each,
    write_matches,
)
from support.nats import own_server, unique
from support.rng import LocalRng
from support.running import run
from support.tables import differences

ALL: Final = Span(100)
DAY: Final = 24 * 60 * 60
Story = Callable[[Streams, Database], Awaitable[None]]


@pytest.fixture(autouse=True)
def _soon_stopped(soon_stopped: None) -> None:
    """Let readers look often whether they are to stop."""


@pytest.fixture
def told(tmp_path: Path) -> Callable[[Story], None]:
    """Run a story with streams and a database of its own."""

    def run_story(story: Story) -> None:
        async def connected() -> None:
            with own_server(tmp_path / "nats") as nats:
                async with streams_on(nats) as streams, database_in(tmp_path) as database:
                    await story(streams, database)

        run(connected)

    return run_story


def kinds(entries: list[tuple[int, str, str]]) -> list[str]:
    return [kind for _, kind, _ in entries]


def contents(entries: list[tuple[int, str, str]]) -> list[Any]:
    return [json.loads(data) for _, _, data in entries]


def test_the_tables_of_the_database_are_those_of_the_rows(tmp_path: Path) -> None:
    async def story() -> None:
        async with database_in(tmp_path) as database:
            assert await differences(database, "lobby") == []

    run(story)


def test_a_public_table_is_listed_while_it_is_open(told: Callable[[Story], None]) -> None:
    async def story(streams: Streams, database: Database) -> None:
        host, guest = unique("host-"), unique("guest-")
        async with lists_at_work(streams, database) as at_work:
            table = await streams.open_table(host)
            await all_read(streams, at_work)
            listed = {each.id: each for each in (await open_tables(at_work)).items}
            assert listed[table].free == 1
            assert [each.account for each in listed[table].players] == [host]
            await streams.order(table, CloseTable(by=host), host)
            await all_read(streams, at_work)
            assert table not in {each.id for each in (await open_tables(at_work)).items}
            assert not (await at_work.lists.tables_of(host, ALL)).items
            assert not (await at_work.lists.tables_of(guest, ALL)).items
        phases = [each["phase"] for each in contents(await entries_of(database, f"account.{host}"))]
        assert phases == ["open", "closed"]

    told(story)


async def open_tables(at_work: Any) -> Any:
    return await at_work.lists.open_tables(ALL, None)


def test_a_private_table_shows_to_those_who_have_a_part_in_it(
    told: Callable[[Story], None],
) -> None:
    async def story(streams: Streams, database: Database) -> None:
        host, guest, stranger = unique("host-"), unique("guest-"), unique("stranger-")
        async with lists_at_work(streams, database) as at_work:
            table = await started_table(streams, host, guest)
            secret = await streams.open_table(host, "invitation")
            await streams.order(table, NoteBegun())
            await streams.order(table, NoteOver())
            await all_read(streams, at_work)
            assert secret not in {each.id for each in (await open_tables(at_work)).items}
            mine = (await at_work.lists.tables_of(host, ALL)).items
            assert [each.id for each in mine] == [secret]
            assert not (await at_work.lists.tables_of(stranger, ALL)).items
        lobby = json.dumps(await entries_of(database, "lobby"))
        assert secret not in lobby
        assert table in lobby
        assert await entries_of(database, f"account.{stranger}") == []
        assert secret not in json.dumps(await entries_of(database, f"account.{guest}"))

    told(story)


def test_who_leaves_a_table_is_told_so_and_then_no_more(told: Callable[[Story], None]) -> None:
    async def story(streams: Streams, database: Database) -> None:
        host, guest, other = unique("host-"), unique("guest-"), unique("other-")
        async with lists_at_work(streams, database) as at_work:
            table = await streams.open_table(host)
            await streams.order(table, TakeSeat(by=guest, seat=1), guest)
            await streams.order(table, LeaveSeat(by=guest, seat=1), guest)
            await streams.order(table, TakeSeat(by=other, seat=1), other)
            await all_read(streams, at_work)
        told = contents(await entries_of(database, f"account.{guest}"))
        assert [each["version"] for each in told] == [2, 3]
        assert other not in json.dumps(told)
        parts = await rows_of(database, TablePartRow)
        assert {each["account"] for each in parts if each["table_id"] == table} == {host, other}

    told(story)


def test_the_lobby_hears_no_more_of_a_table_than_that_it_is_gone(
    told: Callable[[Story], None],
) -> None:
    async def story(streams: Streams, database: Database) -> None:
        host, guest = unique("host-"), unique("guest-")
        async with lists_at_work(streams, database) as at_work:
            table = await started_table(streams, host, guest)
            await streams.order(table, NoteBegun())
            await streams.order(table, NoteOver())
            await all_read(streams, at_work)
        lobby = contents(await entries_of(database, "lobby"))
        assert [each["phase"] for each in lobby if each["id"] == table][-2:] == ["open", "starting"]
        mine = contents(await entries_of(database, f"account.{guest}"))
        assert [each["phase"] for each in mine][-2:] == ["playing", "over"]

    told(story)


def test_tickets_are_rows_until_they_end_and_their_account_hears_of_each_change(
    told: Callable[[Story], None],
) -> None:
    async def story(streams: Streams, database: Database) -> None:
        account = unique("account-")
        async with lists_at_work(streams, database) as at_work:
            first, other = [await streams.open_ticket(account) for _ in range(2)]
            claim = ClaimTicket(ticket=first, table="table")
            await streams.order_tickets(account, claim)
            await streams.order_tickets(account, ReleaseTicket(table="table", because=None))
            await all_read(streams, at_work)
            rows = await rows_of(database, TicketRow)
            assert {each["id"] for each in rows if each["account"] == account} == {first, other}
            await streams.order_tickets(account, EndTicket(ticket=other, because="cancelled"))
            third = await streams.open_ticket(account)
            await streams.order_tickets(account, ClaimTicket(ticket=first, table="match"))
            await streams.order_tickets(account, NoteMatched(table="match"))
            await all_read(streams, at_work)
        assert account not in {each["account"] for each in await rows_of(database, TicketRow)}
        told = contents(await entries_of(database, f"account.{account}"))
        assert [(each["id"], each["state"], each["table"]) for each in told] == [
            (first, "waiting", None),
            (other, "waiting", None),
            (first, "claimed", "table"),
            (first, "waiting", None),
            (other, "ended", None),
            (third, "waiting", None),
            (first, "claimed", "match"),
            (first, "matched", "match"),
            (third, "ended", None),
        ]
        assert (told[4]["ended_because"], told[8]["ended_because"]) == (
            "cancelled",
            "matched_elsewhere",
        )

    told(story)


def test_what_is_told_of_a_match_twice_changes_nothing_the_second_time(
    told: Callable[[Story], None],
) -> None:
    async def story(streams: Streams, database: Database) -> None:
        match, account = unique("match-"), unique("account-")
        async with lists_at_work(streams, database) as at_work:
            for message in (
                match_started(match, account, ""),
                match_started(match, account, ""),
                match_ended(match, account, ""),
                match_started(match, account, ""),
                match_ended(match, account, ""),
            ):
                await streams.tell(message)
            await all_read(streams, at_work)
            found = (await at_work.lists.matches_of(account, ALL, None)).items
            assert [(each.id, each.state, each.places) for each in found] == [
                (match, "ended", (1, 2))
            ]
        told = contents(await entries_of(database, f"account.{account}"))
        assert [each["state"] for each in told] == ["playing", "ended"]

    told(story)


def test_a_match_whose_end_is_told_first_is_nobodys_until_its_beginning_is_told(
    told: Callable[[Story], None],
) -> None:
    async def story(streams: Streams, database: Database) -> None:
        account = unique("account-")
        public, private = unique("match-"), unique("match-")
        async with lists_at_work(streams, database) as at_work:
            await streams.tell(match_ended(public, account, ""))
            await streams.tell(match_ended(private, account, ""))
            await all_read(streams, at_work)
            assert public not in json.dumps(await entries_of(database, "lobby"))
            await streams.tell(match_started(public, account, ""))
            await streams.tell(match_started(private, account, "", watch="private"))
            await all_read(streams, at_work)
        told = [each for each in contents(await entries_of(database, "lobby")) if "state" in each]
        mine = {each["id"]: each for each in told}
        assert mine[public]["state"] == "ended"
        assert mine[public]["started_at"] == second(0)
        assert private not in json.dumps(told)

    told(story)


def test_ratings_told_again_do_not_come_back(told: Callable[[Story], None]) -> None:
    async def story(streams: Streams, database: Database) -> None:
        first, later = unique("match-"), unique("match-")
        async with lists_at_work(streams, database) as at_work:
            for message in (
                rated(first, freya=1510),
                rated(later, freya=1530, bob=1470),
                rated(first, freya=1510),
            ):
                await streams.tell(message)
            await all_read(streams, at_work)
        found = {each["account"]: each["rating"] for each in await rows_of(database, RatingRow)}
        assert (found["freya"], found["bob"]) == (1530, 1470)

    told(story)


def test_a_message_of_an_unknown_kind_is_passed_and_a_malformed_one_put_aside(
    told: Callable[[Story], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("howff.servicekit.retries.FIRST_RETRY", 0.001)

    async def story(streams: Streams, database: Database) -> None:
        match, account = unique("match-"), unique("account-")
        publish = streams.connection.jetstream.publish
        async with lists_at_work(streams, database) as at_work:
            await publish(f"contract.weather.{match}", b"rain")
            malformed = await publish(f"contract.match_started.{match}", b'{"match": 7}')
            await streams.tell(match_started(match, account))
            await all_read(streams, at_work)
        aside = await rows_of(database, QuarantineRow)
        assert [(each["position"], each["error"]) for each in aside] == [
            (malformed.seq, "ValidationError")
        ]
        assert match in {each["id"] for each in await rows_of(database, MatchRow)}

    told(story)


def test_a_message_that_is_delivered_again_changes_nothing(told: Callable[[Story], None]) -> None:
    async def story(streams: Streams, database: Database) -> None:
        host = unique("host-")
        await streams.open_table(host)
        async with lists_at_work(streams, database) as at_work:
            await all_read(streams, at_work)
        before = await dump(database)
        nudges: list[object] = []

        async def nudge(numbers: object) -> None:
            nudges.append(numbers)

        again = SqlProjection(database, COMMITS, apply_commit, nudge)
        position = (await again.checkpoint() or pytest.fail("no checkpoint")).position
        for each in range(1, position + 1):
            message = await stored_at(streams.connection, LOBBY, each)
            assert message is not None
            await again.apply(each, message.subject, message.payload)
            await again.quarantine(each, message.subject, ValueError())
        assert await dump(database) == before
        assert nudges == []
        with pytest.raises(CheckpointMovedError):
            await again.apply(position + 2, "lobby.table.x", b"")

    told(story)


class DiedError(RefusalError):
    """The process has died; another one goes on."""

    code = "died"
    retry_after = 0.001

    def __init__(self) -> None:
        super().__init__("died", expected="a process", found="none")


def test_rows_are_the_same_wherever_the_process_dies(
    told: Callable[[Story], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = LocalRng(11)

    async def dying_within(session: AsyncSession, subject: str, payload: bytes) -> Numbers:
        numbers = await apply_commit(session, subject, payload)
        await session.flush()
        if not rng.draw("within", 3):
            raise DiedError
        return numbers

    async def dying_after(*_: object) -> None:
        if not rng.draw("after", 3):
            raise DiedError

    async def story(streams: Streams, database: Database) -> None:
        with monkeypatch.context() as patched:
            patched.setattr("howff.lobby.adapters.lists.apply_commit", dying_within)
            patched.setattr(ListsAtWork, "_nudge", dying_after)
            for _ in range(3):
                async with lists_at_work(streams, database) as at_work:
                    await write_matches(streams)
            async with lists_at_work(streams, database) as at_work:
                await all_read(streams, at_work)
        made = await dump(database)
        await check_numbers(database)
        again = await made_anew(streams, database)
        await check_numbers(database)
        assert told_each(again) == told_each(made)
        assert again["FeedEpochRow"] == [{"word": "another"}]
        for name in made.keys() - {"FeedEpochRow", "FeedEntryRow"}:
            assert again[name] == made[name], name

    told(story)


async def made_anew(streams: Streams, database: Database) -> dict[str, list[dict[str, Any]]]:
    async with database.writing() as session:
        await forget_lists(session, (COMMITS, CONTRACT_ROWS), "another")
    async with lists_at_work(streams, database) as at_work:
        await all_read(streams, at_work)
    return await dump(database)


def test_turns_are_told_once_however_often_the_bucket_tells_them(
    told: Callable[[Story], None],
) -> None:
    async def story(streams: Streams, database: Database) -> None:
        match = unique("match-")
        due = second(30)
        for _ in range(3):  # each reads the whole bucket anew
            async with lists_at_work(streams, database) as at_work:
                await streams.tell_turn(match, 3, freya=due, bob=None)
                await all_read(streams, at_work)
        async with lists_at_work(streams, database) as at_work:
            await streams.tell_turn(match, 4, bob=None)
            await all_read(streams, at_work)
            await streams.stores.turns.delete(match)
            await all_read(streams, at_work)
        told = [
            (each["version"], each["waits_for_me"], each["due"])
            for each in contents(await entries_of(database, "account.freya"))
            if each.get("match") == match
        ]
        assert told == [(3, True, due), (4, False, None)]
        of_bob = contents(await entries_of(database, "account.bob"))
        assert [(each["version"], each["waits_for_me"]) for each in of_bob] == [
            (3, True),
            (4, False),
        ]

    told(story)


def test_an_older_turn_or_an_old_deletion_undoes_nothing(told: Callable[[Story], None]) -> None:
    async def story(streams: Streams, database: Database) -> None:
        match = unique("match-")
        turns = lists_of(streams, database)._turns

        def message(version: int) -> bytes:
            seat = {"seat": 0, "account": "freya", "due": None}
            plain = {"match": match, "version": version, "waits_for": [seat]}
            return TurnsTold.model_validate_json(json.dumps(plain)).model_dump_json().encode()

        await streams.stores.turns.put(match, message(9))
        await turns._change(match, message(5))
        await turns._change(match, None)  # that of version 6, heard of late
        await turns._change(match, message(7))
        row = next(e for e in await rows_of(database, TurnRow) if e["match_id"] == match)
        assert row["version"] == 9
        assert row["waits_for"] == {"freya": None}
        await streams.stores.turns.delete(match)
        await turns._change(match, None)
        row = next(e for e in await rows_of(database, TurnRow) if e["match_id"] == match)
        assert (row["version"], row["waits_for"]) == (9, {})

    told(story)


def test_my_matches_say_whether_they_wait_for_me(told: Callable[[Story], None]) -> None:
    async def story(streams: Streams, database: Database) -> None:
        match, me, other = unique("match-"), unique("me_"), unique("other-")
        account = me.replace("_", "-")
        due = second(90)
        async with lists_at_work(streams, database) as at_work:
            await streams.tell(match_started(match, account, other))
            await streams.tell_turn(match, 2, **{me: due})
            await all_read(streams, at_work)
            mine = (await at_work.lists.matches_of(account, ALL, "playing")).items
            assert [(each.id, each.waits_for_me, each.due) for each in mine] == [(match, True, due)]
            theirs = (await at_work.lists.matches_of(other, ALL, "playing")).items
            assert [(each.waits_for_me, each.due) for each in theirs] == [(False, None)]
            await streams.tell(match_ended(match, account, other))
            await all_read(streams, at_work)
            assert not (await at_work.lists.matches_of(account, ALL, "playing")).items
            mine = (await at_work.lists.matches_of(account, ALL, "ended")).items
            assert [(each.waits_for_me, each.due) for each in mine] == [(False, None)]

    told(story)


def test_tables_with_an_account_are_told_once_the_commits_were_read(
    told: Callable[[Story], None],
) -> None:
    async def story(streams: Streams, database: Database) -> None:
        host, guest = unique("host-"), unique("guest-")
        async with lists_at_work(streams, database) as at_work:
            table = await streams.open_table(host)
            playing = await started_table(streams, host, guest)
            await all_read(streams, at_work)
            last = Position(at_work._commits.position)
            assert await at_work.lists.tables_with(host, last) == (table,)
            assert playing not in await at_work.lists.tables_with(guest, last)
            with pytest.raises(NotReadYetError):
                await at_work.lists.tables_with(host, Position(last + 1))

    told(story)


def test_old_entries_are_forgotten_and_whoever_needs_them_gets_a_snapshot(
    told: Callable[[Story], None],
) -> None:
    async def story(streams: Streams, database: Database) -> None:
        host = unique("host-")
        async with lists_at_work(streams, database) as at_work:
            await streams.open_table(host)
            await streams.tell(match_started(unique("match-"), host, at=-2 * DAY))
            await all_read(streams, at_work)
        audience = f"account.{host}"
        assert sorted(kinds(await entries_of(database, audience))) == ["match", "table"]
        reading = await at_work._source.since(audience, 0, 10)
        assert reading.follows(Mark(reading.newest.epoch, 0))
        assert await at_work._source.prune(at_work._now()) > 0  # the match began long ago
        assert kinds(await entries_of(database, audience)) == ["table"]
        reading = await at_work._source.since(audience, 0, 10)
        assert [each.number for each in reading.entries] != [1, 2]
        gone = ({1, 2} - {each.number for each in reading.entries}).pop()
        reading = await at_work._source.since(audience, gone - 1, 10)
        assert not reading.follows(Mark(reading.newest.epoch, gone - 1))
        reading = await at_work._source.since(audience, 2, 10)
        assert reading.follows(Mark(reading.newest.epoch, 2))
        assert reading.newest.number == 2

    told(story)
