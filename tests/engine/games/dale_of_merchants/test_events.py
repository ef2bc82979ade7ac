"""What each technique makes happen, event by event, and that no move goes without one."""

import pytest

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.data import CARDS, Card
from howff.engine.games.dale_of_merchants.events import Event
from howff.engine.games.dale_of_merchants.state import State
from howff.engine.play import Draft, fold
from support.dale_of_merchants import Fate, discard, given, texts, when

CHOICES = {
    "swift_broker": ["discard_next acorn"],
    "shattered_relic": ["throw_hand_card junk"],
    "spyglass": ["keep_card empty_chest", "return_card cookies"],
    "loyal_partner": ["throw_market_card 0"],
    "prepaid_good": ["take_market_card 1"],
    "special_offer": ["keep_card gamble", "throw_looked_card charm"],
    "nuisance": ["choose_victims [1, 2]"],
    "rotten_food": ["place_on_deck junk 2"],
    "dirty_exchange": ["choose_opponent 1", "give_back junk"],
    "sabotage": ["choose_opponent 1", "throw_looked_card junk"],
    "treasure_hunter": ["take_from_discard 2"],
    "acorn": ["swap_with_stall 1 0 cookies"],
    "new_season": ["throw_from_discard 2"],
    "whirligig": ["discard_next junk", "choose_opponent 1"],
    "gamble": ["choose_opponent 1"],
    "blindfold": ["choose_secret_card acorn", "choose_opponent 2", "guess_value 3", "set_value 2"],
    "gift_voucher": ["swap_with_market 0"],
}
EFFECTS = {
    "swift_broker": [
        "CardsDiscarded 0 [acorn] hand swift_broker",
        "CardsDiscarded 0 [junk] hand swift_broker",
        "CardsDrawn 0 own 2 [cookies, empty_chest]",
    ],
    "shattered_relic": [
        "CardsThrownAway 0 [junk from hand to junk_pile]",
        "CardsDrawn 0 own 1 [cookies]",
    ],
    "spyglass": [
        "CardsLookedAt 0 0 3 [cookies, empty_chest, junk]",
        "CardKept 0 empty_chest",
        "CardReturnedToDeck 0 cookies",
        "CardReturnedToDeck 0 junk",
    ],
    "flashy_show": ["GlobalValueChanged 0 1"],
    "favourite_toy": ["CardTakenFromDiscard 0 0 spyglass"],
    "loyal_partner": [
        "CardsThrownAway 0 [spyglass from market 0 to market_discard]",
        "CardsThrownAway 0 [accordion from market 1 to market_discard]",
        "MarketFilled [charm in 0, gamble in 1, whirligig in 2]",
        "MarketDeckShuffled reshuffle 2 [accordion, spyglass]",
        "MarketFilled [accordion in 3, spyglass in 4]",
    ],
    "prepaid_good": ["MarketCardTaken 0 1 accordion"],
    "special_offer": [
        "CardsLookedAt 0 market 3 [charm, gamble, whirligig]",
        "CardKept 0 gamble",
        "CardsThrownAway 0 [charm from looked_at to market_discard]",
        "CardsThrownAway 0 [whirligig from looked_at to market_discard]",
    ],
    "wily_fellow": [
        "DeckAndDiscardSwapped 0 [cookies, empty_chest, junk, spyglass]",
        "PlayerDeckShuffled 0 wily_fellow 3 [spyglass, cookies, junk]",
    ],
    "nuisance": [
        "VictimsChosen 0 [1, 2]",
        "CardsDiscarded 1 [charm] hand nuisance",
        "CardsDiscarded 2 [cookies] hand nuisance",
    ],
    "rotten_food": ["CardPlacedOnDeck 0 2 junk"],
    "dirty_exchange": [
        "OpponentChosen 0 1",
        "CardTakenFromHand 0 1 charm",
        "CardGivenBack 0 1 junk",
    ],
    "sabotage": [
        "OpponentChosen 0 1",
        "CardsLookedAt 0 1 2 [junk, acorn]",
        "CardsThrownAway 0 [junk from looked_at to junk_pile]",
        "CardsDiscarded 1 [acorn] looked_at sabotage",
    ],
    "treasure_hunter": ["CardTakenFromDiscard 0 2 nuisance"],
    "acorn": ["CardSwappedWithStall 0 1 0 acorn cookies"],
    "new_season": [
        "CardsThrownAway 0 [spyglass from discard 2 to market_discard]",
        "CardsDrawn 0 market 1 [charm]",
    ],
    "whirligig": [
        "CardsDiscarded 0 [junk] hand whirligig",
        "CardsDiscarded 0 [acorn] hand whirligig",
        "CardsDrawn 0 own 2 [cookies, empty_chest]",
        "OpponentChosen 0 1",
        "HandsMixed 0 1 2 1 [cookies, charm] [empty_chest]",
    ],
    "charm": [
        "MarketCardRevealed 0 charm",
        "CardsThrownAway 0 [charm from revealed to market_discard]",
    ],
    "gamble": [
        "OpponentChosen 0 1",
        "DieRolled 0 gamble 1",
        "HandCardsExchanged 0 1 1 [junk] [charm]",
    ],
    "blindfold": [
        "SecretCardChosen 0 acorn null null 4 [] []",
        "OpponentChosen 0 2",
        "ValueGuessed 2 3 false",
        "SecretCardShown 0 acorn null null 4",
        "CardValueChanged 0 acorn set 2",
    ],
    "gift_voucher": ["CardSwappedWithMarket 0 0 gift_voucher spyglass"],
}
LUCK: dict[str, dict[str, list[object]]] = {
    "loyal_partner": {"market_reshuffle": ["accordion spyglass"]},
    "wily_fellow": {"wily_fellow": ["spyglass cookies junk"]},
    "gamble": {"die": [1], "gamble": [1, 0]},
    "whirligig": {"hands": ["charm cookies empty_chest"]},
}
"""What the last choice draws."""
DESTINATIONS = {"acorn": "stall", "gift_voucher": "market"}


