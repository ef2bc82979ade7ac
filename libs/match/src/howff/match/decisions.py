"""What a command causes: events, and the draws that they took. Nothing is recorded here."""

from dataclasses import dataclass, replace
from typing import Any, assert_never

from howff.engine.codec import JSON, to_json, to_tagged
from howff.engine.errors import MatchOverError, NotYourDecisionError
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.match.canonical import sha256_hex
from howff.match.clocks import Milliseconds
from howff.match.commands import (
    AbortMatch,
    Command,
    CreditTime,
    ExpireDeadline,
    PlayDefault,
    PlayMove,
    Resign,
    SeatCommand,
    StartMatch,
    TakeBack,
    TellWish,
)
from howff.match.draws import Draws
from howff.match.errors import (
    DeadlineDueError,
    MatchPausedError,
    NothingToPlayError,
    NotTakenOverError,
    ResignedError,
    SeatTakenOverError,
    WrongSeedError,
)
from howff.match.events import MatchBranched, MatchStarted, RulesChanged
from howff.match.leaving import aborted, credited, ending, expired, resigned, taken_back, wish_told
from howff.match.match import Match
from howff.match.terms import check_entropies, check_terms

SEED_BYTES = 32
DEFAULT_POLICY: JSON = {"policy": "default"}
"""How the move of a seat that has resigned was chosen."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command causes; *state* is that of the game after it."""

    events: tuple[object, ...]
    state: Any
    draws: dict[str, int]
    move: JSON = None
    bot: JSON = None


def check_start(game: AnyGame, command: StartMatch) -> None:
    """Refuse a start that would be refused whatever the seed.

    Raises:
        WrongEntropiesError: there is not one entropy a seat, or one is too long.
        WrongTermError: a clock has no such time, or what stands in for seats is not told.
        NothingToPlayError: a branch would begin where nobody owes a decision.
        EngineError: the game is not for so many seats, or not for these options.
    """
    check_entropies(command.entropies, len(command.seats))
    check_terms(command)
    game.opening(command.options, len(command.seats))
    if command.origin is not None and not game.to_act(command.origin.state):
        raise NothingToPlayError(command.origin.version)


def decide_start(game: AnyGame, command: StartMatch, seed: bytes) -> Decision:
    """Return the opening of a match.

    Raises:
        WrongSeedError: the seed has not its 32 bytes.
        RefusalError: see `check_start`.
    """
    if len(seed) != SEED_BYTES:
        raise WrongSeedError(expected=f"{SEED_BYTES} bytes", found=str(len(seed)))
    check_start(game, command)
    begins = beginning(game, command, seed)
    if command.origin is not None:
        return Decision(begins, command.origin.state, {})
    draws = Draws(seed, command.match, command.entropies, {})
    draft = game.start(command.options, len(command.seats), draws)
    finale = ending(game, draft.state, len(command.seats), seed)
    return Decision((*begins, *draft.events, *finale), draft.state, draws.made)


def beginning(game: AnyGame, command: StartMatch, seed: bytes) -> tuple[object, ...]:
    """Return the events of the platform that open a match: its terms, and whence it branches."""
    origin = command.origin
    if origin is None:
        return (started(game, command, seed),)
    state = to_json(game.state, origin.state)
    branched = MatchBranched(origin.parent, origin.version, state)
    return started(game, command, seed), branched


def started(game: AnyGame, command: StartMatch, seed: bytes) -> MatchStarted:
    """Return the event that opens the match, which tells its terms."""
    return MatchStarted(
        game=game.key,
        rules_version=game.rules_version,
        data_hash=game.data_hash,
        options=to_json(game.options, command.options),
        seats=command.seats,
        watch=command.watch,
        rated=command.rated,
        seed_commitment=sha256_hex(seed),
        entropies=command.entropies,
        clock=command.clock,
        on_flag=command.on_flag,
        on_leave=command.on_leave,
        stand_in=command.stand_in,
    )


def decide(match: Match, command: Command, *, at: Milliseconds, seed: bytes) -> Decision:
    """Return what *command*, recorded *at* this time, causes in *match*.

    Raises:
        WrongSeedError: the seed is of another match.
        MatchOverError: the match takes no more commands.
        DeadlineDueError: something is due by the clocks, and has to happen before.
        MatchError: the command is not for the match as it stands.
        EngineError: the rules do not allow the move.
    """
    if sha256_hex(seed) != match.started.seed_commitment:
        raise WrongSeedError(expected="the seed of the match", found="that of another")
    if match.is_over:
        raise MatchOverError(command.seat if isinstance(command, SeatCommand) else None)
    if match.due is not None and match.due <= at and not isinstance(command, ExpireDeadline):
        raise DeadlineDueError(at - match.due)
    decision = _decided(match, command, at, seed)
    installed = RulesChanged(match.game.rules_version, match.game.data_hash)
    if installed == match.rules:
        return decision
    return replace(decision, events=(installed, *decision.events))


def _decided(  # noqa: C901
    match: Match, command: Command, at: Milliseconds, seed: bytes
) -> Decision:
    match command:
        case PlayMove(seat=seat, move=move, bot=bot):
            _check_decider(match, seat, bot)
            return _played(match, seat, move, bot, seed)
        case PlayDefault(seat=seat):
            return _played(match, seat, _default_move(match, seat), DEFAULT_POLICY, seed)
        case Resign(seat=seat):
            events = resigned(match, seat, seed)
        case TellWish():
            events = wish_told(match, command, seed)
        case TakeBack(seat=seat):
            events = taken_back(match, seat)
        case ExpireDeadline():
            events = expired(match, at, seed)
        case CreditTime(seat=seat, seconds=seconds):
            events = credited(match, seat, seconds)
        case AbortMatch(reason=reason):
            events = aborted("administrator", seed, reason)
        case _:
            assert_never(command)
    return Decision(events, match.state, {})


def _check_decider(match: Match, seat: Seat, bot: JSON) -> None:
    """Refuse a move for a seat whose holder has left, unless a bot makes it that may."""
    presence, is_by_bot = match.presence, bot is not None
    if seat in presence.resigned and not (is_by_bot and match.started.on_leave == "bot"):
        raise ResignedError(seat)
    if seat in presence.stand_ins and not is_by_bot:
        raise SeatTakenOverError(seat)


def _default_move(match: Match, seat: Seat) -> Any:
    if seat not in match.presence.resigned or match.started.on_leave != "default_moves":
        raise NotTakenOverError(seat)
    if seat not in match.to_act:
        raise NotYourDecisionError(seat, match.to_act)
    view = match.game.view(match.state, seat)
    return match.game.default_move(view, match.game.legal_moves(match.state, seat))


def _played(match: Match, seat: Seat, move: Any, bot: JSON, seed: bytes) -> Decision:
    if match.is_paused:
        raise MatchPausedError
    game = match.game
    draws = Draws(seed, match.id, match.started.entropies, match.draws)
    draft = game.play(match.state, seat, move, draws)
    finale = ending(game, draft.state, len(match.started.seats), seed, match.presence)
    return Decision((*draft.events, *finale), draft.state, draws.made, to_tagged(move), bot)
