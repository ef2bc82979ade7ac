"""Positions of Highland Clans in the notation of its rules, with moves and events as text.

A board is written `W4 P2 M0 | E2: cattle 1 | hand [1, 2, 3, 4] | score 5`, cubes `Y2 B2 G1 R1`, in
an event `{Y2 B2 G1 R1}`; moves and events as `support.texts` has them.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict, TypeVar, Unpack

from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import (
    ALL_CARDS,
    ALL_CUBES,
    CLANS,
    ESTATE_NUMBERS,
    FIGURES,
    NO_CUBES,
    Card,
    Cards,
    Cubes,
)
from howff.engine.games.highland_clans.events import Event
from howff.engine.games.highland_clans.moves import Move
from howff.engine.games.highland_clans.state import Board, Options, Player, Stage, State, Turn
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat
from support.rng import LocalRng
from support.texts import Notation, kinds

E = TypeVar("E")

LETTERS: Final = {"Y": "yellow", "B": "blue", "G": "green", "R": "red"}
COURT: Final = {"W": "warriors", "P": "bagpipers", "M": "monks"}
BUILDINGS: Final = {"cattle": "cattle", "castle": "castles", "monastery": "monasteries"}
QUIET: Final = "W4 P0 M0 | E2"
"""A board that scores nothing."""


class Parts(TypedDict, total=False):
    """What a test may say about a position; what it leaves out follows."""

    seats: int
    options: Options
    boards: Mapping[int, str]
    round: int
    start_seat: int
    active: int
    marker: int | None
    drawn: str
    supply: int
    revealed: tuple[int, ...]
    deck: Sequence[int]


def given(**parts: Unpack[Parts]) -> State:
    """Return the position with these *parts*.

    With cubes *drawn* the active seat chooses its actions (first, with the marker, whether to draw
    anew), without any it raids or exchanges. All cubes and cards that lie nowhere else are in the
    bag and in the deck; if a deck is named, the cards are in the discard pile.
    """
    seats = parts.get("seats", 4)
    score = FIGURES[seats].score
    players = tuple(
        _player(seat, parts.get("boards", {}).get(seat, ""), score) for seat in range(seats)
    )
    turn = _turn(parts, seats)
    bag = ALL_CUBES - FIGURES[seats].set_aside - turn.cubes
    for player in players:
        bag -= cubes_on(player.board)
    assert min(bag.yellow, bag.blue, bag.green, bag.red) >= 0, "there are not so many cubes"
    rest = Counter(ALL_CARDS)
    rest.subtract(card for player in players for card in player.hand)
    deck = Counter(map(Card, parts["deck"])) if "deck" in parts else rest
    acquired = sum(player.board.estates - 2 for player in players)
    removed = max(parts.get("round", 2) - 1, len(parts.get("revealed", ())))
    supply = parts.get("supply", len(ESTATE_NUMBERS) - acquired - removed)
    marker = parts.get("marker")
    return State(
        options=parts.get("options", Options()),
        seats=seats,
        stage=_stage(turn),
        round=parts.get("round", 2),
        start_seat=Seat(parts.get("start_seat", 0)),
        turn=turn,
        players=players,
        marker=None if marker is None else Seat(marker),
        bag=bag,
        set_aside=FIGURES[seats].set_aside,
        deck=_sorted(deck),
        discard_pile=_sorted(rest - deck) if "deck" in parts else (),
        supply=supply,
        revealed=parts.get("revealed", ()),
        removed=len(ESTATE_NUMBERS) - acquired - supply,
    )


def _player(seat: int, text: str, score: int) -> Player:
    counts = {"warriors": 4, "bagpipers": 2, "monks": 0, "estates": 2, "cattle": 1, "score": score}
    hand: list[int] | None = None
    for part in filter(None, map(str.strip, text.split("|"))):
        match part.split()[0]:
            case "hand":
                hand = json.loads(part.removeprefix("hand"))
            case "score":
                counts["score"] = int(part.removeprefix("score"))
            case word if word.startswith("E"):
                counts |= _estates(part)
            case _:
                counts |= {COURT[each[0]]: int(each[1:]) for each in part.split()}
    board = Board(**counts)
    cards = _some_hand(board.warriors) if hand is None else hand
    return Player(tuple(CLANS)[seat], board, _sorted(cards))


def _estates(text: str) -> dict[str, int]:
    estates, _, standing = text.partition(":")
    counts = {"estates": int(estates[1:])} | dict.fromkeys(BUILDINGS.values(), 0)
    for each in filter(None, standing.split(",")):
        name, count = each.split()
        counts[BUILDINGS[name]] = int(count)
    return counts


def _some_hand(size: int) -> list[int]:
    return [1 + at % 4 for at in range(size)]


def _turn(parts: Parts, seats: int) -> Turn:
    start_seat = parts.get("start_seat", 0)
    active = parts.get("active", start_seat)
    position = (active - start_seat) % seats + 1
    return Turn(
        seat=Seat(active),
        position=position,
        action_limit=1 if position == seats else 2,
        may_redraw=active == parts.get("marker"),
        cubes=cubes(parts.get("drawn", "")),
    )


def _stage(turn: Turn) -> Stage:
    if turn.cubes == NO_CUBES:
        return "raid_or_exchange"
    return "redraw" if turn.may_redraw else "actions"


def _sorted(cards: Iterable[int] | Counter[Card]) -> Cards:
    found = cards.elements() if isinstance(cards, Counter) else cards
    return tuple(sorted(map(Card, found)))


def cubes_on(board: Board) -> Cubes:
    """Return the cubes in the court and on the estates of *board*."""
    return Cubes(
        yellow=board.warriors,
        blue=board.bagpipers + 2 * board.castles,
        green=board.monks + 3 * board.monasteries,
        red=board.cattle,
    )


def cubes(text: str) -> Cubes:
    """Return the cubes that *text* tells, as in `Y2 B1`."""
    return Cubes(**{LETTERS[each[0]]: int(each[1:]) for each in text.split()})


def cubes_text(found: Cubes) -> str:
    """Return *found* as text; colours that are missing are left out."""
    counts = {letter: getattr(found, colour) for letter, colour in LETTERS.items()}
    return " ".join(f"{letter}{count}" for letter, count in counts.items() if count)


def _special(value: object) -> str | None:
    return f"{{{cubes_text(value)}}}" if isinstance(value, Cubes) else None


NOTATION: Final = Notation.of(Move, _special)
texts: Final = NOTATION.texts


def bag(state: State) -> str:
    """Return the cubes in the bag as text."""
    return cubes_text(state.bag)


def in_front(state: State) -> str:
    """Return the drawn cubes of the active seat as text."""
    assert state.turn is not None
    return cubes_text(state.turn.cubes)


def board(state: State, seat: int) -> str:
    """Return the board of *seat* as text."""
    player = state.players[seat]
    found = player.board
    court = " ".join(f"{letter}{getattr(found, field)}" for letter, field in COURT.items())
    standing = {name: getattr(found, field) for name, field in BUILDINGS.items()}
    names = ", ".join(f"{name} {count}" for name, count in standing.items() if count)
    estates = f"E{found.estates}: {names}" if names else f"E{found.estates}"
    return f"{court} | {estates} | hand {list(player.hand)} | score {found.score}"


def legal(state: State, *names: str, seat: int | None = None) -> list[str]:
    """Return the legal moves of *seat*, or of the one seat that is to act, as text.

    If *names* are given, only such moves.
    """
    found = texts(GAME.legal_moves(state, _only(state) if seat is None else Seat(seat)))
    return [each for each in found if not names or each.split()[0] in names]


def _only(state: State) -> Seat:
    (seat,) = GAME.to_act(state)
    return seat


def when(state: State, *moves: str, rng: Rng | None = None) -> Draft[State, Event]:
    """Play *moves*; return what the last one causes.

    Where several seats are to act, a move says whose it is: `1: discard_cards [1, 2]`.
    """
    luck = rng or LocalRng(0)
    draft = Draft(state, GAME.evolve)
    for each in moves:
        name, is_named, rest = each.partition(": ")
        seat = Seat(int(name)) if is_named else _only(draft.state)
        draft = GAME.play(draft.state, seat, NOTATION.move(rest or each), luck)
    if isinstance(luck, Fate):
        assert luck.is_fulfilled, "not everything was drawn"
    return draft


DULL: Final = ("end_turn", "end_actions", "keep_cubes")


def turn_of(state: State, seat: int) -> State:
    """Return the state in which the next turn of *seat* has begun; nobody raids before."""
    while True:
        draft = when(state, next((each for each in DULL if each in legal(state)), legal(state)[0]))
        state = draft.state
        assert state.turn is not None, f"the match has ended before the turn of {seat}"
        if "TurnStarted" in kinds(draft.events) and state.turn.seat == seat:
            return state


@dataclass(frozen=True, slots=True)
class Draw:
    """Something that is to be drawn, one after the other, from the whole of a pile."""

    name: str
    items: tuple[object, ...]
    pile: tuple[object, ...]


def cubes_drawn(text: str, *, of: str, name: str = "cubes") -> Draw:
    """Return a draw of cubes from a bag that holds those *of* the text."""
    return Draw(name, cubes(text).each, cubes(of).each)


def cards_drawn(*cards: int, of: Cards) -> Draw:
    """Return a draw of cards from a deck."""
    return Draw("cards", cards, of)


def number_drawn(number: int, *, revealed: tuple[int, ...] = ()) -> Draw:
    """Return the draw of the number of a tile, from those of all tiles not *revealed*."""
    left = Counter(ESTATE_NUMBERS)
    left.subtract(revealed)
    return Draw("estate number", (number,), tuple(left.elements()))


class Fate(LocalRng):
    """Luck that lets happen what is written, and checks that it is drawn from the right pile."""

    def __init__(self, *draws: Draw) -> None:
        super().__init__(0)
        self._written = [(each.name, list(each.items), list(each.pile)) for each in draws]

    @property
    def is_fulfilled(self) -> bool:
        return not any(items for _, items, _ in self._written)

    def draw(self, name: str, n: int) -> int:
        for written, items, pile in self._written:
            if written == name and items:
                assert len(pile) == n, f"{name}: drawn from {n}, not from {pile}"
                at = pile.index(items.pop(0))
                del pile[at]
                return at
        return super().draw(name, n)
