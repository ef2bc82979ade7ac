"""The archive: what is verified goes in once, in its place; what is not stands aside."""

import multiprocessing
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import select

from howff.contracts.matches import AccountSeat, BotSeat, MatchEnded
from howff.engine.catalogue import game_of
from howff.engine.codec import to_json
from howff.engine.outcome import Outcome
from howff.match.events import Account
from howff.match.export import write_export
from howff.match.signatures import PublicKey
from howff.scoring.adapters.archive import ARCHIVE, Archive
from howff.scoring.adapters.plans import PLANS
from howff.scoring.adapters.projections import Archived, ArchiveProjection, Plan
from howff.scoring.adapters.rows import ArchiveRow, PutAsideRow, ResultRow
from howff.scoring.adapters.verifiers import ProcessVerifiers
from howff.scoring.application.errors import NoLogError, VerifierDiedError
from howff.scoring.domain.errors import UnverifiedError
from howff.scoring.domain.verifying import Claim, Entry, content_of, entry_of
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.projections import Checkpoint
from howff.servicekit.sql.checkpoints import QuarantineRow
from howff.servicekit.sql.database import Database
from support.played import KEYS, Record, exported, played
from support.results import archive as archived_as_told
from support.results import result, seat
from support.running import run, until
from support.verifiers import HERE, LocalVerifiers

SUBJECT = "contract.match_ended.match-1"


@dataclass
class ShelvedLogs:
    """Logs as a match service would have them."""

    contents: dict[str, bytes] = field(default_factory=dict)

    async def export(self, match: str) -> bytes:
        if match not in self.contents:
            raise NoLogError(match)
        return self.contents[match]

    async def keys(self) -> Sequence[PublicKey]:
        return KEYS


def a_match() -> tuple[Record, bytes, bytes]:
    """Return a match that is over, its file, and the message that tells of its end."""
    game = game_of("troedler")
    options: Any = game.read_options(game.bounded({}, 1))
    record = played(game, options, 2)
    told = MatchEnded(
        match=record.match.id,
        game="troedler",
        seats=tuple(
            AccountSeat(account=each.account)
            if isinstance(each, Account)
            else BotSeat(bot=each.level)
            for each in record.match.started.seats
        ),
        rated=False,
        reason="finished",
        outcome=to_json(Outcome | None, record.match.outcome),
        version=record.match.version,
        at=record.commits[-1].at,
    )
    return record, write_export(exported(record)), told.model_dump_json().encode()


RECORD, CONTENT, MESSAGE = a_match()
DAMAGED = CONTENT.replace(b"T12:00:01.000Z", b"T12:00:01.001Z", 1)


async def opened(database: Database, logs: ShelvedLogs) -> tuple[Archive, list[str]]:
    heard: list[str] = []
    archive = Archive(database, logs, HERE, archived=lambda: heard.append("archived"))
    await archive.begin(Checkpoint(0, "now"))
    return archive, heard


async def all_of(database: Database, row: Any) -> Sequence[Any]:
    async with database.reading() as session:
        return list((await session.execute(select(row))).scalars())


def test_a_match_is_archived_once_however_often_it_is_told(on_database: Any) -> None:
    async def story(database: Database) -> None:
        archive, heard = await opened(database, ShelvedLogs({"match-1": CONTENT}))
        await archive.apply(1, "contract.match_started.match-1", b"{}")
        for position in (2, 2, 3):
            await archive.apply(position, SUBJECT, MESSAGE)
        (row,) = await all_of(database, ArchiveRow)
        assert (row.position, row.match, row.game) == (2, "match-1", "troedler")
        assert content_of(row.content) == CONTENT
        assert row.head_hash == RECORD.commits[-1].hash
        checkpoint = await archive.checkpoint()
        assert checkpoint is not None
        assert checkpoint.position == 3
        assert heard

    on_database(story)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (DAMAGED, UnverifiedError),
        (CONTENT[:-1], Exception),
        (b"", Exception),
        (CONTENT.replace(b'"match-1"', b'"match-2"'), UnverifiedError),
    ],
    ids=["damaged", "truncated", "empty", "of another match"],
)
def test_what_is_not_verified_is_not_archived(
    on_database: Any, content: bytes, error: type[Exception]
) -> None:
    async def story(database: Database) -> None:
        archive, _ = await opened(database, ShelvedLogs({"match-1": content}))
        with pytest.raises(error):
            await archive.apply(1, SUBJECT, MESSAGE)
        assert not await all_of(database, ArchiveRow)

    on_database(story)


