"""How bots play Burg Appenzell: each seat looks for the pairs of its mice that cost it least."""

from typing import Final

from howff.bots.policies.games.appenzell.glance import weigh
from howff.bots.policies.games.appenzell.promise import estimate
from howff.bots.policies.judgement import Judgement
from howff.bots.policies.mcts import Shape
from howff.bots.policies.payoff import FULL
from howff.bots.policies.settings import Play

__all__ = ["PLAY"]

PLAY: Final = Play(
    judgement=Judgement(version=1, weigh=weigh, estimate=estimate, decisive=200),
    shape=Shape(depth=5, curiosity=FULL // 4),
    strong=60,
    master=600,
)
