from typing import Any, Final

import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON, to_json, to_tagged
from howff.engine.outcome import Outcome
from howff.engine.seats import Seat
from support.service import SERVED, Service, Table, new_key
from support.web import problem_of

EVERY_GAME: Final = pytest.mark.parametrize("game", SERVED)
SHORT: Final[JSON] = {"round_limit": 1}
"""Options of Trödler that end a match soon."""


STANDING: Final[JSON] = {
    "resigned": None,
    "stand_in": None,
    "wants": [],
    "milliseconds_left": None,
    "is_running": False,
}
"""How every seat stands at first in a match without a clock."""


def order(*seats: JSON, game: str = "troedler", **terms: JSON) -> JSON:
    return {"game": game, "seats": list(seats), **terms}


def people(*accounts: str) -> list[JSON]:
    return [{"account": account} for account in accounts]


@EVERY_GAME
def test_a_match_that_starts_is_answered_with_its_place_and_as_it_is_seen(
    service: Service, game: str
) -> None:
    table = service.table(game, GAMES[game].seats[0])
    assert table.answer.headers["location"] == table.path
    assert "no-cache" in table.answer.headers["cache-control"]
    assert table.answer.json() == table.eyes(0).get(table.path).json()
    answer = table.answer.json()
    match = table.match
    assert answer == {
        "match": table.id,
        "version": 1,
        "viewer": "seat:0",
        "game": game,
        "title": GAMES[game].title,
        "rules_version": GAMES[game].rules_version,
        "options": to_json(GAMES[game].options, GAMES[game].options()),
        "seats": people(*table.accounts),
        "watch": "public",
        "rated": False,
        "seed_commitment": match.started.seed_commitment,
        "clock": None,
        "on_flag": "resign",
        "on_leave": "default_moves",
        "stand_in": None,
        "parent": None,
        "to_act": list(match.to_act),
        "standings": [STANDING] * len(table.accounts),
        "clocks": None,
        "is_over": False,
        "is_aborted": False,
        "view": to_json(match.game.view_type, match.game.view(match.state, Seat(0))),
        "outcome": None,
        "state": None,
    }


def test_a_start_that_is_sent_again_starts_nothing_more(service: Service) -> None:
    eyes, key = service.eyes("dora"), new_key()
    first = eyes.post("/v1/matches", order(*people("dora", "emil")), key)
    again = eyes.post("/v1/matches", order(*people("dora", "emil")), key)
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["location"] == first.headers["location"]
    other = eyes.post("/v1/matches", order(*people("dora", "emil")), new_key())
    assert other.json()["match"] != first.json()["match"]
    strangers = service.eyes("emil").post("/v1/matches", order(*people("dora", "emil")), key)
    assert strangers.json()["match"] not in {first.json()["match"], other.json()["match"]}


@pytest.mark.parametrize(
    "changed",
    [
        {"watch": "private"},
        {"options": SHORT},
        {"entropies": ["a", None]},
        {"seats": people("dora", "dora")},
        {"game": "dale_of_merchants"},
    ],
    ids=lambda each: next(iter(each)),
)
def test_another_start_under_a_known_key_is_refused(service: Service, changed: JSON) -> None:
    eyes, key = service.eyes("dora"), new_key()
    content = order(*people("dora", "emil"))
    assert eyes.post("/v1/matches", content, key).status_code == 201
    refused = eyes.post("/v1/matches", {**content, **changed}, key)
    document = problem_of(refused, 409, "command_id_reused")
    assert (document["expected"], document["found"]) == ("a new id", "that of version 1")


def test_options_seats_and_entropies_are_those_that_were_asked_for(service: Service) -> None:
    seats: list[JSON] = [{"account": "dora"}, {"bot": "random"}, {"account": "dora"}]
    content = order(
        *seats, options=SHORT, watch="private", entropies=["heather", None, "\x7f" * 64]
    )
    answer = service.eyes("dora").post("/v1/matches", content).json()
    assert answer["seats"] == seats
    assert answer["watch"] == "private"
    assert answer["options"]["round_limit"] == 1
    started = service.match(answer["match"]).started
    assert started.entropies == ("heather", None, "\x7f" * 64)


