from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import httpx
import pytest
from fastapi.routing import APIRoute
from starlette.routing import Mount, Route

from howff.engine.codec import JSON
from howff.servicekit.web.issuer import LIFETIME
from support.service import Service, Table, bearer, new_key
from support.web import problem_of

EXPECTED: Final = """
route                   as        match           seat other stranger bot reads plays none nobody old bad
list_games              -         any             200  200   200      200 200   200   200  200    200 200
describe_game           -         any             200  200   200      200 200   200   200  200    200 200
list_receipt_keys       -         any             200  200   200      200 200   200   200  200    200 200
issue_development_token -         any             200  200   200      200 200   200   200  200    200 200
start_practice_match    -         any             201  201   201      201 403   403   403  401    401 401
look_at_match           -         public          200  200   200      200 200   403   403  200    401 401
look_at_match           -         private         200  200   404      404 200   403   403  404    401 401
look_at_match           spectator public          200  200   200      200 200   403   403  200    401 401
look_at_match           spectator private         200  200   404      404 200   403   403  404    401 401
look_at_match           seat:0    any             200  404   404      404 200   403   403  404    401 401
list_moves              seat:0    any             200  404   404      404 200   403   403  401    401 401
play_move               seat:0    any             409  404   404      404 403   409   403  401    401 401
follow_match            -         public          200  200   200      200 200   403   403  200    401 401
follow_match            -         private         200  200   404      404 200   403   403  404    401 401
follow_match            spectator public          200  200   200      200 200   403   403  200    401 401
follow_match            spectator private         200  200   404      404 200   403   403  404    401 401
follow_match            seat:0    any             200  404   404      404 200   403   403  404    401 401
follow_match_in_words   -         public          200  200   200      200 200   403   403  200    401 401
follow_match_in_words   -         private         200  200   404      404 200   403   403  404    401 401
follow_match_in_words   spectator public          200  200   200      200 200   403   403  200    401 401
follow_match_in_words   spectator private         200  200   404      404 200   403   403  404    401 401
follow_match_in_words   seat:0    any             200  404   404      404 200   403   403  404    401 401
export_match            -         public          200  200   200      200 200   403   403  200    401 401
export_match            -         private         200  200   404      404 200   403   403  404    401 401
export_match            spectator public          200  200   200      200 200   403   403  200    401 401
export_match            spectator private         200  200   404      404 200   403   403  404    401 401
export_match            seat:0    any             200  404   404      404 200   403   403  404    401 401
resign                  -         over            409  409   404      404 403   409   403  401    401 401
pause                   -         any             409  409   404      404 403   409   403  401    401 401
abort                   -         any             409  409   404      404 403   409   403  401    401 401
take_back               -         any             409  409   404      404 403   409   403  401    401 401
credit                  -         any             403  403   403      403 403   403   403  401    401 401
replay                  -         running-public  409  409   409      409 409   403   403  409    401 401
replay                  -         running-private 409  409   404      404 409   403   403  404    401 401
replay                  seat:0    over-public     200  200   200      200 200   403   403  200    401 401
replay                  all       over-private    200  200   404      404 200   403   403  404    401 401
branch                  -         running-public  409  409   409      409 403   403   403  401    401 401
branch                  -         over-public     201  201   201      201 403   403   403  401    401 401
branch                  -         private         422  422   404      404 403   403   403  401    401 401
audit                   -         public          200  200   200      200 200   403   403  200    401 401
audit                   -         private         200  200   404      404 200   403   403  404    401 401
audit                   seat:0    any             200  404   404      404 200   403   403  404    401 401
"""  # noqa: E501 — a table
"""Whom each route answers how: what may be done is refused (409) as stale, or as the match stands.

The kind of a match is who may watch it, and whether it is over.

Who reads, plays, is old or has no scope holds seat 0, by a token for that alone, for nothing, or
of yesterday; the bot has no seat."""
FORMS: Final = ("application/json", "application/x-ndjson", "text/event-stream")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what is asked of which matches, and the status for each caller."""

    route: str
    eyes: str
    match: str
    statuses: Mapping[str, int]


def rows() -> tuple[Row, ...]:
    head, *lines = EXPECTED.strip().splitlines()
    callers = head.split()[3:]
    told = (line.split() for line in lines)
    return tuple(
        Row(route, eyes, match, dict(zip(callers, map(int, statuses), strict=True)))
        for route, eyes, match, *statuses in told
    )


ROWS: Final = rows()


def headers_of(caller: str, table: Table) -> dict[str, str]:
    """Return the token that a caller sends along."""
    seat, other = table.accounts
    good = bearer(seat)
    tokens = {
        "seat": good,
        "other": bearer(other),
        "stranger": bearer("stranger"),
        "bot": bearer("stranger", is_bot=True),
        "reads": bearer(seat, "read"),
        "plays": bearer(seat, "play"),
        "none": bearer(seat, ""),
        "nobody": {},
        "old": bearer(seat, age=LIFETIME + timedelta(seconds=1)),
        "bad": {"Authorization": f"{good['Authorization'][:-9]}AAAAAAAAA"},
    }
    return tokens[caller]


def asked(
    row: Row, match: str, headers: dict[str, str], form: str, service: Service
) -> httpx.Response:
    """Return what answers a request; of a feed that goes on its content is not read."""
    path, query, body = REQUESTS[row.route]
    keyed = {"Idempotency-Key": str(new_key())} if row.route in COMMANDS else {}
    eyes = {} if row.eyes == "-" or query or body else {"as": row.eyes}
    request = service.http.build_request(
        "POST" if body else "GET",
        path.format(match=match),
        params={**query, **eyes},
        json=body,
        headers={"Accept": form, **keyed, **headers},
    )
    answer = service.http.send(request, stream=True)
    if answer.status_code != 200 or form == FORMS[0]:
        answer.read()
    answer.close()
    return answer


START: Final[JSON] = {"game": "troedler", "seats": [{"bot": "random"}, {"bot": "random"}]}
PLAY: Final[JSON] = {"move": {"type": "EndTurn", "data": {}}, "seat": 0, "expected_version": 10**6}
REQUESTS: Final[dict[str, tuple[str, dict[str, str], JSON]]] = {
    "list_games": ("/v1/games", {}, None),
    "describe_game": ("/v1/games/troedler", {}, None),
    "list_receipt_keys": ("/.well-known/howff-receipts.json", {}, None),
    "issue_development_token": ("/v1/development/tokens", {}, {"account": "dora"}),
    "start_practice_match": ("/v1/matches", {}, START),
    "look_at_match": ("/v1/matches/{match}", {}, None),
    "list_moves": ("/v1/matches/{match}/moves", {"seat": "0"}, None),
    "play_move": ("/v1/matches/{match}/moves", {}, PLAY),
    "follow_match": ("/v1/matches/{match}/events", {}, None),
    "follow_match_in_words": ("/v1/matches/{match}/lines", {}, None),
    "export_match": ("/v1/matches/{match}/export", {}, None),
    "resign": ("/v1/matches/{match}/resign", {}, {"seat": None}),
    "pause": ("/v1/matches/{match}/pause", {}, {"wanted": True}),
    "abort": ("/v1/matches/{match}/abort", {}, {"wanted": False}),
    "take_back": ("/v1/matches/{match}/take-back", {}, {"seat": None}),
    "credit": ("/v1/matches/{match}/credit", {}, {"seat": 0, "seconds": 1}),
    "replay": ("/v1/matches/{match}/replay", {}, None),
    "branch": ("/v1/matches/{match}/branches", {}, {"at": 1, "seats": START["seats"]}),
    "audit": ("/v1/matches/{match}/audit", {}, None),
}
"""The path, the query and the body with which each route is asked."""
CODES: Final = {403: "missing_scope", 404: "no_such_match", 422: "not_seated"}
COMMANDS: Final = {
    "play_move": {"stale_version"},
    "resign": {"match_over"},
    "pause": {"no_clock", "match_over"},
    "abort": {"nothing_told", "match_over"},
    "take_back": {"not_taken_over", "match_over"},
    "credit": {"no_clock", "match_over"},
    "replay": {"match_not_over"},
    "branch": {"match_not_over"},
}
"""Why each route that could do something refuses to."""


@pytest.fixture(scope="module")
def tables(service: Service) -> dict[str, Table]:
    """Return a match of each kind, by stage and by who may watch it."""
    made = {
        f"{stage} {watch}": service.table(watch=watch, options={"round_limit": 1})
        for stage in ("running", "over")
        for watch in ("public", "private")
    }
    for name, table in made.items():
        assert table.advance(100_000 if name.startswith("over") else 4).is_over == (
            name.startswith("over")
        )
    return made


def routes_of(routes: Sequence[Any]) -> Iterator[Any]:
    """Yield all routes, those of routers that are included among them."""
    for each in routes:
        if isinstance(each, Route | Mount):
            yield each
        else:
            yield from routes_of(each.original_router.routes)


def test_every_route_stands_in_the_table(service: Service) -> None:
    routes = list(routes_of(service.app.routes))
    named = {each.name for each in routes if isinstance(each, APIRoute)}
    assert named == {row.route for row in ROWS}
    others = [each.path for each in routes if not isinstance(each, APIRoute)]
    assert others == ["/openapi.json"]
    described = service.http.get("/openapi.json").json()["paths"].values()
    assert named == {each["operationId"] for path in described for each in path.values()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.route} {row.eyes} {row.match}")
def test_every_caller_is_answered_as_the_table_says(
    service: Service, tables: dict[str, Table], row: Row
) -> None:
    wanted = [name for name in tables if is_of(row, name)]
    assert wanted
    for name in wanted:
        for form in FORMS if row.route.startswith("follow_match") else FORMS[:1]:
            for caller, status in row.statuses.items():
                table = tables[name]
                answer = asked(row, table.id, headers_of(caller, table), form, service)
                assert answer.status_code == status, (name, form, caller, answer.text)
                if status == 409:
                    problem_of(answer, status, answer.json()["code"])
                    assert answer.json()["code"] in COMMANDS[row.route]
                elif status >= 400:
                    code = "token_required" if caller == "nobody" else "invalid_token"
                    problem_of(answer, status, CODES.get(status, code))


def is_of(row: Row, name: str) -> bool:
    """Return whether *row* is about the match of this *name*, its stage and who may watch it."""
    return row.match == "any" or set(row.match.split("-")) <= set(name.split())


UNKNOWN: Final = ("no-such-match", "a" * 64, "no.such.match", "no*such>match")
"""Ids of no match; the last two could be none of any."""


@pytest.mark.parametrize("route", [each for each in REQUESTS if "{match}" in REQUESTS[each][0]])
def test_what_a_caller_may_not_know_of_is_answered_like_what_is_not_there(
    service: Service, tables: dict[str, Table], route: str
) -> None:
    for name in ("running private", "over private"):
        for row in (each for each in ROWS if each.route == route and is_of(each, name)):
            check_hidden(service, tables[name], row)


def check_hidden(service: Service, table: Table, row: Row) -> None:
    for caller, status in row.statuses.items():
        if status >= 400 and status not in {409, 422}:
            headers = headers_of(caller, table)
            answer = told(asked(row, table.id, headers, FORMS[0], service))
            # What no match could be called is told to anybody, whatever his token is.
            unknown = UNKNOWN if status == 404 else UNKNOWN[:2]
            for each in unknown:
                missing = asked(row, each, headers, FORMS[0], service)
                assert told(missing) == answer, (table.id, caller, each)


def test_a_seat_of_somebody_else_is_answered_like_no_match(
    service: Service, tables: dict[str, Table]
) -> None:
    rows_of_seats = [each for each in ROWS if each.eyes == "seat:0"]
    assert len(rows_of_seats) == 8
    for row in (each for each in rows_of_seats if each.statuses["other"] == 404):
        for table in tables.values():
            headers = headers_of("other", table)
            hidden = asked(row, table.id, headers, FORMS[0], service)
            missing = asked(row, "no-such-match", headers, FORMS[0], service)
            assert hidden.status_code == 404
            assert told(hidden) == told(missing)


def told(answer: httpx.Response) -> tuple[int, bytes, dict[str, str]]:
    """Return everything of an answer but the second in which it came."""
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    return answer.status_code, answer.content, headers


def test_a_match_whose_seed_alone_is_there_is_answered_like_none(service: Service) -> None:
    eyes = service.eyes("dora")
    asked_for = service.parts.matches._seeds.prepare("prepared")  # type: ignore[arg-type]
    service.call(asked_for)
    for path in ("", "/moves", "/events", "/export", "/replay", "/audit"):
        prepared = eyes.get(f"/v1/matches/prepared{path}")
        assert told(prepared) == told(eyes.get(f"/v1/matches/unprepared{path}"))
        problem_of(prepared, 404, "no_such_match")
    played = [eyes.post(f"/v1/matches/{each}/moves", PLAY, new_key()) for each in ("prepared", "x")]
    assert told(played[0]) == told(played[1])
