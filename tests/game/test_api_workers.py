"""What workers may do: for the seats of bots what holders may, and nothing else."""

from pathlib import Path
from typing import Any, Final
from uuid import UUID

import httpx
import pytest

from howff.contracts.matches import LEVELS, ROUNDS_OF_BOTS
from howff.engine.codec import JSON
from howff.engine.seats import Seat
from howff.match.commit import commit_to_json
from howff.servicekit.web.errors import WrongKeysError
from howff.servicekit.web.signing import SigningKey
from support.leaving import asked, done
from support.messages import start_by_queue
from support.nats import unique
from support.service import (
    Eyes,
    Service,
    Table,
    bearer,
    nats_server,
    new_key,
    service_on,
    wait_until,
)
from support.web import problem_of
from support.workers import worker_bearer

STATEMENT: Final[dict[str, JSON]] = {
    "policy": "mcts",
    "version": "1.3",
    "level": "strong",
    "nodes": 160,
    "seed": "0123456789abcdef" * 2,
}
PEOPLE: Final[list[JSON]] = [{"account": "dora"}, {"account": "emil"}]


def against_a_bot(service: Service, **terms: JSON) -> Table:
    """Return a private match of dora and a bot, who is to act."""
    match = unique("worked-")
    start_by_queue(service, match, watch="private", options={"starting_dealer": 0}, **terms)
    return until_bot(table_of(service, match))


def table_of(service: Service, match: str, *accounts: str) -> Table:
    answer = service.eyes("dora").get(f"/v1/matches/{match}")
    return Table(service, match, accounts or ("dora", "x"), answer)


def until_bot(table: Table) -> Table:
    while Seat(1) not in table.match.to_act:
        seat, move = table.chosen(table.match)
        assert table.send(seat, move).status_code == 200
    return table


def play(
    table: Table, seat: int = 1, key: UUID | None = None, by: Eyes | None = None, **changes: JSON
) -> httpx.Response:
    """Return what answers the first legal move of *seat* as a worker sends it; None is left out."""
    match = table.match
    moves = (by or table.service.worker).get(f"{table.path}/moves?seat={seat}").json()
    move = moves["moves"][0]["move"] if moves.get("moves") else {"type": "EndTurn", "data": {}}
    content = {"move": move, "seat": seat, "expected_version": match.version, "bot": STATEMENT}
    told = {name: each for name, each in {**content, **changes}.items() if each is not None}
    return (by or table.service.worker).post(f"{table.path}/moves", told, key or new_key())


def test_a_worker_moves_for_a_bot_and_how_it_came_to_the_move_is_recorded(
    service: Service,
) -> None:
    table, worker = against_a_bot(service), service.worker
    view = worker.get(f"{table.path}?as=seat:1").json()
    moves = worker.get(f"{table.path}/moves?seat=1").json()
    assert (view["viewer"], view["version"]) == ("seat:1", table.match.version)
    legal = table.match.game.legal_moves(table.match.state, Seat(1))
    assert (moves["version"], len(moves["moves"])) == (table.match.version, len(legal))
    answer = play(table)
    assert answer.status_code == 200, answer.text
    commit = table.commits[-1]
    assert (commit.actor, commit.bot) == ("seat:1", STATEMENT)
    assert commit.move == moves["moves"][0]["move"]
    assert STATEMENT["seed"] not in answer.text
    assert STATEMENT["seed"] not in table.eyes(0).get(f"{table.path}/events").text


