"""Decisions in time: what is chosen when processes die, policies fail, or time is up."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Awaitable, Callable

import pytest

from howff.bots.adapters.thinkers import DIED, ProcessThinkers
from howff.bots.application.deciding import Deciding
from howff.bots.application.ports import Decision
from howff.bots.application.thinking import Failure, Question, chosen
from howff.bots.policies.catalogue import play_of
from howff.bots.policies.settings import Setting, version_of
from howff.bots.policies.situation import Situation
from howff.bots.statements import choose_as_stated
from howff.contracts.matches import DecisionDue
from howff.engine.catalogue import game_of
from howff.servicekit import ids
from support.rng import LocalRng
from support.running import run, until

GAME = game_of("troedler")
PLAY = play_of("troedler")
ENDLESS = Setting("mcts", 1_000_000)
ANYTHING = Setting("random", 0)


def situation() -> Situation:
    """Return one in which a seat has a choice."""
    state = GAME.start(GAME.read_options({}), 2, LocalRng(1)).state
    (seat,) = GAME.to_act(state)
    return Situation(
        GAME, seat, GAME.view(state, seat), GAME.memory(), GAME.legal_moves(state, seat)
    )


def question(setting: Setting) -> Question:
    each = situation()
    seed = bytes(range(16))
    return Question("troedler", each.seat, each.view, each.memory, each.moves, setting, seed)


class Scripted:
    """Answers as it was told to, one after the other; None never comes."""

    def __init__(self, *answers: int | Failure | None) -> None:
        self._answers = list(answers)
        self.asked: list[Setting] = []

    async def choose(self, question: Question) -> int | Failure:
        self.asked.append(question.setting)
        answer = self._answers.pop(0)
        if answer is None:
            await asyncio.Event().wait()
        assert answer is not None
        return answer


def decided(thinkers: Scripted, level: str = "strong", waited: float = 0.0) -> Decision:
    deciding = Deciding(thinkers, seconds=0.02, new_secret=ids.new_secret)
    due = DecisionDue(match="m", version=1, seat=0, game="troedler", level=level)
    return run(lambda: deciding.decide(due, situation(), waited))


STRONG = Setting("mcts", PLAY.strong)
QUICK = Setting("greedy", 1)


@pytest.mark.parametrize(
    ("answers", "waited", "asked", "policy", "result"),
    [
        ([1], 0.0, [STRONG], "mcts", "chosen"),
        ([DIED, 1], 0.0, [STRONG, STRONG], "mcts", "thinker_died"),
        ([DIED, DIED, 1], 0.0, [STRONG, STRONG, QUICK], "greedy", "thinker_died"),
        ([DIED, DIED, DIED], 0.0, [STRONG, STRONG, QUICK], "default", "thinker_died"),
        ([None, 1], 0.0, [STRONG, QUICK], "greedy", "late"),
        ([None, None], 0.0, [STRONG, QUICK], "default", "late"),
        ([1], 9.0, [QUICK], "greedy", "late"),
        ([Failure("KeyError", "mcts.py:1")], 0.0, [STRONG], "default", "KeyError"),
    ],
)
def test_a_decision_is_made_by_the_best_that_can_be_had(
    answers: list[int | Failure | None],
    waited: float,
    asked: list[Setting],
    policy: str,
    result: str,
) -> None:
    thinkers = Scripted(*answers)
    decision = decided(thinkers, waited=waited)
    assert thinkers.asked == asked
    assert (decision.statement.policy, decision.result) == (policy, result)
    assert (decision.statement.level, decision.statement.version) == ("strong", version_of(PLAY))
    each = situation()
    default = GAME.default_move(each.view, each.moves)
    assert decision.move == (default if policy == "default" else each.moves[1])


def test_a_level_that_is_not_installed_lets_the_default_move_be_made() -> None:
    decision = decided(Scripted(), level="grandmaster")
    assert (decision.statement.policy, decision.result) == ("default", "not_installed")


def test_what_a_process_chooses_is_what_its_statement_leads_to() -> None:
    async def story(thinkers: ProcessThinkers) -> None:
        deciding = Deciding(thinkers, seconds=60, new_secret=ids.new_secret)
        for level in ("random", "casual", "steady"):
            due = DecisionDue(match="m", version=1, seat=0, game="troedler", level=level)
            decision = await deciding.decide(due, situation(), 0.0)
            assert decision.result == "chosen"
            assert choose_as_stated(PLAY, decision.statement, situation()) == decision.move

    with_thinkers(story)


def test_processes_are_made_anew_when_one_dies_or_is_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("howff.servicekit.pools.STUCK_AFTER", 0.2)

    async def story(thinkers: ProcessThinkers) -> None:
        (first,) = await processes_of(thinkers)
        asking = asyncio.create_task(thinkers.choose(question(ENDLESS)))
        await asyncio.sleep(0)
        os.kill(first, signal.SIGKILL)
        assert await asking == DIED
        (second,) = await processes_of(thinkers)
        stuck = asyncio.create_task(thinkers.choose(question(ENDLESS)))
        await asyncio.sleep(0.05)
        stuck.cancel()  # as when its time is up
        await until(lambda: thinkers._pool._fated is None)
        assert first != second
        await until(lambda: not {first, second} & living_children())

    with_thinkers(story)


def test_a_policy_that_fails_says_where_and_quotes_nothing() -> None:
    failure = chosen(question(Setting("mcts", 0)))
    assert isinstance(failure, Failure)
    assert failure.code == "AssertionError"
    assert failure.place.startswith("mcts.py:")


async def processes_of(thinkers: ProcessThinkers) -> list[int]:
    """Return the processes that have started, once they have answered a question."""
    assert isinstance(await thinkers.choose(question(ANYTHING)), int)
    assert thinkers._pool._fated is not None
    return list(thinkers._pool._fated._executor._processes)


def living_children() -> set[int | None]:
    return {each.pid for each in multiprocessing.active_children()}


def with_thinkers(story: Callable[[ProcessThinkers], Awaitable[None]]) -> None:
    async def told() -> None:
        thinkers = ProcessThinkers(1)
        try:
            await story(thinkers)
        finally:
            thinkers.close()

    run(told, 60.0)
