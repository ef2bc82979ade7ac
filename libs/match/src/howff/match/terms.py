"""The terms of a match: what is agreed before it starts."""

from dataclasses import fields

from howff.engine.codec import shown
from howff.match.clocks import CLOCK_RANGES, Clock
from howff.match.commands import StartMatch
from howff.match.draws import Entropies
from howff.match.errors import WrongEntropiesError, WrongTermError

MOST_ENTROPY = 64


def check_terms(command: StartMatch) -> None:
    """Refuse terms that there are not, or that do not fit each other.

    Raises:
        WrongTermError: a clock has no such time, or what stands in for seats is not told.
    """
    if command.clock is not None:
        _check_clock(command.clock)
    needs_one = "bot" in {command.on_flag, command.on_leave}
    if needs_one != (command.stand_in is not None):
        expected = "the level of the bot that takes over" if needs_one else "none"
        raise WrongTermError("stand_in", expected=expected, found=shown(command.stand_in))


def _check_clock(clock: Clock) -> None:
    for field in fields(clock):
        number, allowed = getattr(clock, field.name), CLOCK_RANGES[field.name]
        if number not in allowed:
            expected = f"{allowed[0]} to {allowed[-1]}"
            raise WrongTermError(field.name, expected=expected, found=str(number))


def check_entropies(entropies: Entropies, seats: int) -> None:
    """Refuse entropies that are not one a seat, each short or null.

    Raises:
        WrongEntropiesError: they are not.
    """
    given = [each for each in entropies if each is not None]
    is_short = all(each.isascii() and len(each) <= MOST_ENTROPY for each in given)
    if len(entropies) != seats or not is_short:
        raise WrongEntropiesError(seats, found=shown(list(entropies)))
