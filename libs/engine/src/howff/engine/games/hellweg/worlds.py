"""Worlds that fit what a seat knows of a match of Hellweg Westfalicus, each equally likely."""

from howff.engine.games.hellweg.data import SHORT_GAME_REMOVES, TRADING_CARDS
from howff.engine.games.hellweg.memory import Memory
from howff.engine.games.hellweg.state import State
from howff.engine.games.hellweg.view import View
from howff.engine.rng import Rng


def sample_world(view: View, memory: Memory, rng: Rng) -> State:
    """Return a state that *view* and *memory* allow: the trading cards to come in any order.

    Who has not seen all that has lain open may find some of it among them.
    """
    open_card = None if view.card is None else view.card.card
    unseen = (card for card in TRADING_CARDS if card != open_card and card not in memory.seen)
    cards = rng.shuffle("trading deck", tuple(unseen))
    stack, others = cards[: view.cards_left], cards[view.cards_left :]
    set_aside = view.set_aside
    if set_aside is None:
        set_aside = others[: SHORT_GAME_REMOVES if view.options.short_game else 0]
    return State(
        options=view.options,
        seats=len(view.players),
        stage=view.stage,
        starting_seat=view.starting_seat,
        month=view.month,
        players=view.players,
        for_sale=view.for_sale,
        stack=stack,
        set_aside=set_aside,
        card=open_card,
        turn=view.turn,
        due=view.due,
        additional_carriages=view.additional_carriages,
        standings=view.standings,
    )
