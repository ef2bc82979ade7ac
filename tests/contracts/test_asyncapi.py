"""The document of what is told: valid, and nothing is missing from it."""

import importlib
import json
import pkgutil
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import pytest

import howff.contracts
import support
from howff.contracts.asyncapi import Channel, document_of
from howff.contracts.channels import CHANNELS
from howff.contracts.ids import Message
from howff.contracts.matches import DecisionDue, MatchEnded, subject_of
from howff.contracts.ratings import Rated
from howff.lobby.application.channels import FEEDS, channels_told

SUPPORT: Final = Path(next(iter(support.__path__)))
SCHEMA: Final = json.loads((SUPPORT / "schemas" / "asyncapi-3.0.0.json").read_text())
SERVICES: Final = Path(__file__).parents[2] / "services"
INFO: Final = {"title": "Some", "version": "1"}


def leaves(kind: type[Message]) -> Iterator[type[Message]]:
    """Yield the messages derived from *kind* that none is derived from."""
    for each in kind.__subclasses__():
        if each.__subclasses__():
            yield from leaves(each)
        else:
            yield each


def models() -> frozenset[str]:
    """Return the names of all messages that the package has."""
    for module in pkgutil.iter_modules(howff.contracts.__path__, "howff.contracts."):
        importlib.import_module(module.name)
    return frozenset(each.__name__ for each in leaves(Message) if "contracts" in each.__module__)


def missing(channels: Iterable[Channel]) -> frozenset[str]:
    told: dict[str, Any] = document_of(channels, INFO)["components"]["schemas"]
    return models() - told.keys()


def pointers_in(plain: Any) -> Iterator[str]:
    match plain:
        case {"$ref": str(pointer)}:
            yield pointer
        case dict():
            for each in plain.values():
                yield from pointers_in(each)
        case list():
            for each in plain:
                yield from pointers_in(each)
        case _:
            pass


def found(document: dict[str, Any], pointer: str) -> Any:
    place: Any = document
    for name in pointer.removeprefix("#/").split("/"):
        place = place[name]
    return place


PAGE: Final = frozenset({"MatchInWords"})
"""What is asked for, and told on no channel."""


def test_the_document_is_valid_asyncapi() -> None:
    document = channels_told()
    jsonschema_rs.validator_for(SCHEMA).validate(document)
    assert json.loads(json.dumps(document)) == document


def test_a_document_that_is_wrong_is_noticed() -> None:
    document = channels_told()
    document["operations"]["lobby_sends_start_match"]["action"] = "shout"
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validator_for(SCHEMA).validate(document)


def test_whatever_the_document_points_to_stands_in_it() -> None:
    document = channels_told()
    pointers = set(pointers_in(document))
    assert len(pointers) > 50
    for pointer in pointers:
        assert found(document, pointer), pointer


def test_messages_are_called_the_same_wherever_they_are_told() -> None:
    document = channels_told()
    told = [
        each for channel in document["channels"].values() for each in channel["messages"].items()
    ]
    assert {name for name, _ in told} > {"heartbeat", "over", "MatchEnded"}
    for name, message in told:
        assert found(document, message["$ref"])["name"] == name


def test_every_message_of_the_contracts_stands_in_the_document() -> None:
    assert missing((*CHANNELS, *FEEDS)) == PAGE
    assert len(models()) > 15


@pytest.mark.parametrize("left_out", CHANNELS, ids=lambda each: each.key)
def test_a_message_that_no_channel_has_is_noticed(left_out: Channel) -> None:
    others = [each for each in (*CHANNELS, *FEEDS) if each != left_out]
    elsewhere = {kind.schema for each in others for kind in (*each.kinds, *each.answers)}
    own = {kind.schema for kind in (*left_out.kinds, *left_out.answers)}
    assert missing(others) - PAGE >= own - elsewhere


def test_addresses_are_the_subjects_that_messages_are_published_on() -> None:
    by_kind = {kind.key: channel for channel in CHANNELS for kind in channel.kinds}
    decision = DecisionDue(match="m-1", version=3, seat=1, game="hellweg", level="strong")
    ended = MatchEnded(
        match="m-1",
        game="hellweg",
        seats=(),
        rated=False,
        reason="finished",
        outcome=None,
        version=1,
        at="",
    )
    rated = Rated(match="m-1", game="hellweg", speed="live", ratings=())
    for message, subject in (
        (decision, subject_of(decision)),
        (ended, subject_of(ended)),
        (rated, howff.contracts.ratings.subject_of(rated)),
    ):
        address = by_kind[type(message).__name__].address
        assert address.format(match="m-1") == subject


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda each: each.key)
def test_who_is_said_to_send_or_receive_a_message_names_it_in_its_code(channel: Channel) -> None:
    for service in (channel.sender, *channel.receivers):
        code = "\n".join(each.read_text() for each in (SERVICES / service).rglob("*.py"))
        for kind in channel.kinds:
            assert re.search(rf"\b{kind.key}\b", code), (service, kind.key)
