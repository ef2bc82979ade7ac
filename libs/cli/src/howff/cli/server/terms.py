"""By what clock a match on a server is played, as the options of a command tell it."""

import re
from typing import Final

from howff.cli.errors import WrongChoiceError
from howff.engine.codec import JSON
from howff.match.events import OnFlag, OnLeave

STAND_IN: Final = "random"
"""The level of the bots in practice matches, and of those that take seats over there."""

_CLOCKS: Final = (
    re.compile(r"move=(?P<move_seconds>\d{1,9})", re.ASCII),
    re.compile(r"match=(?P<match_seconds>\d{1,9})(\+(?P<increment_seconds>\d{1,9}))?", re.ASCII),
    re.compile(r"days=(?P<turn_days>\d{1,9})", re.ASCII),
)


def terms_from(clock: str | None, on_flag: OnFlag, on_leave: OnLeave) -> dict[str, JSON]:
    """Return the part of the order of a match that tells its terms.

    Raises:
        WrongChoiceError: *clock* is none.
    """
    terms: dict[str, JSON] = {"on_flag": on_flag, "on_leave": on_leave}
    if clock is not None:
        terms["clock"] = clock_from(clock)
    if "bot" in {on_flag, on_leave}:
        terms["stand_in"] = STAND_IN
    return terms


USUAL: Final = terms_from(None, "resign", "default_moves")
"""The terms of whoever asks for none."""


def clock_from(text: str) -> JSON:
    """Return the clock that *text* tells.

    Raises:
        WrongChoiceError: it is none.
    """
    for form in _CLOCKS:
        if found := form.fullmatch(text):
            return {name: int(number or 0) for name, number in found.groupdict().items()}
    expected = "move=SECONDS, match=SECONDS+INCREMENT or days=DAYS"
    raise WrongChoiceError("clock", expected=expected, found=repr(text[:20]))
