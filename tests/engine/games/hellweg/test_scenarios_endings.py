"""The acceptance scenarios of the end: the final account, the ranking, and the short game."""

from collections import Counter
from collections.abc import Mapping

import pytest

from howff.engine.errors import MatchOverError
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.events import (
    MerchantPlaced,
    MerchantsRetrieved,
    MonthBegan,
    SalesEnded,
    TradingCardRevealed,
    TradingCardsSetAside,
    TurnStarted,
)
from support.hellweg import given, texts, when
from support.playouts import play_out
from support.texts import of


def account(players: Mapping[int, str], seats: int = 3) -> str:
    """Return the final account of a match in which these seats have nothing more to sell."""
    state = given(last=True, seats=seats, active=seats - 1, slot=4, sold=1, players=players)
    return texts(when(state, "skip_town").events)[-1]


def test_scenario_40_each_pair_counts_and_the_banner_need_not_be_in_it() -> None:
    cards = "coal_salt, coal_beer, herring_removal, herring_pair"
    assert account({0: f"money 7 | cards {cards}"}).startswith(
        "GameEnded [{7 100 [{coal_salt herring_removal 50}, {coal_beer herring_pair 50}] 107 0 0 1}"
    )
    without = "coal_salt, coal_beer, herring_removal"
    assert 7 + 18 + 18 + 24 == 67
    assert account({0: f"money 7 | cards {without}"}).startswith("GameEnded [{7 60 [] 67 0 0 1}")


def test_scenario_41_two_cards_of_tobacco_are_a_pair() -> None:
    both = account({0: "money 0 | cards tobacco_1, tobacco_2"}, seats=4)
    assert both.startswith("GameEnded [{0 90 [{tobacco_1 tobacco_2 90}] 90 0 0 1}")
    shared = account({0: "money 0 | cards tobacco_1", 1: "money 0 | cards tobacco_2"}, seats=4)
    assert shared.startswith("GameEnded [{0 37 [] 37 0 0 1}, {0 37 [] 37 0 0 1}")
    assert account({0: "money 0 | cards tobacco_1"}).startswith("GameEnded [{0 37 [] 37 0 0 1}")


def test_scenario_42_tokens_then_carriages_break_ties() -> None:
    players = {
        0: "money 80 | tokens hamm_beer 4 | carriages hamm_soest 6",
        1: "money 80 | tokens hamm_beer 5 | carriages hamm_soest 3",
        2: "money 75 | tokens hamm_beer 9 | carriages hamm_soest 2",
        3: "money 80 | tokens hamm_beer 5 | carriages hamm_soest 3",
    }
    state = given(last=True, seats=4, active=3, slot=4, sold=1, players=players)
    draft = when(state, "skip_town")
    assert texts(draft.events)[-1] == (
        "GameEnded [{80 0 [] 80 4 6 3}, {80 0 [] 80 5 3 1}, {75 0 [] 75 9 2 4}, {80 0 [] 80 5 3 1}]"
    )
    outcome = GAME.outcome(draft.state)
    assert outcome is not None
    assert outcome.places == (3, 1, 4, 1)
    assert outcome.winners == (1, 3)
    with pytest.raises(MatchOverError):
        when(draft.state, "3: skip_town")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_scenario_43_a_short_game_has_ten_months(seats: int) -> None:
    match = play_out(GAME, GAME.read_options({"short_game": True}), seats, seed=43)
    events = list(match.events)
    revealed = of(events, TradingCardRevealed)
    assert [each.month for each in revealed] == list(range(1, 11))
    assert [each.last for each in revealed] == [False] * 9 + [True]
    assert [each.month for each in of(events, MonthBegan)] == list(range(1, 11))
    assert [each.month for each in of(events, SalesEnded)] == list(range(1, 11))
    assert [each.month for each in of(events, MerchantsRetrieved)] == list(range(1, 10))
    turns = Counter((each.seat, each.round) for each in of(events, TurnStarted))
    assert turns == {(seat, number): 9 for seat in range(seats) for number in (1, 2)}
    assert len(of(events, MerchantPlaced)) == 9 * 2 * seats
    (set_aside,) = of(events, TradingCardsSetAside)
    cards = {each.card for each in revealed}
    assert len(cards) == 10
    assert len(cards | set(set_aside.cards)) == 12
    assert match.final.card == revealed[-1].card


def test_the_last_month_of_a_match_is_the_twelfth() -> None:
    events = list(play_out(GAME, GAME.read_options({}), 2, seed=43).events)
    assert [each.last for each in of(events, TradingCardRevealed)] == [False] * 11 + [True]
    assert len(of(events, MerchantsRetrieved)) == 11
