"""What the API takes and gives, as its clients see it."""

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from howff.contracts.ids import JSON, Level
from howff.contracts.matches import MOST_SEATS, Clock, Entropy, Holder, StartMatch
from howff.match.events import AbortReason
from howff.servicekit.web.bodies import StrictModel

_ID: Final = "3f9c1b52-6d0e-4c7a-9b1f-8e2a5d4c7b60"
"""The id of some account, in examples: `GET /v1/me` tells one's own."""


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
            "examples": [{"game": "troedler", "seats": [{"account": _ID}, {"bot": "random"}]}]
        }
    )

    game: Annotated[str, Field(max_length=64)]
    seats: Annotated[list[Holder], Field(max_length=MOST_SEATS)]
    options: dict[str, JSON] = Field(default_factory=dict)
    watch: Literal["public", "private"] = "public"
    entropies: Annotated[list[Entropy | None], Field(max_length=MOST_SEATS)] | None = None
    clock: Clock | None = None
    on_flag: Literal["resign", "bot"] = "resign"
    on_leave: Literal["default_moves", "bot"] = "default_moves"
    stand_in: Level | None = None

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
            clock=self.clock,
            on_flag=self.on_flag,
            on_leave=self.on_leave,
            stand_in=self.stand_in,
        )


SeatNamed = Annotated[int, Field(ge=0, lt=MOST_SEATS)]


class SeatBody(StrictModel):
    """For which seat something is done; the only one of the caller needs no name."""

    seat: SeatNamed | None = None


class WishBody(SeatBody):
    """Whether a seat wants what happens when all agree; sent as false, it wants it no longer."""

    wanted: bool = True


class AbortBody(WishBody):
    """Whether a seat wants the match to be aborted; an administrator does it alone."""

    as_administrator: bool = False
    reason: AbortReason | None = None
    """Why an administrator does it, who has to say so; seats have no reason to give."""

    @model_validator(mode="after")
    def _wants_something(self) -> Self:
        if self.as_administrator and not self.wanted:
            raise ValueError("an administrator has no wish to take back")
        if self.as_administrator != (self.reason is not None):
            raise ValueError("an administrator gives a reason, and nobody else does")
        return self


class CreditBody(StrictModel):
    """Time for a seat."""

    seat: SeatNamed
    seconds: Annotated[int, Field(ge=1, le=30 * 24 * 60 * 60)]


class BranchBody(StrictModel):
    """A match that begins where another one stood."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"at": 17, "seats": [{"account": _ID}, {"bot": "random"}]}]}
    )

    at: Annotated[int, Field(ge=1, le=10**6)]
    seats: Annotated[list[Holder], Field(max_length=MOST_SEATS)]


class Statement(StrictModel):
    """How a bot came to its move: with it, and what its seat knew, anybody can choose again."""

    policy: Literal["random", "greedy", "mcts", "default"]
    version: Annotated[str, Field(pattern=r"^[0-9a-z.]{1,20}$")]
    """That of the policy for the game."""
    level: Level
    nodes: Annotated[int, Field(ge=0, le=10**9)]
    """What the policy could look at."""
    seed: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    """That of its luck."""


class MoveBody(StrictModel):
    """A move as a seat makes it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"move": {"type": "Raise", "data": {"amount": 3}}, "expected_version": 17}]
        }
    )

    move: Tagged
    seat: SeatNamed | None = None
    expected_version: Annotated[int, Field(ge=1)] | None = None
    bot: Statement | None = None
    """From workers of the platform, and from nobody else."""


class GameLine(Answer):
    """One game of the list."""

    key: str
    title: str
    authors: str
    summary: str
    """What it is about, in a few sentences."""
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


class Standing(Answer):
    """How a seat stands beside the game."""

    resigned: int | None
    """The how-manieth to leave the match it was, if it has resigned."""
    stand_in: str | None
    """The level of the bot that has taken it over, if one has."""
    wants: list[Literal["pause", "abort"]]
    milliseconds_left: int | None
    """At the time that `clocks` tells; null without a clock. Below 0 as far as in the grace."""
    is_running: bool
    """Whether its clock has run since then."""


class Clocks(Answer):
    """The clocks of a match."""

    at: str
    """The time of the last commit, at which the seats had what their standing tells."""
    is_paused: bool
    due: str | None
    """When a flag falls, or a pause ends, unless something is done before."""


class Parent(Answer):
    """Where a branch begins."""

    match: str
    version: int


class MatchAnswer(Answer):
    """A match as its viewer may see it."""

    match: str
    version: int
    viewer: str
    game: str
    title: str
    rules_version: str
    """Of the rules that are installed: they decide the next move, whichever decided the last."""
    options: JSON
    seats: list[Holder]
    watch: Literal["public", "private"]
    rated: bool
    seed_commitment: str
    clock: JSON
    """By what clock it is played; null without one."""
    on_flag: str
    on_leave: str
    stand_in: str | None
    parent: Parent | None
    """The match that it is a branch of."""
    to_act: list[int]
    standings: list[Standing]
    clocks: Clocks | None
    is_over: bool
    is_aborted: bool
    view: JSON
    outcome: JSON
    """Places and figures, once the match is over, unless it was aborted."""
    state: JSON
    """All that was hidden, once the match is over."""


class MomentAnswer(Answer):
    """A match that is over as it stood once, through the eyes of its viewer then."""

    match: str
    version: int
    viewer: str
    game: str
    at: str
    commit: dict[str, Any]
    """What had led there, as the viewer was told of it when it happened."""
    to_act: list[int]
    standings: list[Standing]
    clocks: Clocks | None
    view: JSON
    """Of all: a spectator's."""
    state: JSON
    """Of all: everything; of others null before the end."""


class CheckAnswer(Answer):
    """One of the questions put to a log, and the answer."""

    name: str
    result: Literal["passed", "failed", "not checked"]
    detail: str


class AuditAnswer(Answer):
    """What the server finds when it verifies its own log as anybody may."""

    match: str
    version: int
    viewer: str
    """Whose export it was: `all` once the match is over."""
    is_sound: bool
    checks: list[CheckAnswer]
    keys: list[str]
    """The thumbprints of the keys that the signatures were checked with."""


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
