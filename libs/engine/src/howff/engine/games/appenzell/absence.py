"""What an absent seat does in Burg Appenzell: it stays where it is."""

from howff.engine.games.appenzell.moves import EndTurn, Move
from howff.engine.games.appenzell.view import View


def default_move(view: View, moves: tuple[Move, ...]) -> Move:
    """Return the move of a seat that is away: the first free tower, and later no action at all."""
    del view
    return EndTurn() if EndTurn() in moves else moves[0]
