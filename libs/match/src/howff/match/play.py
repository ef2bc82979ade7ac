"""The commit that a command adds to a match, and the match after it."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from typing import assert_never

from howff.engine.codec import JSON, from_json, from_tagged, to_tagged
from howff.engine.errors import MalformedError
from howff.engine.game import AnyGame
from howff.engine.values import replace
from howff.match.canonical import check_plain
from howff.match.clocks import SECOND, milliseconds_of
from howff.match.commands import (
    AbortMatch,
    Command,
    CreditTime,
    ExpireDeadline,
    PlayDefault,
    PlayMove,
    Resign,
    StartMatch,
    TakeBack,
    TellWish,
    actor_giving,
)
from howff.match.commit import (
    NO_HASH,
    PLATFORM,
    CommandId,
    Commit,
    Version,
    check_sender,
    commit_to_json,
    time_text,
    unsigned_from_json,
)
from howff.match.decisions import DEFAULT_POLICY, Decision, beginning, decide, decide_start
from howff.match.errors import CommandIdReusedError, UnrecordableError
from howff.match.events import MatchBranched, MatchStarted, written
from howff.match.match import Match, Step, advanced, before_start, events_of
from howff.match.notary import Notary
from howff.match.report import differ


def start(game: AnyGame, command: StartMatch, *, at: datetime, notary: Notary) -> Step:
    """Return the first commit of a match, and the match that it starts.

    Raises:
        UnrecordableError: something in the command could not be read again from a file.
        WrongSeedError: the seed has not its 32 bytes.
        WrongEntropiesError: there is not one entropy a seat, or one is too long.
        EngineError: the game is not for so many seats, or not for these options.
    """
    draft = Commit(
        match=command.match,
        version=Version(1),
        command=command.id,
        actor=PLATFORM,
        at=time_text(at),
        move=None,
        bot=None,
        draws={},
        events=written(game.event, beginning(game, command, notary.seed)),
        prev=NO_HASH,
    )
    _check_start(game, draft)
    decision = decide_start(game, command, notary.seed)
    events = written(game.event, decision.events)
    commit = replace(draft, draws=decision.draws, events=events)
    return _step(before_start(game, commit), commit, decision, notary)


def play(match: Match, command: Command, *, at: datetime, notary: Notary) -> Step:
    """Return the commit that *command*, which is new to *match*, adds to it.

    Whoever calls has asked `match.commands` for its version. One that was answered before gets its
    first answer again, the commit of that version, after `check_repeated`. And it has looked
    whether something is due by the clocks, which comes first: see `due_first`.

    Raises:
        UnrecordableError: something in the command could not be read again from a file.
        CommandIdReusedError: the match has answered a command of this id.
        WrongSeedError: the seed is of another match.
        DeadlineDueError: something is due by the clocks, and has to happen before.
        MatchError: the command is not for the match as it stands.
        EngineError: the rules do not allow the move.
    """
    actor = actor_giving(command)
    _check_recordable(match.game, command, actor)
    answered_by = match.commands.version_of(actor, command.id)
    if answered_by is not None:
        raise CommandIdReusedError(command.id, answered_by)
    now = _recorded_at(match, at)
    decision = decide(match, command, at=milliseconds_of(now), seed=notary.seed)
    commit = Commit(
        match=match.id,
        version=Version(match.version + 1),
        command=command.id,
        actor=actor,
        at=now,
        move=decision.move,
        bot=decision.bot,
        draws=decision.draws,
        events=written(match.game.event, decision.events),
        prev=match.hash,
    )
    return _step(match, commit, decision, notary)


def due_first(match: Match, at: datetime) -> ExpireDeadline | None:
    """Return the command that has to come before any other given *at* this time, if there is one.

    Its id is the same for whoever finds it due.
    """
    if match.due is None or milliseconds_of(_recorded_at(match, at)) < match.due:
        return None
    return ExpireDeadline(id=CommandId(f"deadline-{match.version}"))


def check_repeated(commit: Commit, command: Command) -> None:
    """Refuse *command* if the *commit* that has answered its id, whole as stored, was for another.

    Actor and id are compared too: to the index of a match two commands may look alike.

    Raises:
        CommandIdReusedError: it was.
    """
    sender = (actor_giving(command), command.id)
    if sender != (commit.actor, commit.command) or not _has_done(commit, command):
        raise CommandIdReusedError(command.id, commit.version)


def _has_done(commit: Commit, command: Command) -> bool:  # noqa: C901, PLR0911
    """Return whether *commit* holds what *command* wants."""
    match command:
        case PlayMove(move=move):
            return not differ(to_tagged(move), commit.move)
        case PlayDefault():
            return not differ(DEFAULT_POLICY, commit.bot)
        case Resign(seat=seat):
            return _tells(commit, "SeatResigned", {"seat": seat})
        case TellWish(seat=seat, wish=wish, is_wanted=is_wanted):
            data = {"seat": seat, "wish": wish, "is_wanted": is_wanted}
            return _tells(commit, "WishTold", data)
        case TakeBack(seat=seat):
            return _tells(commit, "SeatGivenBack", {"seat": seat})
        case CreditTime(seat=seat, seconds=seconds):
            return _tells(commit, "TimeCredited", {"seat": seat, "milliseconds": seconds * SECOND})
        case AbortMatch(reason=reason):
            return _tells(commit, "MatchAborted", {"by": "administrator", "reason": reason})
        case ExpireDeadline():
            return _tells(commit, "FlagFallen", {}) or _tells(commit, "ClockStarted", {})
        case _:
            assert_never(command)


def _tells(commit: Commit, kind: str, data: dict[str, JSON]) -> bool:
    return any(
        event["type"] == kind and data.items() <= event["data"].items() for event in commit.events
    )


def _recorded_at(match: Match, at: datetime) -> str:
    """Return *at* as the next commit tells it; time does not go back."""
    return max(time_text(at), match.at)


def _check_start(game: AnyGame, draft: Commit) -> None:
    """Refuse what could be written but not be read again."""
    plain = commit_to_json(draft)
    check_plain(plain)
    with _malformed_refused():
        unsigned_from_json(plain)
        for event in events_of(game, draft):
            if isinstance(event, MatchStarted):
                from_json(game.options, event.options)
            elif isinstance(event, MatchBranched):
                from_json(game.state, event.state)


def _check_recordable(game: AnyGame, command: Command, actor: str) -> None:
    """Refuse what could be written but not be read again, of all that a command brings along."""
    move, bot = None, None
    if isinstance(command, PlayMove):
        move, bot = to_tagged(command.move), command.bot
    check_plain({"command": command.id, "move": move, "bot": bot})
    with _malformed_refused():
        check_sender(command.id, actor)
        if move is not None:
            from_tagged(game.move, move)


@contextmanager
def _malformed_refused() -> Generator[None, None, None]:
    try:
        yield
    except MalformedError as error:
        raise UnrecordableError(error.path, expected=error.expected, found=error.found) from error


def _step(match: Match, commit: Commit, decision: Decision, notary: Notary) -> Step:
    commit = notary.attest(commit, match.game)
    return Step(commit, decision.events, advanced(match, commit, decision.events, decision.state))
