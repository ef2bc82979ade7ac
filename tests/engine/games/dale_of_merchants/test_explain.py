import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

import pytest

from howff.engine.codec import classes_of
from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.data import CARDS, SETS, Card, Cards, SetId
from howff.engine.games.dale_of_merchants.event_lines import reason_text
from howff.engine.games.dale_of_merchants.events import (
    AbilityUsed,
    BonusActionDeclined,
    BonusActionGranted,
    CardBound,
    CardGivenBack,
    CardKept,
    CardPlacedOnDeck,
    CardPurchased,
    CardReturnedToDeck,
    CardsDiscarded,
    CardsDrawn,
    CardsLookedAt,
    CardsRemoved,
    CardsThrownAway,
    CardSwappedWithMarket,
    CardSwappedWithStall,
    CardTakenFromDiscard,
    CardTakenFromHand,
    CardValueChanged,
    CookiesCopySkipped,
    DeckAndDiscardSwapped,
    DieRolled,
    Event,
    ExtraStackDeclined,
    ExtraStackGranted,
    GameEnded,
    GameStarted,
    GlobalValueChanged,
    HandCardsExchanged,
    HandCardsShown,
    HandsMixed,
    InventoryFinished,
    InventoryStarted,
    JunkTaken,
    MarketCardRevealed,
    MarketCardTaken,
    MarketDeckShuffled,
    MarketFilled,
    MarketShifted,
    OpponentChosen,
    Paid,
    PaymentCardPicked,
    Placement,
    PlayerDeckShuffled,
    PurchaseStarted,
    SecretCardChosen,
    SecretCardShown,
    Shift,
    StackBuilt,
    StackCardPicked,
    Stacked,
    StackStarted,
    TechniquePlayed,
    TechniqueResolved,
    Thrown,
    TurnEnded,
    TurnStarted,
    ValueGuessed,
    VictimsChosen,
)
from howff.engine.games.dale_of_merchants.explain import explain
from howff.engine.games.dale_of_merchants.moves import (
    AddFromDiscard,
    AddToStack,
    ChooseOpponent,
    ChooseSecretCard,
    ChooseVictims,
    CopyCookies,
    DeclineBonus,
    DeclineExtraStack,
    DiscardCard,
    DiscardNext,
    FinishInventory,
    FinishPayment,
    FinishStack,
    FinishThrowing,
    GiveBack,
    GuessValue,
    KeepCard,
    Move,
    PayCard,
    PlaceOnDeck,
    PlayTechnique,
    ReturnCard,
    RollDie,
    SetValue,
    SkipCookies,
    StartInventory,
    StartPurchase,
    StartStack,
    SwapWithMarket,
    SwapWithStall,
    TakeFromDiscard,
    TakeMarketCard,
    ThrowFromDiscard,
    ThrowFromMarketDeck,
    ThrowHandCard,
    ThrowLookedCard,
    ThrowMarketCard,
    ThrowPaidJunk,
)
from howff.engine.games.dale_of_merchants.state import (
    Change,
    HandCard,
    InPlay,
    Market,
    Options,
    Pick,
    Player,
    State,
    Turn,
    sorted_hand,
)
from howff.engine.seats import Seat, Viewer
from howff.engine.values import replace
from support.playouts import play_out, told_live
from support.seals import redacted

NAMES: Final = ("Ivy", "Freya", "Jack", "Scott")
IVY, FREYA, JACK = Seat(0), Seat(1), Seat(2)


def cards(text: str) -> Cards:
    return tuple(map(Card, text.split()))


def held(card: str, as_type: str | None = None, worth: int | None = None) -> HandCard:
    """Return a hand card, a copy if it has a type to count as, its value set to *worth* if any."""
    changes = () if worth is None else (Change("set", worth, 1),)
    return HandCard(Card(card), None if as_type is None else Card(as_type), changes)


def hand(text: str) -> tuple[HandCard, ...]:
    return tuple(map(HandCard, cards(text)))


def rolled(number: int) -> HandCard:
    """Return a Bold Haggler worth 3; *number* says which change of the turn made it so."""
    return HandCard(Card("bold_haggler"), None, (Change("add", 2, number),), ("roll",))


