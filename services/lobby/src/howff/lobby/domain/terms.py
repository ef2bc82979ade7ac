"""What is agreed before a match: its game, and by which terms it is played."""

from dataclasses import dataclass, replace

from howff.engine.catalogue import game_of
from howff.engine.codec import JSON, to_json
from howff.match.clocks import Clock
from howff.match.commands import StartMatch
from howff.match.commit import CommandId, MatchId
from howff.match.decisions import check_start
from howff.match.events import Account, OnFlag, OnLeave, Watch

_NOBODY = Account("nobody")


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of a table; *seats* is how many there are."""

    game: str
    options: JSON
    """Those of the game, as resolved by `resolved`."""
    seats: int
    clock: Clock | None = None
    on_flag: OnFlag = "resign"
    on_leave: OnLeave = "default_moves"
    stand_in: str | None = None
    """The level of the bots that take seats over; told if and only if any do."""
    watch: Watch = "public"
    rated: bool = False


def resolved(terms: Terms) -> Terms:
    """Return *terms* with all options of the game told, as a match by them would be started.

    Raises:
        UnknownGameError: there is no such game.
        WrongOptionError: the game has no such option or value, or not with so many seats.
        WrongSeatCountError: it is not for so many.
        WrongTermError: the clock has no such time, or the stand-in is missing or surplus.
    """
    game = game_of(terms.game)
    options = game.read_options(terms.options)
    check_start(game, _start(terms, options))
    return replace(terms, options=to_json(game.options, options))


def _start(terms: Terms, options: object) -> StartMatch:
    """Return the start of a match by *terms*, whoever plays it."""
    return StartMatch(
        id=CommandId(""),
        match=MatchId(""),
        options=options,
        seats=(_NOBODY,) * terms.seats,
        watch=terms.watch,
        rated=terms.rated,
        entropies=(None,) * terms.seats,
        clock=terms.clock,
        on_flag=terms.on_flag,
        on_leave=terms.on_leave,
        stand_in=terms.stand_in,
    )
