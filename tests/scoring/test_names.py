"""Names in answers: as the lobby tells them when they are read, and kept by nobody."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from howff.scoring.adapters.plans import PLANS
from howff.scoring.adapters.projections import ArchiveProjection
from howff.scoring.app import MIGRATIONS
from howff.servicekit import clock, ids
from howff.servicekit.sql.database import Database
from howff.servicekit.web.parts import PartTokens
from howff.servicekit.web.tokens import SCORING
from support.lobby import PASSWORD, Lobby, Speaker, lobby_on
from support.results import archive, result, seat
from support.running import run
from support.scoring import Scoring, scoring_beside
from support.service import Service, nats_server, service_on, wait_until
from support.web import problem_of
from support.workers import KEY, KEYS_FILE

LEADERS: Final = "/v1/leaderboards/troedler"
MARK: Final = "Marked-by-its-name"


@pytest.fixture(scope="module", autouse=True)
def _soon_stopped() -> Iterator[None]:
    """Let what reads streams look often whether it is to stop."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("projections", "nats.kv"):
            patch.setattr(f"howff.servicekit.{module}.READ_WITHIN", 0.05)
        yield


@pytest.fixture(scope="module")
def game() -> Iterator[Service]:
    with nats_server() as nats, service_on(nats) as service:
        yield service


@pytest.fixture(scope="module")
def lobby(game: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lobby]:
    folder = tmp_path_factory.mktemp("lobby")
    strict = {"limits": True, "address_points": 60, "scoring_keys_file": KEYS_FILE}
    with lobby_on(game.nats, folder, **strict) as service:
        yield service


@pytest.fixture(scope="module")
def people(lobby: Lobby) -> tuple[Speaker, Speaker]:
    """Give somebody with a name, and a guest, who has none."""
    return lobby.person(MARK), lobby.guest()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scoring")


@pytest.fixture(scope="module")
def scoring(
    game: Service, lobby: Lobby, people: tuple[Speaker, Speaker], folder: Path
) -> Iterator[Scoring]:
    """Give scoring where the two have met, and others whom the lobby does not know."""
    one, other = people
    told = (
        result("m1", seat(one.account, 1), seat(other.account, 2), seat("bot:strong", 3)),
        result("m2", seat(one.account, 1), seat("stranger", 2)),
        *(result(f"m{number}", seat(f"p{number}", 1), seat("q", 2)) for number in range(3, 60)),
    )

    async def story() -> None:
        database = Database(f"sqlite:///{folder / 'scoring.db'}")
        await database.migrate(MIGRATIONS)
        for number, each in enumerate(told):
            await archive(database, number + 1, each)
        for plan in PLANS:
            made = ArchiveProjection(database, plan)
            await made.begin()
            while await made.step() is not None:
                pass
        await database.close()

    run(story)
    with scoring_beside(game, folder, lobby_url=lobby.url) as service:
        yield service


def leaders(scoring: Scoring, query: str = "limit=100") -> dict[str, Any]:
    """Return what the players of a leaderboard are called."""
    answer = scoring.get(f"{LEADERS}?{query}")
    assert answer.status_code == 200, answer.text
    return {each["player"]: each["name"] for each in answer.json()["items"]}


