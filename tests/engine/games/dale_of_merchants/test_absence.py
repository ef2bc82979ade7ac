"""What is played for a seat that is away."""

import pytest

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.moves import PlaceOnDeck, ThrowHandCard
from howff.engine.games.dale_of_merchants.state import State
from support.dale_of_merchants import given, when


def default_name(state: State) -> str:
    (seat,) = GAME.to_act(state)
    moves = GAME.legal_moves(state, seat)
    return type(GAME.default_move(GAME.view(state, seat), moves)).__name__


def test_an_absent_seat_passes_and_keeps_its_hand() -> None:
    state = given(hands={0: "spyglass junk junk"})
    assert default_name(state) == "StartInventory"
    assert default_name(when(state, "start_inventory").state) == "FinishInventory"


def test_an_absent_seat_does_no_bonus_action() -> None:
    state = when(given(hands={0: "flashy_show junk"}), "play_technique flashy_show").state
    assert default_name(state) == "DeclineBonus"


@pytest.mark.parametrize("technique", ["shattered_relic", "rotten_food"])
def test_an_absent_seat_gives_junk_away_rather_than_a_card(technique: str) -> None:
    state = when(
        given(hands={0: f"{technique} spyglass junk"}), f"play_technique {technique}"
    ).state
    (seat,) = GAME.to_act(state)
    move = GAME.default_move(GAME.view(state, seat), GAME.legal_moves(state, seat))
    assert isinstance(move, ThrowHandCard | PlaceOnDeck)
    assert move.card.card == "junk"