THROWER: Final = HandCard(Card("reflection"), Card("market_discovery"), (), ("market_discovery",))
OLD: Final = HandCard(Card("good_old_times"), None, (), ("good_old_times",))
TABLE: Final = State(
    options=Options(),
    seats=3,
    sets=("macaws", "squirrels", "ocelots", "chameleons"),
    first_seat=IVY,
    round=7,
    turn=Turn(
        IVY,
        techniques=1,
        changes=3,
        paid=tuple(Pick(each, None, None, 1) for each in hand("junk spyglass junk")),
        in_play=InPlay(Card("reflection"), Card("acorn")),
    ),
    players=(
        Player(
            discard_pile=cards("junk accordion junk"),
            hand=sorted_hand((*hand("spyglass seeing_doubles"), rolled(1), rolled(3), THROWER)),
            stall=(cards("swift_broker"),),
        ),
        Player(discard_pile=cards("junk cookies"), stall=(cards("acorn"), cards("cookies junk"))),
        Player(),
    ),
    market=Market(
        slots=(*cards("cookies cookies spyglass"), None, Card("charm")),
        discard_pile=cards("charm spyglass"),
    ),
)

MOVES: Final[tuple[tuple[Move, str], ...]] = (
    (StartPurchase(0), "wants Cookies, for 2"),
    (StartPurchase(1), "wants Cookies, for 3"),
    (StartPurchase(4), "wants Charm, for 8"),
    (StartPurchase("discard"), "wants Spyglass from the market's discard pile, for 4"),
    (PlayTechnique(held("spyglass"), None), "plays Spyglass"),
    (PlayTechnique(held("reflection"), held("cookies")), "plays Reflection as Cookies"),
    (PlayTechnique(held("reflection", "charm"), None), "plays Reflection (as Charm)"),
    (PlayTechnique(held("spyglass", worth=1), None), "plays Spyglass (worth 1)"),
    (
        PlayTechnique(held("seeing_doubles"), held("reflection", "charm", worth=2)),
        "plays Seeing Doubles as Reflection (as Charm, worth 2)",
    ),
    (StartStack(), "begins stack 2 of the stall"),
    (StartInventory(), "takes inventory, to discard any cards"),
    (RollDie(held("bold_haggler"), None), "rolls the die for Bold Haggler"),
    (
        RollDie(held("trendsetting"), held("bold_haggler")),
        "rolls the die for Trendsetting as Bold Haggler",
    ),
    (
        ThrowFromMarketDeck(held("market_discovery"), "market_discovery", None),
        "throws away the top card of the market deck with Market Discovery",
    ),
    (
        ThrowFromMarketDeck(held("reflection"), "good_old_times", held("good_old_times")),
        "throws away the top card of the market deck with Reflection as Good Old Times",
    ),
    (DeclineBonus(), "does no bonus action"),
    (PayCard(held("junk"), None), "pays 1 with junk"),
    (PayCard(held("reflection"), held("spyglass")), "pays 4 with Reflection as Spyglass"),
    (
        PayCard(rolled(1), None),
        "pays 3 with Bold Haggler (worth 3, rolled), number 1 of these",
    ),
    (
        PayCard(rolled(3), None),
        "pays 3 with Bold Haggler (worth 3, rolled), number 2 of these",
    ),
    (
        PayCard(held("seeing_doubles"), rolled(3)),
        "pays 3 with Seeing Doubles as Bold Haggler (worth 3, rolled), number 2 of these",
    ),
    (
        PayCard(THROWER, None),
        "pays 4 with Reflection (as Market Discovery, Market Discovery used)",
    ),
    (PayCard(OLD, None), "pays 3 with Good Old Times (Good Old Times used)"),
    (FinishPayment(), "pays no more"),
    (ThrowPaidJunk(0), "throws away junk, number 1 of the payment"),
    (ThrowPaidJunk(1), "throws away Spyglass of the payment"),
    (ThrowPaidJunk(2), "throws away junk, number 3 of the payment"),
    (FinishThrowing(), "throws away no more of the payment"),
    (AddToStack(held("acorn"), None), "adds 4 to the stack with Acorn"),
    (
        AddToStack(held("reflection"), held("acorn")),
        "adds 4 to the stack with Reflection as Acorn",
    ),
    (
        AddFromDiscard(0),
        "adds 1 to the stack with junk, number 3 from the top of the discard pile",
    ),
    (AddFromDiscard(1), "adds 5 to the stack with Accordion of the discard pile"),
    (
        AddFromDiscard(2),
        "adds 1 to the stack with junk, number 1 from the top of the discard pile",
    ),
    (FinishStack(), "places the stack as it is"),
    (DeclineExtraStack(), "builds no extra stack"),
    (DiscardCard(held("cookies")), "discards Cookies"),
    (DiscardNext(held("reflection", "charm")), "discards Reflection (as Charm)"),
    (FinishInventory(), "ends the inventory"),
    (CopyCookies(held("reflection")), "lets Reflection count as Cookies"),
    (SkipCookies(held("reflection")), "does not let Reflection count as Cookies"),
    (ThrowHandCard(held("junk")), "throws away junk"),
    (KeepCard(Card("charm")), "takes Charm into the hand"),
    (ReturnCard(Card("junk")), "puts junk back on top of the deck"),
    (ThrowLookedCard(Card("charm")), "throws away Charm"),
    (ThrowMarketCard(0), "throws away Cookies from slot 1 of the market"),
    (ThrowMarketCard(1), "throws away Cookies from slot 2 of the market"),
    (TakeMarketCard(4), "takes Charm from slot 5 of the market"),
    (ChooseVictims(()), "lets nobody discard a card"),
    (ChooseVictims((FREYA,)), "lets Freya discard a card at random"),
    (ChooseVictims((FREYA, JACK)), "lets Freya and Jack discard a card at random"),
    (PlaceOnDeck(held("junk"), FREYA), "puts junk on top of the deck of Freya"),
    (ChooseOpponent(JACK), "chooses Jack for Acorn"),
    (GiveBack(held("junk")), "gives junk back"),
    (TakeFromDiscard(FREYA), "takes Cookies from the discard pile of Freya"),
    (
        SwapWithStall(FREYA, 1, Card("junk")),
        "swaps Reflection for junk in stack 2 of Freya",
    ),
    (ThrowFromDiscard(1), "throws away Accordion of the discard pile"),
    (ChooseSecretCard(held("charm"), None), "secretly chooses Charm, worth 4"),
    (
        ChooseSecretCard(held("seeing_doubles"), rolled(1)),
        "secretly chooses Seeing Doubles as Bold Haggler (worth 3, rolled), number 1 of these, "
        "worth 3",
    ),
    (GuessValue(3), "guesses a value of 3"),
    (SetValue(5), "sets the value of the card to 5"),
    (SwapWithMarket(2), "swaps Reflection for Spyglass from slot 3 of the market"),
)

