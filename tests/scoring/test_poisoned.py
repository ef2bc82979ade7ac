"""A match that can't be verified stands aside, and takes its place once it can."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from howff.servicekit.web.front import running_front
from support.cli import howff
from support.gate import Gate, gate_before
from support.hosted import Hosted, hosted
from support.messages import start_by_queue
from support.online import refused
from support.scoring import Scoring, scoring_beside
from support.service import Service, Table, nats_server, new_key, service_on
from support.web import problem_of

PEOPLE = ("dora", "emil")


@pytest.fixture(scope="module", autouse=True)
def _soon_tried() -> Iterator[None]:
    """Let what fails be tried again soon, and what reads streams end soon."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("howff.servicekit.retries.FIRST_RETRY", 0.01)
        for module in ("projections", "nats.kv"):
            patch.setattr(f"howff.servicekit.{module}.READ_WITHIN", 0.05)
        yield


@pytest.fixture(scope="module")
def game() -> Iterator[Service]:
    with nats_server() as nats, service_on(nats) as service:
        yield service


@pytest.fixture(scope="module")
def gate(game: Service) -> Iterator[Gate]:
    with gate_before(game.url) as gate:
        yield gate


@pytest.fixture(scope="module")
def scoring(
    game: Service, gate: Gate, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Scoring]:
    """Give scoring that reads logs through the gate."""
    with scoring_beside(game, tmp_path_factory.mktemp("gated"), game_url=gate.url) as service:
        yield service


@pytest.fixture(scope="module")
def twin(game: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scoring]:
    """Give scoring that has read all logs in their turn."""
    with scoring_beside(game, tmp_path_factory.mktemp("twin")) as service:
        yield service


@pytest.fixture(scope="module")
def front(game: Service, scoring: Scoring) -> Iterator[Hosted]:
    """Give both services as one server, which the command asks."""
    routes = {"/v1/projections": scoring.url, "/": game.url}
    with hosted(lambda: running_front(routes)) as served:
        yield served


def rated_match(game: Service) -> Table:
    """Return a rated match that another service has asked for, before its first move."""
    match = f"rated-{new_key()}"
    seats = [{"account": each} for each in PEOPLE]
    terms: dict[str, Any] = {"seats": seats, "options": {"round_limit": 1}, "rated": True}
    start_by_queue(game, match, **terms)
    return Table(game, match, PEOPLE, game.eyes(PEOPLE[0]).get(f"/v1/matches/{match}"))


def resigned(table: Table, seat: int) -> None:
    """Let a seat resign, so that the other one wins."""
    answer = table.eyes(seat).post(f"{table.path}/resign", {}, new_key())
    assert answer.status_code == 200, answer.text


def told_of(scoring: Scoring) -> list[Any]:
    """Return all that is told of the two: ratings, matches and what each has changed."""
    paths = [f"/v1/players/{each}{part}" for each in PEOPLE for part in ("", "/matches")]
    paths += [f"/v1/players/{each}/rating-history?game=troedler&kind=days" for each in PEOPLE]
    return [scoring.get(path).json() for path in paths]


def aside_of(scoring: Scoring, name: str = "archive") -> list[Any]:
    admin = scoring.bearer("thor", scope="admin")
    states = scoring.http.get("/v1/projections", headers=admin).json()["projections"]
    (aside,) = (each["put_aside"] for each in states if each["projection"] == name)
    return list(aside)


def poisoned(game: Service, gate: Gate, scoring: Scoring) -> tuple[Table, int]:
    """Return a match whose log is damaged on its way, between two others; and its position."""
    first, second, third = (rated_match(game) for _ in range(3))
    gate.damaged.add(second.id)
    resigned(first, 0)
    resigned(second, 1)
    resigned(third, 0)
    scoring.wait_until_projected()
    (aside,) = aside_of(scoring)
    assert (aside["match"], aside["error"]) == (second.id, "unverified")
    return second, aside["position"]


def test_a_match_that_is_verified_later_is_rated_as_if_it_had_been_in_its_turn(
    game: Service, gate: Gate, scoring: Scoring, twin: Scoring
) -> None:
    match, position = poisoned(game, gate, scoring)
    twin.wait_until_projected()
    assert told_of(scoring) != told_of(twin)
    admin = scoring.bearer("thor", scope="admin")
    body = {"position": position}
    ask = partial(scoring.http.post, "/v1/projections/archive/retry", json=body)
    problem_of(ask(), 401, "token_required")
    problem_of(ask(headers=scoring.bearer("dora")), 403, "missing_scope")
    problem_of(ask(headers=admin), 409, "unverified")
    gate.is_open = False
    problem_of(ask(headers=admin), 503, "logs_away")
    assert [each["position"] for each in aside_of(scoring)] == [position]
    gate.is_open = True
    gate.damaged.clear()
    answer = ask(headers=admin)
    assert answer.status_code == 204, answer.text
    assert not any(aside_of(scoring, each) for each in ("archive", "results", "ratings"))
    assert told_of(scoring) == told_of(twin)
    played = told_of(scoring)[1]["items"]
    assert match.id in [each["match"] for each in played[1:-1]]
    problem_of(ask(headers=admin), 404, "not_put_aside")


def test_the_command_tries_a_match_again(
    game: Service, gate: Gate, scoring: Scoring, twin: Scoring, front: Hosted
) -> None:
    _, position = poisoned(game, gate, scoring)
    token = scoring.bearer("thor", scope="admin")["Authorization"].removeprefix("Bearer ")
    at = ("--server", front.url, "--token", token)
    listed = howff("projections", "list", *at)
    assert f"archive at {position}: unverified, match " in listed.stdout, listed.output
    assert refused(howff("projections", "retry", "archive", str(position), *at), "unverified")
    gate.damaged.clear()
    tried = howff("projections", "retry", "archive", str(position), *at)
    assert (tried.exit_code, tried.stdout) == (0, "It stands aside no more\n"), tried.output
    twin.wait_until_projected()
    assert told_of(scoring) == told_of(twin)