def table(technique: str) -> State:
    return given(
        seats=3,
        hands={0: f"{technique} acorn junk", 1: "charm", 2: "cookies"},
        decks={0: "cookies empty_chest junk spyglass", 1: "junk acorn", 2: "junk"},
        discards={0: "cookies junk spyglass", 1: "junk", 2: "nuisance"},
        stalls={1: "cookies", 2: "acorn"},
        market="spyglass accordion - - -",
        market_deck="charm gamble whirligig",
    )


def played(technique: str) -> list[Draft[State, Event]]:
    """Return what each move of a technique causes."""
    *earlier, last = [f"play_technique {technique}", *CHOICES.get(technique, [])]
    drafts = []
    state = table(technique)
    for each in earlier:
        drafts.append(when(state, each))
        state = drafts[-1].state
    return [*drafts, when(state, last, rng=Fate(**LUCK.get(technique, {})))]


def test_every_technique_is_played_below() -> None:
    techniques = {card for card, record in CARDS.items() if record.kind == "technique"}
    assert set(EFFECTS) == techniques


@pytest.mark.parametrize("technique", EFFECTS)
def test_a_technique_happens_event_by_event(technique: str) -> None:
    drafts = played(technique)
    assert all(draft.events for draft in drafts)
    events = [event for draft in drafts for event in draft.events]
    told = EFFECTS[technique]
    assert texts(events)[: len(told) + 2] == [
        f"TechniquePlayed 0 {technique} null null 1",
        *told,
        f"TechniqueResolved 0 {technique} {DESTINATIONS.get(technique, 'discard')}",
    ]
    after = texts(events)[len(told) + 2 :]
    if CARDS[Card(technique)].plus:
        assert after == ["BonusActionGranted 0"]
    else:
        assert after[-2:] == ["TurnEnded 0 1", "TurnStarted 1 1"]
        assert "BonusActionGranted 0" not in after
    assert fold(GAME.evolve, table(technique), events) == drafts[-1].state


@pytest.mark.parametrize("technique", [each for each in EFFECTS if each not in DESTINATIONS])
def test_the_card_of_a_technique_ends_on_the_discard_pile(technique: str) -> None:
    draft = played(technique)[-1]
    if CARDS[Card(technique)].plus:
        assert discard(draft.state).split()[-1] == technique
    else:
        assert technique in discard(draft.state).split()