def test_a_worker_is_a_stranger_to_all_that_no_bot_decides_for(service: Service) -> None:
    table, worker = against_a_bot(service), service.worker
    people = [service.table(watch=watch) for watch in ("public", "private")]
    asked_for = [
        *(f"{table.path}{rest}" for rest in ("?as=seat:0", "?as=spectator", "?as=seat:9")),
        *(f"{table.path}/events?as={eyes}" for eyes in ("seat:0", "spectator", "seat:9")),
        *(f"{table.path}/moves?seat={seat}" for seat in (0, 9)),
        *(f"{each.path}{rest}" for each in people for rest in ("", "?as=seat:0", "/moves?seat=0")),
        *(f"{each.path}/events" for each in people),
    ]
    for path in asked_for:
        problem_of(worker.get(path), 404, "no_such_match")
    for each in (table, *people):
        problem_of(play(each, 0), 404, "no_such_match")
    assert all(each.match.version == 1 for each in people)


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("/resign", {"seat": 1}),
        ("/pause", {"seat": 1}),
        ("/abort", {"seat": 1}),
        ("/abort", {"as_administrator": True, "reason": "fault"}),
        ("/take-back", {"seat": 1}),
        ("/credit", {"seat": 1, "seconds": 9}),
        ("/branches", {"at": 1, "seats": PEOPLE}),
        ("", {"game": "troedler", "seats": PEOPLE}),
        ("/export?as=seat:1", None),
        ("/audit?as=seat:1", None),
        ("/replay?as=seat:1", None),
    ],
)
def test_a_worker_may_do_nothing_else_for_a_bot(service: Service, route: str, body: JSON) -> None:
    table, worker = against_a_bot(service), service.worker
    path = f"{table.path}{route}" if route else "/v1/matches"
    before = table.match.version
    answer = worker.get(path) if body is None else worker.post(path, body, new_key())
    problem_of(answer, 403, "missing_scope")
    assert table.match.version == before


def test_an_account_is_no_worker_whatever_its_token_is_for(service: Service) -> None:
    table = against_a_bot(service)
    for account in ("dora", "bots"):
        eyes = Eyes(service.http, bearer(account, "play read bot", is_bot=True))
        problem_of(eyes.get(f"{table.path}?as=seat:1"), 404, "no_such_match")
        problem_of(play(table, 1, by=eyes), 422, "wrong_statement")
        problem_of(play(table, 0, by=eyes), 422, "wrong_statement")
        problem_of(play(table, 1, by=eyes, bot=None), 404, "no_such_match")


def test_who_has_another_key_is_no_worker(service: Service) -> None:
    table = against_a_bot(service)
    eyes = Eyes(service.http, worker_bearer(SigningKey(bytes(32))))
    problem_of(eyes.get(f"{table.path}?as=seat:1"), 401, "invalid_token")


def test_a_worker_has_to_tell_how_it_came_to_its_move_and_at_what_version(
    service: Service,
) -> None:
    table = against_a_bot(service)
    version = table.match.version
    problem_of(play(table, bot=None), 422, "wrong_statement")
    problem_of(play(table, expected_version=None), 422, "malformed")
    problem_of(play(table, expected_version=version - 1), 409, "stale_version")
    assert table.match.version == version


@pytest.mark.parametrize(
    "change",
    [
        {"policy": "oracle"},
        {"nodes": -1},
        {"nodes": 1.5},
        {"seed": "0" * 31},
        {"seed": "A" * 32},
        {"version": ""},
        {"level": "a.b"},
        {"note": "more"},
    ],
    ids=str,
)
def test_a_statement_of_another_form_is_refused(service: Service, change: dict[str, Any]) -> None:
    problem_of(play(against_a_bot(service), bot={**STATEMENT, **change}), 422, "malformed")


def test_of_two_workers_with_the_same_decision_one_plays(service: Service) -> None:
    table, key = against_a_bot(service), new_key()
    version = table.match.version
    moves = service.worker.get(f"{table.path}/moves?seat=1").json()["moves"]
    first = play(table, key=key, move=moves[0]["move"])
    assert first.status_code == 200, first.text
    again = play(table, key=key, move=moves[0]["move"], expected_version=version)
    assert again.json()["version"] == first.json()["version"]
    other = play(table, key=key, move=moves[1]["move"], expected_version=version)
    problem_of(other, 409, "command_id_reused")
    assert table.match.version == version + 1


def test_a_bot_is_told_all_of_its_seat_as_it_was_told_when_it_happened(service: Service) -> None:
    table = against_a_bot(service)
    for _ in range(3):
        while Seat(1) in table.match.to_act:
            assert play(table).status_code == 200
        until_bot(table)
    log = table.log
    told = [commit_to_json(log.known.told(each, Seat(1), live=True)) for each in log.commits]
    again = [commit_to_json(log.known.told(each, Seat(1))) for each in log.commits]
    assert told != again
    for accept in ("application/json", "text/event-stream", "application/x-ndjson"):
        page = service.worker.get(f"{table.path}/events?as=seat:1", {"Accept": accept}).json()
        assert (page["viewer"], page["commits"]) == ("seat:1", told)
    later = service.worker.get(f"{table.path}/events?as=seat:1&after=2").json()
    assert later["commits"] == told[2:]
    seen = table.eyes(0).get(f"{table.path}/events").json()["commits"]
    assert seen == [commit_to_json(log.known.told(each, Seat(0))) for each in log.commits]


