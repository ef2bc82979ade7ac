"""Positions of Hellweg Westfalicus by named parts, with moves and events as text.

A seat is written `money 7 | tokens olpe_ironware 2, hagen_salt | carriages corbach_olpe`, with any
of the parts `money`, `supply 9/5` (tokens/carriages), `tokens`, `carriages`, `warehouse 3/2`,
`black waiting` (or `entered`), `cards`, `merchants market, 3` (by action round), `privileges
storage, stock_up face_down` and `claims`. Moves and events are written as `support.texts` has them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Final, Literal, TypedDict, TypeVar, Unpack, cast

from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import (
    BLACK_CARRIAGES,
    CARD_ORDER,
    CARRIAGES,
    HOUSES,
    MERCHANDISE_CARDS,
    PRIVILEGES,
    ROADS,
    START_MONEY,
    TOKENS,
    TRADING_CARDS,
    TradingCard,
)
from howff.engine.games.hellweg.events import Event
from howff.engine.games.hellweg.moves import Move
from howff.engine.games.hellweg.state import (
    AdditionalCarriages,
    HeldPrivilege,
    Options,
    Place,
    Player,
    Sales,
    Side,
    Slot,
    State,
    Turn,
    months_of,
)
from howff.engine.play import Draft
from howff.engine.seats import Seat, seats_from
from howff.engine.values import replace, with_item
from support.rng import LocalRng
from support.texts import Notation

P = TypeVar("P", bound=str)
T = TypeVar("T")

SEAT_PARTS: Final = frozenset(
    ("money", "supply", "tokens", "carriages", "warehouse", "black", "cards", "merchants")
) | {"privileges", "claims"}


class Parts(TypedDict, total=False):
    """What a test may say about a position; what it leaves out follows."""

    seats: int
    """3 unless it is said."""
    options: str
    """The names of those that are chosen: `warehouse_and_privileges short_game`."""
    players: Mapping[int, str]
    starting_seat: int
    """0 unless it is said."""
    active: int
    """Whose turn it is, or who sells; the starting seat unless it is said."""
    round: int
    """Of the actions; 1 unless it is said."""
    slot: Slot | Literal["leftover"]
    """What *active* stands before in the sales; without it, this is the time of actions."""
    sold: int
    """In how many slots *active* has sold."""
    card: str
    """The open trading card; t01 unless it is said."""
    stack: Sequence[str]
    """Its top cards; others follow in the order of the table."""
    month: int
    last: bool
    """Whether this is the last month."""


def given(**parts: Unpack[Parts]) -> State:
    """Return the position with these *parts*.

    All pieces that are mentioned nowhere are in the supply, all merchandise cards for sale, and
    merchants of seats that have acted already stand on the market. Seats before the active one
    have done their sales.
    """
    seats = parts.get("seats", 3)
    options = _options(parts.get("options", ""))
    said = [_said(parts.get("players", {}).get(seat, "")) for seat in range(seats)]
    players = tuple(_player(parts, Seat(seat), each) for seat, each in enumerate(said))
    bought = Counter(card for player in players for card in player.cards)
    dealt = [card for card, record in MERCHANDISE_CARDS.items() if record.seats <= seats]
    assert not bought - Counter(dealt), "such merchandise cards are not in the match"
    active = Seat(parts.get("active", parts.get("starting_seat", 0)))
    stack, set_aside = _stack(parts, options)
    return State(
        options=options,
        seats=seats,
        stage="sales" if "slot" in parts else "actions",
        starting_seat=Seat(parts.get("starting_seat", 0)),
        month=_month(parts, options),
        players=players,
        for_sale=tuple(card for card in dealt if card not in bought),
        stack=stack,
        set_aside=set_aside,
        card=_card(parts),
        turn=None if "slot" in parts else Turn(active, parts.get("round", 1)),
        additional_carriages=_black(said) if options.warehouse_and_privileges else None,
    )


def new_month(**parts: Unpack[Parts]) -> Draft[State, Event]:
    """Let the month with these *parts* begin; return all that this causes.

    The last seat of the month before takes the Thaler that it lacks.
    """
    seats, month = parts.get("seats", 3), _month(parts, _options(parts.get("options", "")))
    stack = (_card(parts), *parts.get("stack", ()))
    first = parts.get("starting_seat", 0)
    last_seat = Seat((first - 2) % seats)
    before: Parts = {**parts, "month": month - 1, "last": False, "stack": stack, "round": 2}
    before["card"] = next(card for card in TRADING_CARDS if card not in stack)
    before["starting_seat"], before["active"] = (first - 1) % seats, last_seat
    state = given(**before)
    player = state.players[last_seat]
    poorer = replace(player, money=player.money - 1)
    return when(replace(state, players=with_item(state.players, last_seat, poorer)), "take_thaler")


def started(
    seats: int = 3, starting_seat: int = 0, options: str = "", deck: Sequence[str] = ()
) -> Draft[State, Event]:
    """Return the opening of a match with these cards on top of the trading *deck*."""
    return GAME.start(_options(options), seats, _Luck(starting_seat, deck))


class _Luck(LocalRng):
    """Luck that lets a seat begin, and some trading cards come first."""

    def __init__(self, starting_seat: int, deck: Sequence[str]) -> None:
        super().__init__(0)
        self._starting_seat, self._deck = starting_seat, deck

    def draw(self, name: str, n: int) -> int:
        return self._starting_seat if name == "starting player" else super().draw(name, n)

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        shuffled = super().shuffle(name, items)
        top = sorted((card for card in items if card in self._deck), key=self._at)
        return (*top, *(card for card in shuffled if card not in top))

    def _at(self, card: object) -> int:
        return self._deck.index(str(card))


def _options(names: str) -> Options:
    return GAME.read_options(dict.fromkeys(names.split(), True))


def _said(text: str) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in text.split("|") if part.strip())
    said = {name: rest for name, _, rest in parts}
    assert said.keys() <= SEAT_PARTS, f"a seat has no {said.keys() - SEAT_PARTS}"
    return said


def _player(parts: Parts, seat: Seat, said: Mapping[str, str]) -> Player:
    tokens = _places(said.get("tokens", ""), tuple(HOUSES))
    carriages = _places(said.get("carriages", ""), tuple(sorted(ROADS)))
    stored_tokens, stored_carriages = _counts(said.get("warehouse", "0/0"))
    owned = CARRIAGES + BLACK_CARRIAGES * (said.get("black") == "entered")
    left = (TOKENS - len(tokens) - stored_tokens, owned - len(carriages) - stored_carriages)
    supply_tokens, supply_carriages = _counts(said["supply"]) if "supply" in said else left
    assert min(supply_tokens, supply_carriages) >= 0, "a seat has not so many pieces"
    return Player(
        money=int(said.get("money", START_MONEY)),
        supply_tokens=supply_tokens,
        supply_carriages=supply_carriages,
        tokens=tokens,
        carriages=carriages,
        warehouse_tokens=stored_tokens,
        warehouse_carriages=stored_carriages,
        cards=_places(said.get("cards", ""), tuple(CARD_ORDER)),
        merchants=_merchants(parts, seat, said.get("merchants")),
        privileges=_privileges(said.get("privileges", "")),
        claims=int(said.get("claims", 0)),
        sales=_sales(parts, seat),
    )


def _places(text: str, order: Sequence[P]) -> tuple[P, ...]:
    """Return the multiset that *text* tells, in an *order* of all that there may be."""
    counts = {name: int(count or 1) for name, _, count in _pairs(text)}
    assert counts.keys() <= set(order), f"there is no {counts.keys() - set(order)}"
    return tuple(place for place in order for _ in range(counts.get(place, 0)))


def _pairs(text: str) -> list[tuple[str, str, str]]:
    return [each.partition(" ") for each in _listed(text)]


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _counts(text: str) -> tuple[int, int]:
    tokens, carriages = text.split("/")
    return int(tokens), int(carriages)


def _place(text: str) -> Place:
    return int(text) if text.isdigit() else "market"


def _merchants(parts: Parts, seat: Seat, said: str | None) -> tuple[Place, ...]:
    if said is not None:
        return tuple(_place(each) for each in _listed(said))
    in_sales = "slot" in parts
    done = 0 if in_sales else parts.get("round", 1) - 1 + (seat in _seats_before(parts))
    return tuple(_place("market") for _ in range(done))


def _sales(parts: Parts, seat: Seat) -> Sales | None:
    if "slot" not in parts:
        return None
    if seat == parts.get("active", parts.get("starting_seat", 0)):
        return Sales(parts["slot"], parts.get("sold", 0))
    return Sales("leftover", is_over=True) if seat in _seats_before(parts) else Sales()


def _seats_before(parts: Parts) -> tuple[Seat, ...]:
    """Return the seats that have had their turn when the active one has it."""
    first = parts.get("starting_seat", 0)
    order = seats_from(Seat(first), parts.get("seats", 3))
    return order[: order.index(Seat(parts.get("active", first)))]


def _privileges(text: str) -> tuple[HeldPrivilege, ...]:
    sides: dict[str, Side] = {}
    for name, _, side in _pairs(text):
        sides[name] = cast("Side", side or "face_up")
    assert sides.keys() <= set(PRIVILEGES), f"there is no {sides.keys()}"
    return tuple(HeldPrivilege(each, sides[each]) for each in PRIVILEGES if each in sides)


def _black(said: Sequence[Mapping[str, str]]) -> AdditionalCarriages:
    for seat, each in enumerate(said):
        if "black" in each:
            waiting = BLACK_CARRIAGES if each["black"] == "waiting" else 0
            return AdditionalCarriages(Seat(seat), waiting)
    return AdditionalCarriages()


def _month(parts: Parts, options: Options) -> int:
    return months_of(options) if parts.get("last") else parts.get("month", 2)


def _card(parts: Parts) -> TradingCard:
    return TradingCard(parts.get("card", "t01"))


def _stack(
    parts: Parts, options: Options
) -> tuple[tuple[TradingCard, ...], tuple[TradingCard, ...]]:
    """Return the stack, and what a short game does without."""
    top = tuple(map(TradingCard, parts.get("stack", ())))
    others = [card for card in TRADING_CARDS if card not in top and card != _card(parts)]
    size = months_of(options) - _month(parts, options)
    assert len(top) <= size, "the stack is not so high"
    rest = size - len(top)
    set_aside = len(TRADING_CARDS) - months_of(options)
    return (*top, *others[:rest]), tuple(others[rest : rest + set_aside])


def _special(value: object) -> str | None:
    if is_dataclass(value):
        _, _, fields = NOTATION.text_of(value).partition(" ")
        return f"{{{fields}}}"
    return None


NOTATION: Final = Notation.of(Move, _special)
texts: Final = NOTATION.texts


def owned(state: State, seat: int) -> str:
    """Return what *seat* owns, in the notation of `given`; parts that are empty are left out."""
    player = state.players[seat]
    stored = f"{player.warehouse_tokens}/{player.warehouse_carriages}"
    parts = {
        "money": str(player.money),
        "supply": f"{player.supply_tokens}/{player.supply_carriages}",
        "tokens": _counted(player.tokens),
        "carriages": _counted(player.carriages),
        "warehouse": "" if stored == "0/0" else stored,
        "black": _black_of(state, seat),
        "cards": _counted(player.cards),
        "merchants": ", ".join(map(str, player.merchants)),
        "privileges": ", ".join(map(_side, player.privileges)),
        "claims": str(player.claims or ""),
    }
    return " | ".join(f"{name} {text}" for name, text in parts.items() if text)


def _counted(places: Iterable[str]) -> str:
    counts = Counter(places).items()
    return ", ".join(name if count == 1 else f"{name} {count}" for name, count in counts)


def _side(held: HeldPrivilege) -> str:
    return held.privilege if held.side == "face_up" else f"{held.privilege} {held.side}"


def _black_of(state: State, seat: int) -> str:
    black = state.additional_carriages
    if black is None or black.owner != seat:
        return ""
    return "waiting" if black.waiting else "entered"


def legal(state: State, seat: int | None = None, *, only: str = "") -> list[str]:
    """Return the legal moves of *seat*, or of the one seat that is to act, as text.

    If *only* names some, only such moves.
    """
    found = texts(GAME.legal_moves(state, to_act(state) if seat is None else Seat(seat)))
    return [each for each in found if not only or each.split()[0] in only.split()]


def moves(name: str, *values: str) -> list[str]:
    """Return the moves of one *name* with each of these *values*."""
    return [f"{name} {value}" for value in values]


def to_act(state: State) -> Seat:
    """Return the one seat that is to act."""
    (seat,) = GAME.to_act(state)
    return seat


def when(state: State, *played: str) -> Draft[State, Event]:
    """Play these moves; return what the last one causes.

    Where several seats are to act, a move says whose it is: `1: skip_town`.
    """
    draft = Draft(state, GAME.evolve)
    for each in played:
        name, is_named, rest = each.partition(": ")
        seat = Seat(int(name)) if is_named else to_act(draft.state)
        draft = GAME.play(draft.state, seat, NOTATION.move(rest or each), LocalRng(0))
    return draft
