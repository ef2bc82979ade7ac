"""Proof that bots were blind: each of their moves follows from what their seat was told alone.

Once a match is over, its export shows what every bot has stated of each move. Whoever folds the
match keeps for each seat what that was told when it happened, and lets the same policy choose again
with the same luck. A bot that has used more than its seat knew would have chosen otherwise.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from howff.bots.policies.errors import NotInstalledError
from howff.bots.policies.memories import Memories, memories_after, no_memories
from howff.bots.policies.settings import Play
from howff.bots.policies.situation import Situation
from howff.bots.statements import Statement, choose_as_stated
from howff.engine.codec import JSON, canonical, shown, to_tagged
from howff.engine.errors import MalformedError, RefusalError
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.match.commit import Version
from howff.match.decisions import DEFAULT_POLICY
from howff.match.events import Bot, PlatformEvent, RulesChanged
from howff.match.export import Export
from howff.match.match import Match, Step
from howff.match.replay import replay

_SEEDLESS: Final[JSON] = {"policy": "random"}
"""What bots stated that drew their moves before there were seeds for them."""

Verdict = Literal["alike", "different", "malformed", "not run"]


class NotWholeError(RefusalError):
    """Of a redacted export nothing can be said of bots: what they state is sealed in it."""

    code = "not_whole"

    def __init__(self, viewer: str) -> None:
        expected = "the whole export of a match that is over"
        super().__init__("bots to check", expected=expected, found=f"what {viewer!r} may know")


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of choosing the move of a bot again.

    `malformed`: it does not state what it has to. `not run`: it states what is not installed here,
    or has no seed.
    """

    version: Version
    seat: Seat
    verdict: Verdict
    expected: str = ""
    found: str = ""


def choose_again(export: Export, game: AnyGame, play: Play) -> Iterator[Finding]:
    """Yield what becomes of each move that a bot has made, as it is chosen again.

    *export* has passed `howff.match.verify`; *game* is its game, and *play* how bots play that.

    Raises:
        NotWholeError: it is redacted.
        DisorderError, EngineError, MatchError: it can't be replayed, see `howff.match.replay`.
    """
    if not export.is_whole:
        raise NotWholeError(export.header.viewer)
    before: Match | None = None
    memories = no_memories(game, len(export.header.seats))
    for step in replay(export, game):
        if before is not None and (seat := _bot_moving(before, step)) is not None:
            yield _judged(before, step, seat, memories[seat], play)
        memories = memories_told(game, memories, step.events)
        before = step.match


def memories_told(game: AnyGame, memories: Memories, events: Iterable[Any]) -> Memories:
    """Return what the seats remember after the *events* of a commit, told to each of them live."""
    of_game = (each for each in events if not isinstance(each, PlatformEvent))
    return memories_after(game, memories, of_game)


def _bot_moving(before: Match, step: Step) -> Seat | None:
    """Return the seat whose move *step* is, if a bot has made it."""
    seat, commit = step.commit.seat, step.commit
    if seat is None or commit.move is None:
        return None
    return seat if commit.bot is not None or isinstance(before.decider_of(seat), Bot) else None


def _judged(before: Match, step: Step, seat: Seat, memory: Any, play: Play) -> Finding:
    game, commit = before.game, step.commit
    installed = RulesChanged(game.rules_version, game.data_hash)
    if step.match.rules != installed:
        found = f"rules {step.match.rules.rules_version}"
        return Finding(commit.version, seat, "not run", f"rules {installed.rules_version}", found)
    if commit.bot == _SEEDLESS:
        return Finding(commit.version, seat, "not run", "the seed of its luck", "none")
    view, moves = game.view(before.state, seat), game.legal_moves(before.state, seat)
    situation = Situation(game, seat, view, memory, moves)
    decider = before.decider_of(seat)
    level = decider.level if isinstance(decider, Bot) else None
    try:
        move = _chosen(commit.bot, level, situation, play)
    except MalformedError as error:
        return Finding(commit.version, seat, "malformed", error.expected, error.found)
    except NotInstalledError as error:
        return Finding(commit.version, seat, "not run", error.expected, error.found)
    expected = to_tagged(move)
    verdict: Verdict = "alike" if canonical(expected) == canonical(commit.move) else "different"
    return Finding(commit.version, seat, verdict, shown(expected), shown(commit.move))


def _chosen(stated: JSON, level: str | None, situation: Situation, play: Play) -> Any:
    """Return the move that follows from what is *stated* of a bot of this *level*."""
    if stated == DEFAULT_POLICY:
        return situation.game.default_move(situation.view, situation.moves)
    statement = Statement.from_json(stated)
    if statement.level != level:
        raise MalformedError("level", expected=shown(level), found=shown(statement.level))
    return choose_as_stated(play, statement, situation)
