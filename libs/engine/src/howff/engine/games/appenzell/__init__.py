"""Burg Appenzell, a game by Jens-Peter Schliemann and Bernhard Weber (Zoch, 2007)."""

from howff.engine.game import Game
from howff.engine.games.appenzell import (
    absence,
    events,
    evolve,
    explain,
    legality,
    memory,
    moves,
    ranking,
    rules,
    setup,
    state,
    view,
    worlds,
)
from howff.engine.games.appenzell.data import DATA_HASH

GAME = Game(
    key="appenzell",
    title="Burg Appenzell",
    authors="Jens-Peter Schliemann and Bernhard Weber (Zoch, 2007)",
    summary=(
        "Mice run through a castle under whose roofs lies cheese. With four actions a turn you "
        "take roofs off, run, bring mice in, and push the floor like that of a sliding maze. Two "
        "of your mice on the same kind of cheese win a piece of it; whoever first has enough "
        "kinds wins. There are traps too, and the match ends badly for whoever loses a third "
        "mouse."
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
    outcome=ranking.outcome,
    default_move=absence.default_move,
    remember=memory.remember,
    is_true=memory.is_true,
    sample_world=worlds.sample_world,
    explain=explain.explain,
)

__all__ = ["GAME"]
