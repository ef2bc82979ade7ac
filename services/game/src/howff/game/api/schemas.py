"""What the API takes and gives, as its clients see it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from howff.contracts.ids import JSON
from howff.contracts.matches import MOST_SEATS, Entropy, Holder, StartMatch
from howff.servicekit.web.bodies import StrictModel


class Answer(BaseModel):
    """The base of all answers."""

    model_config = ConfigDict(frozen=True)


class Tagged(StrictModel):
    """A move or an event of a game: its class, and the fields of that class."""

    type: Annotated[str, Field(min_length=1, max_length=64)]
    data: dict[str, JSON]


class StartBody(StrictModel):
    """A practice match as it is asked for."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"game": "troedler", "seats": [{"account": "freya"}, {"bot": "random"}]}]
        }
    )

    game: Annotated[str, Field(max_length=64)]
    seats: Annotated[list[Holder], Field(max_length=MOST_SEATS)]
    options: dict[str, JSON] = Field(default_factory=dict)
    watch: Literal["public", "private"] = "public"
    entropies: Annotated[list[Entropy | None], Field(max_length=MOST_SEATS)] | None = None

    def message(self, match: str) -> StartMatch:
        """Return the message that asks for the same under the id *match*."""
        entropies = (None,) * len(self.seats) if self.entropies is None else tuple(self.entropies)
        return StartMatch(
            match=match,
            game=self.game,
            options=self.options,
            seats=tuple(self.seats),
            watch=self.watch,
            entropies=entropies,
        )


class MoveBody(StrictModel):
    """A move as a seat makes it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"move": {"type": "Raise", "data": {"amount": 3}}, "expected_version": 17}]
        }
    )

    move: Tagged
    seat: Annotated[int, Field(ge=0, lt=MOST_SEATS)] | None = None
    expected_version: Annotated[int, Field(ge=1)] | None = None


class GameLine(Answer):
    """One game of the list."""

    key: str
    title: str
    seats: list[int]
    """The numbers of seats that it is for."""
    rules_version: str
    data_hash: str


class GamesAnswer(Answer):
    """All games."""

    games: list[GameLine]


class Schemas(Answer):
    """JSON Schemas (2020-12) of what a game exchanges with the world."""

    options: dict[str, Any]
    move: dict[str, Any]
    event: dict[str, Any]
    view: dict[str, Any]


class GameAnswer(GameLine):
    """One game."""

    schemas: Schemas


class MatchAnswer(Answer):
    """A match as its viewer may see it."""

    match: str
    version: int
    viewer: str
    game: str
    title: str
    rules_version: str
    options: JSON
    seats: list[Holder]
    watch: Literal["public", "private"]
    rated: bool
    seed_commitment: str
    to_act: list[int]
    is_over: bool
    view: JSON
    outcome: JSON
    """Places and figures, once the match is over."""
    state: JSON
    """All that was hidden, once the match is over."""


class MoveLine(Answer):
    """A legal move, and what it says to people."""

    move: Tagged
    text: str


class MovesAnswer(Answer):
    """What a seat may do now."""

    version: int
    seat: int
    moves: list[MoveLine]


class Receipt(Answer):
    """A signed promise that the log holds this commit."""

    match: str
    version: int
    hash: str
    key: str
    signature: str


class PlayedAnswer(Answer):
    """The commit that a move has made, as the seat is told of it."""

    version: int
    receipt: Receipt
    commit: dict[str, Any]


class EventsAnswer(Answer):
    """Commits of a match as its viewer is told of them."""

    match: str
    viewer: str
    version: int
    """The newest version."""
    commits: list[dict[str, Any]]


class ReceiptKey(Answer):
    """A public key that checks receipts, as a JWK (RFC 8037)."""

    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    kid: str
    use: Literal["sig"] = "sig"
    alg: Literal["EdDSA"] = "EdDSA"


class KeysAnswer(Answer):
    """The public keys that check receipts."""

    keys: list[ReceiptKey]
