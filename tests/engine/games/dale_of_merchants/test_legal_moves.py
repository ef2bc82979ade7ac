"""In which order moves are listed, and which decisions are taken by themselves."""

import pytest

from howff.engine.errors import IllegalMoveError, MatchOverError, NotYourDecisionError
from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.stages import stage_of
from howff.engine.seats import Seat
from support.dale_of_merchants import actor, given, hand, legal, move, texts, when
from support.rng import LocalRng
from support.texts import kinds

NO_MARKET = "- - - - -"


def test_actions_are_listed_in_the_order_of_the_rules() -> None:
    state = given(
        hands={0: "market_discovery flashy_show spyglass trendsetting bold_haggler junk"},
        market="cookies spyglass acorn - cookies",
        market_discard="accordion acorn",
        sets="macaws pandas ocelots chameleons squirrels",
    )
    assert legal(state) == [
        *(f"start_purchase {target}" for target in (0, 1, 2, 4, "discard")),
        "play_technique spyglass",
        "play_technique flashy_show",
        "play_technique trendsetting spyglass",
        "play_technique trendsetting acorn",
        "start_stack",
        "start_inventory",
        "roll_die bold_haggler",
        "throw_from_market_deck market_discovery market_discovery",
    ]
    state = when(state, "play_technique flashy_show").state
    assert legal(state)[-1] == "decline_bonus"


def test_throws_are_listed_in_the_order_of_the_cards() -> None:
    state = given(
        seats=3,
        hands={0: "market_discovery reflection trendsetting"},
        discards={1: "market_discovery", 2: "good_old_times"},
        market="market_discovery good_old_times - - -",
        market_discard="acorn",
    )
    assert [each.split()[1:] for each in legal(state, "throw_from_market_deck")] == [
        ["market_discovery", "market_discovery"],
        ["reflection", "market_discovery", "market_discovery"],
        ["reflection", "good_old_times", "good_old_times"],
        ["trendsetting", "market_discovery", "market_discovery"],
        ["trendsetting", "good_old_times", "good_old_times"],
    ]


def test_an_extra_stack_is_listed_before_abilities_and_the_refusal() -> None:
    state = given(
        hands={0: "winter_is_coming bold_haggler empty_chest acorn market_discovery"},
        stacks={0: 4},
        market=NO_MARKET,
    )
    state = when(state, "start_stack").state
    assert legal(state) == [
        "start_stack",
        "roll_die bold_haggler",
        "throw_from_market_deck market_discovery market_discovery",
        "decline_extra_stack",
    ]


def test_cards_are_placed_by_card_and_seat() -> None:
    state = given(seats=4, active=1, hands={1: "rotten_food cookies junk"})
    state = when(state, "play_technique rotten_food").state
    assert legal(state) == [
        f"place_on_deck {card} {seat}" for card in ("cookies", "junk") for seat in (0, 2, 3)
    ]


def test_stalls_are_listed_by_seat_stack_and_card() -> None:
    state = given(
        seats=3,
        active=1,
        hands={1: "acorn junk"},
        stalls={0: "bold_haggler | junk cookies", 1: "spyglass", 2: "acorn"},
    )
    state = when(state, "play_technique acorn").state
    assert legal(state) == [
        "swap_with_stall 0 0 bold_haggler",
        "swap_with_stall 0 1 cookies",
        "swap_with_stall 0 1 junk",
        "swap_with_stall 2 0 acorn",
    ]


def test_only_the_seat_that_decides_has_moves() -> None:
    state = given(seats=3, active=1, hands={0: "spyglass", 1: "acorn"})
    assert [bool(GAME.legal_moves(state, Seat(seat))) for seat in range(3)] == [False, True, False]
    with pytest.raises(NotYourDecisionError):
        GAME.play(state, Seat(0), move("start_inventory"), LocalRng(0))
    with pytest.raises(IllegalMoveError):
        GAME.play(state, Seat(1), move("play_technique spyglass"), LocalRng(0))


def test_nobody_moves_after_the_end() -> None:
    state = given(active=1, round=200)
    state = when(state, "start_inventory").state
    assert not any(GAME.legal_moves(state, Seat(seat)) for seat in range(2))
    with pytest.raises(MatchOverError):
        GAME.play(state, Seat(0), move("start_inventory"), LocalRng(0))


