"""How bots play Hellweg Westfalicus."""

from howff.bots.policies.games.hellweg.weighing import estimate, weigh
from howff.bots.policies.judgement import Judgement
from howff.bots.policies.mcts import Shape
from howff.bots.policies.settings import Play

PLAY = Play(
    judgement=Judgement(version=1, weigh=weigh, estimate=estimate, decisive=150),
    # Luck is small but for the next card, and the judgement good: what looks bad is hardly tried.
    shape=Shape(depth=4, slip=0, trust=20, width=1, curiosity=1024),
    strong=100,
    master=1000,
)

__all__ = ["PLAY"]
