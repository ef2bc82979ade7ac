"""Positions of Dale of Merchants by their named parts, with moves and events as text.

Cards stand in a text, `spyglass acorn junk`: decks top first, discard piles bottom first, the
market from slot 0 on with `-` for an empty slot, stacks of a stall between `|`. What the turn has
made of a hand card follows its name: `=cookies` a copy, `+3@1` or `:5@2` the first or second change
of value of the turn, `!roll` a used ability. Moves and events are as `support.texts` has them; a
`copy_of` may be left out.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, TypedDict, TypeVar, Unpack, cast, get_type_hints

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.data import (
    ALL_JUNK,
    CARDS,
    JUNK,
    SETS,
    SLOTS,
    START_VALUE,
    Card,
    Cards,
    SetId,
)
from howff.engine.games.dale_of_merchants.events import (
    Event,
    Paid,
    Placement,
    Shift,
    Stacked,
    Thrown,
)
from howff.engine.games.dale_of_merchants.moves import Move
from howff.engine.games.dale_of_merchants.state import (
    Ability,
    Change,
    Hand,
    HandCard,
    Market,
    Options,
    Player,
    State,
    Turn,
    sorted_cards,
    sorted_hand,
)
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat
from support.rng import LocalRng
from support.texts import Notation

T = TypeVar("T")

BySeat = Mapping[int, str]
SOME_DECK: Final = "junk junk junk junk junk"
"""The deck of the active seat where none is named, so that its discard pile stays."""


class Parts(TypedDict, total=False):
    """What a test may say about a position; what it leaves out follows."""

    seats: int
    options: Options
    sets: str
    active: int
    first_seat: int
    round: int
    hands: BySeat
    decks: BySeat
    discards: BySeat
    stalls: BySeat
    stacks: Mapping[int, int]
    market: str
    market_deck: str
    market_discard: str
    junk_pile: int


def given(**parts: Unpack[Parts]) -> State:
    """Return the position with these *parts*, in which the active seat chooses its first action.

    `stacks` are so many of any cards. All cards of the sets in play lie somewhere: in the market
    and its deck, if these are not named, or else out of the match. Sets are those of the cards that
    are named, and then the first ones.
    """
    seats = parts.get("seats", 2)
    active = parts.get("active", 0)
    sets = _sets(parts, seats)
    rest = _Rest(sets, parts)
    stalls = {seat: rest.stacks(count) for seat, count in parts.get("stacks", {}).items()}
    market = _market(parts, rest)
    players = tuple(
        _player(parts, seat, stalls.get(seat, ()), is_active=seat == active)
        for seat in range(seats)
    )
    held = sum(_junk_of(player) for player in players)
    junk_pile = parts.get("junk_pile", max(0, ALL_JUNK - held))
    return State(
        options=parts.get("options", Options()),
        seats=seats,
        sets=sets,
        first_seat=Seat(parts.get("first_seat", 0)),
        round=parts.get("round", 1),
        turn=Turn(Seat(active)),
        players=players,
        market=market,
        junk_pile=junk_pile,
        substitutes=max(0, held + junk_pile - ALL_JUNK),
        removed=rest.all_cards(),
    )


def _sets(parts: Parts, seats: int) -> tuple[SetId, ...]:
    if "sets" in parts:
        named = set(parts["sets"].split())
    else:
        named = {CARDS[card].set or "" for card in _named_cards(parts)}
    wanted = [*(each for each in SETS if each in named), *(each for each in SETS)]
    chosen = tuple(dict.fromkeys(wanted))[: max(seats + 1, len(named - {""}))]
    return tuple(each for each in SETS if each in chosen)


def _named_cards(parts: Parts) -> Cards:
    by_seat = (parts.get("hands", {}), parts.get("decks", {}), parts.get("discards", {}))
    named = [text for each in (*by_seat, parts.get("stalls", {})) for text in each.values()]
    named += [parts.get("market", ""), parts.get("market_deck", "")]
    named.append(parts.get("market_discard", ""))
    return tuple(each.card for text in named for each in hand_cards(text))


class _Rest:
    """The animalfolk cards that a position names nowhere."""

    def __init__(self, sets: Iterable[SetId], parts: Parts) -> None:
        counts = Counter(
            {card: record.copies for card, record in CARDS.items() if record.set in set(sets)}
        )
        self._left = list((counts - Counter(_named_cards(parts))).elements())

    def stacks(self, count: int) -> tuple[Cards, ...]:
        """Take so many stacks, of one card each."""
        return tuple((card,) for card in self._take(count))

    def for_market(self, count: int | None = None) -> Cards:
        """Take cards that the market deals in: all of them, or so many."""
        return self._take(len(self._left) if count is None else count)

    def all_cards(self) -> Cards:
        """Take what is left."""
        return sorted_cards(self._left)

    def _take(self, count: int) -> Cards:
        dealt = [card for card in self._left if CARDS[card].value != START_VALUE][:count]
        for card in dealt:
            self._left.remove(card)
        return tuple(dealt)


def _market(parts: Parts, rest: _Rest) -> Market:
    if "market" in parts:
        slots = tuple(None if each == "-" else Card(each) for each in parts["market"].split())
        assert len(slots) == len(SLOTS), f"a market of {len(SLOTS)} slots, not {parts['market']!r}"
    else:
        slots = rest.for_market(len(SLOTS))
    deck = cards(parts["market_deck"]) if "market_deck" in parts else rest.for_market()
    return Market(slots, deck, cards(parts.get("market_discard", "")))


def _player(parts: Parts, seat: int, stacks: tuple[Cards, ...], *, is_active: bool) -> Player:
    stall = parts.get("stalls", {}).get(seat, "")
    named = tuple(sorted_cards(cards(stack)) for stack in stall.split("|") if stack.strip())
    return Player(
        deck=cards(parts.get("decks", {}).get(seat, SOME_DECK if is_active else "")),
        discard_pile=cards(parts.get("discards", {}).get(seat, "")),
        hand=sorted_hand(hand_cards(parts.get("hands", {}).get(seat, ""))),
        stall=(*stacks, *named),
    )


def _junk_of(player: Player) -> int:
    stacked = (card for stack in player.stall for card in stack)
    held = (each.card for each in player.hand)
    return [*player.deck, *player.discard_pile, *held, *stacked].count(JUNK)


_HAND_CARD: Final = re.compile(r"(?P<card>[a-z_]+)(?:=(?P<as_type>[a-z_]+))?(?P<rest>.*)")
_MARK: Final = re.compile(r"([+:])(\d+)@(\d+)|!([a-z_]+)")


def hand_card(text: str) -> HandCard:
    """Return the hand card that *text* tells."""
    found = _HAND_CARD.fullmatch(text)
    assert found is not None, f"no hand card: {text!r}"
    assert found["card"] in CARDS, f"no card: {text!r}"
    marks = _MARK.findall(found["rest"])
    changes = tuple(
        Change("add" if sign == "+" else "set", int(amount), int(number))
        for sign, amount, number, _ in marks
        if sign
    )
    used = tuple(cast("Ability", ability) for *_, ability in marks if ability)
    as_type = found["as_type"] and Card(found["as_type"])
    return HandCard(Card(found["card"]), as_type or None, changes, used)


def hand_cards(text: str) -> Hand:
    """Return the hand cards that *text* tells, in its order; other signs are passed over."""
    return tuple(hand_card(each) for each in text.split() if each not in {"-", "|"})


def cards(text: str) -> Cards:
    """Return the cards that *text* tells, in its order."""
    return tuple(held.card for held in hand_cards(text))


def _hand_card_text(held: HandCard) -> str:
    as_type = f"={held.as_type}" if held.as_type else ""
    changes = "".join(map(_change_text, held.changes))
    return f"{held.card}{as_type}{changes}{''.join(f'!{each}' for each in held.used)}"


def _change_text(change: Change) -> str:
    return f"{'+' if change.op == 'add' else ':'}{change.amount}@{change.number}"


def _special(value: object) -> str | None:  # noqa: PLR0911
    match value:
        case HandCard():
            return _hand_card_text(value)
        case Change():
            return _change_text(value)
        case Paid(card, as_type):
            return _hand_card_text(card) + (f" as {as_type}" if as_type else "")
        case Thrown(card, source, at, to):
            place = source if at is None else f"{source} {at}"
            return f"{_hand_card_text(card)} from {place} to {to}"
        case Stacked(card, source, position):
            place = source if position is None else f"{source} {position}"
            return f"{_hand_card_text(card)} from {place}"
        case Shift(origin, to):
            return f"{origin} to {to}"
        case Placement(slot, card):
            return f"{card} in {slot}"
        case _:
            return None


NOTATION: Final = Notation.of(Move, _special)
texts: Final = NOTATION.texts


def move(text: str) -> Any:
    """Return the move that *text* tells."""
    name, *words = re.findall(r"\[[^\]]*\]|\S+", text)
    kind = NOTATION.moves[name]
    names = [field.name for field in fields(kind)]
    words += ["null"] * (names[-1:] == ["copy_of"] and len(words) < len(names))
    plain = NOTATION.move(" ".join((name, *words)))
    hints = get_type_hints(kind)
    values = {each: getattr(plain, each) for each in names}
    return kind(**{each: _as_hand_card(hints[each], value) for each, value in values.items()})


def _as_hand_card(hint: object, value: object) -> object:
    return hand_card(value) if "HandCard" in str(hint) and isinstance(value, str) else value


def legal(state: State, *names: str) -> list[str]:
    """Return the legal moves of who is to act as text; if *names* are given, only such."""
    found = [each.removesuffix(" null") for each in texts(GAME.legal_moves(state, actor(state)))]
    return [each for each in found if not names or each.split()[0] in names]


def actor(state: State) -> Seat:
    """Return the one seat that is to act."""
    (seat,) = GAME.to_act(state)
    return seat


def when(state: State, *moves: str, rng: Rng | None = None) -> Draft[State, Event]:
    """Let who is to act play each of the *moves*; return what the last one causes."""
    luck = rng or LocalRng(0)
    draft = Draft(state, GAME.evolve)
    for each in moves:
        draft = GAME.play(draft.state, actor(draft.state), move(each), luck)
    if isinstance(luck, Fate):
        assert luck.is_fulfilled, f"not drawn: {luck.written}"
    return draft


def hand(state: State, seat: int = 0) -> str:
    """Return the hand of *seat* as text, in the order of the tables."""
    return " ".join(map(_hand_card_text, state.players[seat].hand))


def discard(state: State, seat: int = 0) -> str:
    """Return the discard pile of *seat* as text."""
    return " ".join(state.players[seat].discard_pile)


def deck(state: State, seat: int = 0) -> str:
    """Return the deck of *seat* as text."""
    return " ".join(state.players[seat].deck)


def stall(state: State, seat: int = 0) -> str:
    """Return the stall of *seat* as text."""
    return " | ".join(" ".join(stack) for stack in state.players[seat].stall)


def market(state: State) -> str:
    """Return the slots of the market as text."""
    return " ".join(each or "-" for each in state.market.slots)


def market_deck(state: State) -> str:
    """Return the deck of the market as text."""
    return " ".join(state.market.deck)


def market_discard(state: State) -> str:
    """Return the discard pile of the market as text."""
    return " ".join(state.market.discard_pile)


class Fate(LocalRng):
    """Luck that lets happen what is written under the name of a draw, in its order.

    A shuffle is written as the text of the new order, a die as its face, a card of a hand as the
    card, and any other draw as its number. All else is drawn from a seed.
    """

    def __init__(self, **written: Sequence[object]) -> None:
        super().__init__(0)
        self.written = {name.replace("_", " "): list(each) for name, each in written.items()}

    @property
    def is_fulfilled(self) -> bool:
        return not any(self.written.values())

    def draw(self, name: str, n: int) -> int:
        if not self.written.get(name):
            return super().draw(name, n)
        number = self.written[name].pop(0)
        assert isinstance(number, int), f"{name}: drawn as a number"
        assert number in range(n), f"{name}: {number} of {n}"
        return number

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        if not self.written.get(name):
            return super().shuffle(name, items)
        order = str(self.written[name].pop(0)).split()
        assert sorted(order) == sorted(map(str, items)), f"{name}: {order} of {items}"
        return cast("tuple[T, ...]", tuple(map(Card, order)))

    def roll(self, name: str, faces: Sequence[T]) -> T:
        if not self.written.get(name):
            return super().roll(name, faces)
        wanted = self.written[name].pop(0)
        return next(face for face in faces if wanted in {face, getattr(face, "card", None)})
