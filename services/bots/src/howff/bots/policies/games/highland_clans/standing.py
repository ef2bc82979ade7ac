"""How the seats stand: points, what their boards will score, and what else is worth something.

Everything is in hundredths of points. *Later* is in tenths of rounds: how many scorings are
expected after the next.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from howff.engine.games.highland_clans.data import (
    EACH_CATTLE,
    MOST_CATTLE,
)
from howff.engine.games.highland_clans.scoring import green_points
from howff.engine.games.highland_clans.state import Board
from howff.engine.seats import Seat

_LAST_SCORE: Final = 38
"""With so many points after a scoring a match is most likely over."""
_USUAL_INCOME: Final = 6
_LASTING: Final = 6
"""How much of what is scored now is scored again later, in tenths a round."""
_MOST_LASTING: Final = 130
_MARKER: Final = 4
"""What the marker is worth in a round, in tenths of points; what follows, in the same unit."""
_PER_GREEN: Final = 2
_PER_BLUE: Final = 2
_PER_FREE: Final = 6
_PER_WARRIOR: Final = 2


@dataclass(frozen=True, slots=True)
class Change:
    """What a move adds to a board."""

    green: int = 0
    herd: int = 0
    blue: int = 0
    warriors: int = 0
    free_estates: int = 0
    pips: int = 0
    """What the cards of the hand add up to, in hundredths."""
    points: int = 0
    """In hundredths."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the boards hold, seat by seat."""

    greens: tuple[int, ...]
    herds: tuple[int, ...]
    blues: tuple[int, ...]
    warriors: tuple[int, ...]
    assets: tuple[int, ...]
    """What is worth something whatever the others have."""
    later: int

    def values(self) -> list[int]:
        """Return what each seat has and may expect."""
        lasting = lasting_of(self.later)
        incomes = _incomes(self.greens, self.herds, self.blues)
        values = [
            asset + income * lasting for asset, income in zip(self.assets, incomes, strict=True)
        ]
        following = max(self.warriors)
        if self.warriors.count(following) == 1:
            values[self.warriors.index(following)] += _MARKER * self.later
        return values

    def lead(self, seat: Seat) -> int:
        """Return by how much *seat* leads over all others together."""
        values = self.values()
        return values[seat] * len(values) - sum(values)

    def after(self, seat: Seat, change: Change) -> "Standing":
        """Return how the seats stand after a *change* to the board of *seat*."""
        asset = asset_of(change, self.later)
        return Standing(
            _with_more(self.greens, seat, change.green) if change.green else self.greens,
            _with_more(self.herds, seat, change.herd) if change.herd else self.herds,
            _with_more(self.blues, seat, change.blue) if change.blue else self.blues,
            _with_more(self.warriors, seat, change.warriors) if change.warriors else self.warriors,
            _with_more(self.assets, seat, asset) if asset else self.assets,
            self.later,
        )


@lru_cache(maxsize=1 << 14)
def _incomes(
    greens: tuple[int, ...], herds: tuple[int, ...], blues: tuple[int, ...]
) -> tuple[int, ...]:
    """Return what each seat scores for its board, in points."""
    largest, second = sorted(herds)[:-3:-1]
    incomes: list[int] = []
    for green, herd, blue in zip(green_points(greens), herds, blues, strict=True):
        other_herd = second if herd == largest else largest
        bonus = MOST_CATTLE if herd > other_herd else 0
        incomes.append(green + herd * EACH_CATTLE + bonus + max(0, blue - other_herd))
    return tuple(incomes)


@lru_cache(maxsize=1 << 14)
def asset_of(change: Change, later: int) -> int:
    """Return what a *change* is worth by itself."""
    return (
        change.points
        + (change.green * _PER_GREEN + change.blue * _PER_BLUE) * later
        + change.free_estates * (20 + _PER_FREE * later)
        + change.warriors * (15 + _PER_WARRIOR * later)
        + change.pips * pip_of(later) // 100
    )


@lru_cache(maxsize=1 << 12)
def standing_of(boards: tuple[Board, ...]) -> Standing:
    """Return how the seats with these *boards* stand, their hands left out."""
    later = _later(max(board.score for board in boards))
    return Standing(
        tuple(board.monks + 3 * board.monasteries for board in boards),
        tuple(board.cattle for board in boards),
        tuple(board.bagpipers + 2 * board.castles for board in boards),
        tuple(board.warriors for board in boards),
        tuple(asset_of(_all_of(board), later) for board in boards),
        later,
    )


def lasting_of(later: int) -> int:
    """Return what it is worth to score a point more each round."""
    return 100 + min(_LASTING * later, _MOST_LASTING)


def pip_of(later: int) -> int:
    """Return what it is worth that the cards of a hand add up to one more."""
    return min(25, 8 + later // 2)


def _all_of(board: Board) -> Change:
    return Change(
        green=board.monks + 3 * board.monasteries,
        herd=board.cattle,
        blue=board.bagpipers + 2 * board.castles,
        warriors=board.warriors,
        free_estates=board.free_estates,
        points=100 * board.score,
    )


def _later(score: int) -> int:
    return max(0, (_LAST_SCORE - _USUAL_INCOME - score) * 10 // _USUAL_INCOME)


def _with_more(items: tuple[int, ...], seat: Seat, more: int) -> tuple[int, ...]:
    return (*items[:seat], items[seat] + more, *items[seat + 1 :])
