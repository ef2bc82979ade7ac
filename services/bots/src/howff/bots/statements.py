"""What a bot states of how it came to a move, and choosing that move again from it alone."""

import re
from dataclasses import dataclass
from typing import Any, Final, Literal

from howff.bots.policies.errors import NotInstalledError
from howff.bots.policies.luck import SearchRng
from howff.bots.policies.settings import Play, Setting, choose, setting_of, version_of
from howff.bots.policies.situation import Situation
from howff.engine import codec
from howff.engine.codec import JSON, shown
from howff.engine.errors import MalformedError

SEED_BYTES: Final = 16
MOST_NODES: Final = 100_000
"""More than any level has; whoever chooses again what others state need not wait for ever."""

_SEED = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """How a bot came to a move: all that it takes, beside what its seat knew, to choose it again.

    It stands in the field `bot` of the move's commit, which is hidden until the match ends.
    """

    policy: Literal["random", "greedy", "mcts", "default"]
    """`default` stands for the default move of the game, which needs no luck."""
    version: str
    """That of the policies of the game, such as `1.3`; equal versions choose alike."""
    level: str
    nodes: int
    seed: str
    """The seed of the bot's luck for this move alone: 32 digits of lower-case hex."""

    def to_json(self) -> JSON:
        """Return the statement as it stands in a commit."""
        return codec.to_json(Statement, self)

    @classmethod
    def from_json(cls, plain: JSON) -> "Statement":
        """Return the statement that *plain* makes.

        Raises:
            MalformedError: it is none.
        """
        statement = codec.from_json(cls, plain)
        if not _SEED.fullmatch(statement.seed):
            expected = f"{2 * SEED_BYTES} digits of lower-case hex"
            raise MalformedError("seed", expected=expected, found=shown(statement.seed))
        if statement.nodes not in range(MOST_NODES + 1):
            found = str(statement.nodes)
            raise MalformedError("nodes", expected=f"0 to {MOST_NODES}", found=found)
        if statement.policy in {"greedy", "mcts"} and not statement.nodes:
            raise MalformedError("nodes", expected=f"some for {statement.policy}", found="0")
        return statement


def statement_of(play: Play, level: str, setting: Setting | None, seed: bytes) -> Statement:
    """Return what a bot of *level* states that chooses by *setting*; None for the default move.

    *seed* has `SEED_BYTES` bytes, and nobody has used it before.
    """
    return Statement(
        policy="default" if setting is None else setting.policy,
        version=version_of(play),
        level=level,
        nodes=0 if setting is None else setting.nodes,
        seed=seed.hex(),
    )


def choose_as_stated(play: Play, statement: Statement, situation: Situation) -> Any:
    """Return the move that a bot chooses in *situation* by what it states.

    Raises:
        NotInstalledError: its policies are of another version, or of no level that there is.
    """
    if statement.policy == "default":
        return situation.game.default_move(situation.view, situation.moves)
    if statement.version != (installed := version_of(play)):
        raise NotInstalledError("version", expected=repr(installed), found=repr(statement.version))
    slip = setting_of(play, statement.level).slip
    setting = Setting(statement.policy, statement.nodes, slip)
    return choose(play, setting, situation, SearchRng(bytes.fromhex(statement.seed)))
