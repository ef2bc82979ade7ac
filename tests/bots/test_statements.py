from typing import Any

import pytest

from howff.bots.policies.errors import NotInstalledError
from howff.bots.policies.settings import cheaper, setting_of
from howff.bots.policies.situation import Situation
from howff.bots.statements import MOST_NODES, Statement, choose_as_stated, statement_of
from howff.engine.errors import MalformedError
from howff.engine.seats import Seat
from support.bot_matches import TOY_PLAY, seed_for
from support.rng import LocalRng
from support.toy_game import TOY
from support.toy_types import Options

PLAIN = {"policy": "mcts", "version": "2.3", "level": "strong", "nodes": 40, "seed": "0f" * 16}


def situation(seed: int = 0) -> Situation:
    draft = TOY.start(Options(), 3, LocalRng(seed))
    seat = Seat(1)
    view, moves = TOY.view(draft.state, seat), TOY.legal_moves(draft.state, seat)
    return Situation(TOY, seat, view, TOY.memory(), moves)


def test_a_statement_is_told_in_plain_json() -> None:
    seed = bytes.fromhex("0f" * 16)
    statement = statement_of(TOY_PLAY, "strong", setting_of(TOY_PLAY, "strong"), seed)

    assert statement.to_json() == PLAIN
    assert Statement.from_json(PLAIN) == statement


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"policy": "oracle"}, "policy"),
        ({"seed": "0F" * 16}, "seed"),
        ({"seed": "0f" * 15}, "seed"),
        ({"seed": "0f" * 16 + "\n"}, "seed"),
        ({"nodes": -1}, "nodes"),
        ({"nodes": True}, "nodes"),
        ({"nodes": MOST_NODES + 1}, "nodes"),
        ({"nodes": 0}, "nodes"),
        ({"thoughts": "none"}, "thoughts"),
    ],
)
def test_what_is_no_statement_is_refused(change: dict[str, Any], path: str) -> None:
    with pytest.raises(MalformedError) as refusal:
        Statement.from_json(PLAIN | change)
    assert refusal.value.path == path


def test_a_statement_tells_everything_that_it_takes() -> None:
    for name in PLAIN:
        with pytest.raises(MalformedError):
            Statement.from_json({key: value for key, value in PLAIN.items() if key != name})


def test_equal_statements_choose_equal_moves_and_other_seeds_choose_others() -> None:
    setting = setting_of(TOY_PLAY, "random")

    def chosen(seed: int) -> list[Any]:
        statements = (
            statement_of(TOY_PLAY, "random", setting, seed_for(seed + at)) for at in range(12)
        )
        return [
            choose_as_stated(TOY_PLAY, each, situation(at)) for at, each in enumerate(statements)
        ]

    assert chosen(0) == chosen(0)
    assert chosen(0) != chosen(100)


def test_a_default_move_is_that_of_the_game() -> None:
    statement = statement_of(TOY_PLAY, "strong", None, seed_for(0))
    now = situation()

    assert (statement.policy, statement.nodes) == ("default", 0)
    assert choose_as_stated(TOY_PLAY, statement, now) == TOY.default_move(now.view, now.moves)


def test_a_hurried_bot_states_what_it_did_instead() -> None:
    setting = cheaper(setting_of(TOY_PLAY, "strong"))
    statement = statement_of(TOY_PLAY, "strong", setting, seed_for(0))

    assert (statement.policy, statement.level, statement.nodes) == ("greedy", "strong", 1)
    assert choose_as_stated(TOY_PLAY, statement, situation()) in situation().moves


@pytest.mark.parametrize("change", [{"version": "2.2"}, {"level": "divine"}])
def test_what_is_not_installed_chooses_nothing(change: dict[str, Any]) -> None:
    with pytest.raises(NotInstalledError):
        choose_as_stated(TOY_PLAY, Statement.from_json(PLAIN | change), situation())
