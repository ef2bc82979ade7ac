"""The commit that a command adds to a match; whoever records it folds it afterwards."""

from datetime import datetime

from howff.engine.codec import JSON, to_tagged
from howff.engine.game import AnyGame
from howff.match.commands import Command, StartMatch
from howff.match.commit import NO_HASH, PLATFORM, Commit, Version, actor_of, time_text
from howff.match.decisions import decide, decide_start
from howff.match.errors import CommandIdReusedError
from howff.match.events import written
from howff.match.match import Match
from howff.match.notary import Notary


def start(game: AnyGame, command: StartMatch, *, at: datetime, notary: Notary) -> Commit:
    """Return the first commit of a match.

    Raises:
        WrongEntropiesError: there is not one entropy a seat, or one is too long.
        EngineError: the game is not for so many seats, or not for these options.
    """
    decision = decide_start(game, command, notary.seed)
    commit = Commit(
        match=command.match,
        version=Version(1),
        command=command.id,
        actor=PLATFORM,
        at=time_text(at),
        move=None,
        bot=None,
        draws=decision.draws,
        events=written(game.event, decision.events),
        prev=NO_HASH,
    )
    return notary.attest(commit, game)


def play(match: Match, command: Command, *, at: datetime, notary: Notary) -> Commit:
    """Return the commit that *command* adds, or the one that it has added before.

    Raises:
        CommandIdReusedError: the actor has sent another move under this id.
        EngineError: the rules do not allow the move.
    """
    actor, move = actor_of(command.seat), to_tagged(command.move)
    known = match.commands.get((actor, command.id))
    if known is not None:
        return _first_answer(match.commits[known - 1], move)
    decision = decide(match, command, notary.seed)
    commit = Commit(
        match=match.id,
        version=Version(match.version + 1),
        command=command.id,
        actor=actor,
        at=max(time_text(at), match.commits[-1].at),
        move=move,
        bot=command.bot,
        draws=decision.draws,
        events=written(match.game.event, decision.events),
        prev=match.commits[-1].hash,
    )
    return notary.attest(commit, match.game)


def _first_answer(commit: Commit, move: JSON) -> Commit:
    if commit.move != move:
        raise CommandIdReusedError(commit.command, commit.version)
    return commit
