"""The channels of the whole site: those between its services, and those that clients follow."""

from typing import Final

from pydantic import BaseModel

from howff.contracts.asyncapi import Channel, Document, Kind, document_of, of_model
from howff.contracts.channels import CHANNELS
from howff.contracts.feeds import CommitInWords, NewestVersion
from howff.engine.schema import schema_of
from howff.lobby.application.lists import LobbySnapshot, MySnapshot
from howff.lobby.application.summaries import (
    MatchSummary,
    TableSummary,
    TicketSummary,
    TurnSummary,
)
from howff.match.commit import Commit


class Heartbeat(BaseModel):
    """The number that a client has by now; told every few seconds, without an id."""

    number: int


_COMMIT: Final = Kind(
    name="commit",
    form=schema_of(Commit),
    summary="A commit as the viewer is told of it, its version as `id`.",
)
_PROGRESS: Final = (of_model(NewestVersion, "heartbeat"), of_model(NewestVersion, "over"))
FEEDS: Final = (
    Channel(
        key="lobby_feed",
        address="/v1/lobby/feed",
        summary="Open tables, and matches that everybody may watch.",
        kinds=(
            of_model(LobbySnapshot, "snapshot"),
            of_model(TableSummary, "table"),
            of_model(MatchSummary, "match"),
            of_model(Heartbeat, "heartbeat"),
        ),
        sender="lobby",
        receivers=("clients",),
    ),
    Channel(
        key="account_feed",
        address="/v1/me/feed",
        summary="What changes for an account, told to itself alone.",
        kinds=(
            of_model(MySnapshot, "snapshot"),
            of_model(TicketSummary, "ticket"),
            of_model(TableSummary, "table"),
            of_model(MatchSummary, "match"),
            of_model(TurnSummary, "turn"),
            of_model(Heartbeat, "heartbeat"),
        ),
        sender="lobby",
        receivers=("clients",),
    ),
    Channel(
        key="match_feed",
        address="/v1/matches/{match}/events",
        summary="The commits of a match, each as its viewer may know it.",
        kinds=(_COMMIT, *_PROGRESS),
        sender="game",
        receivers=("clients",),
    ),
    Channel(
        key="match_in_words",
        address="/v1/matches/{match}/lines",
        summary="What happens in a match, in words.",
        kinds=(of_model(CommitInWords, "commit"), *_PROGRESS),
        sender="game",
        receivers=("clients",),
    ),
)
"""What clients follow."""


def channels_told() -> Document:
    """Return the AsyncAPI document of all channels."""
    info = {
        "title": "Howff",
        "version": "1",
        "description": "What the services tell each other, and what clients may follow. "
        "What can be asked stands in `/openapi.json`.",
        "license": {"name": "Apache 2.0"},
    }
    return document_of((*CHANNELS, *FEEDS), info)
