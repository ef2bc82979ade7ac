"""What looks best at a glance, and what is chosen without looking."""

from collections.abc import Sequence
from typing import Any

from howff.bots.policies.judgement import Judgement
from howff.bots.policies.situation import Situation
from howff.engine.rng import Rng


def choose_any(situation: Situation, rng: Rng) -> Any:
    """Return one of the legal moves, each as likely as the others."""
    return rng.roll("move", situation.moves)


def choose_best(situation: Situation, judgement: Judgement[Any, Any], worlds: int, rng: Rng) -> Any:
    """Return the move that looks best in so many sampled *worlds* together; luck breaks ties."""
    if len(situation.moves) == 1:
        return situation.moves[0]
    sampled = [situation.sample_world(rng) for _ in range(worlds)]
    weights = weights_in(sampled, situation, judgement)
    return rng.roll("move", best_of(situation.moves, weights))


def weights_in(
    worlds: Sequence[Any], situation: Situation, judgement: Judgement[Any, Any]
) -> list[int]:
    """Return how good each of the legal moves looks in all of the *worlds* together."""
    weights = [0] * len(situation.moves)
    for world in worlds:
        for index, weight in enumerate(judgement.weigh(world, situation.seat, situation.moves)):
            weights[index] += weight
    return weights


def best_of(moves: Sequence[Any], weights: Sequence[int]) -> Sequence[Any]:
    """Return those of the *moves* that have the highest of the *weights*."""
    most = max(weights)
    return [move for move, weight in zip(moves, weights, strict=True) if weight == most]
