"""One choice of a move, as it is asked of a process that does nothing but think.

Such a process imports this module alone, and so nothing but rules and policies.
"""

from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from typing import Any

from howff.bots.policies.catalogue import play_of
from howff.bots.policies.luck import SearchRng
from howff.bots.policies.settings import Setting, choose
from howff.bots.policies.situation import Situation
from howff.engine.catalogue import game_of
from howff.engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Question:
    """A situation, how to choose in it, and with what luck; it can be sent to another process."""

    game: str
    seat: Seat
    view: Any
    memory: Any
    moves: tuple[Any, ...]
    setting: Setting
    seed: bytes


@dataclass(frozen=True, slots=True)
class Failure:
    """Why nothing was chosen: a code or the class of an error, and where it was raised."""

    code: str
    place: str = ""


def chosen(question: Question) -> int | Failure:
    """Return which of the moves is chosen, as an index.

    Errors do not leave the process as they are: they may quote what only the seat may know.
    """
    try:
        game = game_of(question.game)
        situation = Situation(game, question.seat, question.view, question.memory, question.moves)
        move = choose(play_of(question.game), question.setting, situation, SearchRng(question.seed))
        return question.moves.index(move)
    except Exception as error:  # noqa: BLE001 — whatever is wrong in a policy, the match goes on
        last = extract_tb(error.__traceback__)[-1]
        return Failure(type(error).__name__, f"{Path(last.filename).name}:{last.lineno}")
