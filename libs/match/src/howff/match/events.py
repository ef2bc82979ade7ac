"""What happens to a match beside its game: the platform's events, whose names are reserved."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Protocol

from howff.engine.codec import JSON, Form, classes_of, form_of, shown
from howff.engine.errors import MalformedError
from howff.engine.outcome import Outcome
from howff.engine.seats import Seat
from howff.engine.visibility import hidden, visibilities
from howff.match.clocks import Clock, Milliseconds
from howff.match.commit import Commit
from howff.match.draws import Entropies
from howff.match.errors import ReservedNameError
from howff.match.presence import Wish
from howff.match.texts import A_HASH, A_NAME, is_hash, is_name

Watch = Literal["public", "private"]
"""Who may watch a match: everybody, or its seats alone."""
OnFlag = Literal["resign", "bot"]
"""What a fallen flag is: a resignation, or the first time the take-over by a bot."""
OnLeave = Literal["default_moves", "bot"]
"""Who decides for seats that have resigned: the game's default moves, or a bot."""
EndReason = Literal["finished", "resigned"]
"""Why a match has ended: by its rules, or because at most one seat was left."""
AbortReason = Literal["cheating", "abuse", "fault", "request", "other"]
"""Why an administrator has aborted a match: nothing else, for logs name and accuse nobody."""


@dataclass(frozen=True, slots=True)
class Account:
    """A seat is held by a person, known by an opaque id."""

    account: str


@dataclass(frozen=True, slots=True)
class Bot:
    """A seat is held by a bot of this level."""

    level: str


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The match begins; the opening events of its game follow in the same commit."""

    game: str
    rules_version: str
    data_hash: str
    options: JSON
    seats: tuple[Account | Bot, ...]
    watch: Watch
    rated: bool
    seed_commitment: str
    """SHA-256 of the seed."""
    entropies: Entropies
    clock: Clock | None = None
    on_flag: OnFlag = "resign"
    on_leave: OnLeave = "default_moves"
    stand_in: str | None = None
    """The level of the bots that take seats over."""


@dataclass(frozen=True, slots=True)
class MatchBranched:
    """The match goes on from where another one stood, instead of an opening of its own."""

    parent: str
    version: int
    """That of the parent after which this match begins."""
    state: Annotated[JSON, hidden()]
    """The parent's state then."""


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """From here on another version of the rules decides."""

    rules_version: str
    data_hash: str


@dataclass(frozen=True, slots=True)
class FlagFallen:
    """The time of *seat* has run out; what that means stands in the next event."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatResigned:
    """A seat has left the match for good."""

    seat: Seat
    order: int
    """The how-manieth to leave it was, from 1; shared by those who left at the same moment."""


@dataclass(frozen=True, slots=True)
class SeatTakenOver:
    """A bot of this level decides for *seat* from now on."""

    seat: Seat
    level: str


@dataclass(frozen=True, slots=True)
class SeatGivenBack:
    """The account of *seat* decides for it again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class WishTold:
    """A seat wants what needs the agreement of all, or does not want it any more."""

    seat: Seat
    wish: Wish
    is_wanted: bool


@dataclass(frozen=True, slots=True)
class ClockPaused:
    """No clock runs from now on."""


@dataclass(frozen=True, slots=True)
class ClockStarted:
    """The clocks run again."""


@dataclass(frozen=True, slots=True)
class TimeCredited:
    """A seat has got time."""

    seat: Seat
    milliseconds: Milliseconds


