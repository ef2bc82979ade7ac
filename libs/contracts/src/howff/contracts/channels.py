"""The channels between the services: which messages go where, from whom, and to whom."""

from typing import Final

from howff.contracts.asyncapi import Channel, of_model
from howff.contracts.matches import (
    CONTRACTS,
    SEED_DISCARDS,
    SEED_QUESTIONS,
    STARTS,
    WORK,
    DecisionDue,
    MatchEnded,
    MatchRefused,
    MatchStarted,
    Refused,
    SeedAsked,
    SeedCommitted,
    SeedDiscarded,
    StartMatch,
)
from howff.contracts.ratings import Rated
from howff.contracts.turns import TURNS, TurnsTold

CHANNELS: Final = (
    Channel(
        key="start_match",
        address="start.{match}",
        summary=f"Work queue `{STARTS}`: matches that are to be started.",
        kinds=(of_model(StartMatch),),
        sender="lobby",
        receivers=("game",),
    ),
    Channel(
        key="match_started",
        address="contract.match_started.{match}",
        summary=f"Stream `{CONTRACTS}`: matches that have started, once each.",
        kinds=(of_model(MatchStarted),),
        sender="game",
        receivers=("lobby",),
    ),
    Channel(
        key="match_refused",
        address="contract.match_refused.{match}",
        summary=f"Stream `{CONTRACTS}`: orders that can't be followed.",
        kinds=(of_model(MatchRefused),),
        sender="game",
        receivers=("lobby",),
    ),
    Channel(
        key="match_ended",
        address="contract.match_ended.{match}",
        summary=f"Stream `{CONTRACTS}`: matches that have ended, once each.",
        kinds=(of_model(MatchEnded),),
        sender="game",
        receivers=("lobby", "scoring"),
    ),
    Channel(
        key="rated",
        address="contract.rated.{match}",
        summary=f"Stream `{CONTRACTS}`: the new ratings after a match, once each.",
        kinds=(of_model(Rated),),
        sender="scoring",
        receivers=("lobby",),
    ),
    Channel(
        key="decision_due",
        address="work.decision_due.{match}",
        summary=f"Work queue `{WORK}`: decisions that bots owe.",
        kinds=(of_model(DecisionDue),),
        sender="game",
        receivers=("bots",),
    ),
    Channel(
        key="seed_commitment",
        address=SEED_QUESTIONS,
        summary="Questions for the commitment to the seed of a match.",
        kinds=(of_model(SeedAsked),),
        sender="lobby",
        receivers=("game",),
        answers=(of_model(SeedCommitted), of_model(Refused)),
    ),
    Channel(
        key="seed_discard",
        address=SEED_DISCARDS,
        summary="Seeds that are to be thrown away, since their table was closed.",
        kinds=(of_model(SeedDiscarded),),
        sender="lobby",
        receivers=("game",),
        answers=(of_model(SeedDiscarded), of_model(Refused)),
    ),
    Channel(
        key="turns",
        address=f"$KV.{TURNS}.{{match}}",
        summary=f"Bucket `{TURNS}`: whom a match waits for, the newest version alone.",
        kinds=(of_model(TurnsTold),),
        sender="game",
        receivers=("lobby",),
    ),
)
"""All of them."""
