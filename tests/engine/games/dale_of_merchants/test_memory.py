"""What a seat keeps in mind of hands and decks, from events as told to it."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from howff.engine.games.dale_of_merchants.events import (
    AbilityUsed,
    CardGivenBack,
    CardKept,
    CardPlacedOnDeck,
    CardReturnedToDeck,
    CardsDiscarded,
    CardsDrawn,
    CardsLookedAt,
    CardsThrownAway,
    CardTakenFromHand,
    CardValueChanged,
    DeckAndDiscardSwapped,
    Event,
    GameStarted,
    HandCardsExchanged,
    HandCardsShown,
    HandsMixed,
    MarketDeckShuffled,
    MarketFilled,
    Placement,
    PlayerDeckShuffled,
    SecretCardShown,
    TechniqueResolved,
    Thrown,
    TurnEnded,
)
from howff.engine.games.dale_of_merchants.known import MARKET, Pool, SeatMemory
from howff.engine.games.dale_of_merchants.memory import Memory, is_true, remember
from howff.engine.games.dale_of_merchants.state import Options, sorted_cards
from howff.engine.seats import Seat
from support.dale_of_merchants import cards, given, hand_card, hand_cards
from support.playouts import told_live
from support.seals import redacted

A, B, C = Seat(0), Seat(1), Seat(2)
START = GameStarted(2, Options(), ("macaws", "pandas", "squirrels"), A)


def multiset(text: str) -> tuple[str, ...]:
    return sorted_cards(cards(text))


def known(hand: str = "", own: str = "", inside: str = "", deck: str = "") -> SeatMemory:
    """Return what is known of a seat; `?` is an unknown card of the deck."""
    slots = tuple(None if each == "?" else cards(each)[0] for each in deck.split())
    return SeatMemory(sorted_cards(cards(hand)), sorted_cards(cards(own)), cards(inside), slots)


def memory(*seats: SeatMemory, market: str = "cookies spyglass acorn") -> Memory:
    return Memory(seats, (Pool((MARKET,), sorted_cards(cards(market))),))


def remembered(before: Memory, *events: Event, seat: Seat = A) -> Memory:
    """Return what *seat* remembers after *events* as told to it."""
    for event in told_live(events, seat):
        before = remember(before, event, seat)
    return before


def missed(before: Memory, *events: Event) -> Memory:
    """Return what is remembered after *events* whose momentary fields are sealed."""
    for event in events:
        told = redacted(event, A, told_live=False)
        before = remember(before, told, A)
    return before


def pool_of(found: Memory, seat: Seat) -> list[str]:
    return list(found.pool_of(seat).cards)


def discarded(seat: Seat, text: str) -> CardsDiscarded:
    return CardsDiscarded(seat, hand_cards(text), "hand", "inventory")


def test_who_has_not_seen_the_match_begin_knows_nothing() -> None:
    assert remembered(Memory(), CardsDrawn(A, "own", 1, cards("junk"))) == Memory()


def test_starting_decks_and_the_market_deck_are_known_as_multisets() -> None:
    found = remembered(Memory(), START)
    start = "swift_broker loyal_partner stashing_vendor" + " junk" * 7
    assert [each.inside for each in found.seats] == [multiset(start)] * 2
    assert [len(each.deck) for each in found.seats] == [10, 10]
    assert len(found.pool_of(MARKET).cards) == 33


def test_cards_that_come_to_market_leave_its_deck() -> None:
    filled = MarketFilled((Placement(0, cards("acorn")[0]),))
    assert pool_of(remembered(memory(known()), filled), Seat(5)) == []
    assert remembered(memory(known()), filled) == memory(known(), market="cookies spyglass")


def test_own_draws_are_known_and_others_draws_may_be_any_card_of_the_deck() -> None:
    before = memory(
        known(inside="cookies junk", deck="? ?"), known(inside="acorn junk", deck="? ?")
    )
    found = remembered(
        before,
        CardsDrawn(A, "own", 1, cards("junk")),
        CardsDrawn(B, "own", 1, cards("acorn")),
    )
    assert found.seats[A] == known(hand="junk", inside="cookies", deck="?")
    assert found.seats[B] == known(own="acorn junk", deck="?")
    assert found.seats[B].hand_size == 1


def test_a_reshuffle_tells_hand_and_deck_apart() -> None:
    before = memory(known(), known(own="acorn junk"))
    discard = remembered(before, discarded(B, "junk"))
    found = remembered(discard, PlayerDeckShuffled(B, "reshuffle", 1, cards("junk")))
    assert found.seats[B] == known(hand="acorn", inside="junk", deck="?")


def test_wily_fellow_leaves_the_old_discard_pile_in_the_deck() -> None:
    pile = cards("acorn cookies")
    before = memory(known(), replace(known(own="junk spyglass", deck="?"), discard_pile=pile))
    found = remembered(
        before,
        DeckAndDiscardSwapped(B, cards("spyglass")),
        PlayerDeckShuffled(B, "wily_fellow", 2, pile),
    )
    expected = known(hand="junk", inside="cookies acorn", deck="? ?")
    assert found.seats[B] == replace(expected, discard_pile=cards("spyglass"))


def test_a_card_drawn_from_the_market_unseen_is_any_of_its_deck() -> None:
    found = remembered(memory(known(), known("junk")), CardsDrawn(B, "market", 1, cards("acorn")))
    assert (found.seats[B].hand, found.seats[B].strays, found.seats[B].held_strays) == (
        cards("junk"),
        1,
        1,
    )
    assert found.pools == (Pool((B, MARKET), cards("cookies spyglass acorn")),)


def test_once_it_is_seen_nothing_is_left_in_doubt() -> None:
    drawn = CardsDrawn(B, "market", 1, cards("acorn"))
    found = remembered(memory(known(), known("junk")), drawn, discarded(B, "acorn"))
    assert found.pools == (Pool((MARKET,), cards("cookies spyglass")),)
    assert found.seats[B] == replace(known("junk"), discard_pile=cards("acorn"))


def test_a_card_that_may_be_the_hidden_one_or_another_leaves_the_hidden_one_in_doubt() -> None:
    drawn = CardsDrawn(B, "market", 1, cards("spyglass"))
    before = memory(known(), known(own="acorn junk", deck="?"))
    found = remembered(before, drawn, discarded(B, "acorn")).seats[B]
    assert (found.own, found.strays, found.held_strays) == (cards("junk"), 1, 0)


def test_the_market_deck_takes_its_discard_pile_along() -> None:
    thrown = Thrown(hand_card("shattered_relic"), "hand", None, "market_discard")
    before = memory(known(hand="shattered_relic"), market="cookies")
    found = remembered(
        before, CardsThrownAway(A, (thrown,)), MarketDeckShuffled("reshuffle", 1, ())
    )
    assert found == memory(known(), market="cookies shattered_relic")


LOOKED = (
    CardsLookedAt(A, A, 3, cards("acorn junk cookies")),
    CardKept(A, cards("acorn")[0]),
    CardReturnedToDeck(A, cards("junk")[0]),
    CardReturnedToDeck(A, cards("cookies")[0]),
    TechniqueResolved(A, cards("spyglass")[0], "discard"),
)


def test_the_order_of_cards_returned_with_spyglass_is_known() -> None:
    before = memory(known(inside="acorn junk junk cookies", deck="? ? ? ?"))
    found = remembered(before, *LOOKED)
    expected = known(hand="acorn", inside="junk", deck="cookies junk ?")
    assert found.seats[A] == replace(expected, discard_pile=cards("spyglass"))


@pytest.mark.parametrize("at", range(len(LOOKED) - 1))
def test_whatever_of_a_spyglass_was_missed_is_not_taken_for_known(at: int) -> None:
    before = memory(known(inside="acorn junk junk cookies", deck="? ? ? ?"), known())
    found = remembered(before, *LOOKED[:at])
    found = remembered(missed(found, LOOKED[at]), *LOOKED[at + 1 :])
    state = given(
        hands={0: "acorn"},
        decks={0: "cookies junk junk"},
        discards={0: "spyglass"},
        market_deck="cookies acorn spyglass",
    )
    assert is_true(found, state, A)


def test_another_seats_spyglass_leaves_its_known_top_card_in_hand_or_deck() -> None:
    before = memory(known(), known(deck="acorn ? ?", inside="junk junk"))
    found = remembered(
        before,
        CardsLookedAt(B, B, 3, cards("acorn junk junk")),
        CardKept(B, cards("junk")[0]),
        CardReturnedToDeck(B, cards("acorn")[0]),
        CardReturnedToDeck(B, cards("junk")[0]),
    )
    assert found.seats[B] == known(own="junk junk acorn", deck="? ?")


def test_a_card_that_one_puts_on_a_deck_oneself_stays_known_until_it_is_drawn() -> None:
    placed = CardPlacedOnDeck(A, B, hand_card("junk"))
    before = memory(known(hand="junk"), known(inside="acorn", deck="?"))
    found = remembered(before, placed)
    assert found.seats == (known(), known(inside="acorn", deck="junk ?"))
    drawn = remembered(found, CardsDrawn(B, "own", 1, cards("junk")))
    assert drawn.seats[B] == known(hand="junk", inside="acorn", deck="?")


def test_a_card_put_on_a_deck_unseen_is_one_of_the_hand_it_came_from() -> None:
    placed = CardPlacedOnDeck(B, A, hand_card("junk"))
    before = memory(known(inside="acorn", deck="?"), known(own="junk junk cookies", deck="?"))
    found = remembered(before, placed)
    assert pool_of(found, A) == list(multiset("junk cookies"))
    assert found.seats[A] == replace(known(inside="acorn", deck="? ?"), strays=1)
    assert found.seats[B] == replace(known(own="junk", deck="?"), strays=1)


TAKEN = CardTakenFromHand(B, C, cards("cookies")[0])
GIVEN = CardGivenBack(B, C, hand_card("acorn"))


def test_both_seats_of_an_exchange_know_what_changed_hands() -> None:
    before = memory(known(), known(hand="acorn junk"), known(own="cookies spyglass", deck="?"))
    for seat in (B, C):
        found = remembered(before, TAKEN, GIVEN, seat=seat)
        assert found.seats[B] == known(hand="cookies junk")
        assert found.seats[C] == known(hand="acorn", own="spyglass", deck="?")


def test_a_third_seat_is_in_doubt_of_one_card_of_each_type() -> None:
    before = memory(known(), known(hand="acorn junk junk"), known(hand="cookies junk junk"))
    found = remembered(before, TAKEN, GIVEN)
    assert (found.seats[B].hand, found.seats[C].hand) == (cards("junk"), cards("junk"))
    assert sorted(pool_of(found, B)) == sorted(cards("acorn junk cookies junk"))
    assert [found.seats[seat].hand_size for seat in (B, C)] == [3, 3]


def test_what_a_hand_of_one_card_gave_is_known() -> None:
    before = memory(known(), known(hand="acorn"), known(hand="cookies"))
    found = remembered(before, TAKEN)
    assert found.seats[B] == known(hand="cookies acorn")
    assert found.pools == before.pools


def test_a_hand_that_is_wholly_known_gives_away_only_its_own_cards() -> None:
    before = memory(known(), known("junk"), known("acorn junk", "spyglass cookies", "", "? ?"))
    found = remembered(before, TAKEN)
    assert pool_of(found, C) == list(multiset("acorn junk"))
    assert found.seats[C].own == multiset("spyglass cookies")
    assert (found.seats[C].strays, found.seats[C].held_strays) == (1, 1)


def test_cards_of_hand_or_deck_can_have_gone_only_as_far_as_the_hand_has_room() -> None:
    before = memory(known("junk junk junk"), known("acorn", "junk junk junk", "", "? ?"), known())
    gambled = HandCardsExchanged(A, B, 2, hand_cards("junk junk"), cards("acorn junk"))
    assert pool_of(remembered(before, gambled, seat=C), B) == list(multiset("acorn" + " junk" * 3))


def test_gambled_cards_are_known_to_the_two_seats() -> None:
    gambled = HandCardsExchanged(A, B, 1, hand_cards("acorn+3@1"), cards("junk"))
    before = memory(known(hand="acorn"), known(own="junk cookies", deck="?"))
    found = remembered(before, gambled)
    assert found.seats == (known(hand="junk"), known(hand="acorn", own="cookies", deck="?"))


def test_a_seat_whose_hand_was_mixed_knows_what_the_other_hand_got() -> None:
    mixed = HandsMixed(A, B, 2, 1, cards("junk cookies"), cards("acorn"))
    before = memory(known(hand="acorn junk"), known(own="cookies spyglass", deck="?"))
    found = remembered(before, mixed)
    assert found.seats == (
        known(hand="cookies junk"),
        known(hand="acorn", own="spyglass", deck="?"),
    )


def test_hands_that_were_mixed_unseen_leave_only_what_is_there_too_often() -> None:
    mixed = HandsMixed(B, C, 3, 1, cards("junk junk acorn"), cards("junk"))
    before = memory(known(), known(hand="junk junk junk"), known(hand="acorn"))
    found = remembered(before, mixed)
    assert (found.seats[B].hand, found.seats[C].hand) == (cards("junk junk"), ())
    assert sorted(pool_of(found, C)) == ["acorn", "junk"]


def test_cards_that_were_shown_are_in_the_hand() -> None:
    before = memory(known(), known(own="cookies cookies junk", deck="?"))
    found = remembered(before, HandCardsShown(B, hand_cards("cookies"), "cookies"))
    assert found.seats[B] == known(hand="cookies", own="cookies junk", deck="?")
    assert missed(before, HandCardsShown(B, hand_cards("cookies"), "cookies")) == before


ROLLED = (
    AbilityUsed(B, hand_card("bold_haggler"), "roll"),
    CardValueChanged(B, hand_card("bold_haggler!roll"), "add", 3),
)


def test_marks_are_remembered_until_the_turn_ends() -> None:
    before = memory(known(), known(own="bold_haggler"))
    found = remembered(before, *ROLLED)
    assert found.seats[B].marked == hand_cards("bold_haggler+3@1!roll")
    assert remembered(found, TurnEnded(B, 1)).seats[B].marked == ()


def test_a_marked_card_that_may_have_left_unseen_is_marked_for_certain_no_more() -> None:
    before = memory(known(), known(own="bold_haggler junk"), known(hand="junk"))
    given_back = CardGivenBack(B, C, hand_card("bold_haggler+3@1!roll"))
    assert remembered(before, *ROLLED, given_back, seat=A).seats[B].marked == ()
    discard = discarded(B, "bold_haggler+3@1!roll")
    assert remembered(before, *ROLLED, discard).seats[B].marked == ()
    assert remembered(before, *ROLLED, discarded(B, "junk")).seats[B].marked != ()


def test_a_card_taken_from_another_hand_leaves_the_marks_of_the_own_one() -> None:
    before = memory(known(), known(own="bold_haggler junk"), known(own="cookies junk", deck="?"))
    taken = CardTakenFromHand(B, C, cards("cookies")[0])
    found = remembered(before, *ROLLED, taken, seat=A)
    assert found.seats[B].marked == hand_cards("bold_haggler+3@1!roll")


TWINS = known(own="bold_haggler bold_haggler junk junk", deck="? ?")


def test_cards_of_one_type_that_marks_tell_apart_are_as_many_cards() -> None:
    again = AbilityUsed(B, hand_card("bold_haggler"), "roll")
    found = remembered(memory(known(), TWINS), *ROLLED, again)
    assert found.seats[B].hand == cards("bold_haggler bold_haggler")
    assert found.seats[B].marked == hand_cards("bold_haggler!roll bold_haggler+3@1!roll")
    secret = SecretCardShown(B, hand_card("bold_haggler"), None, None, 1)
    assert remembered(memory(known(), TWINS), *ROLLED, secret).seats[B].hand == found.seats[B].hand


def test_an_unmarked_twin_that_leaves_the_hand_leaves_the_marked_card_there() -> None:
    found = remembered(memory(known(), TWINS), *ROLLED, discarded(B, "bold_haggler"))
    assert found.seats[B].hand == cards("bold_haggler")
    assert found.seats[B].marked == hand_cards("bold_haggler+3@1!roll")
    assert found.seats[B].own == cards("junk junk")


def wrong_memories() -> Iterable[Memory]:
    fits = memory(known(hand="acorn"), known(own="junk cookies", deck="?"), market="spyglass")
    yield replace(fits, seats=(known(hand="junk"), fits.seats[B]))
    yield replace(fits, seats=(fits.seats[A], known(own="junk acorn", deck="?")))
    yield replace(fits, seats=(fits.seats[A], known(hand="cookies", own="junk", deck="?")))
    yield replace(fits, seats=(fits.seats[A], known(own="junk", deck="junk")))
    yield replace(fits, seats=(fits.seats[A], known(own="junk", inside="junk", deck="?")))
    yield replace(fits, pools=(Pool((MARKET,), cards("acorn")),))
    yield replace(fits, market_discard=cards("junk"))
    marked = replace(known(hand="acorn"), marked=hand_cards("acorn+1@1"))
    yield replace(fits, seats=(marked, fits.seats[B]))


def test_a_memory_is_true_of_what_lies_where_it_says() -> None:
    state = given(
        hands={0: "acorn", 1: "junk"}, decks={0: "", 1: "cookies"}, market_deck="spyglass"
    )
    fits = memory(known(hand="acorn"), known(own="junk cookies", deck="?"), market="spyglass")
    assert is_true(fits, state, A)
    for wrong in wrong_memories():
        assert not is_true(wrong, state, A), wrong


def test_a_hidden_gain_is_in_the_hand_not_in_the_deck() -> None:
    drawn = CardsDrawn(B, "market", 1, cards("acorn"))
    before = memory(known(), known(own="junk junk", deck="?"), market="acorn spyglass")
    found = remembered(before, drawn)
    in_hand = given(hands={1: "junk acorn"}, decks={0: "", 1: "junk"}, market_deck="spyglass")
    in_deck = given(hands={1: "junk junk"}, decks={0: "", 1: "acorn"}, market_deck="spyglass")
    assert is_true(found, in_hand, A)
    assert not is_true(found, in_deck, A)