def test_accounts_are_told_with_their_names_wherever_they_are_told(
    scoring: Scoring, people: tuple[Speaker, Speaker]
) -> None:
    one, other = (each.account for each in people)
    named = leaders(scoring)
    assert len(named) == 61  # more than the lobby tells of at once
    assert named.pop(one) == MARK
    assert set(named.values()) == {None}
    assert leaders(scoring, f"around={one}&limit=1") == {one: MARK}
    assert leaders(scoring, "kind=bots") == {}
    assert scoring.get(f"/v1/players/{one}").json()["name"] == MARK
    assert scoring.get(f"/v1/players/{other}").json()["name"] is None
    played = scoring.get(f"/v1/players/{other}/matches").json()["items"]
    assert [each["name"] for each in played[0]["seats"]] == [MARK, None, None]
    table = scoring.get(f"{LEADERS}?limit=100", Accept="text/csv")
    rows = {row["player"]: row["name"] for row in csv.DictReader(io.StringIO(table.text))}
    assert (rows[one], rows["stranger"]) == (MARK, "")


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r"])
def test_no_name_is_a_formula_to_who_opens_a_table(lobby: Lobby, sign: str) -> None:
    token = PartTokens(SCORING, KEY, now=clock.now, new_id=ids.new_id).current()  # has no limits
    body = {"name": f"{sign}1-1", "password": PASSWORD}
    problem_of(lobby.speaker(token).post("/v1/accounts", body), 422, "malformed")


def test_limits_of_the_lobby_do_not_hold_for_scoring(
    scoring: Scoring, lobby: Lobby, people: tuple[Speaker, Speaker]
) -> None:
    path = f"/v1/accounts?id={people[0].account}"
    wait_until(lambda: lobby.nobody.get(path).status_code == 429)
    for _ in range(30):
        assert leaders(scoring, "limit=1") == {people[0].account: MARK}


def test_not_one_byte_of_a_name_is_stored(
    scoring: Scoring, people: tuple[Speaker, Speaker], folder: Path
) -> None:
    assert leaders(scoring)[people[0].account] == MARK
    files = [each for each in folder.rglob("*") if each.is_file()]
    assert any(people[0].account.encode() in each.read_bytes() for each in files)
    assert any(each.name.endswith("-wal") for each in files)
    assert not any(MARK.encode() in each.read_bytes() for each in files)


def test_names_are_those_of_now(scoring: Scoring, lobby: Lobby, people: Any) -> None:
    one, guest = people
    path = f"/v1/players/{guest.account}"
    nameless = scoring.get(path)
    assert nameless.headers["cache-control"] == "public, no-cache"
    bearer = {"Authorization": f"Bearer {guest.token}"}
    body = {"name": "Called-at-last", "password": PASSWORD}
    lobby.admitted(lobby.http.post("/v1/accounts", json=body, headers=bearer))
    named = scoring.get(path, **{"If-None-Match": nameless.headers["etag"]})
    assert named.json()["name"] == "Called-at-last"
    person = lobby.speaker(one.token)
    erased = person.ask("DELETE", "/v1/me", json={"password": PASSWORD})
    assert erased.status_code == 204, erased.text
    assert leaders(scoring)[one.account] is None


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/v1/me", None, 404, "no_such_account"),
        ("GET", "/v1/me/export", None, 403, "missing_scope"),
        ("DELETE", "/v1/me", {}, 404, "no_such_account"),
        (
            "PUT",
            "/v1/me/password",
            {"old": PASSWORD, "new": f"{PASSWORD}s"},
            404,
            "no_such_account",
        ),
        (
            "POST",
            "/v1/accounts",
            {"name": "Taken-over", "password": PASSWORD},
            403,
            "missing_scope",
        ),
        (
            "POST",
            "/v1/me/tokens",
            {"name": "t", "scopes": ["read"], "days": 1},
            403,
            "missing_scope",
        ),
        ("POST", "/v1/tables", {"game": "troedler", "seats": 2}, 403, "missing_scope"),
    ],
)
def test_scoring_is_nobody_to_the_lobby(  # noqa: PLR0913 — a request, and what answers it
    lobby: Lobby, method: str, path: str, body: Any, status: int, code: str
) -> None:
    token = PartTokens(SCORING, KEY, now=clock.now, new_id=ids.new_id).current()
    speaker = lobby.speaker(token)
    key = {"Idempotency-Key": ids.new_id()}
    content = {} if body is None else {"json": body}
    answer = speaker.ask(method, path, headers=key, **content)
    problem_of(answer, status, code)
