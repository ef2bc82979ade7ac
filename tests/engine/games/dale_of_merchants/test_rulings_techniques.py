"""The rulings on techniques and what they throw away, as far as no scenario shows them."""

import pytest

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.events import PurchaseStarted
from howff.engine.seats import Seat, Viewer
from support.dale_of_merchants import (
    Fate,
    actor,
    discard,
    given,
    hand,
    legal,
    market,
    market_discard,
    stall,
    texts,
    when,
)
from support.texts import kinds, of

NO_MARKET = "- - - - -"


def test_ruling_24_a_gift_voucher_without_a_market_is_discarded() -> None:
    state = given(hands={0: "gift_voucher junk"}, market=NO_MARKET)
    draft = when(state, "play_technique gift_voucher")
    assert texts(draft.events)[1:] == [
        "TechniqueResolved 0 gift_voucher discard",
        "BonusActionGranted 0",
    ]
    assert discard(draft.state) == "gift_voucher"


def test_ruling_25_a_copier_moves_itself() -> None:
    state = given(
        hands={0: "reflection trendsetting junk"},
        discards={1: "acorn"},
        stalls={1: "spyglass"},
        market="gift_voucher cookies - - -",
    )
    draft = when(state, "play_technique reflection acorn")
    assert texts(draft.events) == [
        "TechniquePlayed 0 reflection acorn acorn 1",
        "CardSwappedWithStall 0 1 0 reflection spyglass",
        "TechniqueResolved 0 reflection stall",
        "BonusActionGranted 0",
    ]
    draft = when(draft.state, "play_technique trendsetting gift_voucher", "swap_with_market 1")
    assert market(draft.state) == "gift_voucher trendsetting - - -"
    assert stall(draft.state, 1) == "reflection"
    assert hand(draft.state) == "cookies spyglass junk"


def test_ruling_26_new_season_throws_an_animalfolk_card_if_there_is_one() -> None:
    state = given(
        hands={0: "new_season junk"}, discards={0: "cookies junk acorn"}, market_deck="spyglass"
    )
    state = when(state, "play_technique new_season").state
    assert legal(state) == ["throw_from_discard 0", "throw_from_discard 2"]
    draft = when(state, "throw_from_discard 0")
    assert texts(draft.events) == [
        "CardsThrownAway 0 [cookies from discard 0 to market_discard]",
        "CardsDrawn 0 market 1 [spyglass]",
        "TechniqueResolved 0 new_season discard",
        "BonusActionGranted 0",
    ]
    assert discard(draft.state) == "junk acorn new_season"
    assert hand(draft.state) == "spyglass junk"


@pytest.mark.parametrize("viewer", [None, Seat(1)])
def test_the_card_that_new_season_draws_is_hidden(viewer: Viewer) -> None:
    views = []
    for card in ("spyglass", "acorn"):
        state = given(
            hands={0: "new_season junk"},
            discards={0: "cookies"},
            market_deck=card,
            sets="macaws squirrels ocelots",
        )
        state = when(state, "play_technique new_season").state
        assert card in hand(state)
        views.append(GAME.view(state, viewer).players)
    assert views[0] == views[1]


def test_ruling_27_charm_reveals_a_copier_as_itself() -> None:
    state = given(
        hands={0: "charm junk"},
        stacks={0: 1},
        discards={1: "spyglass"},
        market_deck="reflection",
    )
    draft = when(state, "play_technique charm")
    assert "StackBuilt 0 2 [reflection from revealed] 0" in texts(draft.events)