def test_a_single_secret_card_is_chosen_all_the_same() -> None:
    state = given(hands={0: "blindfold junk"})
    state = when(state, "play_technique blindfold").state
    assert legal(state) == ["choose_secret_card junk"]


def test_of_two_equal_hand_cards_one_is_thrown_when_asked() -> None:
    state = given(hands={0: "shattered_relic junk junk"})
    state = when(state, "play_technique shattered_relic").state
    assert legal(state) == ["throw_hand_card junk"]
    state = given(hands={0: "shattered_relic junk"})
    draft = when(state, "play_technique shattered_relic")
    assert "CardsThrownAway" in kinds(draft.events)
    state = given(hands={0: "shattered_relic"})
    draft = when(state, "play_technique shattered_relic")
    assert kinds(draft.events)[:3] == ["TechniquePlayed", "CardsDrawn", "TechniqueResolved"]


def test_of_two_equal_hand_cards_one_is_placed_when_asked() -> None:
    state = given(hands={0: "rotten_food junk junk"})
    state = when(state, "play_technique rotten_food").state
    assert legal(state) == ["place_on_deck junk 1"]
    state = given(hands={0: "rotten_food junk"})
    draft = when(state, "play_technique rotten_food")
    assert "CardPlacedOnDeck 0 1 junk" in texts(draft.events)
    assert actor(draft.state) == 1


def test_of_two_equal_hand_cards_one_is_given_back_when_asked() -> None:
    state = given(hands={0: "dirty_exchange junk", 1: "junk"})
    state = when(state, "play_technique dirty_exchange").state
    assert legal(state) == ["give_back junk"]
    state = given(hands={0: "dirty_exchange", 1: "junk"})
    draft = when(state, "play_technique dirty_exchange")
    assert kinds(draft.events)[2:5] == ["CardTakenFromHand", "CardGivenBack", "TechniqueResolved"]
    assert hand(draft.state, 1) == "junk"


def test_equal_cards_of_the_market_deck_are_asked_about_once() -> None:
    state = given(
        hands={0: "special_offer"}, market_deck="cookies cookies cookies", market_discard="acorn"
    )
    state = when(state, "play_technique special_offer").state
    assert (stage_of(state), legal(state)) == ("keep_card", ["keep_card cookies"])
    draft = when(state, "keep_card cookies")
    # What is thrown away is seen by all, so nothing is told that they don't see.
    assert kinds(draft.events)[:4] == [
        "CardKept",
        "CardsThrownAway",
        "CardsThrownAway",
        "TechniqueResolved",
    ]


@pytest.mark.parametrize(
    ("hands", "market", "event"),
    [
        ("prepaid_good junk", "- - acorn - -", "MarketCardTaken 0 2 acorn"),
        ("gift_voucher junk", "- - acorn - -", "CardSwappedWithMarket 0 2 gift_voucher acorn"),
        ("acorn junk", NO_MARKET, "CardSwappedWithStall 0 1 0 acorn cookies"),
        ("treasure_hunter junk", NO_MARKET, "CardTakenFromDiscard 0 1 spyglass"),
        ("dirty_exchange junk", NO_MARKET, "OpponentChosen 0 1"),
        (
            "new_season junk",
            NO_MARKET,
            "CardsThrownAway 0 [empty_chest from discard 0 to market_discard]",
        ),
    ],
)
def test_an_open_choice_of_one_is_made_by_itself(hands: str, market: str, event: str) -> None:
    state = given(
        hands={0: hands},
        discards={0: "empty_chest", 1: "spyglass"},
        stalls={1: "cookies"},
        market=market,
    )
    technique = hands.split()[0]
    assert event in texts(when(state, f"play_technique {technique}").events)


def test_an_inventory_ends_with_the_hand() -> None:
    state = given(hands={0: "junk junk"})
    state = when(state, "start_inventory").state
    assert legal(state) == ["discard_card junk", "finish_inventory"]
    draft = when(state, "discard_card junk", "discard_card junk")
    assert kinds(draft.events)[:2] == ["CardsDiscarded", "InventoryFinished"]
