"""Highland Clans (Mac Robber), a game by Ralf Burkert (Queen Games, 2005)."""

from howff.engine.game import Game
from howff.engine.games.highland_clans import (
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
from howff.engine.games.highland_clans.data import DATA_HASH

GAME = Game(
    key="highland_clans",
    title="Highland Clans",
    authors="Ralf Burkert (Queen Games, 2005)",
    summary=(
        "Clans draw cubes from one bag, and make of them warriors, bagpipers, monks, cattle, "
        "castles and monasteries; whatever you gather the others can't draw. Then you may raid a "
        "clan: three fights with hidden cards, for points and spoils. Each round all boards are "
        "scored, and a hidden number decides whether the match ends. Most points win."
    ),
    seats=range(3, 6),
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