MALFORMED: Final[dict[str, tuple[JSON, str, str, str]]] = {
    "unknown game": (order({"account": "dora"}, game="chess"), "unknown_game", "one of", "'chess'"),
    "too few seats": (
        order({"account": "dora"}),
        "wrong_seat_count",
        "2 to 4 seats",
        "1",
    ),
    "an option that is not there": (
        order(*people("dora", "emil"), options={"cheating": True}),
        "wrong_option",
        "",
        "",
    ),
    "a value that no option has": (
        order(*people("dora", "emil"), options={"round_limit": "many"}),
        "wrong_option",
        "",
        '"many"',
    ),
    "a level nobody plays": (
        order({"account": "dora"}, {"bot": "grandmaster"}),
        "unknown_level",
        "random",
        "'grandmaster'",
    ),
    "a match of others": (
        order(*people("emil", "fred")),
        "not_seated",
        "a seat of one's own, or a match of bots alone that everybody may watch",
        "neither",
    ),
    "a match of another against bots": (
        order({"account": "emil"}, {"bot": "random"}),
        "not_seated",
        "a seat of one's own",
        "neither",
    ),
    "a private match of bots": (
        order({"bot": "random"}, {"bot": "random"}, watch="private"),
        "not_seated",
        "that everybody may watch",
        "neither",
    ),
    "an entropy too few": (
        order(*people("dora", "emil"), entropies=["a"]),
        "wrong_entropies",
        "2 of null or at most 64 ASCII characters",
        '["a"]',
    ),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_start_that_can_not_be_is_refused_by_its_reason(service: Service, case: str) -> None:
    content, code, expected, found = MALFORMED[case]
    document = problem_of(service.eyes("dora").post("/v1/matches", content), 422, code)
    assert expected in document["expected"]
    assert found in document["found"]


@EVERY_GAME
def test_each_seat_sees_through_its_own_eyes(service: Service, game: str) -> None:
    table = service.table(game, GAMES[game].seats[0])
    table.advance(12)
    match = table.match
    for viewer in (*range(len(table.accounts)), None):
        told = table.eyes(viewer).get(table.path).json()
        assert told["view"] == to_json(match.game.view_type, match.game.view(match.state, viewer))
        assert told["viewer"] == ("spectator" if viewer is None else f"seat:{viewer}")
        assert told["to_act"] == list(match.to_act)


def test_a_player_may_look_with_the_eyes_of_a_spectator(service: Service) -> None:
    table = service.table()
    watched = table.eyes(0).get(f"{table.path}?as=spectator").json()
    assert watched == table.eyes(None).get(table.path).json()
    assert watched["viewer"] == "spectator"


def test_who_holds_several_seats_chooses_whose_eyes(service: Service) -> None:
    eyes = service.eyes("dora")
    path = "/v1/matches/"
    path += eyes.post("/v1/matches", order(*people("dora", "emil", "dora"))).json()["match"]
    assert eyes.get(path).json()["viewer"] == "seat:0"
    assert eyes.get(f"{path}?as=seat:2").json()["viewer"] == "seat:2"
    problem_of(eyes.get(f"{path}?as=seat:1"), 404, "no_such_match")
    document = problem_of(eyes.get(f"{path}/moves"), 422, "ambiguous_seat")
    assert (document["expected"], document["found"]) == ("one of the seats 0, 2", "none named")
    assert eyes.get(f"{path}/moves?seat=2").json()["seat"] == 2


@pytest.mark.parametrize(
    "eyes", ["seat:", "seat:01", "seat:100", "Spectator", "all", "seat:-1", ""]
)
def test_what_names_no_viewer_is_refused(service: Service, eyes: str) -> None:
    table = service.table()
    answer = table.eyes(0).get(f"{table.path}?as={eyes}")
    document = problem_of(answer, 422, "wrong_viewer")
    assert (document["expected"], document["found"]) == ("spectator or seat:N", repr(eyes))


def test_the_tag_of_a_match_is_its_version_and_spares_the_rest(service: Service) -> None:
    table = service.table()
    answer = table.eyes(0).get(table.path)
    assert answer.headers["etag"] == '"1"'
    for tags in ('"1"', 'W/"1"', '"7", "1"', '"7",W/"1"', "*"):
        same = table.eyes(0).get(table.path, {"If-None-Match": tags})
        assert (same.status_code, same.content) == (304, b"")
        assert same.headers["etag"] == '"1"'
    table.play()
    for tags in ('"1"', "1", '"21"', 'W/"1"'):
        newer = table.eyes(0).get(table.path, {"If-None-Match": tags})
        assert (newer.status_code, newer.headers["etag"]) == (200, '"2"')


@EVERY_GAME
def test_the_moves_of_a_seat_are_told_with_a_line_each(service: Service, game: str) -> None:
    table = service.table(game, GAMES[game].seats[0])
    table.advance(7)
    match = table.match
    for seat in map(Seat, range(len(table.accounts))):
        told = table.eyes(seat).get(f"{table.path}/moves").json()
        legal = match.game.legal_moves(match.state, seat)
        assert (told["version"], told["seat"]) == (match.version, seat)
        assert [each["move"] for each in told["moves"]] == list(map(to_tagged, legal))
        assert all(each["text"].startswith(f"Seat {seat}") for each in told["moves"])
        assert bool(told["moves"]) == (seat in match.to_act)


def test_a_finished_match_shows_its_outcome_and_all_that_was_hidden(service: Service) -> None:
    table = finished(service)
    match = table.match
    for viewer in table.viewers:
        told = table.eyes(viewer).get(table.path).json()
        assert told["is_over"]
        assert told["to_act"] == []
        assert told["outcome"] == to_json(Outcome, match.outcome)
        assert told["state"] == to_json(match.game.state, match.state)
        assert told["view"] == to_json(match.game.view_type, match.game.view(match.state, viewer))
    assert table.eyes(0).get(f"{table.path}/moves").json()["moves"] == []


def finished(service: Service) -> Table:
    """Return a match that is over."""
    table = service.table(options=SHORT)
    assert table.advance().is_over
    return table


def test_whatever_can_be_got_can_be_asked_for_without_its_body(service: Service) -> None:
    table = service.table()
    for path in (table.path, f"{table.path}/moves", f"{table.path}/export", "/v1/games"):
        whole = table.eyes(0).get(path)
        head: Any = service.http.head(path, headers=table.eyes(0).headers)
        assert (head.status_code, head.content) == (whole.status_code, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]