EVENTS: Final[tuple[tuple[Event, str], ...]] = (
    (
        GameStarted(2, Options(), ("macaws", "pandas", "ocelots"), FREYA),
        "The match begins with 2 seats and the Snappy Scarlet Macaws, Dealing Giant Pandas and "
        "Lucky Ocelots; Freya is first",
    ),
    (
        CardsRemoved(cards("swift_broker swift_broker bold_haggler bold_haggler")),
        "2 Swift Broker and 2 Bold Haggler stay out",
    ),
    (CardsRemoved(()), "No card stays out"),
    (
        PlayerDeckShuffled(IVY, "setup", 10, cards("junk")),
        "Ivy shuffles a deck of 10 cards",
    ),
    (
        PlayerDeckShuffled(IVY, "reshuffle", 1, cards("junk")),
        "Ivy shuffles the discard pile into a deck of 1 card",
    ),
    (
        PlayerDeckShuffled(IVY, "wily_fellow", 3, cards("junk")),
        "Ivy shuffles what was the discard pile into a deck of 3 cards",
    ),
    (MarketDeckShuffled("setup", 44, ()), "The market deck is shuffled, 44 cards"),
    (
        MarketDeckShuffled("reshuffle", 7, ()),
        "The market's discard pile is shuffled, 7 cards",
    ),
    (MarketShifted((Shift(2, 0),)), "The cards in the market slide to the right"),
    (
        MarketFilled((Placement(3, Card("charm")), Placement(4, Card("acorn")))),
        "The market gets Charm and Acorn",
    ),
    (CardsDrawn(IVY, "own", 3, cards("junk junk acorn")), "Ivy draws 2 junk and Acorn"),
    (CardsDrawn(FREYA, "own", 1, cards("acorn")), "Freya draws a card"),
    (CardsDrawn(FREYA, "own", 2, cards("junk junk")), "Freya draws 2 cards"),
    (
        CardsDrawn(IVY, "market", 1, cards("acorn")),
        "Ivy draws Acorn from the market deck",
    ),
    (
        CardsDrawn(FREYA, "market", 1, cards("acorn")),
        "Freya draws a card from the market deck",
    ),
    (TurnStarted(IVY, 7), "Ivy begins a turn of round 7"),
    (PurchaseStarted(IVY, 3, Card("charm"), 7), "Ivy wants Charm, for 7"),
    (
        PurchaseStarted(IVY, "discard", Card("charm"), 4),
        "Ivy wants Charm from the market's discard pile, for 4",
    ),
    (
        PaymentCardPicked(FREYA, held("reflection"), Card("acorn"), held("acorn"), 4),
        "Freya pays 4 with Reflection as Acorn",
    ),
    (
        CardPurchased(
            IVY,
            Card("charm"),
            3,
            7,
            (Paid(held("reflection"), Card("acorn")), Paid(held("acorn"), None)),
            8,
        ),
        "Ivy buys Charm for 7 with Reflection as Acorn and Acorn, worth 8",
    ),
    (
        CardPurchased(IVY, Card("cookies"), 0, 2, (Paid(held("cookies"), None),), 2),
        "Ivy buys Cookies for 2 with Cookies",
    ),
    (
        CardsDiscarded(FREYA, hand("junk acorn"), "payment", "purchase"),
        "Freya discards the payment: junk and Acorn",
    ),
    (CardsDiscarded(FREYA, hand("acorn"), "hand", "nuisance"), "Freya discards Acorn"),
    (
        CardsDiscarded(FREYA, hand("junk"), "looked_at", "sabotage"),
        "The discard pile of Freya gets junk",
    ),
    (
        CardsThrownAway(IVY, (Thrown(held("acorn"), "market", 0, "market_discard"),)),
        "Ivy throws away Acorn of the market",
    ),
    (
        CardsThrownAway(IVY, (Thrown(held("junk"), "looked_at", None, "junk_pile"),)),
        "Ivy throws away junk",
    ),
    (StackStarted(IVY, 5), "Ivy begins stack 5"),
    (
        StackCardPicked(IVY, held("reflection"), None, Card("acorn"), held("acorn"), 4),
        "Ivy adds 4 with Reflection as Acorn",
    ),
    (
        StackCardPicked(IVY, held("junk"), 3, None, None, 1),
        "Ivy adds 1 with junk of the discard pile",
    ),
    (
        StackBuilt(
            IVY,
            8,
            (
                Stacked(held("accordion"), "hand", None),
                Stacked(held("nostalgic_item"), "hand", None),
                Stacked(held("junk"), "discard", 0),
            ),
            -1,
        ),
        "Ivy builds stack 8 with Accordion, Nostalgic Item and junk of the discard pile, "
        "of which Accordion counts 1 less",
    ),
    (
        StackBuilt(IVY, 6, (Stacked(held("accordion"), "revealed", None),), 1),
        "Ivy builds stack 6 with Accordion, of which Accordion counts 1 more",
    ),
    (
        StackBuilt(IVY, 1, (Stacked(held("bold_haggler"), "hand", None),), 0),
        "Ivy builds stack 1 with Bold Haggler",
    ),
    (ExtraStackGranted(IVY, 1), "Ivy may build 1 extra stack"),
    (ExtraStackGranted(IVY, 2), "Ivy may build 2 extra stacks"),
    (ExtraStackDeclined(IVY, 0), "Ivy builds no extra stack"),
    (InventoryStarted(IVY), "Ivy takes inventory"),
    (InventoryFinished(IVY), "Ivy ends the inventory"),
    (TechniquePlayed(FREYA, held("charm"), None, None, 1), "Freya plays Charm"),
    (
        TechniquePlayed(FREYA, held("reflection"), Card("charm"), held("charm"), 1),
        "Freya plays Reflection as Charm",
    ),
    (
        TechniquePlayed(FREYA, held("reflection", "charm"), None, None, 2),
        "Freya plays Reflection as Charm",
    ),
    (TechniqueResolved(IVY, Card("charm"), "discard"), "Charm is done and discarded"),
    (
        TechniqueResolved(IVY, Card("gift_voucher"), "market"),
        "Gift Voucher is done and lies in the market",
    ),
    (TechniqueResolved(IVY, Card("acorn"), "stall"), "Acorn is done and lies in a stall"),
    (BonusActionGranted(IVY), "Ivy may do a bonus action"),
    (BonusActionDeclined(IVY), "Ivy does no bonus action"),
    (
        HandCardsShown(FREYA, hand("cookies cookies reflection"), "cookies"),
        "Freya shows 2 Cookies and Reflection",
    ),
    (
        CardBound(FREYA, held("reflection"), Card("cookies"), held("cookies"), (), ()),
        "Freya lets Reflection count as Cookies in this turn",
    ),
    (
        CookiesCopySkipped(IVY, held("reflection")),
        "Ivy does not let Reflection count as Cookies",
    ),
    (
        CookiesCopySkipped(FREYA, held("reflection")),
        "Freya does not let a card count as Cookies",
    ),
    (
        AbilityUsed(FREYA, held("bold_haggler"), "roll"),
        "Freya rolls the die for Bold Haggler",
    ),
    (
        AbilityUsed(FREYA, held("reflection", "market_discovery"), "market_discovery"),
        "Freya throws a card of the market deck away with Reflection as Market Discovery",
    ),
    (
        CardValueChanged(FREYA, held("bold_haggler"), "add", 3),
        "Freya makes Bold Haggler worth 3 more in this turn",
    ),
    (
        CardValueChanged(FREYA, held("charm"), "set", 1),
        "Freya makes Charm worth 1 in this turn",
    ),
    (
        GlobalValueChanged(FREYA, 1),
        "Each card that Freya uses in this turn is worth 1 more",
    ),
    (DieRolled(IVY, "gamble", 0), "Ivy rolls a 0"),
    (OpponentChosen(IVY, FREYA), "Ivy chooses Freya"),
    (VictimsChosen(IVY, ()), "Ivy lets nobody discard a card at random"),
    (
        VictimsChosen(IVY, (FREYA, JACK)),
        "Ivy lets Freya and Jack discard a card at random",
    ),
    (
        CardsLookedAt(IVY, IVY, 2, cards("junk acorn")),
        "Ivy looks at 2 cards on top of the own deck: junk and Acorn",
    ),
    (
        CardsLookedAt(FREYA, JACK, 1, cards("junk")),
        "Freya looks at a card on top of the deck of Jack",
    ),
    (
        CardsLookedAt(IVY, "market", 3, cards("acorn charm acorn")),
        "Ivy looks at 3 cards on top of the market deck: Acorn, Charm and Acorn",
    ),
    (CardKept(IVY, Card("junk")), "Ivy takes junk into the hand"),
    (CardKept(FREYA, Card("junk")), "Freya takes a card into the hand"),
    (CardReturnedToDeck(IVY, Card("acorn")), "Ivy puts Acorn back on top of the deck"),
    (CardReturnedToDeck(FREYA, Card("acorn")), "Freya puts a card back on top of the deck"),
    (
        CardPlacedOnDeck(IVY, FREYA, held("junk")),
        "Ivy puts junk on top of the deck of Freya",
    ),
    (
        CardPlacedOnDeck(FREYA, IVY, held("junk")),
        "Freya puts a card on top of the deck of Ivy",
    ),
    (
        CardTakenFromHand(FREYA, IVY, Card("acorn")),
        "Freya takes Acorn from the hand of Ivy",
    ),
    (
        CardTakenFromHand(FREYA, JACK, Card("acorn")),
        "Freya takes a card from the hand of Jack",
    ),
    (CardGivenBack(FREYA, IVY, held("junk")), "Freya gives junk back to Ivy"),
    (CardGivenBack(FREYA, JACK, held("junk")), "Freya gives a card back to Jack"),
    (
        CardTakenFromDiscard(IVY, IVY, Card("acorn")),
        "Ivy takes Acorn from the own discard pile",
    ),
    (
        CardTakenFromDiscard(IVY, FREYA, Card("acorn")),
        "Ivy takes Acorn from the discard pile of Freya",
    ),
    (MarketCardTaken(IVY, 4, Card("acorn")), "Ivy takes Acorn from slot 5 of the market"),
    (
        CardSwappedWithMarket(IVY, 3, Card("gift_voucher"), Card("acorn")),
        "Ivy swaps Gift Voucher for Acorn in slot 4 of the market",
    ),
    (
        CardSwappedWithStall(IVY, FREYA, 0, Card("reflection"), Card("acorn")),
        "Ivy swaps Reflection for Acorn in stack 1 of Freya",
    ),
    (
        DeckAndDiscardSwapped(IVY, cards("junk acorn")),
        "Ivy turns the deck over into a discard pile of 2 cards",
    ),
    (
        HandsMixed(FREYA, IVY, 1, 3, cards("acorn"), cards("junk charm junk")),
        "Freya mixes hands with Ivy: Freya gets a card; Ivy gets 2 junk and Charm",
    ),
    (
        HandCardsExchanged(FREYA, IVY, 2, hand("junk junk"), cards("charm acorn")),
        "Freya and Ivy exchange 2 junk for Charm and Acorn",
    ),
    (
        HandCardsExchanged(FREYA, JACK, 1, hand("junk"), cards("charm")),
        "Freya and Jack exchange a card",
    ),
    (HandCardsExchanged(FREYA, IVY, 0, (), ()), "Freya and Ivy exchange no cards"),
    (
        MarketCardRevealed(IVY, Card("acorn")),
        "Ivy turns up Acorn from the market deck",
    ),
    (
        SecretCardChosen(IVY, held("reflection"), Card("acorn"), held("acorn"), 4, (), ()),
        "Ivy chooses a secret card: Reflection as Acorn, worth 4",
    ),
    (
        SecretCardChosen(FREYA, held("acorn"), None, None, 4, (), ()),
        "Freya chooses a secret card",
    ),
    (ValueGuessed(FREYA, 4, correct=True), "Freya guesses 4 and is right"),
    (ValueGuessed(FREYA, 4, correct=False), "Freya guesses 4 and is wrong"),
    (
        SecretCardShown(FREYA, held("acorn"), None, None, 4),
        "Freya shows the secret card: Acorn, worth 4",
    ),
    (JunkTaken(IVY, 3, 2), "Ivy takes 3 junk into the hand, 2 of it new"),
    (JunkTaken(IVY, 1, 0), "Ivy takes 1 junk into the hand"),
    (TurnEnded(IVY, 7), "Ivy ends the turn"),
    (
        GameEnded("stall_finished", (2, 1, 3)),
        "The match is over, as a stall is complete: Freya wins",
    ),
    (
        GameEnded("round_limit", (1, 3, 1)),
        "The match is over, as the last round has been played: Ivy and Jack share the win",
    ),
)
AGAIN: Final[tuple[tuple[Event, str], ...]] = (
    (HandCardsShown(FREYA, hand("cookies"), "cookies"), "Freya shows hand cards"),
    (
        CardBound(FREYA, held("reflection"), Card("cookies"), held("cookies"), (), ()),
        "Freya lets a card count as another in this turn",
    ),
    (AbilityUsed(FREYA, held("bold_haggler"), "roll"), "Freya rolls the die for a card"),
    (
        AbilityUsed(FREYA, held("good_old_times"), "good_old_times"),
        "Freya throws a card of the market deck away with a card",
    ),
    (
        CardValueChanged(FREYA, held("bold_haggler"), "add", 3),
        "Freya makes a card worth 3 more in this turn",
    ),
    (SecretCardShown(FREYA, held("acorn"), None, None, 4), "Freya shows the secret card"),
)
SETS_OF_MATCHES: Final[tuple[tuple[SetId, ...], ...]] = tuple(
    sets for sets in combinations(SETS, 5) if "chameleons" in sets and "ocelots" in sets
)


