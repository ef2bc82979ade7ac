"""What a seat keeps in mind of the trading cards: those that it was shown."""

from collections.abc import Iterable

from hypothesis import given as given_any

from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import TRADING_CARDS, TradingCard
from howff.engine.games.hellweg.events import (
    Event,
    MonthBegan,
    TradingCardRemoved,
    TradingCardRevealed,
    TradingCardsSetAside,
    TradingDeckShuffled,
)
from howff.engine.games.hellweg.memory import Memory
from howff.engine.games.hellweg.state import State
from howff.engine.seats import Seat
from support.hellweg import given
from support.hellweg_playouts import Playout, playouts
from support.seals import redacted

IVY, FREYA = Seat(0), Seat(1)


def cards(*names: str) -> tuple[TradingCard, ...]:
    return tuple(map(TradingCard, names))


def revealed(month: int, name: str) -> TradingCardRevealed:
    card = TradingCard(name)
    return TradingCardRevealed(month, card, TRADING_CARDS[card], last=False)


def remembered(
    events: Iterable[Event], *, told_live: bool = True, memory: Memory | None = None
) -> Memory:
    """Return what seat 0 remembers of *events* as told to it."""
    memory = memory or GAME.memory()
    for event in events:
        memory = GAME.remember(memory, redacted(event, IVY, told_live=told_live), IVY)
    return memory


def test_nothing_is_known_at_first() -> None:
    assert GAME.memory() == Memory(seen=())


def test_a_card_that_lies_open_is_remembered() -> None:
    assert remembered([revealed(1, "t07")]) == Memory(cards("t07"))


def test_cards_are_remembered_without_their_order() -> None:
    events = [revealed(1, "t07"), revealed(2, "t02"), revealed(3, "t11")]
    assert remembered(events) == remembered(events[::-1]) == Memory(cards("t02", "t07", "t11"))


def test_a_card_that_is_read_of_later_was_not_seen() -> None:
    assert remembered([revealed(1, "t07")], told_live=False) == Memory()
    known = Memory(cards("t02"))
    assert remembered([revealed(2, "t07")], told_live=False, memory=known) == known


def test_a_card_that_is_told_twice_is_remembered_once() -> None:
    assert remembered([revealed(1, "t07"), revealed(1, "t07")]) == Memory(cards("t07"))


def test_a_card_that_leaves_the_match_is_not_forgotten() -> None:
    events: list[Event] = [revealed(1, "t07"), TradingCardRemoved(1), MonthBegan(2, FREYA)]
    assert remembered(events) == Memory(cards("t07"))


def test_the_stack_and_what_was_set_aside_are_told_to_nobody() -> None:
    order = tuple(TRADING_CARDS)
    events: list[Event] = [TradingDeckShuffled(order), TradingCardsSetAside(2, order[:2])]
    assert remembered(events) == Memory()


def test_a_memory_is_true_unless_a_card_is_still_to_come() -> None:
    state: State = given(card="t01", month=10, stack=("t02", "t03"))
    assert GAME.is_true(Memory(), state, IVY)
    assert GAME.is_true(Memory(cards("t01", "t04", "t12")), state, IVY)
    assert not GAME.is_true(Memory(cards("t01", "t03")), state, IVY)


def test_a_memory_is_not_true_if_a_card_was_set_aside_unseen() -> None:
    state = given(options="short_game", card="t01", last=True)
    first, second = state.set_aside
    assert GAME.is_true(Memory(tuple({*TRADING_CARDS} - {first, second})), state, IVY)
    assert not GAME.is_true(Memory((first,)), state, IVY)
    assert not GAME.is_true(Memory((second,)), state, IVY)


@given_any(match=playouts)
def test_who_is_told_everything_knows_all_cards_that_have_lain_open(match: Playout) -> None:
    for seat in map(Seat, range(match.seats)):
        memory, opened = GAME.memory(), set[TradingCard]()
        for _, event, after in match.of(TradingCardRevealed):
            memory = GAME.remember(memory, event, seat)
            opened.add(event.card)
            assert set(memory.seen) == opened
            assert GAME.is_true(memory, after, seat)
        assert len(memory.seen) == (10 if match.options.short_game else 12)


@given_any(match=playouts)
def test_nothing_but_an_open_card_is_worth_remembering(match: Playout) -> None:
    covered = (TradingDeckShuffled, TradingCardsSetAside, TradingCardRevealed)
    memory = Memory(cards("t03"))
    for event in match.events:
        if not isinstance(event, covered):
            assert GAME.remember(memory, event, IVY) is memory