def test_who_has_resigned_has_left_its_seat_to_workers_if_the_match_says_so(
    service: Service,
) -> None:
    table, key = service.table("troedler", 3, on_leave="bot", stand_in="steady"), new_key()
    defaults = service.table("troedler", 3)
    for each in (table, defaults):
        gone = each.match.to_act[0]
        problem_of(play(each, gone), 404, "no_such_match")
        # It may know what key a worker is going to send, and take it before.
        done(asked(each, gone, "abort", key))
        done(asked(each, gone, "resign"))
    seat = gone_of(table)
    assert table.eyes(seat).get(f"{table.path}/moves?seat={seat}").json()["moves"] == []
    answer = play(table, seat, key)
    assert answer.status_code == 200, answer.text
    assert (table.commits[-1].actor, table.commits[-1].bot) == (f"seat:{seat}", STATEMENT)
    problem_of(play(defaults, gone_of(defaults)), 404, "no_such_match")
    others = [each for each in range(3) if each != seat]
    problem_of(play(table, others[0]), 404, "no_such_match")


def gone_of(table: Table) -> Seat:
    (seat,) = table.match.presence.resigned
    return seat


def test_a_seat_that_was_taken_over_is_for_workers_until_it_is_taken_back(
    service: Service,
) -> None:
    clock: JSON = {"match_seconds": 1, "increment_seconds": 600}
    table = service.table(clock=clock, on_flag="bot", stand_in="casual")
    seat = table.match.to_act[0]
    wait_until(lambda: bool(table.match.presence.stand_ins))
    assert service.worker.get(f"{table.path}?as=seat:{seat}").status_code == 200
    assert play(table, seat).status_code == 200
    done(asked(table, seat, "take-back"))
    problem_of(service.worker.get(f"{table.path}?as=seat:{seat}"), 404, "no_such_match")
    problem_of(play(table, seat), 404, "no_such_match")


def test_nobody_is_a_worker_where_no_keys_are_known(tmp_path: Path) -> None:
    with nats_server() as nats:
        with service_on(nats, bot_keys_file=None) as service:
            table = against_a_bot(service)
            problem_of(service.worker.get(f"{table.path}?as=seat:1"), 401, "invalid_token")
        with (
            pytest.raises(WrongKeysError),
            service_on(nats, bot_keys_file=tmp_path / "none"),
        ):
            pass


@pytest.mark.parametrize("level", LEVELS)
def test_bots_of_every_level_play_in_practice_matches(service: Service, level: str) -> None:
    content = {"game": "troedler", "seats": [{"account": "dora"}, {"bot": level}]}
    answer = service.eyes("dora").post("/v1/matches", content, new_key())
    assert answer.status_code == 201, answer.text
    assert answer.json()["seats"][1] == {"bot": level}


@pytest.mark.parametrize("game", ["troedler", "appenzell"])
def test_a_match_of_bots_alone_ends_some_time(service: Service, game: str) -> None:
    bots: list[JSON] = [{"bot": "random"}, {"bot": "casual"}]
    eyes = service.eyes("dora")

    def limit(seats: list[JSON], options: JSON) -> object:
        content: JSON = {"game": game, "seats": seats, "options": options}
        match = eyes.post("/v1/matches", content, new_key()).json()["match"]
        return service.match(match).started.options["round_limit"]

    usual = limit([*PEOPLE], {})
    assert not usual
    assert limit([PEOPLE[0], bots[0]], {}) == usual
    assert limit(bots, {}) == ROUNDS_OF_BOTS
    assert limit(bots, {"round_limit": 3}) == 3
    match = unique("bots-alone-")
    start_by_queue(service, match, game=game, seats=bots)
    assert service.match(match).started.options["round_limit"] == ROUNDS_OF_BOTS
