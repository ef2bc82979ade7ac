"""Decisions of matches at random, as they look in the true world and in another that fits."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from howff.bots.policies.luck import SearchRng
from howff.bots.policies.memories import memories_after, no_memories
from howff.bots.policies.settings import Play, Setting, choose
from howff.bots.policies.situation import Situation
from howff.engine.codec import canonical, to_tagged
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from support.rng import LocalRng

SETTINGS = (
    Setting("random", 0),
    Setting("greedy", 2),
    Setting("greedy", 1, slip=2),
    Setting("mcts", 4),
)
EVERY = 3


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision with several moves: a *situation* and the state that is behind it."""

    situation: Situation
    state: Any

    def elsewhere(self, number: int) -> "Decision":
        """Return the same decision in another world that fits all that the seat knows."""
        now = self.situation
        world = now.sample_world(SearchRng(b"world %d" % number))
        return decision_in(now.game, world, now.seat, now.memory)


def decision_in(game: AnyGame, state: Any, seat: Seat, memory: Any) -> Decision:
    """Return the decision of *seat* where *state* is the true one."""
    view, moves = game.view(state, seat), game.legal_moves(state, seat)
    return Decision(Situation(game, seat, view, memory, moves), state)


def decisions(game: AnyGame, count: int, seed: int = 1) -> Iterator[Decision]:
    """Yield so many decisions with a choice of a match at random, every `EVERY`-th."""
    rng, seats = LocalRng(seed), game.seats[0]
    draft = game.start(game.options(), seats, rng)
    memories, choices = no_memories(game, seats), 0
    while choices < count * EVERY and (to_act := game.to_act(draft.state)):
        memories = memories_after(game, memories, draft.events)
        decision = decision_in(game, draft.state, to_act[0], memories[to_act[0]])
        moves = decision.situation.moves
        if len(moves) > 1:
            if choices % EVERY == 0:
                yield decision
            choices += 1
        draft = game.decide(draft.state, to_act[0], rng.roll("move", moves), rng)


def chosen(play: Play, decision: Decision) -> list[str]:
    """Return what each policy chooses, each time with the same luck."""
    return [
        canonical(to_tagged(choose(play, setting, decision.situation, SearchRng(b"luck"))))
        for setting in SETTINGS
    ]