def test_a_claim_that_the_log_does_not_bear_out_is_not_archived(on_database: Any) -> None:
    wrong = MatchEnded.model_validate_json(MESSAGE).model_copy(
        update={"outcome": {"places": [1, 1], "figures": [[], []]}}
    )

    async def story(database: Database) -> None:
        archive, _ = await opened(database, ShelvedLogs({"match-1": CONTENT}))
        with pytest.raises(UnverifiedError, match="places"):
            await archive.apply(1, SUBJECT, wrong.model_dump_json().encode())

    on_database(story)


def test_a_match_that_is_verified_later_takes_its_place_and_is_projected(on_database: Any) -> None:
    async def story(database: Database) -> None:
        logs = ShelvedLogs({"match-1": DAMAGED})
        archive, _ = await opened(database, logs)
        projections = [ArchiveProjection(database, plan) for plan in PLANS]
        with pytest.raises(UnverifiedError) as refused:
            await archive.apply(1, SUBJECT, MESSAGE)
        await archive.quarantine(1, SUBJECT, refused.value)
        (quarantined,) = await all_of(database, QuarantineRow)
        assert (quarantined.projection, quarantined.error) == (ARCHIVE, "unverified")
        for each in projections:
            await each.begin()
        with pytest.raises(UnverifiedError):
            await archive.retry(1, SUBJECT, MESSAGE, projections)
        logs.contents["match-1"] = CONTENT
        await archive.retry(1, SUBJECT, MESSAGE, projections)
        assert not await all_of(database, QuarantineRow)
        assert not await all_of(database, PutAsideRow)  # they have not come so far
        for each in projections:
            assert await each.step() == 1
        assert len(await all_of(database, ResultRow)) == 2

    on_database(story)


async def put_in_quarantine(archive: Archive, position: int) -> None:
    with pytest.raises(NoLogError) as refused:
        await archive.apply(position, SUBJECT, MESSAGE)
    await archive.quarantine(position, SUBJECT, refused.value)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_rows_that_are_being_made_anew_do_not_miss_a_match_that_comes_late(
    on_database: Any, plan: Plan
) -> None:
    class BrokenOffError(Exception):
        pass

    def break_off(position: int) -> None:
        raise BrokenOffError(position)

    async def story(database: Database) -> None:
        logs = ShelvedLogs()
        archive, _ = await opened(database, logs)
        projection = ArchiveProjection(database, plan)
        await put_in_quarantine(archive, 1)
        await archived_as_told(database, 2, result("m2", seat("freya", 1), seat("ivy", 2)))
        await projection.begin()
        assert await projection.step() == 2
        with pytest.raises(BrokenOffError):
            await projection.rebuild(break_off)
        logs.contents["match-1"] = CONTENT
        await archive.retry(1, SUBJECT, MESSAGE, [projection])
        seen = list[int]()
        await projection.rebuild(seen.append)
        assert seen == [1, 2]
        assert not await all_of(database, PutAsideRow)

    on_database(story)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_rows_that_are_being_made_anew_do_not_keep_a_match_aside_that_is_tried_again(
    on_database: Any, plan: Plan
) -> None:
    is_broken = True

    async def apply(session: AsyncSession, generation: int, each: Archived) -> None:
        if is_broken and each.position == 1:
            raise ZeroDivisionError
        await plan.apply(session, generation, each)

    class BrokenOffError(Exception):
        pass

    def break_off(position: int) -> None:
        raise BrokenOffError(position)

    async def story(database: Database) -> None:
        nonlocal is_broken
        for number in (1, 2):
            told = result(f"m{number}", seat("freya", 1), seat("ivy", 2))
            await archived_as_told(database, number, told)
        projection = ArchiveProjection(database, replace(plan, apply=apply))
        await projection.begin()
        while await projection.step() is not None:
            pass
        with pytest.raises(BrokenOffError):
            await projection.rebuild(break_off)
        is_broken = False
        await projection.retry(1)
        await projection.rebuild()
        assert not await all_of(database, PutAsideRow)

    on_database(story)


