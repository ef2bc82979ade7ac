"""The scoring of a round of Highland Clans, and the ranking."""

from collections.abc import Sequence

from howff.engine.games.highland_clans.data import (
    EACH_CATTLE,
    MADE_OF,
    MOST_CATTLE,
    MOST_GREEN,
    SECOND_GREEN,
    TIED_GREEN,
)
from howff.engine.games.highland_clans.events import RoundScore
from howff.engine.games.highland_clans.state import Board, State
from howff.engine.outcome import Figure, Outcome, places_by
from howff.engine.seats import Seat


def largest_following(boards: Sequence[Board], holder: Seat | None) -> Seat | None:
    """Return who gets the marker: most warriors, then most cubes in the court, else nobody new."""
    places = places_by([(-board.warriors, -board.court) for board in boards])
    return holder if places.count(1) > 1 else Seat(places.index(1))


def round_scores(boards: Sequence[Board]) -> tuple[RoundScore, ...]:
    """Return what each seat gets for a round."""
    green = green_points([_green(board) for board in boards])
    herds = [board.cattle for board in boards]
    return tuple(
        _round_score(board, green[at], largest_other_herd=max(herds[:at] + herds[at + 1 :]))
        for at, board in enumerate(boards)
    )


def green_points(cubes: Sequence[int]) -> tuple[int, ...]:
    """Return the points of each seat for its green cubes; none score nothing (ruling 5)."""
    places = places_by([-count for count in cubes])
    return tuple(
        _green_point(place, places) if count else 0
        for place, count in zip(places, cubes, strict=True)
    )


def ranking(state: State) -> tuple[int, ...]:
    """Return the place of each seat by score; equal scores share it."""
    return places_by([-score for score in state.scores])


def outcome(state: State) -> Outcome | None:
    """Return the places and the scores, or None before the end."""
    if state.ending is None:
        return None
    figures = tuple((Figure("score", score),) for score in state.scores)
    return Outcome(state.ending.ranking, figures)


def _green(board: Board) -> int:
    return board.monks + board.monasteries * MADE_OF["monastery"].green


def _green_point(place: int, places: tuple[int, ...]) -> int:
    """Return what a *place* is worth; behind a tie for the first there is no second place."""
    is_tied = places.count(place) > 1
    if place == 1:
        return TIED_GREEN if is_tied else MOST_GREEN
    if place == 2:  # noqa: PLR2004 — the second place
        return TIED_GREEN if is_tied else SECOND_GREEN
    return 0


def _round_score(board: Board, green: int, *, largest_other_herd: int) -> RoundScore:
    cattle = board.cattle * EACH_CATTLE
    bonus = MOST_CATTLE if board.cattle > largest_other_herd else 0
    cubes = board.bagpipers + board.castles * MADE_OF["castle"].blue
    blue = max(0, cubes - largest_other_herd)
    total = green + cattle + bonus + blue
    return RoundScore(green, cattle, bonus, blue, total, board.score + total)
