"""How bots play Highland Clans."""

from howff.bots.policies.games.highland_clans.estimating import estimate
from howff.bots.policies.games.highland_clans.weighing import weigh
from howff.bots.policies.judgement import Judgement
from howff.bots.policies.mcts import Shape
from howff.bots.policies.settings import Play

PLAY = Play(
    judgement=Judgement(version=3, weigh=weigh, estimate=estimate, decisive=3000),
    shape=Shape(depth=0, slip=0, breadth=16, trust=10, width=2, curiosity=1 << 16),
    strong=160,
    master=1600,
)

__all__ = ["PLAY"]
