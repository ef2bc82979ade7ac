"""What the rating of accounts is after a match, as scoring tells it."""

from typing import Literal

from howff.contracts.ids import AccountId, MatchId, Message

Speed = Literal["live", "days"]
"""Matches that are played in one sitting, and those that go on for days, are rated apart."""


class AccountRating(Message):
    """The rating of one account, and how uncertain it is."""

    account: AccountId
    rating: int
    deviation: int


class Rated(Message):
    """A match was rated; these are the new ratings of its accounts."""

    kind: Literal["rated"] = "rated"
    match: MatchId
    game: str
    speed: Speed
    ratings: tuple[AccountRating, ...]


def subject_of(message: Rated) -> str:
    """Return the subject that *message* is published on."""
    return f"contract.{message.kind}.{message.match}"
