"""The commit that a command adds to a match; whoever records it folds it afterwards."""

from dataclasses import replace
from datetime import datetime

from howff.engine.codec import JSON, from_json, from_tagged, to_tagged
from howff.engine.errors import MalformedError
from howff.engine.game import AnyGame
from howff.match.canonical import canonical_line
from howff.match.commands import Command, StartMatch
from howff.match.commit import (
    NO_HASH,
    PLATFORM,
    Commit,
    Version,
    actor_of,
    commit_to_json,
    time_text,
    unsigned_from_json,
)
from howff.match.decisions import Decision, decide, decide_start, started
from howff.match.errors import CommandIdReusedError, UnrecordableError
from howff.match.events import MatchStarted, written
from howff.match.match import Match, events_of
from howff.match.notary import Notary


def start(game: AnyGame, command: StartMatch, *, at: datetime, notary: Notary) -> Commit:
    """Return the first commit of a match.

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
    _check_recordable(game, draft)
    return _recorded(game, draft, decide_start(game, command, notary.seed), notary)


def play(match: Match, command: Command, *, at: datetime, notary: Notary) -> Commit:
    """Return the commit that *command* adds, or the one that it has added before.

    Raises:
        UnrecordableError: something in the command could not be read again from a file.
        CommandIdReusedError: the actor has sent another move under this id.
        WrongSeedError: the seed is of another match.
        EngineError: the rules do not allow the move.
    """
    draft = Commit(
        match=match.id,
        version=Version(match.version + 1),
        command=command.id,
        actor=actor_of(command.seat),
        at=max(time_text(at), match.commits[-1].at),
        move=to_tagged(command.move),
        bot=command.bot,
        draws={},
        events=(),
        prev=match.commits[-1].hash,
    )
    _check_recordable(match.game, draft)
    known = match.commands.get((draft.actor, draft.command))
    if known is not None:
        return _first_answer(match.commits[known - 1], draft.move)
    return _recorded(match.game, draft, decide(match, command, notary.seed), notary)


def _check_recordable(game: AnyGame, draft: Commit) -> None:
    """Refuse what could be written but not be read again."""
    plain = commit_to_json(draft)
    canonical_line(plain)
    try:
        unsigned_from_json(plain)
        for event in events_of(game, draft):
            if isinstance(event, MatchStarted):
                from_json(game.options, event.options)
        if draft.move is not None:
            from_tagged(game.move, draft.move)
    except MalformedError as error:
        raise UnrecordableError(error.path, expected=error.expected, found=error.found) from error


def _recorded(game: AnyGame, draft: Commit, decision: Decision, notary: Notary) -> Commit:
    events = written(game.event, decision.events)
    return notary.attest(replace(draft, draws=decision.draws, events=events), game)


def _first_answer(commit: Commit, move: JSON) -> Commit:
    if commit.move != move:
        raise CommandIdReusedError(commit.command, commit.version)
    return commit
