"""How often accounts have won in a row, folded in memory."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from support.folds.told import Place, Row, contests_in, name_of, standing_in

Played = tuple[int, str, bool]
"""A match of somebody: its position, when it ended, and whether it was won."""


def fold_streaks(places: Sequence[Place]) -> Mapping[str, Iterable[Row]]:
    """Return the last and the longest streak of each account, from all of its matches at once."""
    played: dict[tuple[str, str, str], list[Played]] = defaultdict(list)
    for pool, match in _played(places):
        played[pool].append(match)
    return {"scoring_streak": [_streak(pool, matches) for pool, matches in played.items()]}


def _played(places: Sequence[Place]) -> Iterator[tuple[tuple[str, str, str], Played]]:
    for position, result in places:
        for kind, seats in contests_in(result):
            if kind != "bots":
                best = min(map(standing_in, seats))
                winners = {name_of(each) for each in seats if standing_in(each) == best}
                for name in dict.fromkeys(map(name_of, seats)):
                    yield (result.game, kind, name), (position, result.ended_at, name in winners)


def _streak(pool: tuple[str, str, str], matches: list[Played]) -> Row:
    runs = [(is_won, list(run)) for is_won, run in groupby(matches, key=lambda each: each[2])]
    won = [run for is_won, run in runs if is_won]
    longest = max(won, key=len, default=[])
    is_won, last = runs[-1]
    game, kind, player = pool
    return {
        "game": game,
        "kind": kind,
        "player": player,
        "position": matches[-1][0],
        "is_won": is_won,
        "length": len(last),
        "since": last[0][1],
        "longest": len(longest),
        "longest_since": longest[0][1] if longest else None,
    }
