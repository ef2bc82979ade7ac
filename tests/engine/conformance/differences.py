"""Where two values differ, in few words: for the messages of the checks."""

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from howff.engine.codec import JSON, shown, to_tagged
from howff.engine.seats import Viewer


def who(viewer: Viewer) -> str:
    """Return what messages call *viewer*."""
    return "a spectator" if viewer is None else f"seat {viewer}"


def after(move: object) -> str:
    """Return the moment after *move*; there is none before the opening."""
    return "in the opening" if move is None else f"after {move}"


def leaves(
    plain: JSON, path: str = "", *, is_one: Callable[[list[Any]], bool] = lambda _items: False
) -> Iterator[tuple[str, JSON]]:
    """Yield the path and the value of everything in *plain* that holds nothing else.

    Lists for which *is_one* holds are taken as one value.
    """
    if isinstance(plain, dict):
        for name, item in plain.items():
            yield from leaves(item, f"{path}.{name}" if path else name, is_one=is_one)
    elif isinstance(plain, list) and not is_one(plain):
        for at, item in enumerate(plain):
            yield from leaves(item, f"{path}[{at}]", is_one=is_one)
    else:
        yield path, plain


def difference(real: JSON, other: JSON) -> str:
    """Return the first place where two plain values differ, and what stands there."""
    places, others = dict(leaves(real)), dict(leaves(other))
    for path in (*places, *others):
        if path not in places or path not in others or places[path] != others[path]:
            return f"{path}: {_at(places, path)} or {_at(others, path)}"
    return "the length of something empty"


def first_difference(real: Sequence[object], other: Sequence[object]) -> int | None:
    """Return the first place where two sequences differ."""
    pairs = enumerate(zip_longest(real, other))
    return next((at for at, (one, another) in pairs if one != another), None)


def told_difference(real: Sequence[object], other: Sequence[object]) -> str:
    """Return where two tellings differ: class and field, or classes, and the values."""
    at = first_difference(real, other)
    pair = [*real[at:][:1], *other[at:][:1]]
    if len(pair) == 1 or type(pair[0]) is not type(pair[1]):
        return f"{_kind_at(real, at)} or {_kind_at(other, at)}"
    one, another = (to_tagged(each)["data"] for each in pair)
    field = next(name for name in one if one[name] != another[name])
    return f"{type(pair[0]).__name__}.{field}: {shown(one[field])} or {shown(another[field])}"


def _at(places: dict[str, Any], path: str) -> str:
    return shown(places[path]) if path in places else "nothing"


def _kind_at(events: Sequence[object], at: int | None) -> str:
    return next((type(each).__name__ for each in events[at:][:1]), "nothing more")
