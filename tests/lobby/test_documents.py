"""What the lobby tells of the whole site, with its neighbours and without them."""

import asyncio
from typing import Any, Final

import pytest
from openapi_spec_validator import validate

from howff.lobby.adapters import neighbours
from howff.lobby.adapters.neighbours import KEPT_FOR, WITHIN, Neighbours
from howff.lobby.api.documents import Latest
from howff.lobby.application.describing import Described, described
from support.lobby import Lobby
from support.running import run
from support.wire import Asked, Line, answer, answering

DOCUMENT: Final = {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {}}


def site_of(lobby: Lobby) -> dict[str, Any]:
    document: dict[str, Any] = lobby.http.get("/openapi.json").json()
    validate(document)
    return document


def states(document: dict[str, Any]) -> dict[str, str]:
    return {each["service"]: each["state"] for each in document["info"]["x-howff-services"]}


def test_a_site_whose_services_are_away_says_which(lobby: Lobby) -> None:
    alone = site_of(lobby)
    assert states(alone) == {"lobby": "answers"}
    own = Described("lobby", alone)
    other = Described("scoring", DOCUMENT, "too slow")
    document = described([own, Described("game", None, "nobody listens there"), other])
    validate(document)
    assert document["paths"] == alone["paths"]
    assert states(document) == {"lobby": "answers", "game": "away", "scoring": "remembered"}
    told = document["info"]["description"]
    assert "**game** (matches) does not answer now (nobody listens there), so that" in told
    assert (
        "**scoring** (results and ratings) does not answer now (too slow); what it told before"
        in told
    )
    assert "**lobby**" not in told


def test_documents_are_sent_once_to_who_keeps_them(lobby: Lobby) -> None:
    for path in ("/openapi.json", "/asyncapi.json"):
        first = lobby.http.get(path)
        assert first.status_code == 200
        again = lobby.http.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    assert lobby.http.get("/asyncapi.json").json()["asyncapi"] == "3.0.0"


def test_documents_are_made_once_until_a_service_tells_another_thing() -> None:
    made: list[int] = []
    latest = Latest(lambda services: made.append(len(services)))
    for document in (DOCUMENT, DOCUMENT, {**DOCUMENT, "paths": {"/": {}}}):
        latest.of([Described("game", document)])
    latest.of([Described("game", document, "too slow")])
    assert len(made) == 3


class Hands:
    """A clock that goes when it is told to."""

    time = 0.0

    def now(self) -> float:
        return self.time

    def go_on(self) -> None:
        self.time += KEPT_FOR


async def told_by(asked: Neighbours) -> Described:
    (found,) = await asked.described()
    return found


def test_a_neighbour_is_asked_seldom_and_by_its_tag() -> None:
    async def give(asked: Asked, line: Line) -> None:
        known = asked.headers.get("if-none-match")
        await line.send(answer(304) if known == '"a"' else answer(200, DOCUMENT, ETag='"a"'))

    async def story() -> None:
        hands = Hands()
        async with answering(give) as wire, Neighbours({"game": wire.url}, now=hands.now) as asked:
            first = await told_by(asked)
            assert (first.document, first.state) == (DOCUMENT, "answers")
            await asyncio.gather(*(asked.described() for _ in range(5)))
            assert len(wire.asked) == 1
            hands.go_on()
            assert await told_by(asked) == first
            assert [each.headers.get("if-none-match") for each in wire.asked] == [None, '"a"']

    run(story)


@pytest.mark.parametrize(
    ("given", "trouble"),
    [
        (answer(503, DOCUMENT), "it answers 503"),
        (answer(200, ["a"]), "what answers there is another service"),
        (answer(200, DOCUMENT)[:-1] + b"!", "what answers there is another service"),
        (b"", "the connection broke off"),
        (None, "too slow"),
    ],
    ids=["refusal", "other", "garbled", "broken", "slow"],
)
def test_a_neighbour_in_trouble_is_remembered_and_tells_again_later(
    given: bytes | None, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert WITHIN > 1
    in_trouble = False

    async def give(_: Asked, line: Line) -> None:
        if not in_trouble:
            await line.send(answer(200, DOCUMENT))
        elif given is None:
            await line.hold()
        else:
            await line.send(given)

    async def story() -> None:
        nonlocal in_trouble
        hands = Hands()
        async with answering(give) as wire, Neighbours({"game": wire.url}, now=hands.now) as asked:
            for in_trouble, state in ((False, "answers"), (True, "remembered"), (False, "answers")):
                monkeypatch.setattr(neighbours, "WITHIN", 0.3 if in_trouble else WITHIN)
                found = await told_by(asked)
                assert (found.state, found.document) == (state, DOCUMENT)
                assert found.trouble == (trouble if in_trouble else None)
                hands.go_on()

    run(story)
