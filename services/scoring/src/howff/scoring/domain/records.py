"""Records: what a match adds to how accounts have done.

A match counts unless it was aborted, or is a branch. Whoever holds several seats of it counts once,
by the seat that has come out best.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from howff.engine.codec import canonical
from howff.match.events import Account
from howff.scoring.domain.results import MatchResult, SeatResult
from howff.scoring.domain.standings import best_seats, is_left, standing_of

LONGEST_OPTION: Final = 200
"""Characters of an option, name and value each, that is worth a record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTally:
    """What a match adds to the record of an account at a seat, of so many."""

    player: str
    seats: int
    seat: int
    matches: int = 1
    firsts: int
    places: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionTally:
    """What a match adds to the record of an account where an option has a value."""

    player: str
    name: str
    value: str
    """In canonical JSON."""
    matches: int = 1
    firsts: int
    places: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingTally:
    """What a match adds to how an account has done against an opponent."""

    player: str
    opponent: str
    """An account, or `bot:LEVEL`."""
    matches: int = 1
    ahead: int
    behind: int
    level: int


@dataclass(frozen=True, slots=True)
class Tallies:
    """What a match adds to records; each key stands in it once."""

    seats: tuple[SeatTally, ...] = ()
    options: tuple[OptionTally, ...] = ()
    meetings: tuple[MeetingTally, ...] = ()


def tallies_of(result: MatchResult) -> Tallies:
    """Return what a match adds to the records of the accounts in it."""
    if result.reason == "aborted" or result.is_branch:
        return Tallies()
    best = best_seats(result)
    own = {
        name: seat for name, seat in best.items() if isinstance(result.seats[seat].holder, Account)
    }
    return Tallies(
        seats=tuple(
            SeatTally(player=player, seats=len(result.seats), seat=seat, **_done(result, seat))
            for player, seat in own.items()
        ),
        options=tuple(
            OptionTally(player=player, name=name, value=value, **_done(result, seat))
            for player, seat in own.items()
            for name, value in _options(result)
        ),
        meetings=tuple(
            _meeting(player, opponent, result.seats[seat], result.seats[other])
            for player, seat in own.items()
            for opponent, other in best.items()
            if opponent != player
        ),
    )


def _done(result: MatchResult, seat: int) -> Mapping[str, int]:
    told = result.seats[seat]
    assert told.place is not None, "what counts has places"
    return {"firsts": int(told.place == 1), "places": told.place, "left": int(is_left(told))}


def _options(result: MatchResult) -> Iterator[tuple[str, str]]:
    """Yield the options that are plain, each with the text of its value."""
    for name, value in result.options.items():
        if isinstance(value, bool | int | str):
            text = canonical(value)
            if max(len(name), len(text)) <= LONGEST_OPTION:
                yield name, text


def _meeting(player: str, opponent: str, own: SeatResult, other: SeatResult) -> MeetingTally:
    mine, theirs = standing_of(own), standing_of(other)
    return MeetingTally(
        player=player,
        opponent=opponent,
        ahead=int(mine < theirs),
        behind=int(mine > theirs),
        level=int(mine == theirs),
    )
