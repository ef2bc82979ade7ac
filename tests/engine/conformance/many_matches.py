"""Many matches at random: nothing goes wrong in them, and what they are like on average."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.conformance import check_moves_told, check_worlds
from engine.conformance.check_worlds import Position
from engine.conformance.subjects import Case
from howff.engine.seats import Seat
from support.playouts import MOST_STEPS, told_live
from support.rng import LocalRng

LONGEST_LOOK: Final = 100
"""Before so many moves of a match the worlds of a position are looked at."""


@dataclass(slots=True)
class Tally:
    """What was counted in the matches of a case."""

    case: Case
    matches: int = 0
    choices: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """How many decisions of each stage there were, their legal moves, and the most of one."""
    measures: Counter[str] = field(default_factory=Counter[str])
    won: list[float] = field(default_factory=list[float])
    """How many matches each seat has won, counted from the first to act."""

    def figures(self) -> Mapping[str, float]:
        """Return the mean of everything counted, by name."""
        decisions, choices = (sum(each[at] for each in self.choices.values()) for at in (0, 1))
        return {
            "moves": decisions / self.matches,
            **{name: total / self.matches for name, total in self.measures.items()},
            "choices": choices / decisions,
            **{f"choices in {stage}": each[1] / each[0] for stage, each in self.choices.items()},
            "most choices": max(each[2] for each in self.choices.values()),
        }

    def summary(self) -> str:
        """Return the figures in one line, beside what is expected, and who has won how often."""
        expected = self.case.entry.expected.get(self.case.seats, {})
        parts = [
            f"{name} {value:.3g}" + (f" ({expected[name]} expected)" if name in expected else "")
            for name, value in self.figures().items()
            if name in expected or not name.startswith("choices in")
        ]
        won = " / ".join(f"{100 * matches / self.matches:.0f}" for matches in self.won)
        return f"{self.matches} matches: {', '.join(parts)}; won by turn {won} %"


def play(case: Case, number: int, tally: Tally) -> None:
    """Play match *number* and count it, with all invariants and the worlds of one position."""
    game, entry, rng = case.game, case.entry, LocalRng(f"{case.name} {number}")
    draft = game.start(case.options, case.seats, rng)
    state, events = draft.state, draft.events
    first = game.to_act(state)[0]
    looked_at = rng.draw("looked at", LONGEST_LOOK)
    for step in range(MOST_STEPS):
        for invariant in entry.invariants:
            assert invariant(state), f"{invariant.__name__} is broken in match {number}: {state}"
        to_act = game.to_act(state)
        if not to_act:
            break
        if step == looked_at:
            _check_worlds(case, state, events, number)
        seat = rng.roll("seat", to_act)
        legal = game.legal_moves(state, seat)
        assert legal, f"seat {seat} has no move in match {number}: {state}"
        _count_choice(tally, state, len(legal))
        draft = game.decide(state, seat, entry.choose(legal, rng), rng)
        state = draft.state
        events += draft.events
    _count_match(tally, state, Counter(type(event).__name__ for event in events), first)


def _check_worlds(case: Case, state: Any, events: Sequence[Any], number: int) -> None:
    """Check that nobody who was told *events* can tell the position from another that fits."""
    game = case.game
    for seat in map(Seat, range(case.seats)):
        memory = game.memory()
        for event in told_live(tuple(events), seat):
            memory = game.remember(memory, event, seat)
        position = Position(case, seat, state, memory)
        check_worlds.check_another_world(position, LocalRng(number))
        check_moves_told.check_a_move_in_two_worlds(position, number, check_moves_told.Tally())
    check_worlds.check_another_world(Position(case, None, state, game.memory()), LocalRng(number))


def _count_choice(tally: Tally, state: Any, moves: int) -> None:
    stage = getattr(state, "stage", "play")
    decisions, total, most = tally.choices.get(stage, (0, 0, 0))
    tally.choices[stage] = [decisions + 1, total + moves, max(most, moves)]


def _count_match(tally: Tally, final: Any, happened: Counter[str], first: Seat) -> None:
    case = tally.case
    outcome = case.game.outcome(final)
    assert outcome is not None, f"after {MOST_STEPS} moves the match goes on: {final}"
    tally.matches += 1
    tally.measures.update(case.entry.measure(final, happened))
    tally.won = tally.won or [0.0] * case.seats
    for winner in outcome.winners:
        tally.won[(winner - first) % case.seats] += 1 / len(outcome.winners)
