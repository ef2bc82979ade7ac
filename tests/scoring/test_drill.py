"""The restore drill: matches of the archive stand in another server as they were, or it says where
they do not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from howff.cli.machine.permissions import DRILL
from howff.engine.errors import RefusalError
from howff.match.commit import Commit, MatchId
from howff.match.export import Export, write_export
from howff.match.journal import commit_bytes, subject_of
from howff.scoring.adapters.target import prepare, store_on
from howff.scoring.app import MIGRATIONS
from howff.scoring.domain.errors import NotEqualError
from howff.scoring.domain.restoring import Shelved
from howff.scoring.drill import drill, parser
from howff.scoring.settings import DrillSettings
from howff.servicekit.eventstore.store import BEGINNING, StreamId
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.sql.database import Database
from support.archived import drill_command, ended, entry_of, shelve
from support.nats import own_server
from support.permitted import accounts_of, password_of
from support.running import run
from support.service import on_nats

NAMES = ("one", "two", "three")
"""The newest is the last."""
ENTRIES = [(ended(name), entry_of(ended(name))) for name in NAMES]


@pytest.fixture
def target(tmp_path: Path) -> Iterator[NatsServer]:
    with own_server(tmp_path / "nats") as server:
        yield server


@pytest.fixture
def archive(tmp_path: Path) -> str:
    """Give the address of an archive of three matches."""
    return sqlite_in(tmp_path, *ENTRIES)


def archive_at(address: str, entries: Sequence[tuple[Export, Shelved]]) -> str:
    async def story() -> None:
        database = Database(address)
        try:
            await database.migrate(MIGRATIONS)
            await shelve(database, entries)
        finally:
            await database.close()

    run(story)
    return address


def sqlite_in(folder: Path, *entries: tuple[Export, Shelved]) -> str:
    return archive_at(f"sqlite:///{folder / 'archive.db'}", entries)


def drilled(database: str, target: str, *options: str, **settings: Any) -> None:
    """Do a drill, as the command would."""
    wanted = parser().parse_args([target, *options])
    made = DrillSettings(mode="test", database_url=database, **settings)
    run(lambda: drill(wanted, made))


def commits_on(server: NatsServer, match: str) -> tuple[Commit, ...]:
    async def story(connection: Connection) -> tuple[Commit, ...]:
        stream = StreamId(subject_of(MatchId(match)))
        return tuple(each.commit for each in await store_on(connection).tail(stream, BEGINNING))

    return on_nats(server, story)


def put(server: NatsServer, commits: Sequence[bytes], match: str) -> None:
    """Let *commits* stand on a server, whatever they tell."""

    async def story(connection: Connection) -> None:
        await prepare(connection, (), replicas=1, is_empty=False)
        for content in commits:
            await connection.jetstream.publish(subject_of(MatchId(match)), content)

    on_nats(server, story)


def test_the_newest_matches_are_restored_and_equal(
    address: str, target: NatsServer, capsys: pytest.CaptureFixture[str]
) -> None:
    drilled(archive_at(address, ENTRIES), target.url, "--sample", "2")
    told = capsys.readouterr().out
    commits = sum(len(ended(name).commits) for name in NAMES[1:])
    assert f"2 matches with {commits} commits equal: commits, head hashes, export files" in told
    for name in NAMES[1:]:
        assert commits_on(target, name) == ended(name).commits
    assert not commits_on(target, NAMES[0])


def test_a_user_with_few_permissions_is_enough(tmp_path: Path) -> None:
    database = sqlite_in(tmp_path, ENTRIES[0])
    with own_server(tmp_path / "nats", accounts=accounts_of(DRILL)) as server:
        login = {"target_user": DRILL.user, "target_password": password_of(DRILL.user)}
        drilled(database, server.url, **login)
        drilled(database, server.url, "--compare-only", **login)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), "target_not_empty"),
        (("--into-existing",), "match_there"),
        (("--into-existing", "--match", "three", "--match", "two"), "match_there"),
    ],
)
def test_nothing_is_written_where_matches_stand(
    archive: str, target: NatsServer, options: tuple[str, ...], code: str
) -> None:
    drilled(archive, target.url, "--match", "two")
    with pytest.raises(RefusalError) as refused:
        drilled(archive, target.url, *options)
    assert refused.value.code == code
    assert commits_on(target, "two") == ended("two").commits
    assert not commits_on(target, "three")


def test_other_matches_may_stand_there_if_that_is_said(archive: str, target: NatsServer) -> None:
    drilled(archive, target.url, "--match", "two")
    drilled(archive, target.url, "--match", "one", "--into-existing")
    drilled(archive, target.url, "--match", "one", "--match", "two", "--compare-only")


def test_the_server_of_the_services_is_no_target_by_whichever_name(
    archive: str, target: NatsServer
) -> None:
    used = {"nats_url": f"nats://elsewhere.invalid:4222,{target.url}"}
    for url in (target.url, target.url.replace("127.0.0.1", "localhost")):
        with pytest.raises(RefusalError) as refused:
            drilled(archive, url, **used)
        assert refused.value.code == "wrong_target"
    put(target, [commit_bytes(each) for each in ended("three").commits], "three")
    drilled(archive, target.url, "--sample", "1", "--compare-only", **used)


def changed(commits: Sequence[Commit], at_version: int, **changes: Any) -> list[bytes]:
    altered = [*commits]
    altered[at_version - 1] = replace(altered[at_version - 1], **changes)
    return [commit_bytes(each) for each in altered]


STORED = [commit_bytes(each) for each in ended("two").commits]
LAST = len(STORED)
PLANTED: dict[str, tuple[list[bytes], str]] = {
    "a time": (changed(ended("two").commits, 5, at="2026-11-27T12:00:04.001Z"), "server 5 at "),
    "true for 1": (
        [each.replace(b'"schema":1', b'"schema":true') for each in STORED],
        "server expected one that can be read malformed",
    ),
    "a match that breaks off": (STORED[:-2], f"server {LAST - 1} a commit none"),
    "a commit more": (
        [*STORED, *changed(ended("two").commits, LAST, version=LAST + 1)[-1:]],
        f"server {LAST + 1} no commit one",
    ),
    "a commit less": ([*STORED[:4], *STORED[5:]], "server version 5 version 6"),
    "nothing": ([], "server 1 a commit none"),
}


@pytest.mark.parametrize(("stored", "expected"), PLANTED.values(), ids=PLANTED)
def test_a_planted_difference_is_named(
    tmp_path: Path,
    target: NatsServer,
    capsys: pytest.CaptureFixture[str],
    stored: list[bytes],
    expected: str,
) -> None:
    database = sqlite_in(tmp_path, *ENTRIES[:2])
    drilled(database, target.url, "--match", "one")
    put(target, stored, "two")
    capsys.readouterr()
    with pytest.raises(NotEqualError, match="expected 2 equal matches, found 1 that differ"):
        drilled(database, target.url, "--compare-only")
    said, _, table = capsys.readouterr().out.partition("\n")
    assert said.startswith("1 match with ")
    row = " ".join(table.split("found", 1)[1].split())
    assert row.startswith(f"two {expected.replace('expected ', '')}")


def damaged() -> dict[str, tuple[Shelved, str]]:
    export = ended("two")
    content = write_export(export)
    later = content.replace(b"T12:00:04.000Z", b"T12:00:04.001Z", 1)
    return {
        "a commit": (entry_of(export, later), "archive 5 "),
        "the hash of the row": (entry_of(export, head_hash="f" * 64), f"archive {LAST} hash "),
        "a byte that is no JSON": (
            entry_of(export, content.replace(b'"version":3', b'"version":,', 1)),
            "archive 3 JSON in UTF-8",
        ),
        "a file that breaks off": (entry_of(export, content[:-9]), f"archive {LAST} a whole line"),
        "a header": (entry_of(export, content.replace(b'"two"', b'"six"', 1)), "archive match two"),
        "no file": (replace(entry_of(export), content=b"nothing"), "archive a compressed file"),
    }


@pytest.mark.parametrize(("entry", "expected"), damaged().values(), ids=damaged())
def test_a_damaged_entry_is_named_and_not_restored(
    tmp_path: Path,
    target: NatsServer,
    capsys: pytest.CaptureFixture[str],
    entry: Shelved,
    expected: str,
) -> None:
    database = sqlite_in(tmp_path, ENTRIES[0], (ended("two"), entry))
    with pytest.raises(NotEqualError):
        drilled(database, target.url)
    told = capsys.readouterr().out
    row = " ".join(told.split("found", 1)[1].split())
    assert row.startswith(f"two {expected}")
    assert commits_on(target, "one") == ended("one").commits
    assert not commits_on(target, "two")


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (("nats://127.0.0.1:1",), "nats_not_connected"),
        (("http://127.0.0.1:4222",), "wrong_target"),
        (("nats://127.0.0.1:port",), "wrong_target"),
        (("nats://127.0.0.1:1", "--match", "unheard-of"), "not_archived"),
    ],
)
def test_what_can_not_be_tried_is_refused(
    archive: str, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], found: str
) -> None:
    monkeypatch.setattr("howff.scoring.drill.REACHED_WITHIN", 0.3)
    with pytest.raises(RefusalError) as refused:
        drilled(archive, *options)
    assert refused.value.code == found


def no_file(folder: Path) -> str:
    return f"sqlite:///{folder / 'none.db'}"


def no_database(folder: Path) -> str:
    (folder / "text.db").write_text("nothing that a database would begin with\n" * 100)
    return f"sqlite:///{folder / 'text.db'}"


def no_tables(folder: Path) -> str:
    (folder / "empty.db").touch()
    return f"sqlite:///{folder / 'empty.db'}"


def nobody(_: Path) -> str:
    return "postgresql://127.0.0.1:1/howff"


@pytest.mark.parametrize("made", [no_file, no_database, no_tables, nobody])
def test_a_database_without_an_archive_is_refused(
    tmp_path: Path, made: Callable[[Path], str]
) -> None:
    before = made(tmp_path)
    with pytest.raises(RefusalError) as refused:
        drilled(before, "nats://127.0.0.1:1")
    assert refused.value.code == "database"
    assert not (tmp_path / "none.db").exists()


def test_an_empty_archive_is_refused(address: str) -> None:
    with pytest.raises(RefusalError) as refused:
        drilled(archive_at(address, ()), "nats://127.0.0.1:1")
    assert refused.value.code == "nothing_archived"


def test_a_refusal_is_one_line_and_status_1(tmp_path: Path) -> None:
    told = drill_command(no_file(tmp_path), "nats://127.0.0.1:1")
    assert (told.returncode, told.stdout) == (1, "")
    (line,) = told.stderr.splitlines()
    assert line.startswith("database  the database can't be used: expected a file ")
