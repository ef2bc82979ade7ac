"""Hellweg Westfalicus, a game by Michael Schacht (Spiele aus Timbuktu, 2014)."""

from howff.engine.game import Game
from howff.engine.games.hellweg import (
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
from howff.engine.games.hellweg.data import DATA_HASH

GAME = Game(
    key="hellweg",
    title="Hellweg Westfalicus",
    authors="Michael Schacht (Spiele aus Timbuktu, 2014)",
    summary=(
        "Along the old trade road from Duisburg to Paderborn you buy beer, salt and ironware "
        "where they are cheap, put carriages on roads, and sell in the towns that the month asks "
        "for. Each month all sell first, and then send two merchants each. Cards with coal, "
        "herring, wine and tobacco help while you own them, and count at the end. Most money "
        "wins."
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
    to_act=legality.to_act,
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