def line(event: Event, viewer: Viewer = IVY) -> str:
    (told,) = told_live((event,), viewer)
    return explain(GAME.view(TABLE, viewer), None, told, NAMES[:3])


def line_of(move: Move) -> str:
    return explain(GAME.view(TABLE, IVY), IVY, move, NAMES[:3])


def lines_of_a_match(seats: int, sets: tuple[SetId, ...]) -> Iterator[str]:
    """Yield all that anybody reads in a random match."""
    playout = play_out(GAME, Options(sets=sets), seats, seed=1)
    names = NAMES[:seats]
    for step in playout.steps:
        for viewer in playout.viewers:
            view = GAME.view(step.after, viewer)
            for told in told_live(step.events, viewer):
                yield explain(view, None, told, names)
        if step.seat is not None:
            yield explain(GAME.view(step.before, step.seat), step.seat, step.move, names)


@pytest.mark.parametrize(("move", "expected"), MOVES)
def test_a_move_has_a_line(move: Move, expected: str) -> None:
    assert line_of(move) == f"Ivy {expected}"


def test_every_kind_of_move_was_tried() -> None:
    assert {type(move) for move, _ in MOVES} == set(classes_of(Move))


@pytest.mark.parametrize(("event", "expected"), EVENTS)
def test_an_event_has_a_line_for_whom_it_is_told(event: Event, expected: str) -> None:
    assert line(event) == expected


