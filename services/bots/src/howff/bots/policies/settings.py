"""Policies and levels by their names, and the settings that each game has for them."""

from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from howff.bots.policies.errors import NotInstalledError
from howff.bots.policies.greedy import choose_any, choose_best
from howff.bots.policies.judgement import Judgement
from howff.bots.policies.mcts import Search, Shape
from howff.bots.policies.situation import Situation
from howff.engine.rng import Rng

PolicyName = Literal["random", "greedy", "mcts"]
_SEARCH_VERSION: Final = 2
"""Goes up with every change here that may change a move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """How bots play one game."""

    judgement: Judgement[Any, Any]
    shape: Shape
    strong: int
    """The nodes of level 4, which decides in about a tenth of a second."""
    master: int
    """Those of level 5, which decides within two seconds."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A policy with its budget: *nodes* are walks of a search, or worlds to glance at."""

    policy: PolicyName
    nodes: int
    slip: int = 0
    """One move of so many is made at random; 0 for none."""


def setting_of(play: Play, level: str) -> Setting:
    """Return the setting of a *level*.

    Raises:
        NotInstalledError: there is no such level.
    """
    settings = {
        "random": Setting("random", 0),
        "casual": Setting("greedy", 1, slip=3),
        "steady": Setting("greedy", 4),
        "strong": Setting("mcts", play.strong),
        "master": Setting("mcts", play.master),
    }
    if level not in settings:
        raise NotInstalledError("level", expected=", ".join(settings), found=repr(level))
    return settings[level]


def cheaper(setting: Setting) -> Setting:
    """Return how to decide at once where there is no time for *setting*."""
    return replace(setting, policy="greedy", nodes=1) if setting.policy == "mcts" else setting


def version_of(play: Play) -> str:
    """Return the version of all policies of a game: equal versions choose alike."""
    return f"{_SEARCH_VERSION}.{play.judgement.version}"


def choose(play: Play, setting: Setting, situation: Situation, rng: Rng) -> Any:
    """Return the move that *setting* chooses in *situation*, with the luck of *rng* alone."""
    if setting.slip and not rng.draw("slip", setting.slip):
        return choose_any(situation, rng)
    match setting.policy:
        case "random":
            return choose_any(situation, rng)
        case "greedy":
            return choose_best(situation, play.judgement, setting.nodes, rng)
        case "mcts":
            return Search(situation, play.judgement, play.shape, rng).choose(setting.nodes)
