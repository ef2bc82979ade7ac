"""What the game service is asked over queues, and what it tells the other services."""

from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from howff.contracts.ids import JSON, AccountId, Level, MatchId, Message, SeatNumber

CONTRACTS: Final = "CONTRACTS"
"""The stream of what happened, for whom it may concern."""
STARTS: Final = "STARTS"
"""The work queue of matches to be started."""
WORK: Final = "WORK"
"""The work queue of decisions that bots owe."""
WORKERS: Final = "bots"
"""The durable consumer of `WORK` that all workers share; the game service makes it."""
WORKERS_ACK_WAIT: Final = 6.0
"""Seconds until what a worker that died had in hand goes to another one."""
SEED_QUESTIONS: Final = "game.seed_commitment"
"""Where `SeedAsked` is answered by `SeedCommitted`, or by `Refused`."""
SEED_DISCARDS: Final = "game.seed_discard"
"""Where `SeedDiscarded` is answered by itself once the seed is gone, or by `Refused`."""

MOST_SEATS: Final = 10
"""More than any game has; each game says for how many it is."""

LEVELS: Final = ("random", "casual", "steady", "strong", "master")
"""The levels of bots, 1 to 5: from any move to the best that two seconds find."""
ROUNDS_OF_BOTS: Final = 100
"""After how many rounds a match without people ends, in games that could go on without end."""

Watch = Literal["public", "private"]
"""Who may watch a match: everybody, or its seats alone."""
Entropy = Annotated[str, StringConstraints(pattern=r"^[\x00-\x7f]{0,64}$")]


class AccountSeat(Message):
    """A seat that an account holds."""

    account: AccountId


class BotSeat(Message):
    """A seat that a bot of some level holds."""

    bot: Level


Holder = AccountSeat | BotSeat


class PerMove(Message):
    """Each decision has so many seconds."""

    move_seconds: Annotated[int, Field(ge=1, le=7 * 24 * 60 * 60)]


class PerMatch(Message):
    """All decisions of a seat share so many seconds, and each move adds some (Fischer)."""

    match_seconds: Annotated[int, Field(ge=1, le=30 * 24 * 60 * 60)]
    increment_seconds: Annotated[int, Field(ge=0, le=24 * 60 * 60)]


class PerTurn(Message):
    """All that a seat decides between two beginnings or ends of turns has so many days."""

    turn_days: Annotated[int, Field(ge=1, le=30)]


Clock = PerMove | PerMatch | PerTurn
"""By what clock a match is played."""


class Terms(Message):
    """By what clock a match is played, and what becomes of seats that are left."""

    clock: Clock | None = None
    on_flag: Literal["resign", "bot"] = "resign"
    """What a fallen flag is: a resignation, or the first time the take-over by a bot."""
    on_leave: Literal["default_moves", "bot"] = "default_moves"
    """Who decides for seats that have resigned."""
    stand_in: Level | None = None
    """The level of the bots that take seats over; told if and only if any do."""


class StartMatch(Terms):
    """Start a match; asked again for the same match, it starts nothing more."""

    match: MatchId
    attempt: Annotated[int, Field(ge=1)] = 1
    """The how-manieth order for this match it is: those before were refused."""
    game: str
    options: dict[str, JSON] = Field(default_factory=dict)
    seats: Annotated[tuple[Holder, ...], Field(max_length=MOST_SEATS)]
    watch: Watch = "public"
    rated: bool = False
    entropies: Annotated[tuple[Entropy | None, ...], Field(max_length=MOST_SEATS)]


class MatchStarted(Message):
    """A match has started."""

    kind: Literal["match_started"] = "match_started"
    match: MatchId
    game: str
    seats: tuple[Holder, ...]
    watch: Watch = "public"
    rated: bool
    at: str


class MatchRefused(Message):
    """A match can't be started as asked; it has not been, and another order may still start it.

    It may be told more than once of an order, with the same content.
    """

    kind: Literal["match_refused"] = "match_refused"
    match: MatchId
    order: int
    """Which one: the sequence that the server gave to the message in the queue."""
    attempt: Annotated[int, Field(ge=0)] = 1
    """That of the order; 0 if it could not be read."""
    code: str
    detail: str


class MatchEnded(Message):
    """A match has ended; its export is whole from now on."""

    kind: Literal["match_ended"] = "match_ended"
    match: MatchId
    game: str
    seats: tuple[Holder, ...]
    rated: bool
    reason: str
    """`finished`, `resigned` (at most one seat was left), or `aborted`."""
    outcome: JSON
    """Places and figures of all seats, as in the log; null for a match that was aborted."""
    version: int
    """How many commits the match has."""
    at: str


class DecisionDue(Message):
    """A bot owes a decision in a match as it is at *version*."""

    match: MatchId
    version: int
    seat: SeatNumber
    game: str
    level: Level


class SeedAsked(Message):
    """Commit to the seed of a match that may start later; asked again, the answer is the same."""

    match: MatchId


class SeedCommitted(Message):
    """The commitment to the seed of a match: SHA-256 in lower-case hex."""

    match: MatchId
    seed_commitment: str


class SeedDiscarded(Message):
    """The table of a match was closed: its seed is to be thrown away, and it never starts."""

    match: MatchId


class Refused(Message):
    """A question can't be answered."""

    code: str
    detail: str


def subject_of(message: StartMatch | MatchStarted | MatchRefused | MatchEnded | DecisionDue) -> str:
    """Return the subject that *message* is published on."""
    match message:
        case StartMatch():
            return f"start.{message.match}"
        case DecisionDue():
            return f"work.decision_due.{message.match}"
        case _:
            return f"contract.{message.kind}.{message.match}"