def test_every_kind_of_event_was_tried() -> None:
    assert {type(event) for event, _ in EVENTS} == set(classes_of(Event))


@pytest.mark.parametrize(("event", "expected"), AGAIN)
def test_what_was_shown_for_a_moment_is_not_read_again(event: Event, expected: str) -> None:
    again: Any = redacted(event, IVY, told_live=False)
    assert explain(GAME.view(TABLE, IVY), None, again, NAMES[:3]) == expected


def test_hidden_cards_are_told_to_no_spectator() -> None:
    assert line(CardsDrawn(IVY, "own", 2, cards("junk acorn")), None) == "Ivy draws 2 cards"
    given = CardGivenBack(FREYA, IVY, held("junk"))
    assert line(given, None) == "Freya gives a card back to Ivy"
    mixed = HandsMixed(FREYA, IVY, 1, 2, cards("acorn"), cards("junk charm"))
    assert line(mixed, None) == "Freya mixes hands with Ivy: Freya gets a card; Ivy gets 2 cards"


def test_a_price_does_not_follow_the_values_of_the_turn() -> None:
    assert TABLE.turn is not None
    state = replace(TABLE, turn=replace(TABLE.turn, all_up=(4,)))
    view = GAME.view(state, IVY)
    assert explain(view, IVY, StartPurchase(0), NAMES[:3]) == "Ivy wants Cookies, for 2"
    paid = explain(view, IVY, PayCard(held("spyglass"), None), NAMES[:3])
    assert paid == "Ivy pays 5 with Spyglass"
    found = explain(view, IVY, AddFromDiscard(1), NAMES[:3])
    assert found == "Ivy adds 6 to the stack with Accordion of the discard pile"