@dataclass(frozen=True, slots=True)
class MatchAborted:
    """The match is over and counts for nothing."""

    by: Literal["administrator", "agreement"]
    reason: AbortReason | None = None
    """Told by administrators alone, and not in older logs."""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over."""

    reason: EndReason
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """Everybody may check the draws and open the seals now; *seed* in lower-case hex."""

    seed: str


PlatformEvent = (
    MatchStarted
    | MatchBranched
    | RulesChanged
    | FlagFallen
    | SeatResigned
    | SeatTakenOver
    | SeatGivenBack
    | WishTold
    | ClockPaused
    | ClockStarted
    | TimeCredited
    | MatchAborted
    | MatchEnded
    | SeedRevealed
)


class Terms(Protocol):
    """What a match is played by, as its first event and the header of its export tell."""

    @property
    def game(self) -> str: ...
    @property
    def rules_version(self) -> str: ...
    @property
    def data_hash(self) -> str: ...
    @property
    def seats(self) -> tuple[Account | Bot, ...]: ...
    @property
    def seed_commitment(self) -> str: ...


def check_term_texts(terms: Terms, path: str) -> None:
    """Refuse texts in *terms*, which stand at *path*, that have not their form.

    Raises:
        MalformedError: one has not.
    """
    _check_text(is_name, terms.game, f"{path}game", A_NAME)
    _check_rules(terms, path)
    _check_text(is_hash, terms.seed_commitment, f"{path}seed_commitment", A_HASH)
    for seat, holder in enumerate(terms.seats):
        name = holder.account if isinstance(holder, Account) else holder.level
        _check_text(is_name, name, f"{path}seats[{seat}]", A_NAME)


def check_texts(event: object, path: str) -> None:
    """Refuse texts and versions in an *event* of the platform, at *path*, without their form.

    Raises:
        MalformedError: one has not its form.
    """
    match event:
        case MatchStarted():
            check_term_texts(event, f"{path}.data.")
            if event.stand_in is not None:
                _check_text(is_name, event.stand_in, f"{path}.data.stand_in", A_NAME)
        case MatchBranched(parent, version):
            _check_text(is_name, parent, f"{path}.data.parent", A_NAME)
            if version < 1:
                place = f"{path}.data.version"
                raise MalformedError(place, expected="1 or more", found=str(version))
        case RulesChanged():
            _check_rules(event, f"{path}.data.")
        case SeatTakenOver(_, level):
            _check_text(is_name, level, f"{path}.data.level", A_NAME)
        case SeedRevealed(seed):
            _check_text(is_hash, seed, f"{path}.data.seed", A_HASH)
        case _:
            pass


def _check_rules(rules: Terms | RulesChanged, path: str) -> None:
    _check_text(is_name, rules.rules_version, f"{path}rules_version", A_NAME)
    _check_text(is_hash, rules.data_hash, f"{path}data_hash", A_HASH)


def _check_text(is_right: Callable[[JSON], bool], text: str, path: str, expected: str) -> None:
    if not is_right(text):
        raise MalformedError(path, expected=expected, found=shown(text))


def event_form(game_event: Any) -> Form:
    """Return the tagged form of the events of a match; *game_event* is the union of its game.

    Raises:
        ReservedNameError: an event of the game has the name of one of the platform's.
    """
    return form_of(_event_union(game_event))


def written(game_event: Any, events: Iterable[object]) -> tuple[JSON, ...]:
    """Return *events* as they stand in a commit."""
    encode = event_form(game_event).encode
    return tuple(encode(event) for event in events)


def seed_revealed_by(commit: Commit) -> bytes | None:
    """Return the seed that *commit* reveals, as the last one of a match does; None for others."""
    event: JSON = commit.events[-1] if commit.events else None
    if event is None or event["type"] != SeedRevealed.__name__:
        return None
    seed = event["data"].get("seed")
    return bytes.fromhex(seed) if is_hash(seed) else None


@cache
def covered_fields(game_event: Any) -> Mapping[str, tuple[str, ...]]:
    """Return the fields that are not public, by the name of the event's class.

    The platform's events are among them.
    """
    return {name: tuple(visibilities(kind)) for name, kind in kinds_of_events(game_event).items()}


@cache
def kinds_of_events(game_event: Any) -> Mapping[str, type]:
    """Return the classes of the events of a match by their names, the platform's among them."""
    kinds = (*classes_of(game_event), *classes_of(PlatformEvent))
    return {kind.__name__: kind for kind in kinds}


@cache
def _event_union(game_event: Any) -> Any:
    reserved = {kind.__name__ for kind in classes_of(PlatformEvent)}
    for kind in classes_of(game_event):
        if kind.__name__ in reserved:
            raise ReservedNameError(kind.__name__)
    return game_event | PlatformEvent
