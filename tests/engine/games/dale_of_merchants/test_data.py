"""The tables meet the constraints that the rules set on them."""

from collections import Counter

import pytest

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.copying import COPIERS
from howff.engine.games.dale_of_merchants.data import (
    ALL_JUNK,
    CARD_ORDER,
    CARDS,
    DIE,
    FEWEST_ROUNDS,
    HAND,
    JUNK,
    MOST_ROUNDS,
    MOST_TECHNIQUES,
    SETS,
    SLOTS,
    STACKS,
    START_CARDS,
    START_DECK,
    SURCHARGES,
    USUAL_ROUNDS,
    Record,
    SetId,
    market_cards,
)

ANIMALFOLK = {card: record for card, record in CARDS.items() if card != JUNK}
FACES = {
    "macaws": "swift_broker 1 T+, cookies 2 P, shattered_relic 3 T+, spyglass 4 T+, "
    "flashy_show 5 T+, favourite_toy 5 T+",
    "pandas": "loyal_partner 1 T+, prepaid_good 2 T, essential_purchase 3 P, market_discovery 4 P, "
    "special_offer 5 T, stock_clearance 5 P",
    "raccoons": "wily_fellow 1 T+, nuisance 2 T+, rotten_food 3 T+, dirty_exchange 4 T+, "
    "sabotage 5 T+, treasure_hunter 5 T",
    "squirrels": "stashing_vendor 1 P, empty_chest 2 P, nostalgic_item 3 P, acorn 4 T+, "
    "accordion 5 P, winter_is_coming 5 P",
    "ocelots": "bold_haggler 1 P, new_season 2 T+, whirligig 3 T+, charm 4 T+, gamble 5 T+, "
    "blindfold 5 T+",
    "chameleons": "flexible_shopkeeper 1 P, reflection 2 P, good_old_times 3 P, gift_voucher 4 T+, "
    "trendsetting 5 P, seeing_doubles 5 P",
}
"""What is printed on each card: its value, a technique or a passive effect, the bonus symbol."""


def face(card: str, record: Record) -> str:
    kind = {"technique": "T", "passive": "P"}[record.kind] + "+" * record.plus
    return f"{card} {record.value} {kind}"


def of_set(name: SetId) -> dict[str, Record]:
    return {card: record for card, record in ANIMALFOLK.items() if record.set == name}


def test_there_are_110_cards() -> None:
    assert len(ANIMALFOLK) == 36
    assert sum(record.copies for record in ANIMALFOLK.values()) == 90
    assert sum(record.copies for record in CARDS.values()) == 110
    assert (ALL_JUNK, CARDS[JUNK].copies) == (20, 20)


@pytest.mark.parametrize("name", SETS)
def test_every_set_is_built_alike(name: SetId) -> None:
    cards = of_set(name)
    built = [(record.value, record.copies) for record in cards.values()]
    assert built == [(1, 4), (2, 3), (3, 3), (4, 3), (5, 1), (5, 1)]
    assert sum(record.copies for record in cards.values()) == 15


@pytest.mark.parametrize("name", SETS)
def test_every_card_is_as_printed(name: SetId) -> None:
    assert ", ".join(face(*each) for each in of_set(name).items()) == FACES[name]


def test_21_cards_are_techniques_and_18_of_them_give_a_bonus_action() -> None:
    techniques = [record for record in ANIMALFOLK.values() if record.kind == "technique"]
    assert (len(techniques), sum(record.plus for record in techniques)) == (21, 18)
    assert not any(record.plus for record in ANIMALFOLK.values() if record.kind == "passive")


def test_junk_is_worth_one_and_of_no_set() -> None:
    junk = CARDS[JUNK]
    assert (junk.value, junk.set, junk.kind, junk.plus) == (1, None, "rubbish", False)


def test_the_table_is_in_the_order_of_sets_and_values_and_junk_is_last() -> None:
    assert list(SETS) == list(FACES)
    places = [
        (list(SETS).index(record.set or "macaws"), record.value) for record in ANIMALFOLK.values()
    ]
    assert places == sorted(places)
    assert CARD_ORDER[JUNK] == max(CARD_ORDER.values())
    assert list(CARD_ORDER) == list(CARDS)


def test_the_limits_are_those_of_the_rules() -> None:
    assert (START_DECK, HAND, STACKS) == (10, 5, 8)
    assert (SURCHARGES, list(SLOTS)) == ((0, 1, 2, 3, 4), [0, 1, 2, 3, 4])
    assert Counter(DIE) == {0: 1, 1: 2, 2: 2, 3: 1}
    assert (MOST_TECHNIQUES, USUAL_ROUNDS, FEWEST_ROUNDS, MOST_ROUNDS) == (60, 200, 50, 1000)
    assert GAME.seats == range(2, 5)


@pytest.mark.parametrize(("seats", "junk"), [(2, 14), (3, 18), (4, 20)])
def test_there_is_junk_for_all_decks(seats: int, junk: int) -> None:
    assert seats * (START_DECK - (seats + 1)) == junk <= ALL_JUNK


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_market_deals_in_eleven_cards_of_every_set(seats: int) -> None:
    sets = tuple(SETS)[: seats + 1]
    dealt = market_cards(sets)
    assert len(dealt) == 11 * (seats + 1)
    assert {CARDS[card].value for card in dealt} == {2, 3, 4, 5}
    assert {CARDS[card].set for card in dealt} == set(sets)
    # Far more than the stacks from 1 to 8 need.
    assert sum(CARDS[card].value for card in dealt) == 37 * (seats + 1)
    assert sum(range(1, STACKS + 1)) == 36


def test_four_seats_get_a_card_of_value_one_of_every_set() -> None:
    assert set(START_CARDS) == set(SETS)
    assert {CARDS[card].copies for card in START_CARDS.values()} == {max(GAME.seats)}


def test_five_cards_are_copiers() -> None:
    assert {card for card in of_set("chameleons") if card != "gift_voucher"} == COPIERS


def test_names_are_all_different() -> None:
    names = [record.name for record in CARDS.values()]
    assert len(set(names)) == len(names) == 37
    assert len(set(SETS.values())) == 6
