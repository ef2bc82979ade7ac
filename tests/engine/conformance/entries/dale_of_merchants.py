"""The entry of Dale of Merchants."""

from collections import Counter
from typing import Any, Final

from engine.conformance.entry import Entry
from howff.engine.codec import JSON
from howff.engine.games.dale_of_merchants.data import CARDS, JUNK, SETS, Card
from howff.engine.games.dale_of_merchants.events import (
    AbilityUsed,
    CardBound,
    CardGivenBack,
    CardPurchased,
    CardsDiscarded,
    CardsDrawn,
    CardsLookedAt,
    CardsThrownAway,
    CardTakenFromHand,
    CardValueChanged,
    CookiesCopySkipped,
    DeckAndDiscardSwapped,
    DieRolled,
    GameStarted,
    HandCardsExchanged,
    HandCardsShown,
    HandsMixed,
    MarketCardRevealed,
    MarketFilled,
    PaymentCardPicked,
    SecretCardChosen,
    SecretCardShown,
    StackBuilt,
    StackCardPicked,
    ValueGuessed,
)
from howff.engine.games.dale_of_merchants.state import State
from howff.engine.seats import Viewer

GENTLE: Final = ("macaws", "pandas", "squirrels", "ocelots", "raccoons")
WILD: Final = ("chameleons", "ocelots", "raccoons", "squirrels", "macaws")


def _has_all_cards(state: State) -> bool:
    cards = Counter(state.removed)
    for player in state.players:
        cards.update((*player.deck, *player.discard_pile))
        cards.update(held.card for held in player.hand)
        for stack in player.stall:
            cards.update(stack)
    market = state.market
    cards.update(card for card in market.slots if card is not None)
    cards.update((*market.deck, *market.discard_pile, *state.private.looked_at))
    cards[JUNK] += state.junk_pile
    if state.turn is not None:
        cards.update(pick.card.card for pick in state.turn.paid)
        cards.update(_in_play(state))
    expected = Counter[Card](
        {card: record.copies for card, record in CARDS.items() if record.set in state.sets}
    )
    expected[JUNK] = CARDS[JUNK].copies + state.substitutes
    return +cards == expected


def _in_play(state: State) -> tuple[Card, ...]:
    in_play = None if state.turn is None else state.turn.in_play
    if in_play is None:
        return ()
    return (in_play.card,) if in_play.revealed is None else (in_play.card, in_play.revealed)


def _uncovers(event: Any, viewer: Viewer) -> bool:
    match event:
        case CardsLookedAt(seat):
            return bool(seat == viewer)
        case (
            CardTakenFromHand(seat, target)
            | CardGivenBack(seat, target)
            | HandsMixed(seat, target)
            | HandCardsExchanged(seat, target)
        ):
            return viewer in {seat, target}
        case CardsDiscarded():
            return event.cause in {"nuisance", "sabotage"}
        case CardsThrownAway():
            return all(each.source in {"market_deck", "looked_at"} for each in event.cards)
        case _:
            return isinstance(event, _UNCOVERING)


_LUCK_IN_THE_OPEN: Final = (GameStarted, MarketFilled, MarketCardRevealed, DieRolled)
_FORCED_PICKS: Final = (PaymentCardPicked, StackCardPicked)
"""A pick that only one card allows is taken at once, though that tells of the hand."""
_UNCOVERING: Final = (
    *_LUCK_IN_THE_OPEN,
    *_FORCED_PICKS,
    CardsDrawn,
    DeckAndDiscardSwapped,
    ValueGuessed,
    SecretCardShown,
)


def _tells(event: Any) -> bool:
    match event:
        case CardsDiscarded():
            # All that is left of a hand is discarded at once if it is alike.
            return event.cause in {"swift_broker", "whirligig"}
        case CardsThrownAway():
            # Of two cards looked at that are alike, one is thrown away at once.
            return all(each.source == "looked_at" for each in event.cards)
        case CardsDrawn():
            # Cookies make a hand larger.
            return bool(event.deck == "own")
        case _:
            return isinstance(
                event,
                PaymentCardPicked
                | CardPurchased
                | StackCardPicked
                | StackBuilt
                | CardBound
                | HandCardsShown,
            )


def _options(seats: int) -> tuple[JSON, ...]:
    return (
        {"sets": list(WILD[: seats + 1]), "round_limit": 50},
        {"sets": list(GENTLE[: seats + 1]), "first_seat": seats - 1},
    )


ENTRY: Final = Entry(
    options=_options,
    invariants=(_has_all_cards,),
    uncovers=_uncovers,
    uncovered_fields={
        # How many are drawn tells whether Cookies are among them.
        CardsDrawn: ("count", "cards"),
        DeckAndDiscardSwapped: ("new_discard",),
    },
    tells=_tells,
    playthrough_seed=33,
    forgettable=lambda _options: (
        AbilityUsed,
        CardBound,
        CardValueChanged,
        CookiesCopySkipped,
        SecretCardChosen,
    ),
    measure=lambda final, happened: {
        "rounds": final.round,
        "techniques": happened["TechniquePlayed"],
        "purchases": happened["CardPurchased"],
        "stacks": sum(len(player.stall) for player in final.players),
        "ends by round limit": final.ending.reason == "round_limit",
    },
    expected={2: {"rounds": 57}, 3: {"rounds": 53}, 4: {"rounds": 50}},
)

assert set(SETS) == {*GENTLE, *WILD}, "every set is played"
