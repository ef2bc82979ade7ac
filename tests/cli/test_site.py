"""The site of a whole server, as it is asked at its one address."""

from contextlib import aclosing
from functools import partial
from typing import Any

import httpx
import jsonschema_rs
from openapi_spec_validator import validate

from howff.client.client import HowffClient
from howff.servicekit.web.merging import operations_of
from support.feeds import EVENTS, frames_in
from support.howff_up import Up
from support.online import asking_as
from support.running import run


def test_one_document_describes_all_services(server: Up) -> None:
    document: dict[str, Any] = httpx.get(f"{server.url}/openapi.json").json()
    validate(document)
    states = {each["service"]: each["state"] for each in document["info"]["x-howff-services"]}
    assert states == {"lobby": "answers", "game": "answers", "scoring": "answers"}
    operations = [each for _, each in operations_of(document)]
    ids = [each["operationId"] for each in operations]
    assert len(ids) == len(set(ids)) > 60
    answers = [each for one in operations for each in one["responses"].values()]
    assert "Successful Response" not in {each["description"] for each in answers}
    assert {"become_guest", "start_practice_match", "show_leaderboard"} <= set(ids)
    assert {tag for each in operations for tag in each["tags"]} == {
        tag["name"] for tag in document["tags"]
    }
    schemas = document["components"]["schemas"]
    assert {"lobby.KeysAnswer", "game.KeysAnswer"} <= schemas.keys()
    assert {"Problem", "AccountSeat"} <= schemas.keys(), "what all have alike is there once"
    assert document["components"]["securitySchemes"].keys() == {"bearer"}


def channels_of(server: Up) -> dict[str, Any]:
    document: dict[str, Any] = httpx.get(f"{server.url}/asyncapi.json").json()
    return document


def fits(told: dict[str, Any], key: str, kind: str, content: Any) -> bool:
    """Return whether a document tells of messages of this *kind* on a channel, in such a form."""
    if kind not in told["channels"][key]["messages"]:
        return False
    message = told["channels"][key]["messages"][kind]["$ref"].rpartition("/")[2]
    payload = told["components"]["messages"][message]["payload"]
    form = {**payload, "components": told["components"]}
    return bool(jsonschema_rs.validator_for(form).is_valid(content))


def test_all_feeds_that_can_be_followed_are_described_as_channels(server: Up) -> None:
    paths: dict[str, Any] = httpx.get(f"{server.url}/openapi.json").json()["paths"]
    feeds = {
        path.replace("{match_id}", "{match}")
        for path, operations in paths.items()
        if "get" in operations
        and EVENTS in operations["get"]["responses"].get("200", {}).get("content", ())
    }
    channels = channels_of(server)["channels"].values()
    addresses = [each["address"] for each in channels if each["address"] is not None]
    assert feeds == {each for each in addresses if each.startswith("/")}
    assert len(feeds) == 4


def test_what_a_match_tells_has_the_form_that_is_described(server: Up) -> None:
    async def story() -> str:
        async with asking_as(server, "freya") as howff:
            match = await started(howff)
            await howff.resign(match, seat=0)
            return match

    match, told = run(story), channels_of(server)
    for name, key in (("events", "match_feed"), ("lines", "match_in_words")):
        answer = httpx.get(f"{server.url}/v1/matches/{match}/{name}", headers={"Accept": EVENTS})
        frames = frames_in(answer.text)
        assert {each.kind for each in frames} >= {"commit", "over"}
        for each in frames:
            assert fits(told, key, each.kind, each.content), each.raw
            assert not fits(told, key, each.kind, {**each.content, "version": "one"})


def test_what_the_lobby_tells_has_the_form_that_is_described(server: Up) -> None:
    told = channels_of(server)

    async def story(key: str) -> None:
        async with asking_as(server, "jack") as howff:
            feed = howff.lobby.own_feed() if key == "account_feed" else howff.lobby.feed()
            async with aclosing(feed) as entries:
                async for each in entries:
                    assert fits(told, key, each.kind, each.content), each
                    if each.kind == "snapshot":
                        table: Any = await howff.tables.open({"game": "hellweg", "seats": 3})
                        await howff.tables.give_up(table["id"])
                        match = await started(howff)
                        await howff.resign(match, seat=0)
                    if each.kind == "match" and each.content["state"] == "ended":
                        return

    for key in ("lobby_feed", "account_feed"):
        run(partial(story, key))


async def started(howff: HowffClient) -> str:
    """Start a match against a bot, and return its id."""
    me: Any = await howff.accounts.me()
    seats = [{"account": me["account"]["id"]}, {"bot": "random"}]
    match: Any = await howff.start_match({"game": "troedler", "seats": seats})
    return str(match["match"])