def test_a_match_that_was_told_again_meanwhile_does_not_stand_aside(on_database: Any) -> None:
    async def story(database: Database) -> None:
        logs = ShelvedLogs()
        archive, _ = await opened(database, logs)
        projections = [ArchiveProjection(database, plan) for plan in PLANS]
        await put_in_quarantine(archive, 1)
        logs.contents["match-1"] = CONTENT
        await archive.apply(2, SUBJECT, MESSAGE)
        for each in projections:
            await each.begin()
            assert await each.step() == 2
        for _ in range(2):  # by two administrators at once, the second finds that it is done
            await archive.retry(1, SUBJECT, MESSAGE, projections)
        assert not await all_of(database, QuarantineRow)
        assert not await all_of(database, PutAsideRow)
        assert len(await all_of(database, ArchiveRow)) == 1

    on_database(story)


def told_at(*positions: int) -> list[Delivery]:
    return [Delivery(position, SUBJECT, MESSAGE) for position in positions]


def test_what_was_foreseen_is_verified_once_and_archived_in_its_turn(on_database: Any) -> None:
    class Counting(LocalVerifiers):
        asked = 0

        async def entry_of(self, *args: Any) -> Entry:
            self.asked += 1
            return await super().entry_of(*args)

    async def story(database: Database) -> None:
        counting = Counting()
        archive = Archive(database, ShelvedLogs({"match-1": CONTENT}), counting, lambda: None)
        await archive.begin(Checkpoint(0, "now"))
        archive.foresee(told_at(1, 2))
        archive.foresee(told_at(1, 2))
        await until(lambda: counting.asked == 2)
        assert not await all_of(database, ArchiveRow)
        for position in (1, 2):
            await archive.apply(position, SUBJECT, MESSAGE)
        assert counting.asked == 2
        (row,) = await all_of(database, ArchiveRow)
        assert row.position == 1
        archive.foresee(told_at(3))
        archive.foresee(told_at(5))  # another process was faster
        await archive.stop()

    on_database(story)


def test_what_was_foreseen_in_vain_is_tried_again_in_its_turn(on_database: Any) -> None:
    async def story(database: Database) -> None:
        logs = ShelvedLogs()
        archive, _ = await opened(database, logs)
        archive.foresee(told_at(1))
        with pytest.raises(NoLogError):
            await archive.apply(1, SUBJECT, MESSAGE)
        logs.contents["match-1"] = CONTENT
        await archive.apply(1, SUBJECT, MESSAGE)
        assert len(await all_of(database, ArchiveRow)) == 1

    on_database(story)


def test_a_process_verifies_as_this_one_does_and_a_death_is_told() -> None:
    told = MatchEnded.model_validate_json(MESSAGE)
    claim = Claim(told.match, told.version, told.outcome)

    async def story() -> None:
        others = multiprocessing.active_children()
        with closing(ProcessVerifiers(1)) as verifiers:
            assert await verifiers.entry_of(CONTENT, claim, KEYS) == entry_of(CONTENT, claim, KEYS)
            with pytest.raises(UnverifiedError, match="broken_chain") as refused:
                await verifiers.entry_of(DAMAGED, claim, KEYS)
            assert "expected" in refused.value.__dict__
            (process,) = set(multiprocessing.active_children()) - set(others)
            process.kill()
            with pytest.raises(VerifierDiedError):
                await verifiers.entry_of(CONTENT, claim, KEYS)
            assert (await verifiers.entry_of(CONTENT, claim, KEYS)).match == "match-1"

    run(story)
