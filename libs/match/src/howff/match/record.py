"""Recording a match that is played in one place, without a server."""

from datetime import datetime
from typing import Any

from howff.engine.codec import JSON
from howff.engine.game import AnyGame
from howff.engine.seats import Seat, Viewer
from howff.match.commands import PlayMove, StartMatch
from howff.match.commit import CommandId, Commit
from howff.match.export import Export, export_whole
from howff.match.notary import Notary
from howff.match.play import play, start
from howff.match.redaction import redact_commit


class Recorder:
    """Keeps a match as its moves come in; numbers the commands itself."""

    def __init__(self, game: AnyGame, command: StartMatch, *, at: datetime, notary: Notary) -> None:
        self._notary = notary
        step = start(game, command, at=at, notary=notary)
        self.match = step.match
        self.commits = [step.commit]

    def play(self, seat: Seat, move: Any, *, at: datetime, bot: JSON = None) -> None:
        """Record a *move*.

        Raises:
            EngineError: the rules do not allow it.
        """
        command = PlayMove(id=CommandId(str(self.match.version)), seat=seat, move=move, bot=bot)
        step = play(self.match, command, at=at, notary=self._notary)
        self.match = step.match
        self.commits.append(step.commit)

    def told(self, viewer: Viewer) -> Commit:
        """Return the newest commit as *viewer* is told of it."""
        newest = self.commits[-1]
        return redact_commit(self.match, newest, viewer, self._notary.seed, told_live=True)

    def export(self) -> Export:
        """Return the whole match.

        Raises:
            MatchGoesOnError: it has not ended yet.
        """
        return export_whole(self.match, self.commits, (self._notary.signer.public_key,))
