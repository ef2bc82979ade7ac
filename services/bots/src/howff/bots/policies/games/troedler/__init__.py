"""What is good in Trödler."""

from howff.bots.policies.games.troedler.accounts import estimate
from howff.bots.policies.games.troedler.glances import weigh
from howff.bots.policies.judgement import Judgement
from howff.bots.policies.mcts import Shape
from howff.bots.policies.payoff import FULL
from howff.bots.policies.settings import Play

PLAY = Play(
    judgement=Judgement(version=2, weigh=weigh, estimate=estimate, decisive=120),
    shape=Shape(depth=8, slip=0, width=3, curiosity=FULL // 8),
    strong=80,
    master=800,
)
