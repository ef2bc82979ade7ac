"""Dale of Merchants, a game by Sami Laakso (Snowdale Design, 2015)."""

from howff.engine.game import Game
from howff.engine.games.dale_of_merchants import (
    absence,
    events,
    evolve,
    explain,
    legality,
    memory,
    moves,
    rules,
    scoring,
    setup,
    stages,
    state,
    view,
    worlds,
)
from howff.engine.games.dale_of_merchants.data import DATA_HASH

GAME = Game(
    key="dale_of_merchants",
    title="Dale of Merchants",
    authors="Sami Laakso (Snowdale Design, 2015)",
    summary=(
        "Animal merchants buy cards at a market, use them, and part with them again to fill their "
        "stalls. A turn is one action: buy, play a technique, build a stack, or discard. Stacks "
        "are worth exactly 1, 2, 3 and so on, each of cards of one set. Whoever first has eight "
        "stacks wins."
    ),
    seats=range(2, 5),
    rules_version="1",
    data_hash=DATA_HASH,
    options=state.Options,
    state=state.State,
    move=moves.Move,
    event=events.Event,
    view_type=view.View,
    memory=memory.Memory,
    initial=setup.initial,
    setup=setup.setup,
    to_act=stages.to_act,
    legal_moves=legality.legal_moves,
    decide=rules.decide,
    evolve=evolve.evolve,
    view=view.view,
    outcome=scoring.outcome,
    default_move=absence.default_move,
    remember=memory.remember,
    is_true=memory.is_true,
    sample_world=worlds.sample_world,
    explain=explain.explain,
)

__all__ = ["GAME"]
