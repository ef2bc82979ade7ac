from dataclasses import replace
from typing import Any, Final, NoReturn

import pytest

from howff.bots.policies.errors import NotInstalledError
from howff.bots.policies.greedy import best_of, choose_any, choose_best
from howff.bots.policies.judgement import Judgement
from howff.bots.policies.luck import SearchRng
from howff.bots.policies.mcts import GLANCES, Search, Shape
from howff.bots.policies.settings import Setting, cheaper, choose, setting_of, version_of
from howff.bots.policies.situation import Situation
from howff.contracts.matches import LEVELS
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from support.bot_matches import TOY_PLAY
from support.rng import LocalRng
from support.toy_game import TOY
from support.toy_types import Bid, Memory, Move, Options, Player, State

IVY = Seat(0)
MISLED: Final[Judgement[State, Move]] = Judgement(
    version=1,
    weigh=lambda _state, _seat, moves: [-getattr(move, "card", 0) for move in moves],
    estimate=TOY_PLAY.judgement.estimate,
    decisive=6,
)
"""Thinks that low cards are good to bid, and is not wrong about what counts at the end."""


def situation(seed: int = 0, game: AnyGame = TOY) -> Situation:
    """Return the first decision of a match of three."""
    draft = TOY.start(Options(), 3, LocalRng(seed))
    return seen_of(draft.state, IVY, game)


def seen_of(state: State, seat: Seat, game: AnyGame = TOY) -> Situation:
    return Situation(game, seat, TOY.view(state, seat), Memory(), TOY.legal_moves(state, seat))


def last_bid() -> State:
    """Return where a six wins the prize, and so the match, since ties are for the starter."""
    deck = (1, 1, 2, 2, 3, 3)
    players = (Player(hand=(1, 2, 6)), Player(hand=(4, 5), bid=5))
    return State(
        Options(rounds=1), players, starter=IVY, round=1, prize=6, deck=deck, stage="bidding"
    )


def test_a_search_finds_the_winning_move_though_it_looks_bad() -> None:
    now = seen_of(last_bid(), IVY)

    for seed in range(5):
        rng = SearchRng(b"%d" % seed)
        assert choose_best(now, MISLED, 4, rng) == Bid(1)
        assert Search(now, MISLED, Shape(depth=8), rng).choose(150) == Bid(6)


def test_a_glance_that_is_trusted_counts_as_so_many_walks() -> None:
    now = seen_of(last_bid(), IVY)
    for trust, expected in ((0, Bid(6)), (5, Bid(6)), (5000, Bid(1))):
        search = Search(now, MISLED, Shape(depth=8, trust=trust), SearchRng(b"0"))
        assert search.choose(150) == expected


def test_equal_seeds_find_equal_moves_and_others_others() -> None:
    def found(seed: bytes) -> list[Any]:
        searches = (
            Search(situation(at), TOY_PLAY.judgement, Shape(depth=4), SearchRng(seed))
            for at in range(12)
        )
        return [search.choose(3) for search in searches]

    assert found(b"a") == found(b"a")
    assert len({str(found(b"%d" % seed)) for seed in range(6)}) > 1


def test_a_search_asks_for_worlds_within_its_budget_and_for_nothing_else() -> None:
    asked: list[Any] = []

    def sample_world(view: Any, memory: Any, rng: Any) -> Any:
        asked.append((view, memory))
        return TOY.sample_world(view, memory, rng)

    def refuse(*_: Any) -> NoReturn:
        message = "a search has no business here"
        raise AssertionError(message)

    names = ("initial", "setup", "evolve", "view", "remember", "is_true", "default_move", "explain")
    others: dict[str, Any] = dict.fromkeys(names, refuse)
    blind = replace(TOY, sample_world=sample_world, **others)
    now = situation(1, blind)
    assert len(now.moves) > 1
    move = Search(now, TOY_PLAY.judgement, Shape(depth=6), SearchRng(b"a")).choose(20)

    assert move in now.moves
    assert asked == [(now.view, now.memory)] * len(asked)
    assert 10 < len(asked) - GLANCES <= 20
    asked.clear()
    assert choose_best(now, TOY_PLAY.judgement, 7, SearchRng(b"a")) in now.moves
    assert asked == [(now.view, now.memory)] * 7
    asked.clear()
    assert choose_any(now, SearchRng(b"a")) in now.moves
    assert asked == []


def test_there_is_no_way_from_a_situation_to_the_true_state() -> None:
    assert not {"state", "match", "world", "events"} & set(Situation.__slots__)
    assert Situation.__slots__ == ("game", "seat", "view", "memory", "moves")


def test_a_greedy_bot_takes_what_looks_best_and_luck_breaks_ties() -> None:
    now = seen_of(last_bid(), IVY)
    equal = replace(MISLED, weigh=lambda _state, _seat, moves: [0] * len(moves))

    assert choose_best(now, MISLED, 1, SearchRng(b"a")) == Bid(1)
    chosen = {choose_best(now, equal, 1, SearchRng(b"%d" % seed)) for seed in range(30)}
    assert chosen == set(now.moves)
    assert best_of("abcd", [3, 5, 5, 1]) == ["b", "c"]


def test_a_random_bot_takes_any_move() -> None:
    now = situation()

    chosen = {choose_any(now, SearchRng(b"%d" % seed)) for seed in range(60)}
    assert chosen == set(now.moves)


def test_a_lone_move_is_chosen_by_every_policy() -> None:
    now = replace(situation(), moves=situation().moves[:1])

    for setting in (Setting("random", 0), Setting("greedy", 3), Setting("mcts", 3)):
        assert choose(TOY_PLAY, setting, now, SearchRng(b"a")) == now.moves[0]


def test_slips_are_as_frequent_as_the_setting_says() -> None:
    now = seen_of(last_bid(), IVY)
    best = choose(TOY_PLAY, Setting("greedy", 4), now, SearchRng(b"a"))
    slipping = Setting("greedy", 4, slip=3)

    moves = [choose(TOY_PLAY, slipping, now, SearchRng(b"%d" % seed)) for seed in range(900)]
    # One of three is made at random, and of these one of three is the best.
    assert len(now.moves) == 3
    assert 130 < sum(move != best for move in moves) < 270


def test_the_levels_are_those_of_matches_and_each_has_its_setting() -> None:
    settings = {level: setting_of(TOY_PLAY, level) for level in LEVELS}

    assert [each.policy for each in settings.values()] == ["random", "greedy", "greedy"] + [
        "mcts"
    ] * 2
    assert settings["strong"].nodes < settings["master"].nodes
    with pytest.raises(NotInstalledError):
        setting_of(TOY_PLAY, "divine")


def test_a_bot_in_a_hurry_looks_once() -> None:
    assert cheaper(Setting("mcts", 900)) == Setting("greedy", 1)
    for level in ("random", "casual", "steady"):
        assert cheaper(setting_of(TOY_PLAY, level)) == setting_of(TOY_PLAY, level)


def test_the_version_tells_the_judgement_too() -> None:
    newer = replace(TOY_PLAY, judgement=replace(TOY_PLAY.judgement, version=4))

    assert version_of(TOY_PLAY) == "2.3"
    assert version_of(newer) == "2.4"
