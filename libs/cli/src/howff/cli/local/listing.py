"""`howff games`: what can be played."""

from dataclasses import fields

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from howff.engine.catalogue import GAMES
from howff.engine.codec import canonical
from howff.engine.game import AnyGame
from howff.engine.schema import schema_of, values_in_words


def show_games(console: Console) -> None:
    """Show the games of the catalogue, with their seats and options."""
    for game in GAMES.values():
        seats = f"{game.seats[0]} to {game.seats[-1]} seats"
        console.print(Text.assemble((game.key, "bold"), f"   {game.title}, {seats}"))
        console.print(_options(game))


def _options(game: AnyGame) -> Table:
    table = Table(box=SIMPLE_HEAD)
    for title in ("Option", "Default", "Values"):
        table.add_column(title)
    properties = schema_of(game.options)["properties"]
    for field in fields(game.options):
        schema = properties[field.name]
        values = Text(values_in_words(schema))
        table.add_row(field.name, Text(canonical(schema["default"])), values)
    return table
