"""What somebody who plays a game well would say of it at a glance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from howff.engine.seats import Seat

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement(Generic[StateT, MoveT]):
    """How good moves and states of one game look, in integers.

    States are sampled worlds or follow from them, never the true one. What a judgement says must
    depend on nothing but its arguments.
    """

    version: int
    """Goes up with every change that may change a move."""
    weigh: Callable[[StateT, Seat, tuple[MoveT, ...]], Sequence[int]]
    """Return how good each of the legal moves of a seat looks to it; the highest is best."""
    estimate: Callable[[StateT], Sequence[int]]
    """Return for each seat what the state promises it at the end, comparable among the seats."""
    decisive: int
    """By how much of an estimate a seat has to lead to be as good as sure of its place."""