def test_ruling_28_a_winter_built_by_charm_brings_an_extra_stack() -> None:
    state = given(
        hands={0: "charm empty_chest acorn junk"}, stacks={0: 4}, market_deck="winter_is_coming"
    )
    draft = when(state, "play_technique charm")
    assert kinds(draft.events) == [
        "TechniquePlayed",
        "MarketCardRevealed",
        "StackBuilt",
        "ExtraStackGranted",
    ]
    assert legal(draft.state) == ["start_stack", "decline_extra_stack"]
    built = when(draft.state, "start_stack", "add_to_stack acorn")
    assert texts(built.events)[-3:] == [
        "StackBuilt 0 6 [acorn from hand, empty_chest from hand] 0",
        "TechniqueResolved 0 charm discard",
        "BonusActionGranted 0",
    ]
    declined = when(draft.state, "decline_extra_stack")
    assert texts(declined.events) == [
        "ExtraStackDeclined 0 0",
        "TechniqueResolved 0 charm discard",
        "BonusActionGranted 0",
    ]


def test_ruling_29_flashy_show_adds_one_to_a_value_that_was_set_before() -> None:
    state = given(hands={0: "blindfold flashy_show cookies junk"}, market="spyglass - - - -")
    state = when(
        state,
        "play_technique blindfold",
        "choose_secret_card cookies",
        "guess_value 1",
        "set_value 3",
        "play_technique flashy_show",
    ).state
    draft = when(state, "start_purchase 0")
    assert "CardPurchased 0 spyglass 0 4 [cookies:3@1] 4" in texts(draft.events)


def test_ruling_30_the_value_of_a_copy_is_guessed() -> None:
    state = given(hands={0: "blindfold reflection junk"}, discards={1: "spyglass"})
    state = when(state, "play_technique blindfold", "choose_secret_card reflection spyglass").state
    draft = when(state, "guess_value 4")
    assert texts(draft.events)[:3] == [
        "ValueGuessed 1 4 true",
        "SecretCardShown 0 reflection spyglass spyglass 4",
        "CardsDiscarded 0 [reflection] hand blindfold",
    ]
    wrong = when(state, "guess_value 2", "set_value 5").state
    assert hand(wrong) == "reflection=spyglass:5@1 junk"


@pytest.mark.parametrize(("face", "others"), [(0, "cookies"), (3, "")])
def test_ruling_31_nothing_is_exchanged_if_there_is_nothing(face: int, others: str) -> None:
    state = given(hands={0: "gamble junk", 1: others})
    draft = when(state, "play_technique gamble", rng=Fate(die=[face]))
    assert [each for each in kinds(draft.events) if each != "HandCardsExchanged"] == [
        "TechniquePlayed",
        "OpponentChosen",
        "DieRolled",
        "TechniqueResolved",
        "BonusActionGranted",
    ]
    assert (hand(draft.state, 0), hand(draft.state, 1)) == ("junk", others)


def test_ruling_32_the_cards_drawn_are_seen_before_the_opponent_is_chosen() -> None:
    state = given(seats=3, hands={0: "whirligig junk", 1: "cookies"}, decks={0: "spyglass acorn"})
    draft = when(state, "play_technique whirligig")
    assert texts(draft.events)[1:] == [
        "CardsDiscarded 0 [junk] hand whirligig",
        "CardsDrawn 0 own 1 [spyglass]",
    ]
    assert hand(draft.state) == "spyglass"
    assert legal(draft.state) == ["choose_opponent 1", "choose_opponent 2"]


def test_ruling_32_with_an_empty_hand_an_opponent_is_chosen_all_the_same() -> None:
    state = given(seats=3, hands={0: "whirligig", 1: "cookies acorn"})
    state = when(state, "play_technique whirligig").state
    assert legal(state) == ["choose_opponent 1", "choose_opponent 2"]
    draft = when(state, "choose_opponent 1")
    assert texts(draft.events)[:3] == [
        "OpponentChosen 0 1",
        "HandsMixed 0 1 0 2 [] [cookies, acorn]",
        "TechniqueResolved 0 whirligig discard",
    ]


