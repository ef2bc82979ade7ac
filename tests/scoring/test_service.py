"""Scoring beside a match service: what has ended is verified, archived, projected, and told."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from howff.engine.errors import UnknownGameError
from howff.game.adapters.streams import ensure_streams
from howff.match.export import read_export
from howff.scoring.adapters.rows import ArchiveRow
from howff.scoring.api.answers import check_game
from howff.scoring.application.statistics import Counter
from howff.scoring.domain.verifying import content_of
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.sql.database import Database
from howff.servicekit.web.cursors import cursor_of
from howff.servicekit.web.errors import WrongKeyError
from support.archived import drill_command
from support.cli import howff
from support.leaving import asked
from support.running import run
from support.scoring import Scoring, scoring_beside
from support.service import Service, Table, nats_server, on_nats, service_on, wait_until
from support.web import problem_of


@pytest.fixture(scope="module")
def game() -> Iterator[Service]:
    with nats_server() as nats, service_on(nats) as service:
        yield service


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scoring")


@pytest.fixture(scope="module")
def scoring(game: Service, folder: Path) -> Iterator[Scoring]:
    with scoring_beside(game, folder) as service:
        yield service


@pytest.fixture(scope="module")
def ended(game: Service) -> list[Table]:
    """Give matches that have ended: one by its rules, one resigned, one aborted, one private."""
    terms: dict[str, Any] = {"options": {"round_limit": 1}}
    finished, private = game.table(**terms), game.table(watch="private", **terms)
    for table in (finished, private):
        assert table.advance().is_over
    resigned, aborted = game.table(**terms), game.table(**terms)
    assert asked(resigned, 0, "resign").status_code == 200
    for seat in (0, 1):
        assert asked(aborted, seat, "abort").status_code == 200
    assert aborted.match.is_over
    return [finished, resigned, aborted, private]


def matches_of(scoring: Scoring, table: Table, seat: int, **headers: str) -> list[Any]:
    answer = scoring.get(f"/v1/players/{table.accounts[seat]}/matches", **headers)
    assert answer.status_code == 200, answer.text
    items: list[Any] = answer.json()["items"]
    return items


def test_what_has_ended_is_archived_as_it_is_and_projected(
    scoring: Scoring, folder: Path, ended: list[Table]
) -> None:
    scoring.wait_until_projected()

    async def story() -> dict[str, ArchiveRow]:
        database = Database(f"sqlite:///{folder / 'scoring.db'}")
        async with database.reading() as session:
            rows = (await session.execute(select(ArchiveRow))).scalars().all()
        await database.close()
        return {row.match: row for row in rows}

    rows = run(story)
    for table in ended:
        row = rows[table.id]
        content = content_of(row.content)
        assert content == table.eyes(0).get(f"{table.path}/export").content
        assert read_export(content).commits[-1].hash == row.head_hash
        assert row.unchecked == ""
    assert all(not each["put_aside"] for each in scoring.states().values())


def test_a_player_finds_how_its_matches_have_ended(scoring: Scoring, ended: list[Table]) -> None:
    scoring.wait_until_projected()
    finished, resigned, aborted, _ = ended
    (told,) = matches_of(scoring, finished, 1)
    assert told["match"] == finished.id
    outcome = finished.match.outcome
    assert outcome is not None
    assert told["place"] == outcome.places[1]
    assert [each["account"] for each in told["seats"]] == list(finished.accounts)
    assert [each["stay"] for each in matches_of(scoring, resigned, 0)[0]["seats"]] == [
        "resigned",
        "stayed",
    ]
    assert matches_of(scoring, aborted, 0)[0]["place"] is None
    (record,) = scoring.get(f"/v1/players/{finished.accounts[1]}").json()["records"]
    place = outcome.places[1]
    figures = {"matches": 1, "wins": int(place == 1), "mean_place": float(place), "left": 0}
    assert {name: record[name] for name in figures} == figures
    assert record["by_seat"] == [{"seats": 2, "seat": 1, **figures}]
    assert {"name": "round_limit", "value": "1", **figures} in record["by_option"]


def test_a_player_finds_whom_it_has_met_page_by_page(scoring: Scoring, ended: list[Table]) -> None:
    scoring.wait_until_projected()
    _, resigned, aborted, private = ended
    path = f"/v1/players/{resigned.accounts[0]}/head-to-head"
    (met,) = scoring.get(path).json()["items"]
    assert (met["account"], met["level"]) == (resigned.accounts[1], None)
    assert (met["matches"], met["ahead"], met["behind"], met["equal"]) == (1, 0, 1, 0)
    assert scoring.get(f"{path}?game=hellweg").json()["items"] == []
    assert scoring.get(f"{path}?limit=1").json()["next"] is None
    table = scoring.http.get(path, headers={"Accept": "text/csv"})
    assert [row["behind"] for row in csv.DictReader(io.StringIO(table.text))] == ["1"]
    assert scoring.get(f"/v1/players/{aborted.accounts[0]}/head-to-head").json()["items"] == []
    hidden = f"/v1/players/{private.accounts[0]}"
    problem_of(scoring.get(hidden), 404, "no_such_player")
    assert scoring.get(f"{hidden}/head-to-head").json()["items"] == []
    own = scoring.bearer(private.accounts[0])
    assert scoring.get(hidden, **own).json()["records"][0]["matches"] == 1
    assert scoring.get(f"{hidden}/head-to-head", **own).json()["items"][0]["matches"] == 1


def test_statistics_tell_how_a_game_is_played_and_csv_all_that_was_counted(
    scoring: Scoring, ended: list[Table]
) -> None:
    scoring.wait_until_projected()
    path = "/v1/statistics/troedler?seats=2&who=people"
    answer = scoring.get(path)
    (group,) = answer.json()["groups"]
    assert group["finished"] >= 1
    assert (group["resigned"], group["aborted"]) == (1, 1)
    assert group["matches"] == group["finished"] + 2
    assert group["commits"]["least"] <= ended[0].match.version <= group["commits"]["most"]
    assert sum(each["wins"] for each in group["by_seat"]) >= group["finished"]
    assert scoring.get(path, **{"If-None-Match": answer.headers["etag"]}).status_code == 304
    table = scoring.http.get(path, headers={"Accept": "text/csv"})
    rows = list(csv.DictReader(io.StringIO(table.text)))
    lengths = sum(int(row["count"]) for row in rows if row["measure"] == "commits")
    assert lengths == group["commits"]["count"] == group["finished"]
    assert scoring.get("/v1/statistics/troedler?seats=4").json()["groups"] == []


@pytest.mark.parametrize(
    "path",
    [
        "leaderboards/poems",
        "leaderboards/poems?kind=bots",
        "statistics/poems",
        "players/freya/head-to-head?game=poems",
        "players/freya/rating-history?game=poems",
    ],
)
def test_of_a_game_that_there_is_not_nothing_is_told(scoring: Scoring, path: str) -> None:
    refusal = problem_of(scoring.get(f"/v1/{path}"), 404, "unknown_game")
    assert refusal["found"] == "'poems'"
    assert scoring.get(f"/v1/{path.replace('poems', 'hellweg')}").status_code == 200


def test_what_there_is_of_a_game_that_is_played_no_more_is_told() -> None:
    counter = Counter(seats=2, who="people", measure="commits", about="", value=9, count=1)
    check_game("poems", [counter])
    with pytest.raises(UnknownGameError):
        check_game("poems", [])


def test_a_private_match_is_told_to_its_seats_alone(scoring: Scoring, ended: list[Table]) -> None:
    scoring.wait_until_projected()
    private = ended[3]
    assert matches_of(scoring, private, 0) == []
    assert matches_of(scoring, private, 0, **scoring.bearer(private.accounts[1])) == []
    own = matches_of(scoring, private, 0, **scoring.bearer(private.accounts[0]))
    assert [each["match"] for each in own] == [private.id]


def test_an_answer_that_is_known_is_not_told_again_and_a_table_is_csv(
    scoring: Scoring, ended: list[Table]
) -> None:
    scoring.wait_until_projected()
    path = f"/v1/players/{ended[0].accounts[0]}/matches"
    answer = scoring.get(path)
    again = scoring.http.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    table = scoring.http.get(path, headers={"Accept": "text/csv"})
    assert table.headers["content-type"].startswith("text/csv")
    (row,) = csv.DictReader(io.StringIO(table.text))
    assert row["match"] == ended[0].id


def test_a_match_that_is_not_what_was_told_stands_aside_and_holds_up_no_other(
    scoring: Scoring, game: Service
) -> None:
    before = game.table(options={"round_limit": 1})

    async def forge(connection: Any) -> None:
        told = {
            "kind": "match_ended",
            "match": before.id,
            "game": "troedler",
            "seats": [{"account": each} for each in before.accounts],
            "rated": False,
            "reason": "finished",
            "outcome": None,
            "version": 3,
            "at": "2026-11-27T12:00:00.000Z",
        }
        subject = f"contract.match_ended.{before.id}x"
        await connection.jetstream.publish(subject, json.dumps(told).encode())

    game.on_nats(forge)
    after = game.table(options={"round_limit": 1})
    after.advance()
    scoring.wait_until_projected()
    assert len(matches_of(scoring, after, 0)) == 1
    aside = scoring.states()["archive"]["put_aside"]
    assert [(each["error"], each["match"]) for each in aside] == [("unverified", None)]
    admin = scoring.http.get("/v1/projections", headers=scoring.bearer("thor", scope="admin"))
    (archive,) = (each for each in admin.json()["projections"] if each["projection"] == "archive")
    assert archive["put_aside"][0]["match"] == f"{before.id}x"


def test_a_cursor_that_was_made_up_is_refused(scoring: Scoring) -> None:
    for text in ("x", "9" * 100, "1_0", ""):
        cursor = cursor_of("leaderboard\ntroedler\nlive", (text, "freya"))
        answer = scoring.get(f"/v1/leaderboards/troedler?cursor={cursor}")
        problem_of(answer, 422, "wrong_cursor")
    for opponent in ("", "fr\0ya", "cat:casual"):
        cursor = cursor_of("head-to-head\nfreya\n\nFalse", ("1", opponent))
        answer = scoring.get(f"/v1/players/freya/head-to-head?cursor={cursor}")
        problem_of(answer, 422, "wrong_cursor")


def is_made(scoring: Scoring, name: str, generation: int) -> bool:
    return bool(scoring.states()[name]["generation"] == generation)


def test_nobody_but_administrators_tries_again_or_makes_anew(
    scoring: Scoring, ended: list[Table]
) -> None:
    scoring.wait_until_projected()
    problem_of(scoring.http.post("/v1/projections/ratings/rebuild"), 401, "token_required")
    plain = scoring.bearer("freya")
    refused = scoring.http.post("/v1/projections/ratings/rebuild", headers=plain)
    problem_of(refused, 403, "missing_scope")
    admin = scoring.bearer("thor", scope="admin")
    for name in ("results", "ratings", "records", "streaks", "statistics"):
        answer = scoring.http.post(f"/v1/projections/{name}/rebuild", headers=admin)
        assert answer.status_code == 202, answer.text
        made = answer.json()["generation"]
        wait_until(partial(is_made, scoring, name, made))
        assert scoring.states()[name]["rebuilt"]["differing"] == 0
        assert scoring.states()[name]["rebuilding"] is None
    assert ended
    unknown = scoring.http.post("/v1/projections/poems/rebuild", headers=admin)
    problem_of(unknown, 404, "no_such_projection")
    missing = scoring.http.post(
        "/v1/projections/archive/retry", headers=admin, json={"position": 1_000_000}
    )
    problem_of(missing, 404, "not_put_aside")


def test_who_has_no_part_in_scoring_reads_no_private_log(game: Service, ended: list[Table]) -> None:
    private = ended[3]
    problem_of(game.eyes(None).get(f"{private.path}/export"), 404, "no_such_match")
    problem_of(game.worker.get(f"{private.path}/export"), 403, "missing_scope")


def test_it_goes_on_where_it_was_and_projects_what_ended_meanwhile(
    game: Service, tmp_path: Path
) -> None:
    with scoring_beside(game, tmp_path) as first:
        first.wait_until_projected()
        position = first.states()["ratings"]["position"]
    table = game.table(options={"round_limit": 1})
    table.advance()
    with scoring_beside(game, tmp_path) as second:
        second.wait_until_projected()
        assert second.states()["ratings"]["position"] > position
        assert len(matches_of(second, table, 0)) == 1


def test_the_match_service_works_on_a_server_that_was_restored_from_the_archive(
    game: Service, scoring: Scoring, ended: list[Table], folder: Path
) -> None:
    """The files it gives have the same bytes, once the key that has signed them is there too."""
    scoring.wait_until_projected()
    before = [exported_by(table) for table in ended]
    named = [each for table in ended for each in ("--match", table.id)]
    with nats_server() as other:
        told = drill_command(f"sqlite:///{folder / 'scoring.db'}", other.url, *named)
        assert (told.returncode, told.stderr) == (0, "")
        assert told.stdout.startswith(f"{len(ended)} matches with ")
        bring_key(game.nats, other)
        with service_on(other) as restored:
            there = [replace(table, service=restored) for table in ended]
            assert [exported_by(table) for table in there] == before
            assert asked(there[0], 0, "resign").json()["code"] == "match_over"
    for content in before:
        file = folder / "restored.jsonl"
        file.write_bytes(content)
        verified = howff("verify", str(file))
        assert verified.exit_code == 0, verified.output


def exported_by(table: Table) -> bytes:
    answer = table.eyes(0).get(f"{table.path}/export")
    assert answer.status_code == 200, answer.text
    return answer.content


def bring_key(first: NatsServer, second: NatsServer) -> None:
    """Bring the key that signs commits, which no archive has, from one server to another."""

    async def taken(connection: Connection) -> bytes:
        found = await (await ensure_streams(connection, 1)).keys.get("receipts")
        assert found is not None
        return found

    key = on_nats(first, taken)

    async def brought(connection: Connection) -> bytes:
        return await (await ensure_streams(connection, 1)).keys.create("receipts", key)

    assert on_nats(second, brought) == key


def test_without_a_key_it_does_not_start(game: Service, tmp_path: Path) -> None:
    none = tmp_path / "none"
    with pytest.raises(WrongKeyError), scoring_beside(game, tmp_path, scoring_key_file=none):
        pass
