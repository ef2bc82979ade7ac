"""A match on this machine alone: its seed and key are made for it and leave with its export."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from howff.cli.errors import WrongChoiceError
from howff.engine.catalogue import game_of
from howff.engine.codec import JSON
from howff.engine.errors import WrongSeatCountError
from howff.engine.game import AnyGame
from howff.match.commands import StartMatch
from howff.match.commit import CommandId, MatchId
from howff.match.events import Account, Bot
from howff.match.notary import Notary
from howff.match.record import Recorder
from howff.match.signatures import Signer
from howff.servicekit import clock, ids

NAMES = ("Ivy", "Freya", "Jack", "Scott", "Isla", "Rory")
"""What the seats are called in a match without accounts."""

STEADY: Final = "steady"
"""The level of bots in a match without servers, unless another is asked for."""


@dataclass(frozen=True, slots=True)
class Seating:
    """How many seats a match has, and how many of them, the last ones, are held by bots."""

    seats: int
    bots: int
    level: str
    """How well the bots play."""


def seating_of(key: str, seats: int | None, bots: int | None, level: str) -> Seating:
    """Return the seating for the game *key*: by default all seats, and bots in all but one.

    Raises:
        UnknownGameError: the catalogue has no such game.
        WrongSeatCountError: the game is not for so many seats.
        WrongChoiceError: there are more bots than seats, or fewer than none.
    """
    game = game_of(key)
    seats = game.seats[-1] if seats is None else seats
    if seats not in game.seats:
        raise WrongSeatCountError(game.seats, seats)
    bots = seats - 1 if bots is None else bots
    if bots not in range(seats + 1):
        raise WrongChoiceError("bots", expected=f"0 to {seats}", found=str(bots))
    return Seating(seats, bots, level)


def record(game: AnyGame, options: Any, seating: Seating) -> Recorder:
    """Return a match of *game* that has just begun.

    Raises:
        WrongOptionError: the options do not fit the seats.
    """
    people = seating.seats - seating.bots
    holders: list[Account | Bot] = [Account(f"local-{seat}") for seat in range(people)]
    holders += [Bot(seating.level)] * seating.bots
    command = StartMatch(
        id=CommandId(ids.new_id()),
        match=MatchId(ids.new_id()),
        options=options,
        seats=tuple(holders),
        entropies=(None,) * seating.seats,
    )
    notary = Notary(ids.new_secret(), Signer.of(ids.new_secret()))
    return Recorder(game, command, at=clock.now(), notary=notary)


def options_from(game: AnyGame, settings: Sequence[str], rounds: int | None = None) -> Any:
    """Return the options that *settings* (`name=value`) tell.

    With *rounds*, a match that could go on without end has no more than so many.

    Raises:
        WrongChoiceError: a setting has no `=`.
        WrongOptionError: the game has no such option or value.
    """
    plain = plain_options(settings)
    return game.read_options(plain if rounds is None else game.bounded(plain, rounds))


def plain_options(settings: Sequence[str]) -> dict[str, JSON]:
    """Return what *settings* (`name=value`) tell, by name, which no game has looked at yet.

    Raises:
        WrongChoiceError: a setting has no `=`.
    """
    plain: dict[str, JSON] = {}
    for setting in settings:
        name, separator, text = setting.partition("=")
        if not separator:
            raise WrongChoiceError("option", expected="name=value", found=repr(setting))
        plain[name] = _value(text)
    return plain


def _value(text: str) -> JSON:
    """Return *text* as JSON if it is that, as a list if it has commas, else as it stands."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text.split(",") if "," in text else text
