"""The entry of Highland Clans."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from engine.conformance.entry import Entry
from howff.engine.games.highland_clans.data import ALL_CARDS, ALL_CUBES, CLANS, Cubes
from howff.engine.games.highland_clans.events import (
    CardsDrawn,
    CubesDrawn,
    CubesRedrawn,
    EstateRemoved,
    FightResolved,
    GameStarted,
    HandDealt,
    StartSeatChosen,
)
from howff.engine.games.highland_clans.moves import Raid
from howff.engine.games.highland_clans.state import State
from howff.engine.seats import Viewer
from support.rng import LocalRng


def _has_all_cards(state: State) -> bool:
    cards = [*state.deck, *state.discard_pile]
    for player in state.players:
        cards += player.hand
    commitments = () if state.raid is None else state.raid.commitments
    return Counter((*cards, *(each.value for each in commitments))) == Counter(ALL_CARDS)


def _has_all_cubes(state: State) -> bool:
    cubes = state.bag + state.set_aside
    if state.turn is not None:
        cubes += state.turn.cubes
    for board in (player.board for player in state.players):
        blue = board.bagpipers + 2 * board.castles
        cubes += Cubes(board.warriors, blue, board.monks + 3 * board.monasteries, board.cattle)
    commitments = () if state.raid is None else state.raid.commitments
    return cubes + Cubes(blue=sum(each.bagpiper for each in commitments)) == ALL_CUBES


def _uncovers(event: Any, viewer: Viewer) -> bool:
    if isinstance(event, HandDealt | CardsDrawn):
        return event.seat == viewer
    drawn_openly = GameStarted | StartSeatChosen | EstateRemoved
    cubes = CubesDrawn | CubesRedrawn
    return isinstance(event, drawn_openly | cubes | FightResolved)


def _choose(moves: tuple[Any, ...], rng: LocalRng) -> Any:
    """Raid one of the others or nobody, each as often; else choose evenly."""
    raids = [move for move in moves if isinstance(move, Raid)]
    others = [move for move in moves if not isinstance(move, Raid)]
    at = rng.draw("raid", len(raids) + 1)
    return raids[at] if at < len(raids) else rng.roll("move", others)


def _measure(final: State, happened: Counter[str]) -> Mapping[str, float]:
    assert final.ending is not None, "the match is over"
    return {
        "rounds": final.round,
        "turns": happened["TurnStarted"],
        "raids": happened["RaidDeclared"],
        "reshuffles": happened["DeckReshuffled"],
        "winning score": max(final.scores),
        "shared victories": final.ending.ranking.count(1) > 1,
        "ends by number": final.ending.reason == "estate_number",
    }


ENTRY: Final = Entry(
    options=lambda seats: (
        {"edition": "dutch"},
        {"start_seat": seats - 1, "clans": list(CLANS)[:seats]},
    ),
    invariants=(_has_all_cards, _has_all_cubes),
    uncovers=_uncovers,
    uncovered_fields={
        GameStarted: ("clans",),
        HandDealt: ("cards",),
        CardsDrawn: ("cards",),
        CubesDrawn: ("cubes",),
        CubesRedrawn: ("drawn",),
        EstateRemoved: ("number",),
        FightResolved: ("attacker_value", "defender_value", "winner"),
    },
    choose=_choose,
    measure=_measure,
    expected={
        3: {"rounds": 7.1, "turns": 21, "raids": 14, "choices in actions": 8.1},
        4: {"rounds": 6.7, "turns": 27, "raids": 20, "choices in actions": 8.5, "moves": 250},
        5: {"rounds": 6.2, "turns": 31, "raids": 25, "choices in actions": 8.9},
    },
)
