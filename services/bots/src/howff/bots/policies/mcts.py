"""Information-set Monte Carlo tree search.

One tree over the moves of all seats, walked in a new sampled world each time (Cowling, Powley and
Whitehouse 2012: SO-ISMCTS). Luck falls anew on each walk, so a node stands for the moves that lead
to it, whatever was drawn on the way. Payoffs are kept for every seat, and each seat maximises its
own (max^n, Luckhardt and Irani 1986). Which moves are looked at first, and how much they are
trusted unseen, follows from how good they look at a glance (progressive widening, Coulom 2007;
PUCT, Rosin 2011).
"""

from dataclasses import dataclass
from math import isqrt
from typing import Any, Final

from howff.bots.policies.greedy import best_of, weights_in
from howff.bots.policies.judgement import Judgement
from howff.bots.policies.luck import SearchRng
from howff.bots.policies.payoff import FULL, of_estimates, of_places
from howff.bots.policies.situation import Situation
from howff.engine.game import AnyGame
from howff.engine.rng import Rng
from howff.engine.seats import Seat

GLANCES: Final = 4
"""In how many worlds moves are compared at a glance, to find those worth a search."""
_FEWEST_WALKS: Final = 4
"""Of how many nodes each move at the root has its share at the least, but for two of them."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a search spends its budget."""

    depth: int
    """How many decisions a playout makes after the tree, before the state is estimated."""
    slip: int = 8
    """In a playout one decision of so many is made at random; 0 for none."""
    breadth: int = 8
    """How many moves are compared at the root."""
    trust: int = 0
    """As how many walks the glance counts that has found them. For that, what is weighed has to be
    in the unit of what is estimated."""
    width: int = 2
    """How many moves a node looks at when it is new; the square root of its visits are added."""
    curiosity: int = FULL // 2
    """How much is expected of moves that look good and were tried rarely."""


class _Node:
    """The moves that lead here were made *visits* times; *payoffs* are their sums by seat."""

    __slots__ = ("children", "payoffs", "visits")

    def __init__(self, seats: int) -> None:
        self.visits = 0
        self.payoffs = [0] * seats
        self.children: dict[Any, _Node] = {}


