"""What folds in memory are told, and what they make of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from howff.match.events import Account
from howff.scoring.domain.results import MatchResult, SeatResult

Place = tuple[int, MatchResult]
"""A match, and the position of its end."""
Row = dict[str, Any]
Fold = Callable[[Sequence[Place]], Mapping[str, Iterable[Row]]]
"""By table the rows that a projection has of matches in the order of their ends."""


def contests_in(result: MatchResult) -> Iterable[tuple[str, list[SeatResult]]]:
    people = [each for each in result.seats if isinstance(each.holder, Account)]
    bots = [each for each in result.seats if not isinstance(each.holder, Account)]
    if result.is_rated and len(people) > 1:
        yield result.speed, people
    is_told = result.reason == "finished" and not result.is_branch
    if is_told and len({name_of(each) for each in bots}) > 1:
        yield "bots", bots


def name_of(seat: SeatResult) -> str:
    holder = seat.holder
    return holder.account if isinstance(holder, Account) else holder.level


def standing_in(seat: SeatResult) -> tuple[bool, int]:
    """Return what is less the better a seat has come out: who has left comes behind who stayed."""
    return seat.stay != "stayed", seat.place or 0


def summed(counted: Iterable[tuple[Row, Row]]) -> list[Row]:
    """Return a row for each key, with the sums of all that is counted for it."""
    sums: dict[tuple[Any, ...], Counter[str]] = {}
    keys: dict[tuple[Any, ...], Row] = {}
    for key, counts in counted:
        keys[tuple(key.values())] = key
        sums.setdefault(tuple(key.values()), Counter()).update(counts)
    return [{**keys[each], **counts} for each, counts in sums.items()]