def test_every_card_has_its_printed_name() -> None:
    for card, record in CARDS.items():
        name = "junk" if record.set is None else record.name
        assert line_of(KeepCard(card)) == f"Ivy takes {name} into the hand"


@pytest.mark.parametrize("reason", ["stall_finished", "round_limit"])
def test_the_end_has_a_reason(reason: Any) -> None:
    assert reason_text(reason) in line(GameEnded(reason, (1, 2, 3)))


@pytest.mark.parametrize("sets", SETS_OF_MATCHES)
def test_no_two_moves_have_the_same_line_in_a_match(sets: tuple[SetId, ...]) -> None:
    playout = play_out(GAME, Options(sets=sets), 4, seed=1)
    for step in playout.steps:
        for seat in GAME.to_act(step.after):
            view, moves = GAME.view(step.after, seat), GAME.legal_moves(step.after, seat)
            assert len({explain(view, seat, move, NAMES) for move in moves}) == len(moves)


@pytest.mark.parametrize("sets", SETS_OF_MATCHES[:2])
def test_no_line_holds_words_of_the_machinery(sets: tuple[SetId, ...]) -> None:
    strange = re.compile(r"[a-z][A-Z]|_|\b(None|True|False|Sealed)\b|[\[\]{}'\"]")
    for each in lines_of_a_match(4, sets):
        assert not strange.search(each.replace("market's", "")), each
        assert each[0].isupper(), each