def test_ruling_43_dirty_exchange_with_an_empty_hand_does_nothing() -> None:
    state = given(seats=3, hands={0: "dirty_exchange junk", 2: "cookies"})
    draft = when(state, "play_technique dirty_exchange", "choose_opponent 1")
    assert texts(draft.events) == [
        "OpponentChosen 0 1",
        "TechniqueResolved 0 dirty_exchange discard",
        "BonusActionGranted 0",
    ]


def test_rulings_44_and_46_sabotage_throws_the_one_card_away() -> None:
    for card, pile in (("cookies", "cookies"), ("junk", "")):
        state = given(hands={0: "sabotage acorn"}, decks={1: card})
        draft = when(state, "play_technique sabotage")
        assert kinds(draft.events)[2:4] == ["CardsLookedAt", "CardsThrownAway"]
        assert (market_discard(draft.state), discard(draft.state, 1)) == (pile, "")
        assert draft.state.junk_pile == state.junk_pile + (card == "junk")


def test_ruling_44_sabotage_of_no_card_does_nothing() -> None:
    state = given(hands={0: "sabotage acorn"})
    draft = when(state, "play_technique sabotage")
    assert kinds(draft.events)[2:] == ["TechniqueResolved", "BonusActionGranted"]


def test_ruling_45_an_essential_purchase_that_is_taken_throws_nothing() -> None:
    state = given(hands={0: "prepaid_good junk"}, market="essential_purchase - - - -")
    draft = when(state, "play_technique prepaid_good")
    assert "MarketCardTaken 0 0 essential_purchase" in texts(draft.events)
    assert "CardsThrownAway" not in kinds(draft.events)
    assert actor(draft.state) == 1


def test_at_most_three_junk_cards_of_a_payment_are_thrown_away() -> None:
    state = given(hands={0: "junk junk junk junk"}, market="- essential_purchase - - -")
    state = when(state, "start_purchase 1", "throw_paid_junk 3", "throw_paid_junk 0").state
    before = state.junk_pile
    draft = when(state, "throw_paid_junk 1")
    assert texts(draft.events)[:2] == [
        "CardsThrownAway 0 [junk from payment 1 to junk_pile]",
        "CardsDiscarded 0 [junk] payment purchase",
    ]
    assert draft.state.junk_pile == before + 1


def test_a_copy_of_junk_that_paid_is_thrown_to_the_market() -> None:
    state = given(hands={0: "seeing_doubles junk junk"}, market="essential_purchase - - - -")
    state = when(state, "start_purchase 0", "pay_card seeing_doubles junk").state
    assert legal(state, "throw_paid_junk") == [f"throw_paid_junk {at}" for at in range(3)]
    draft = when(state, "throw_paid_junk 0")
    assert texts(draft.events) == [
        "CardsThrownAway 0 [seeing_doubles from payment 0 to market_discard]"
    ]


def test_an_essential_purchase_paid_without_junk_asks_nothing() -> None:
    state = given(hands={0: "shattered_relic"}, market="essential_purchase - - - -")
    assert actor(when(state, "start_purchase 0").state) == 1


def test_ruling_47_a_card_of_value_one_comes_to_the_market() -> None:
    state = given(
        hands={0: "shattered_relic bold_haggler", 1: "cookies"},
        market="acorn acorn - - -",
        market_deck="",
    )
    state = when(state, "play_technique shattered_relic", "decline_bonus").state
    assert market(state) == "acorn acorn bold_haggler - -"
    draft = when(
        given(active=1, hands={1: "shattered_relic"}, market=market(state)), "start_purchase 2"
    )
    (started,) = of(draft.events, PurchaseStarted)
    assert (started.card, started.price) == ("bold_haggler", 1 + 2)


@pytest.mark.parametrize("viewer", [None, Seat(0), Seat(1)])
def test_ruling_48_discard_piles_lie_open(viewer: Viewer) -> None:
    state = given(discards={0: "junk cookies", 1: "acorn"}, market_discard="spyglass accordion")
    view = GAME.view(state, viewer)
    assert [each.discard_pile for each in view.players] == [("junk", "cookies"), ("acorn",)]
    assert view.market.discard_pile == ("spyglass", "accordion")


