"""Die Trödler aus den Highlands, a game by Carlo A. Rossi (Zoch, 2024)."""

from howff.engine.game import Game
from howff.engine.games.troedler import (
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
    state,
    view,
    worlds,
)
from howff.engine.games.troedler.data import DATA_HASH

GAME = Game(
    key="troedler",
    title="Die Trödler aus den Highlands",
    authors="Carlo A. Rossi (Zoch, 2024)",
    summary=(
        "Dealers drive their carts through the villages around the Spey. Each round cards are "
        "dealt into piles, face up, and each covers the one below: whoever remembers them picks "
        "well. With the cards of a pile you drive along routes, take goods where some lie, and "
        "deliver them to villages where none lie. Requests and goods left count at the end; feed "
        "and half of the goods are damage, and whoever alone has most of it is last."
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
    to_act=rules.to_act,
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
