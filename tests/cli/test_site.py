"""The site of a whole server, as it is asked at its one address."""

from typing import Any

import httpx
from openapi_spec_validator import validate

from howff.servicekit.web.merging import operations_of
from support.howff_up import Up


def test_one_document_describes_all_services(server: Up) -> None:
    document: dict[str, Any] = httpx.get(f"{server.url}/openapi.json").json()
    validate(document)
    states = {each["service"]: each["state"] for each in document["info"]["x-howff-services"]}
    assert states == {"lobby": "answers", "game": "answers", "scoring": "answers"}
    operations = [each for _, each in operations_of(document)]
    ids = [each["operationId"] for each in operations]
    assert len(ids) == len(set(ids)) > 60
    assert {"become_guest", "start_practice_match", "show_leaderboard"} <= set(ids)
    assert {tag for each in operations for tag in each["tags"]} == {
        tag["name"] for tag in document["tags"]
    }
    schemas = document["components"]["schemas"]
    assert {"lobby.KeysAnswer", "game.KeysAnswer"} <= schemas.keys()
    assert {"Problem", "AccountSeat"} <= schemas.keys(), "what all have alike is there once"
    assert document["components"]["securitySchemes"].keys() == {"bearer"}


def test_the_channels_are_described_at_the_same_address(server: Up) -> None:
    told = httpx.get(f"{server.url}/asyncapi.json").json()
    assert {"match_ended", "match_feed"} <= told["channels"].keys()