def test_ruling_51_equal_cards_are_offered_once() -> None:
    state = given(
        hands={0: "spyglass spyglass spyglass junk junk"},
        stalls={1: "cookies cookies junk"},
        market=NO_MARKET,
    )
    assert legal(state) == ["play_technique spyglass", "start_inventory"]
    state = given(hands={0: "acorn junk"}, stalls={1: "cookies cookies"}, market=NO_MARKET)
    draft = when(state, "play_technique acorn")
    assert "CardSwappedWithStall 0 1 0 acorn cookies" in texts(draft.events)


def test_cards_with_different_marks_are_offered_each() -> None:
    state = given(hands={0: "bold_haggler bold_haggler junk"}, market=NO_MARKET)
    state = when(state, "roll_die bold_haggler", rng=Fate(die=[2])).state
    assert legal(state) == ["start_stack", "start_inventory", "roll_die bold_haggler"]
    state = when(state, "start_inventory").state
    assert legal(state, "discard_card") == [
        "discard_card bold_haggler",
        "discard_card bold_haggler+2@1!roll",
        "discard_card junk",
    ]


@pytest.mark.parametrize(
    ("technique", "effects"),
    [
        ("swift_broker", []),
        ("shattered_relic", ["CardsDrawn"]),
        ("favourite_toy", []),
        ("prepaid_good", []),
        ("loyal_partner", ["MarketFilled"]),
        ("special_offer", ["CardsLookedAt", "CardKept"]),
        ("rotten_food", []),
        ("treasure_hunter", []),
        ("acorn", []),
        ("new_season", []),
        ("blindfold", []),
        ("gift_voucher", []),
        ("nuisance", ["VictimsChosen"]),
        ("dirty_exchange", ["OpponentChosen"]),
        ("sabotage", ["OpponentChosen"]),
        ("gamble", ["OpponentChosen", "DieRolled"]),
    ],
)
def test_a_technique_may_be_played_without_an_effect(technique: str, effects: list[str]) -> None:
    state = given(hands={0: technique}, market=NO_MARKET, market_deck="cookies")
    draft = when(state, f"play_technique {technique}")
    events = list(draft.events)
    if technique == "nuisance":
        events += when(draft.state, "choose_victims [1]").events
    found = kinds(events)
    end = found.index("TechniqueResolved")
    ignored = {"HandsMixed", "HandCardsExchanged"}
    assert [each for each in found[1:end] if each not in ignored] == effects
    assert "BonusActionGranted" not in found or found[end - 1] in {"CardsDrawn", "CardKept"}


def test_charm_and_special_offer_do_nothing_without_a_market_deck() -> None:
    for technique in ("charm", "special_offer"):
        state = given(hands={0: f"{technique} junk"}, market_deck="")
        draft = when(state, f"play_technique {technique}")
        assert kinds(draft.events)[:2] == ["TechniquePlayed", "TechniqueResolved"]


def test_charm_and_special_offer_reach_into_the_market_discard() -> None:
    state = given(hands={0: "charm junk"}, stacks={0: 1}, market_deck="", market_discard="cookies")
    draft = when(state, "play_technique charm")
    assert kinds(draft.events)[1:4] == ["MarketDeckShuffled", "MarketCardRevealed", "StackBuilt"]
    state = given(
        hands={0: "special_offer junk"},
        market_deck="spyglass",
        market_discard="cookies acorn empty_chest",
    )
    draft = when(
        state,
        "play_technique special_offer",
        rng=Fate(market_reshuffle=["acorn empty_chest cookies"]),
    )
    assert texts(draft.events)[1:] == [
        "CardsLookedAt 0 market 1 [spyglass]",
        "MarketDeckShuffled reshuffle 3 [acorn, empty_chest, cookies]",
        "CardsLookedAt 0 market 2 [acorn, empty_chest]",
    ]
