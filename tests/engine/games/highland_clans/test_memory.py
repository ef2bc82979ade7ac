"""What a seat keeps in mind of the piles."""

from collections.abc import Iterable

from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import Card, Cards
from howff.engine.games.highland_clans.events import (
    CardsDiscarded,
    CardsDrawn,
    DeckReshuffled,
    Event,
    FightResolved,
    HandDealt,
)
from howff.engine.games.highland_clans.memory import Memory
from howff.engine.games.highland_clans.state import State
from howff.engine.seats import Seat
from support.highland_clans import given
from support.playouts import told_live

IVY, FREYA = Seat(0), Seat(1)
FIGHT = FightResolved(
    fight=1,
    attacker_value=Card(4),
    attacker_bagpiper=True,
    defender_value=Card(2),
    defender_bagpiper=False,
    winner=FREYA,
)


def cards(*values: int) -> Cards:
    return tuple(map(Card, values))


def remembered(events: Iterable[Event], memory: Memory | None = None) -> Memory:
    """Return what seat 0 remembers of *events* as told to it."""
    memory = memory or GAME.memory()
    for event in told_live(tuple(events), IVY):
        memory = GAME.remember(memory, event, IVY)
    return memory


def test_the_cards_of_a_fight_lie_in_the_discard_pile() -> None:
    assert remembered([FIGHT, FIGHT]) == Memory(discard_pile=cards(2, 2, 4, 4))


def test_own_discards_are_remembered_and_those_of_others_are_not_seen() -> None:
    events = [
        CardsDiscarded(IVY, "exchange", 2, cards(1, 3)),
        CardsDiscarded(FREYA, "exchange", 2, cards(1, 4)),
    ]
    assert remembered(events) == Memory(discard_pile=cards(1, 3))


def test_a_reshuffle_takes_along_what_is_known() -> None:
    assert remembered([FIGHT, DeckReshuffled(30)]) == Memory(deck=cards(2, 4))


def test_a_second_reshuffle_leaves_nothing_of_the_first() -> None:
    assert remembered([FIGHT, DeckReshuffled(30), DeckReshuffled(30)]) == Memory()


def test_a_card_that_one_draws_oneself_has_left_the_deck() -> None:
    known = Memory(deck=cards(1, 2, 2, 4))
    drawn = CardsDrawn(IVY, "raid", 2, cards(2, 3))
    assert remembered([drawn], known) == Memory(deck=cards(1, 2, 4))


def test_a_card_that_another_draws_may_have_been_any() -> None:
    known = Memory(deck=cards(1, 2, 2, 2, 4))
    drawn = CardsDrawn(FREYA, "raid", 2, cards(3, 3))
    assert remembered([drawn], known) == Memory(deck=cards(2))


def test_dealt_hands_leave_the_deck_as_drawn_cards_do() -> None:
    known = Memory(deck=cards(1, 2))
    assert remembered([HandDealt(IVY, 1, cards(1))], known) == Memory(deck=cards(2))
    assert remembered([HandDealt(FREYA, 1, cards(1))], known) == Memory()


def test_a_memory_is_true_of_what_lies_where_it_says() -> None:
    state: State = given(deck=[1, 2, 2])
    pile = state.discard_pile
    assert GAME.is_true(Memory(discard_pile=pile, deck=cards(2, 2)), state, IVY)
    assert not GAME.is_true(Memory(deck=cards(2, 2, 2)), state, IVY)
    assert not GAME.is_true(Memory(discard_pile=(*pile, Card(4))), state, IVY)