class Search:
    """The tree of one decision."""

    def __init__(
        self, situation: Situation, judgement: Judgement[Any, Any], shape: Shape, rng: Rng
    ) -> None:
        self._situation = situation
        self._game: AnyGame = situation.game
        self._judgement = judgement
        self._shape = shape
        self._luck = rng.draw("luck", 1 << 62)
        self._rng: Rng = rng
        self._root = _Node(0)
        self._lacks: dict[Any, int] = {}
        """By how much each of the moves is worse at a glance than the best, in payoffs."""

    def choose(self, nodes: int) -> Any:
        """Return the move that promises most after about *nodes* walks, each of which adds a node.

        The moves that look best are tried equally often, in the same worlds; then the better half
        of them is, and so on until one is left (sequential halving; Karnin, Koren and Somekh 2013).
        Few walks tell less than a glance does, so that it goes on to count.
        """
        assert nodes > 0, "a search needs a budget"
        left = self._candidates(
            min(self._shape.breadth, max(min(2, nodes), nodes // _FEWEST_WALKS))
        )
        rounds = max(1, (len(left) - 1).bit_length())
        made = 0
        while len(left) > 1:
            walks = nodes // (rounds * len(left))
            for number in range(made, made + walks):
                for move in left:
                    self._walk(move, number)
            made += walks
            left.sort(key=self._loss)
            del left[(len(left) + 1) // 2 :]
        return left[0]

    def _candidates(self, count: int) -> list[Any]:
        """Return as many of the moves as look best in a few worlds, the best first."""
        moves = self._situation.moves
        worlds = [self._situation.sample_world(self._rng) for _ in range(GLANCES)]
        self._root = _Node(len(self._judgement.estimate(worlds[0])))
        weights = weights_in(worlds, self._situation, self._judgement)
        ranked = sorted(range(len(moves)), key=lambda index: -weights[index])
        most, unit = weights[ranked[0]], 2 * GLANCES * self._judgement.decisive
        self._lacks = {
            moves[index]: (most - weights[index]) * FULL // unit for index in ranked[:count]
        }
        return [moves[index] for index in ranked[:count]]

    def _loss(self, move: Any) -> int:
        """Return how far *move* is from the best, as the walks and the glance together tell."""
        child, seat, trust = self._root.children[move], self._situation.seat, self._shape.trust
        mean = self._root.payoffs[seat] // self._root.visits
        told = child.payoffs[seat] + trust * (mean - self._lacks[move])
        return -told // (child.visits + trust)

    def _walk(self, move: Any, number: int) -> None:
        """Go down the tree from *move*, add a node, play on from there, and learn from it.

        Walks of the same *number* begin in the same world, with the same luck to come.
        """
        self._rng = SearchRng(b"%d %d" % (self._luck, number))
        seat, state = self._situation.seat, self._situation.sample_world(self._rng)
        node = self._root
        path = [node]
        while True:
            state = self._game.decide(state, seat, move, self._rng).state
            node = node.children.setdefault(move, _Node(len(node.payoffs)))
            path.append(node)
            state, seat, moves = self._to_choice(state)
            if not node.visits or not moves:
                break
            move = self._select(node, state, seat, moves)
        payoffs = self._play_out(state, seat, moves)
        for each in path:
            each.visits += 1
            for index, payoff in enumerate(payoffs):
                each.payoffs[index] += payoff

    def _to_choice(self, state: Any) -> tuple[Any, Seat, tuple[Any, ...]]:
        """Make the moves that are forced; return the state then, who chooses, and among what.

        There is nothing to choose once the match has ended.
        """
        game = self._game
        while seats := game.to_act(state):
            seat = seats[0]
            moves = game.legal_moves(state, seat)
            forced, *others = moves
            if others:
                return state, seat, moves
            state = game.decide(state, seat, forced, self._rng).state
        return state, self._situation.seat, ()

    def _select(self, node: _Node, state: Any, seat: Seat, moves: tuple[Any, ...]) -> Any:
        """Return the move that promises *seat* most, of those that the node looks at by now."""
        weights = self._judgement.weigh(state, seat, moves)
        ranked = sorted(range(len(moves)), key=lambda index: -weights[index])
        width = self._shape.width + isqrt(node.visits)
        unseen = node.payoffs[seat] // node.visits if node.visits else 0
        eagerness = self._shape.curiosity * isqrt((node.visits + 1) << 8) >> 4
        best, most = moves[ranked[0]], -1
        for rank, index in enumerate(ranked[:width]):
            child = node.children.get(moves[index])
            visits = 0 if child is None else child.visits
            expected = child.payoffs[seat] // visits if child is not None and visits else unseen
            promise = expected + eagerness // ((rank + 2) * (visits + 1))
            if promise > most:
                best, most = moves[index], promise
        return best

    def _play_out(self, state: Any, seat: Seat, moves: tuple[Any, ...]) -> tuple[int, ...]:
        """Play on for a while, as it looks best, and return what the state then promises."""
        for _ in range(self._shape.depth):
            if not moves:
                break
            move = self._glance(state, seat, moves)
            state = self._game.decide(state, seat, move, self._rng).state
            state, seat, moves = self._to_choice(state)
        outcome = self._game.outcome(state)
        if outcome is not None:
            return of_places(outcome.places)
        return of_estimates(self._judgement.estimate(state), self._judgement.decisive)

    def _glance(self, state: Any, seat: Seat, moves: tuple[Any, ...]) -> Any:
        if self._shape.slip and not self._rng.draw("slip", self._shape.slip):
            return self._rng.roll("move", moves)
        return best_of(moves, self._judgement.weigh(state, seat, moves))[0]
