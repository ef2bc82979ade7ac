"""What is good in Dale of Merchants."""

from howff.bots.policies.games.dale_of_merchants.choices import weigh
from howff.bots.policies.games.dale_of_merchants.prospects import estimate
from howff.bots.policies.judgement import Judgement
from howff.bots.policies.mcts import Shape
from howff.bots.policies.settings import Play

PLAY = Play(
    judgement=Judgement(version=2, weigh=weigh, estimate=estimate, decisive=400),
    shape=Shape(depth=1, slip=0),
    strong=48,
    master=480,
)

__all__ = ["PLAY"]
