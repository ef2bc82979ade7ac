import json
from typing import Any, Final

import pytest
from pydantic import ValidationError

from howff.contracts import ratings
from howff.contracts.matches import (
    AccountSeat,
    BotSeat,
    DecisionDue,
    MatchEnded,
    MatchRefused,
    MatchStarted,
    Refused,
    SeedAsked,
    SeedCommitted,
    SeedDiscarded,
    StartMatch,
    subject_of,
)
from howff.contracts.ratings import AccountRating, Rated
from howff.contracts.turns import AwaitedSeat, TurnsTold

SEATS: Final = (AccountSeat(account="dora"), BotSeat(bot="random"))
AT: Final = "2026-11-27T21:14:03.120Z"
MESSAGES: Final = (
    StartMatch(match="m-1", game="troedler", seats=SEATS, entropies=("heather", None)),
    MatchStarted(match="m-1", game="troedler", seats=SEATS, rated=True, at=AT),
    MatchRefused(match="m-1", order=7, code="unknown_game", detail="no such game"),
    MatchEnded(
        match="m-1",
        game="troedler",
        seats=SEATS,
        rated=False,
        reason="finished",
        outcome={"places": [[0], [1]]},
        version=17,
        at=AT,
    ),
    DecisionDue(match="m-1", version=3, seat=1, game="troedler", level="strong"),
    SeedAsked(match="m-1"),
    SeedCommitted(match="m-1", seed_commitment="ab" * 32),
    Refused(code="malformed", detail="a text"),
    SeedDiscarded(match="m-1"),
    TurnsTold(
        match="m-1",
        version=3,
        waits_for=(
            AwaitedSeat(seat=0, account="dora", due=AT),
            AwaitedSeat(seat=2, account="emil", due=None),
        ),
    ),
    Rated(
        match="m-1",
        game="troedler",
        speed="live",
        ratings=(AccountRating(account="dora", rating=1512, deviation=290),),
    ),
)
SUBJECTS: Final = {
    "StartMatch": "start.m-1",
    "MatchStarted": "contract.match_started.m-1",
    "MatchRefused": "contract.match_refused.m-1",
    "MatchEnded": "contract.match_ended.m-1",
    "DecisionDue": "work.decision_due.m-1",
}
WRONG_IDS: Final = (
    "",
    "a.b",
    "*",
    ">",
    "a b",
    "a\n",
    "\n",
    "a\r\nPUB x 0",
    "é",
    "a" * 65,
    "a\x00",
    None,
    1,
    True,
)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda each: type(each).__name__)
def test_a_message_is_read_again_as_it_was_written(message: Any) -> None:
    assert type(message).model_validate_json(message.model_dump_json()) == message


@pytest.mark.parametrize("message", MESSAGES, ids=lambda each: type(each).__name__)
def test_a_message_with_something_unknown_or_missing_is_refused(message: Any) -> None:
    content = json.loads(message.model_dump_json())
    with pytest.raises(ValidationError, match="Extra inputs"):
        type(message).model_validate_json(json.dumps({**content, "seed": "ab" * 32}))
    for name, field in type(message).model_fields.items():
        if field.is_required():
            without = {key: value for key, value in content.items() if key != name}
            with pytest.raises(ValidationError, match="Field required"):
                type(message).model_validate_json(json.dumps(without))


@pytest.mark.parametrize("message", MESSAGES, ids=lambda each: type(each).__name__)
def test_a_message_can_not_be_changed(message: Any) -> None:
    name = next(iter(type(message).model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(message, name, "other")


@pytest.mark.parametrize("message", MESSAGES[:5], ids=lambda each: type(each).__name__)
def test_a_message_goes_to_the_subject_of_its_kind_and_match(message: Any) -> None:
    assert subject_of(message) == SUBJECTS[type(message).__name__]


def test_ratings_go_to_a_subject_of_contracts_too() -> None:
    assert ratings.subject_of(MESSAGES[-1]) == "contract.rated.m-1"


@pytest.mark.parametrize("wrong", WRONG_IDS, ids=repr)
def test_what_means_something_in_subjects_is_no_id(wrong: Any) -> None:
    for kind, content in (
        (SeedAsked, {"match": wrong}),
        (AccountSeat, {"account": wrong}),
        (BotSeat, {"bot": wrong}),
    ):
        with pytest.raises(ValidationError):
            kind.model_validate_json(json.dumps(content))
        with pytest.raises(ValidationError):
            kind.model_validate(content)


@pytest.mark.parametrize(
    "changes",
    [
        {"attempt": 0},
        {"attempt": "1"},
        {"rated": "yes"},
        {"rated": 1},
        {"watch": "all"},
        {"clock": {"minutes": 5}},
        {"clock": {"move_seconds": 0}},
        {"clock": {"move_seconds": 9, "turn_days": 1}},
        {"clock": {"match_seconds": 9}},
        {"on_flag": "lose"},
        {"on_leave": "wait"},
        {"stand_in": "a bot"},
        {"seats": [{"account": "a", "bot": "b"}]},
        {"seats": [{}]},
        {"seats": [{"account": "a"}] * 11},
        {"entropies": ["a" * 65]},
        {"entropies": ["é"]},
        {"entropies": [1]},
        {"entropies": [None] * 11},
        {"options": []},
        {"game": None},
    ],
    ids=repr,
)
def test_an_order_that_nobody_could_carry_out_is_refused(changes: dict[str, Any]) -> None:
    content = json.loads(MESSAGES[0].model_dump_json())
    StartMatch.model_validate_json(json.dumps(content))
    with pytest.raises(ValidationError):
        StartMatch.model_validate_json(json.dumps({**content, **changes}))


def test_the_largest_ids_and_entropies_are_taken() -> None:
    long = "aZ09_-" * 10 + "abcd"
    entropies: Any = ("\x7f" * 64, "", None)
    seats = (AccountSeat(account=long), BotSeat(bot=long), AccountSeat(account="a"))
    order = StartMatch(match=long, game="g", seats=seats, entropies=entropies)
    assert StartMatch.model_validate_json(order.model_dump_json()) == order
    assert (order.watch, order.rated, order.clock) == ("public", False, None)


def test_messages_of_those_who_know_no_attempts_are_read() -> None:
    start, refused = (json.loads(MESSAGES[each].model_dump_json()) for each in (0, 2))
    for kind, content in ((StartMatch, start), (MatchRefused, refused)):
        del content["attempt"]
        message: Any = kind.model_validate_json(json.dumps(content))
        assert message.attempt == 1
