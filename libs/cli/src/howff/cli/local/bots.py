"""Bots of a match on this machine, each of which knows what its seat is told and no more."""

from typing import Any, Final

from howff.bots.blindness import memories_told
from howff.bots.policies.catalogue import play_of
from howff.bots.policies.memories import no_memories
from howff.bots.policies.settings import setting_of
from howff.bots.policies.situation import Situation
from howff.bots.statements import SEED_BYTES, choose_as_stated, statement_of
from howff.engine.codec import JSON
from howff.engine.seats import Seat
from howff.match.events import Bot
from howff.match.match import whole_events_of
from howff.match.record import Recorder
from howff.servicekit import ids

ROUNDS: Final = 100
"""After how many rounds a match between bots ends, in games that could go on without end."""


class Bots:
    """Those who hold seats of the match that *recorder* keeps.

    Raises:
        NotInstalledError: nobody knows how bots play its game.
    """

    def __init__(self, recorder: Recorder) -> None:
        game, seats = recorder.match.game, recorder.match.started.seats
        self._recorder = recorder
        self._play = play_of(game.key)
        self._memories = no_memories(game, len(seats))
        self._heard = 0

    def choose(self, seat: Seat) -> tuple[Any, JSON]:
        """Return the move of the bot in *seat*, and what it states of it.

        Raises:
            NotInstalledError: there is no such level.
        """
        self._listen()
        match = self._recorder.match
        view, moves = match.game.view(match.state, seat), match.game.legal_moves(match.state, seat)
        situation = Situation(match.game, seat, view, self._memories[seat], moves)
        holder = match.started.seats[seat]
        assert isinstance(holder, Bot), "nobody takes seats over in a match without servers"
        setting = setting_of(self._play, holder.level)
        seed = ids.new_secret()[:SEED_BYTES]
        statement = statement_of(self._play, holder.level, setting, seed)
        return choose_as_stated(self._play, statement, situation), statement.to_json()

    def _listen(self) -> None:
        """Remember for each seat what it was told since."""
        game = self._recorder.match.game
        for commit in self._recorder.commits[self._heard :]:
            self._memories = memories_told(game, self._memories, whole_events_of(game, commit))
        self._heard = len(self._recorder.commits)
