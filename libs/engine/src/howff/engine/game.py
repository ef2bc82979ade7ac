"""A game: one record of pure functions, the same for every game of the catalogue.

All of them are pure and synchronous: time, luck and ids are arguments. What happened stands in
events, what luck gave included, so that folding events needs neither rules nor luck.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from howff.engine.codec import JSON, from_json
from howff.engine.errors import (
    IllegalMoveError,
    MalformedError,
    MatchOverError,
    NotYourDecisionError,
    WrongOptionError,
    WrongSeatCountError,
)
from howff.engine.outcome import Outcome
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat, Viewer

OptionsT = TypeVar("OptionsT")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
EventT = TypeVar("EventT")
ViewT = TypeVar("ViewT")
MemoryT = TypeVar("MemoryT")

Names = tuple[str, ...]
"""What the seats are called, by seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[OptionsT, StateT, MoveT, EventT, ViewT, MemoryT]):
    """The rules of one game: its types, and the functions over them."""

    key: str
    title: str
    authors: str
    """Who has made it, and in brackets who has published it, and when."""
    summary: str
    """What it is about, what one does in it, and who wins: a few sentences for people."""
    seats: range
    """The numbers of seats that the game is for."""
    rules_version: str
    data_hash: str
    """SHA-256 of the canonical JSON of the game's data tables, in lower-case hex."""

    options: type[OptionsT]
    """A dataclass; every field has a default."""
    state: type[StateT]
    move: Any
    """The union of the move classes."""
    event: Any
    """The union of the event classes, `TurnStarted` and `TurnEnded` (each with `seat`) included."""
    view_type: type[ViewT]
    memory: type[MemoryT]
    """`memory()` knows nothing."""

    initial: Callable[[OptionsT, int], StateT]
    """Return the state before the opening draws; refuse options that do not fit the seats."""
    setup: Callable[[StateT, Rng], Draft[StateT, EventT]]
    """Draw the opening of a match."""
    to_act: Callable[[StateT], tuple[Seat, ...]]
    """Return the seats that owe a decision now; nobody when the match has ended."""
    legal_moves: Callable[[StateT, Seat], tuple[MoveT, ...]]
    """Return what *seat* may do now, in a fixed order; empty if it owes nothing."""
    decide: Callable[[StateT, Seat, MoveT, Rng], Draft[StateT, EventT]]
    """Return what a legal move causes; call `play` if legality is not known."""
    evolve: Callable[[StateT, EventT], StateT]
    """Return the state after an event; total, without rules or luck."""
    view: Callable[[StateT, Viewer], ViewT]
    """Return what *viewer* may know of the state."""
    outcome: Callable[[StateT], Outcome | None]
    """Return how the match ended, or None while it goes on."""
    default_move: Callable[[ViewT, tuple[MoveT, ...]], MoveT]
    """Return what an absent seat does: one of its legal moves, without luck."""
    remember: Callable[[MemoryT, EventT, Seat], MemoryT]
    """Return what *seat* knows after an event as told to it, if it forgets nothing."""
    is_true: Callable[[MemoryT, StateT, Seat], bool]
    """Return whether everything that *seat* remembers is true of a state."""
    sample_world: Callable[[ViewT, MemoryT, Rng], StateT]
    """Return a state with this view and memory, drawn evenly from the deals that fit."""
    explain: Callable[[ViewT, Seat | None, Any, Names], str]
    """Return one line for people on the move of a seat, or on a redacted event."""

    def read_options(self, plain: JSON) -> OptionsT:
        """Return the options that *plain* tells; what is missing has its default.

        Raises:
            WrongOptionError: there is no such option or no such value.
        """
        try:
            return from_json(self.options, plain)
        except MalformedError as error:
            raise WrongOptionError(
                error.path, expected=error.expected, found=error.found
            ) from error

    def bounded(self, plain: dict[str, JSON], rounds: int) -> dict[str, JSON]:
        """Return the options *plain* with an end after so many *rounds* at the latest.

        They stay as they are if they tell a limit, or if the game ends by itself by default.
        """
        unlimited = getattr(self.options(), "round_limit", rounds)
        told = plain.get("round_limit", unlimited)
        # By their kinds too: to Python 0 and False are the same.
        is_bounded = unlimited or (type(told), told) != (type(unlimited), unlimited)
        return plain if is_bounded else {**plain, "round_limit": rounds}

    def start(self, options: OptionsT, seats: int, rng: Rng) -> Draft[StateT, EventT]:
        """Return the opening of a match of *seats* seats.

        Raises:
            WrongSeatCountError: the game is not for so many.
            WrongOptionError: the options do not fit the seats.
        """
        return self.setup(self.opening(options, seats), rng)

    def opening(self, options: OptionsT, seats: int) -> StateT:
        """Return the state before the opening draws of a match of *seats* seats.

        Raises:
            WrongSeatCountError: the game is not for so many.
            WrongOptionError: the options do not fit the seats.
        """
        if seats not in self.seats:
            raise WrongSeatCountError(self.seats, seats)
        return self.initial(options, seats)

    def play(self, state: StateT, seat: Seat, move: MoveT, rng: Rng) -> Draft[StateT, EventT]:
        """Return what *move* of *seat* causes.

        Raises:
            MatchOverError: nobody moves any more.
            NotYourDecisionError: *seat* owes no decision.
            IllegalMoveError: *move* is not among the legal moves.
        """
        to_act = self.to_act(state)
        if not to_act:
            raise MatchOverError(seat)
        if seat not in to_act:
            raise NotYourDecisionError(seat, to_act)
        legal = self.legal_moves(state, seat)
        if move not in legal:
            raise IllegalMoveError(move, legal)
        # The listed move, not its equal: to Python 1 and True are the same.
        return self.decide(state, seat, legal[legal.index(move)], rng)


AnyGame = Game[Any, Any, Any, Any, Any, Any]


def memory_option(options: object) -> Literal["strict", "open"]:
    """Return the option `memory` of a match; without one, what was shown once is covered again."""
    return getattr(options, "memory", "strict")
