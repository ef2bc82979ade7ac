"""What the actions of a turn are worth, and which go together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from howff.bots.policies.games.highland_clans.standing import Change, Standing, standing_of
from howff.engine.games.highland_clans.data import (
    CUBES_USED,
    MADE_OF,
    MOST_ESTATES,
    NO_CUBES,
    Colour,
    Cubes,
    cubes_of,
)
from howff.engine.games.highland_clans.legality import payment
from howff.engine.games.highland_clans.moves import (
    AcquireEstate,
    BuildCastle,
    BuildMonastery,
    Move,
    PlaceCattle,
    PlayBard,
    RecruitBagpiper,
    RecruitMonks,
    RecruitWarrior,
    RedrawCubes,
)
from howff.engine.games.highland_clans.state import Board, State, Turn
from howff.engine.once import once
from howff.engine.seats import Seat

_MEAN: Final = 233
"""The pips of a card, in hundredths."""
_LEAST: Final = 130
"""Those of one that its owner chooses to discard."""


@dataclass(frozen=True, slots=True)
class _Deed:
    """What an action takes and gives."""

    cubes: Cubes
    """Those drawn that it takes."""
    change: Change
    kind: type[Move]
    """No kind is done twice in a turn."""


_BUILDINGS: Final[tuple[Move, ...]] = (PlaceCattle(), BuildCastle(), BuildMonastery())
_PLANNED: Final[tuple[Move, ...]] = (
    *_BUILDINGS,
    RecruitWarrior(),
    RecruitBagpiper(),
    RecruitMonks(1),
    RecruitMonks(2),
    AcquireEstate("red", yellow_from_court=False, green_from_court=0),
    AcquireEstate("green", yellow_from_court=False, green_from_court=0),
)
_FRESH_CUBE: Final = 30
"""What a cube is worth that is yet to be drawn."""


@once
def _deed_of(move: Move) -> _Deed:  # noqa: PLR0911
    """Return what an action does to the own board; ending the actions does nothing."""
    match move:
        case PlaceCattle():
            return _Deed(MADE_OF["cattle"], Change(herd=1, free_estates=-1), PlaceCattle)
        case BuildCastle():
            return _Deed(MADE_OF["castle"], Change(blue=2, free_estates=-1), BuildCastle)
        case BuildMonastery():
            return _Deed(MADE_OF["monastery"], Change(green=3, free_estates=-1), BuildMonastery)
        case RecruitWarrior():
            return _Deed(MADE_OF["warrior"], Change(warriors=1, pips=_MEAN), RecruitWarrior)
        case RecruitBagpiper():
            return _Deed(MADE_OF["bagpiper"], Change(blue=1), RecruitBagpiper)
        case RecruitMonks(count):
            return _Deed(MADE_OF["monk"] * count, Change(green=count), RecruitMonks)
        case AcquireEstate():
            drawn, court = payment(move)
            change = Change(
                green=-court.green,
                warriors=-court.yellow,
                pips=-_LEAST * court.yellow,
                free_estates=1,
            )
            return _Deed(drawn, change, AcquireEstate)
        case _:
            return _Deed(NO_CUBES, Change(), type(move))


@once
def _from_court(colours: tuple[Colour, ...], sign: int) -> Change:
    cubes = cubes_of(colours)
    return Change(
        warriors=sign * cubes.yellow,
        blue=sign * cubes.blue,
        green=sign * cubes.green,
        pips=sign * cubes.yellow * (_MEAN if sign > 0 else _LEAST),
    )


def weigh_actions(state: State, _: Seat, moves: tuple[Move, ...]) -> Sequence[int]:
    """Return what the active seat gains by each action, with the best that it could do after it."""
    assert state.turn is not None, "actions are done in a turn"
    return _gains(tuple(player.board for player in state.players), state.turn, moves)


@lru_cache(maxsize=1 << 12)
def _gains(boards: tuple[Board, ...], turn: Turn, moves: tuple[Move, ...]) -> Sequence[int]:
    standing = standing_of(boards)
    deeds = [_deed_of(move) for move in moves]
    gains = [_gain(standing, turn.seat, move) for move in moves]
    if turn.action_limit == len(turn.done) + 1:
        return gains
    free = boards[turn.seat].free_estates
    seconds = [*zip(gains, deeds, strict=True)]
    if not free:
        # They become possible once an estate has been acquired.
        seconds += [(_gain(standing, turn.seat, move), _deed_of(move)) for move in _BUILDINGS]
    seconds = [each for each in seconds if each[0] > 0 and each[1].kind is not PlayBard]
    seconds.sort(key=lambda each: -each[0])
    return [
        gain
        if deed.kind is PlayBard
        else gain + _best_after(seconds, deed, turn.cubes, CUBES_USED - turn.used, free)
        for gain, deed in zip(gains, deeds, strict=True)
    ]


def _best_after(
    seconds: Sequence[tuple[int, _Deed]], first: _Deed, cubes: Cubes, left: int, free: int
) -> int:
    """Return the gain of the best second action after the *first*."""
    free += first.change.free_estates
    for gain, deed in seconds:
        both = first.cubes + deed.cubes
        if (
            deed.kind is not first.kind
            and free + deed.change.free_estates >= 0
            and both.total <= left
            and cubes.holds(both)
        ):
            return gain
    return 0


def _gain(standing: Standing, seat: Seat, move: Move) -> int:
    """Return by how much a *move* improves the lead of *seat*."""
    after = standing
    if isinstance(move, PlayBard):
        after = after.after(move.target, _from_court(move.take, -1))
        if move.keep is not None:
            after = after.after(seat, _from_court((move.keep,), 1))
    else:
        after = after.after(seat, _deed_of(move).change)
    return after.lead(seat) - standing.lead(seat)


def weigh_redraws(state: State, seat: Seat, moves: Sequence[Move]) -> list[int]:
    """Return what the cubes are worth that *seat* would keep, and those drawn for the others."""
    turn = state.turn
    assert turn is not None, "cubes are redrawn in a turn"
    plans = _plans(tuple(player.board for player in state.players), seat, turn.action_limit)
    per_cube = _FRESH_CUBE * (state.seats - 1)
    weights: list[int] = []
    for move in moves:
        back = NO_CUBES
        if isinstance(move, RedrawCubes):
            back = Cubes(move.yellow, move.blue, move.green, move.red)
        kept = turn.cubes - back
        best = next((gain for gain, cubes in plans if kept.holds(cubes)), 0)
        weights.append(best + back.total * per_cube)
    return weights


@lru_cache(maxsize=1 << 10)
def _plans(boards: tuple[Board, ...], seat: Seat, action_limit: int) -> Sequence[tuple[int, Cubes]]:
    """Return what one action or two would gain, and the cubes for it; the best first."""
    standing, free = standing_of(boards), boards[seat].free_estates
    deeds = [
        (_gain(standing, seat, move), _deed_of(move))
        for move in _PLANNED
        if boards[seat].estates < MOST_ESTATES or not isinstance(move, AcquireEstate)
    ]
    firsts = [each for each in deeds if free + each[1].change.free_estates >= 0]
    plans = [(gain, deed.cubes) for gain, deed in firsts]
    if action_limit > 1:
        plans += [
            (gain + more, first.cubes + second.cubes)
            for (gain, first), (more, second) in product(firsts, deeds)
            if first.kind is not second.kind
            and free + first.change.free_estates + second.change.free_estates >= 0
            and first.cubes.total + second.cubes.total <= CUBES_USED
        ]
    return sorted(plans, key=lambda plan: -plan[0])
