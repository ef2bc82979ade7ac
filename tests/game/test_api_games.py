from typing import Final

import jsonschema_rs
import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON, to_json, to_tagged
from support.playouts import Playout, play_out, told
from support.service import Service
from support.web import problem_of

EVERY_GAME: Final = pytest.mark.parametrize("game", GAMES)


def validators_of(service: Service, game: str) -> dict[str, jsonschema_rs.Draft202012Validator]:
    answer = service.eyes(None).get(f"/v1/games/{game}")
    assert answer.status_code == 200
    schemas: dict[str, JSON] = answer.json()["schemas"]
    assert schemas.keys() == {"options", "move", "event", "view"}
    return {name: jsonschema_rs.Draft202012Validator(each) for name, each in schemas.items()}


def playout_of(game: str) -> Playout:
    rules = GAMES[game]
    return play_out(rules, rules.options(), rules.seats[0], 5)


def test_all_games_are_listed_with_what_they_are_for(service: Service) -> None:
    answer = service.eyes(None).get("/v1/games")
    assert answer.status_code == 200
    assert "max-age" in answer.headers["cache-control"]
    assert answer.json()["games"] == [
        {
            "key": game.key,
            "title": game.title,
            "authors": game.authors,
            "summary": game.summary,
            "seats": list(game.seats),
            "rules_version": game.rules_version,
            "data_hash": game.data_hash,
        }
        for game in GAMES.values()
    ]


@EVERY_GAME
def test_one_game_is_told_as_in_the_list_with_its_schemas(service: Service, game: str) -> None:
    eyes = service.eyes(None)
    lines = {each["key"]: each for each in eyes.get("/v1/games").json()["games"]}
    described = eyes.get(f"/v1/games/{game}").json()
    del described["schemas"]
    assert described == lines[game]


@pytest.mark.parametrize("game", ["chess", "TROEDLER", "troedler ", "%2e%2e", "a" * 1000])
def test_a_game_that_nobody_knows_is_not_found(service: Service, game: str) -> None:
    document = problem_of(service.eyes(None).get(f"/v1/games/{game}"), 404, "no_such_game")
    assert document["expected"] == f"one of {', '.join(GAMES)}"
    assert document["found"] == "another"


@EVERY_GAME
def test_the_schemas_take_every_move_event_and_view_of_a_match(service: Service, game: str) -> None:
    validators = validators_of(service, game)
    playout = playout_of(game)
    rules = playout.game
    validators["options"].validate(to_json(rules.options, playout.options))
    validators["options"].validate({})
    for step in playout.steps:
        if step.move is not None:
            validators["move"].validate(to_tagged(step.move))
    for viewer in playout.viewers:
        for number, events in enumerate(told(playout, viewer)):
            for event in events:
                validators["event"].validate(to_tagged(event))
            view = rules.view(playout.steps[number].after, viewer)
            validators["view"].validate(to_json(rules.view_type, view))


@EVERY_GAME
def test_the_schemas_take_every_move_and_event_as_it_is_told(service: Service, game: str) -> None:
    validators = validators_of(service, game)
    table = service.table(game, GAMES[game].seats[0])
    table.advance(25)
    paths = [f"{table.path}/events", f"{table.path}/events?as=spectator"]
    commits = [
        commit
        for viewer in table.viewers
        for path in paths
        for commit in table.eyes(viewer).get(path).json()["commits"]
    ]
    table.advance()
    commits += table.eyes(None).get(paths[0]).json()["commits"]
    for commit in commits:
        if commit["move"] is not None and "sealed" not in commit["move"]:
            validators["move"].validate(commit["move"])
        for event in commit["events"]:
            validators["event"].validate(event)


@EVERY_GAME
def test_the_schemas_refuse_what_is_not_of_their_kind(service: Service, game: str) -> None:
    playout = playout_of(game)
    move = to_tagged(playout.steps[1].move)
    validators = validators_of(service, game)
    for schema, wrong in (
        ("move", {"type": "Cheat", "data": {}}),
        ("move", {**move, "extra": 1}),
        ("move", {"type": move["type"], "data": {**move["data"], "extra": 1}}),
        ("move", None),
        ("event", {"type": "MatchWon", "data": {}}),
        ("options", {"cheating": True}),
        ("view", {}),
    ):
        assert not validators[schema].is_valid(wrong), (schema, wrong)
