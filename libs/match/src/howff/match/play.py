"""The commit that a command adds to a match, and the match after it."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime

from howff.engine.codec import JSON, from_json, from_tagged, to_tagged
from howff.engine.errors import MalformedError
from howff.engine.game import AnyGame
from howff.engine.values import replace
from howff.match.canonical import check_plain
from howff.match.commands import Command, StartMatch
from howff.match.commit import (
    NO_HASH,
    PLATFORM,
    Commit,
    Version,
    actor_of,
    check_sender,
    commit_to_json,
    time_text,
    unsigned_from_json,
)
from howff.match.decisions import Decision, decide, decide_start, started
from howff.match.errors import CommandIdReusedError, UnrecordableError
from howff.match.events import MatchStarted, written
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
        events=written(game.event, [started(game, command, notary.seed)]),
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
    first answer again, the commit of that version, after `check_repeated`.

    Raises:
        UnrecordableError: something in the command could not be read again from a file.
        CommandIdReusedError: the match has answered a command of this id.
        WrongSeedError: the seed is of another match.
        EngineError: the rules do not allow the move.
    """
    actor, move = actor_of(command.seat), to_tagged(command.move)
    _check_move(match.game, command, actor, move)
    known = match.commands.version_of(actor, command.id)
    if known is not None:
        raise CommandIdReusedError(command.id, known)
    decision = decide(match, command, notary.seed)
    commit = Commit(
        match=match.id,
        version=Version(match.version + 1),
        command=command.id,
        actor=actor,
        at=max(time_text(at), match.at),
        move=move,
        bot=command.bot,
        draws=decision.draws,
        events=written(match.game.event, decision.events),
        prev=match.hash,
    )
    return _step(match, commit, decision, notary)


def check_repeated(commit: Commit, command: Command) -> None:
    """Refuse *command* if the *commit* that has answered its id, whole as stored, was for another.

    Actor and id are compared too: to the index of a match two commands may look alike.

    Raises:
        CommandIdReusedError: it was.
    """
    recorded = [commit.actor, commit.command, commit.move]
    if differ([actor_of(command.seat), command.id, to_tagged(command.move)], recorded):
        raise CommandIdReusedError(command.id, commit.version)


def _check_start(game: AnyGame, draft: Commit) -> None:
    """Refuse what could be written but not be read again."""
    plain = commit_to_json(draft)
    check_plain(plain)
    with _malformed_refused():
        unsigned_from_json(plain)
        for event in events_of(game, draft):
            if isinstance(event, MatchStarted):
                from_json(game.options, event.options)


def _check_move(game: AnyGame, command: Command, actor: str, move: JSON) -> None:
    """Refuse what could be written but not be read again, of all that a command brings along."""
    check_plain({"command": command.id, "move": move, "bot": command.bot})
    with _malformed_refused():
        check_sender(command.id, actor)
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
