"""What is good in Dale of Merchants."""

from howff.bots.policies.games.dale_of_merchants.choices import weigh
from howff.bots.policies.games.dale_of_merchants.prospects import estimate
from howff.bots.policies.judgement import Judgement
from howff.bots.policies.mcts import Shape
from howff.bots.policies.settings import Play

PLAY = Play(
    judgement=Judgement(version=2, weigh=weigh, estimate=estimate, decisive=400),
    # What an action is worth shows two turns later: a few moves are compared, each played on long.
    shape=Shape(depth=8, slip=0, breadth=4, trust=8),
    strong=30,
    master=300,
)

__all__ = ["PLAY"]
