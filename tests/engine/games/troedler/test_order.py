"""Equal multisets are equal values: each is written in one order only."""

from collections.abc import Iterator

import pytest

from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.data import CARD_ORDER
from howff.engine.games.troedler.events import GoodsDelivered
from howff.engine.games.troedler.state import Options, State
from support.playouts import play_out


def goods_of(state: State) -> Iterator[tuple[str, ...]]:
    yield from state.goods
    yield from (player.collection for player in state.players)
    if state.turn.delivery is not None:
        yield from (state.turn.delivery.replaced, state.turn.delivery.substitutes)


@pytest.mark.parametrize("seats", GAME.seats)
def test_goods_and_cards_stand_in_order_in_every_state(seats: int) -> None:
    for seed in range(4):
        for step in play_out(GAME, Options(dealing="auto"), seats, seed).steps:
            for goods in goods_of(step.after):
                assert list(goods) == sorted(goods)
            for player in step.after.players:
                for cards in (player.hand, player.value_pile):
                    assert list(cards) == sorted(cards, key=CARD_ORDER.__getitem__)


@pytest.mark.parametrize("seats", GAME.seats)
def test_delivered_goods_are_told_in_order(seats: int) -> None:
    playout = play_out(GAME, Options(dealing="auto"), seats, seed=1)
    delivered = [event.goods for event in playout.events if isinstance(event, GoodsDelivered)]
    assert delivered
    assert all(list(goods) == sorted(goods) for goods in delivered)
