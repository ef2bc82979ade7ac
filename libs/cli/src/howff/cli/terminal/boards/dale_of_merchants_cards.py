"""What the cards of Dale of Merchants do, a short line each, for the terminal."""

from types import MappingProxyType
from typing import Final

from howff.engine.games.dale_of_merchants.data import JUNK, Card

EFFECTS: Final = MappingProxyType(
    {
        Card("swift_broker"): "discard the hand, draw as many",
        Card("cookies"): "you refill to one card more",
        Card("shattered_relic"): "throw away a hand card, draw one",
        Card("spyglass"): "see 3 of your deck, keep one",
        Card("flashy_show"): "all you use is worth 1 more in this turn",
        Card("favourite_toy"): "take the top of your discard pile",
        Card("loyal_partner"): "throw away the market, fill it anew",
        Card("prepaid_good"): "take a market card for nothing",
        Card("essential_purchase"): "when bought: throw away up to 3 junk that paid",
        Card("market_discovery"): "throw a market deck card away once; buys the market discard",
        Card("special_offer"): "see 3 of the market deck, keep one, throw the rest",
        Card("stock_clearance"): "pay too much as you like",
        Card("wily_fellow"): "swap your deck and discard pile, shuffle the deck",
        Card("nuisance"): "up to two others discard at random",
        Card("rotten_food"): "put a hand card on another's deck",
        Card("dirty_exchange"): "take a card at random, give one back",
        Card("sabotage"): "see 2 of another's deck: throw one away, discard one",
        Card("treasure_hunter"): "take the top of another's discard pile",
        Card("stashing_vendor"): "its stack may hold junk",
        Card("empty_chest"): "its stack may mix sets",
        Card("nostalgic_item"): "its stack may hold any card of your discard pile",
        Card("acorn"): "swap it for a card in another's stall",
        Card("accordion"): "counts 1 more or less in its stack",
        Card("winter_is_coming"): "build another stack after its stack",
        Card("bold_haggler"): "once, roll the die and add it to its value",
        Card("new_season"): "throw away a discarded animal card, draw from the market deck",
        Card("whirligig"): "discard the hand, draw as many, mix them with another's hand",
        Card("charm"): "turn up a market deck card: build it or throw it away",
        Card("gamble"): "roll the die: exchange so many cards at random",
        Card("blindfold"): "another guesses a card's value, or you set it",
        Card("flexible_shopkeeper"): "copies a card of your last stack",
        Card("reflection"): "copies the top of another's discard pile",
        Card("good_old_times"): "throw a market deck card away once; copies the market discard",
        Card("gift_voucher"): "swap it for a market card",
        Card("trendsetting"): "copies a market card",
        Card("seeing_doubles"): "copies another card of your hand",
        JUNK: "pays 1",
    }
)
