"""What each event does to the state of a match of Dale of Merchants."""

from typing import assert_never

from howff.engine.games.dale_of_merchants.changes import (
    turn_of,
    with_changed_card,
    with_discarded,
    with_hand,
    with_hand_cards,
    with_looked,
    with_market,
    with_play,
    with_player,
    with_turn,
    without_hand_cards,
    without_top,
)
from howff.engine.games.dale_of_merchants.data import HAND, JUNK
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
    PaymentCardPicked,
    PlayerDeckShuffled,
    PurchaseStarted,
    SecretCardChosen,
    SecretCardShown,
    StackBuilt,
    StackCardPicked,
    StackStarted,
    TechniquePlayed,
    TechniqueResolved,
    Thrown,
    TurnEnded,
    TurnStarted,
    ValueGuessed,
    VictimsChosen,
)
from howff.engine.games.dale_of_merchants.state import (
    NOTHING_PRIVATE,
    Build,
    Change,
    Ending,
    HandCard,
    InPlay,
    Payment,
    Pick,
    Player,
    Secret,
    State,
    Turn,
    bound,
    plain,
    sorted_cards,
    sorted_hand,
)
from howff.engine.multisets import without, without_all
from howff.engine.seats import Seat
from howff.engine.values import replace, with_item


def evolve(state: State, event: Event) -> State:  # noqa: C901, PLR0911, PLR0912, PLR0915
    """Return the state after *event*; an event that was recorded is never refused."""
    match event:
        case CardsDrawn():
            return _cards_drawn(state, event)
        case CardsDiscarded():
            return _cards_discarded(state, event)
        case PlayerDeckShuffled():
            return _deck_shuffled(state, event)
        case MarketShifted(moves):
            slots = dict(enumerate(state.market.slots))
            slots |= dict.fromkeys((move.origin for move in moves), None)
            slots |= {move.to: state.market.slots[move.origin] for move in moves}
            return with_market(state, slots=tuple(slots.values()))
        case MarketFilled(placements):
            slots = dict(enumerate(state.market.slots))
            slots |= {each.slot: each.card for each in placements}
            deck = state.market.deck[len(placements) :]
            return with_market(state, slots=tuple(slots.values()), deck=deck)
        case TurnStarted(seat, number):
            return replace(state, turn=Turn(seat), round=number)
        case TurnEnded(seat, _):
            hand = sorted_hand(HandCard(held.card) for held in state.players[seat].hand)
            state = with_hand(state, seat, hand)
            return replace(state, turn=None, private=NOTHING_PRIVATE)
        case PaymentCardPicked(_, card, as_type, _, value):
            payment = turn_of(state).payment
            assert payment is not None, "cards are picked for a purchase"
            pick = Pick(card, None, as_type, value)
            return with_turn(state, payment=replace(payment, picks=(*payment.picks, pick)))
        case StackCardPicked(_, card, position, as_type, _, value):
            build = turn_of(state).build
            assert build is not None, "cards are picked for a stack"
            pick = Pick(card, position, as_type, value)
            return with_turn(state, build=replace(build, picks=(*build.picks, pick)))
        case PurchaseStarted(_, target, card, price):
            return with_turn(state, payment=Payment(target, card, price))
        case CardPurchased():
            return _card_purchased(state, event)
        case StackStarted(_, number):
            owed = max(0, turn_of(state).owed - 1)
            return with_turn(state, build=Build(number), owed=owed)
        case StackBuilt():
            return _stack_built(state, event)
        case InventoryStarted():
            return with_turn(state, inventory=True)
        case InventoryFinished():
            return with_turn(state, inventory=False, phase="clean_up")
        case TechniquePlayed(seat, card, as_type, _, ordinal):
            in_play = InPlay(card.card, as_type or card.current)
            state = without_hand_cards(state, seat, (card,))
            return with_turn(state, in_play=in_play, techniques=ordinal)
        case TechniqueResolved():
            return _technique_resolved(state, event)
        case BonusActionGranted():
            return with_turn(state, phase="bonus")
        case BonusActionDeclined():
            return with_turn(state, phase="clean_up")
        case CardsThrownAway(seat, cards):
            for thrown in cards:
                state = _thrown_away(state, seat, thrown)
            return state
        case CardsLookedAt(_, source, _, cards):
            state = with_looked(state, (*state.private.looked_at, *cards))
            return without_top(state, source, len(cards))
        case CardKept(seat, card):
            state = with_looked(state, without(state.private.looked_at, card))
            return with_hand_cards(with_play(state, has_kept=True), seat, (card,))
        case CardReturnedToDeck(seat, card):
            state = with_looked(state, without(state.private.looked_at, card))
            deck = (card, *state.players[seat].deck)
            return with_player(state, seat, deck=deck)
        case CardBound():
            return _card_bound(state, event)
        case AbilityUsed(seat, card, ability):
            changed = HandCard(card.card, card.as_type, card.changes, (*card.used, ability))
            return with_changed_card(state, seat, card, changed)
        case CardValueChanged():
            return _card_value_changed(state, event)
        case GlobalValueChanged():
            number = turn_of(state).changes + 1
            return with_turn(state, changes=number, all_up=(*turn_of(state).all_up, number))
        case DieRolled(_, cause, face):
            turn = turn_of(state)
            if cause == "bold_haggler" and turn.has_set:
                return with_turn(state, best_roll=max(turn.best_roll, face))
            return state
        case OpponentChosen(_, target):
            return with_play(state, target=target)
        case CardPlacedOnDeck(seat, owner, card):
            state = without_hand_cards(state, seat, (card,))
            return with_player(state, owner, deck=(card.card, *state.players[owner].deck))
        case CardTakenFromHand(seat, target, card):
            state = without_hand_cards(state, target, (HandCard(card),))
            return with_hand_cards(state, seat, (card,))
        case CardGivenBack(seat, target, card):
            state = without_hand_cards(state, seat, (card,))
            return with_hand_cards(state, target, (card.card,))
        case CardTakenFromDiscard(seat, owner, card):
            discard_pile = state.players[owner].discard_pile[:-1]
            state = with_player(state, owner, discard_pile=discard_pile)
            return with_hand_cards(state, seat, (card,))
        case MarketCardTaken(seat, slot, card):
            state = with_market(state, slots=with_item(state.market.slots, slot, None))
            return with_hand_cards(state, seat, (card,))
        case CardSwappedWithMarket(seat, slot, card_in, card_out):
            state = with_market(state, slots=with_item(state.market.slots, slot, card_in))
            return with_hand_cards(state, seat, (card_out,))
        case CardSwappedWithStall():
            return _swapped_with_stall(state, event)
        case DeckAndDiscardSwapped(seat, new_discard):
            old = state.players[seat].discard_pile
            return with_player(state, seat, deck=old, discard_pile=new_discard)
        case HandsMixed(seat, target, _, _, new_hand, new_hand_target):
            state = with_hand(state, seat, sorted_hand(plain(new_hand)))
            return with_hand(state, target, sorted_hand(plain(new_hand_target)))
        case HandCardsExchanged(seat, target, _, given, received):
            state = without_hand_cards(state, seat, given)
            state = without_hand_cards(state, target, plain(received))
            state = with_hand_cards(state, seat, received)
            return with_hand_cards(state, target, tuple(held.card for held in given))
        case MarketCardRevealed(_, card):
            return without_top(with_play(state, revealed=card), "market", 1)
        case SecretCardChosen(_, card, as_type, copied, value, changes, used):
            secret = Secret(card, as_type, copied, value, changes, used)
            return replace(state, private=replace(state.private, secret=secret))
        case ValueGuessed(_, value, _):
            return with_play(state, guess=value)
        case JunkTaken(seat, count, substitutes):
            state = with_hand_cards(state, seat, (JUNK,) * count)
            state = _drawn_in_clean_up(state, seat)
            return replace(
                state,
                junk_pile=state.junk_pile - count + substitutes,
                substitutes=state.substitutes + substitutes,
            )
        case CookiesCopySkipped(_, card):
            skipped = sorted_hand((*state.private.skipped, card))
            return replace(state, private=replace(state.private, skipped=skipped))
        case ExtraStackGranted(_, owed) | ExtraStackDeclined(_, owed):
            return with_turn(state, owed=owed)
        case HandCardsShown() | VictimsChosen() | SecretCardShown():
            return state
        case GameEnded(reason, ranking):
            ending = Ending(reason, ranking)
            return replace(state, private=NOTHING_PRIVATE, ending=ending)
        case MarketDeckShuffled(_, _, order):
            return replace(state, market=replace(state.market, deck=order, discard_pile=()))
        case CardsRemoved(cards):
            return replace(state, removed=cards)
        case GameStarted(seats, _, sets, first_seat):
            players = (Player(),) * seats
            return replace(state, sets=sets, first_seat=first_seat, players=players)
        case _:
            assert_never(event)


def _cards_drawn(state: State, event: CardsDrawn) -> State:
    source = event.seat if event.deck == "own" else "market"
    state = without_top(state, source, len(event.cards))
    state = with_hand_cards(state, event.seat, event.cards)
    if state.turn is None:
        return state
    if state.turn.in_play is not None:
        return with_play(state, has_drawn=True)
    return _drawn_in_clean_up(state, event.seat)


def _drawn_in_clean_up(state: State, seat: Seat) -> State:
    return with_turn(state, drew_beyond=len(state.players[seat].hand) > HAND)


def _cards_discarded(state: State, event: CardsDiscarded) -> State:
    match event.source:
        case "hand":
            state = without_hand_cards(state, event.owner, event.cards)
            turn = turn_of(state)
            if turn.in_play is not None and event.owner == turn.seat:
                discarded = turn.in_play.discarded + len(event.cards)
                state = with_play(state, discarded=discarded)
        case "payment":
            state = with_turn(state, paid=())
        case "looked_at":
            gone = tuple(held.card for held in event.cards)
            state = with_looked(state, without_all(state.private.looked_at, gone))
        case _:
            assert_never(event.source)
    return with_discarded(state, event.owner, tuple(held.card for held in event.cards))


def _deck_shuffled(state: State, event: PlayerDeckShuffled) -> State:
    match event.reason:
        case "setup":
            state = replace(state, junk_pile=state.junk_pile - event.order.count(JUNK))
        case "reshuffle":
            state = with_player(state, event.seat, discard_pile=())
        case "wily_fellow":
            pass
        case _:
            assert_never(event.reason)
    return with_player(state, event.seat, deck=event.order)


def _card_purchased(state: State, event: CardPurchased) -> State:
    turn = turn_of(state)
    assert turn.payment is not None, "what is bought is paid"
    picks = turn.payment.picks
    state = without_hand_cards(state, event.seat, tuple(pick.card for pick in picks))
    if event.target == "discard":
        state = with_market(state, discard_pile=state.market.discard_pile[:-1])
    else:
        state = with_market(state, slots=with_item(state.market.slots, event.target, None))
    state = with_hand_cards(state, event.seat, (event.card,))
    return with_turn(state, payment=None, paid=picks, phase="clean_up")


def _stack_built(state: State, event: StackBuilt) -> State:
    player = state.players[event.seat]
    from_hand = tuple(each.card for each in event.cards if each.source == "hand")
    positions = {each.position for each in event.cards if each.source == "discard"}
    discard_pile = tuple(card for at, card in enumerate(player.discard_pile) if at not in positions)
    stack = sorted_cards(each.card.card for each in event.cards)
    state = without_hand_cards(state, event.seat, from_hand)
    state = with_player(state, event.seat, discard_pile=discard_pile, stall=(*player.stall, stack))
    if turn_of(state).in_play is not None:
        state = with_play(state, revealed=None)
    return with_turn(state, build=None, phase="clean_up")


def _technique_resolved(state: State, event: TechniqueResolved) -> State:
    if event.destination == "discard":
        state = with_discarded(state, event.seat, (event.card,))
    state = replace(state, private=NOTHING_PRIVATE)
    return with_turn(state, in_play=None, phase="clean_up")


def _thrown_away(state: State, seat: Seat, thrown: Thrown) -> State:
    state = _without_thrown(state, seat, thrown)
    if thrown.to == "junk_pile":
        return replace(state, junk_pile=state.junk_pile + 1)
    discard_pile = (*state.market.discard_pile, thrown.card.card)
    return with_market(state, discard_pile=discard_pile)


def _without_thrown(  # noqa: PLR0911
    state: State, seat: Seat, thrown: Thrown
) -> State:
    at = thrown.at or 0
    match thrown.source:
        case "hand":
            return without_hand_cards(state, seat, (thrown.card,))
        case "payment":
            turn = turn_of(state)
            paid = (*turn.paid[:at], *turn.paid[at + 1 :])
            return with_turn(state, paid=paid, thrown=turn.thrown + 1)
        case "market":
            return with_market(state, slots=with_item(state.market.slots, at, None))
        case "market_deck":
            return without_top(state, "market", 1)
        case "looked_at":
            return with_looked(state, without(state.private.looked_at, thrown.card.card))
        case "revealed":
            return with_play(state, revealed=None)
        case "discard":
            pile = state.players[seat].discard_pile
            return with_player(state, seat, discard_pile=(*pile[:at], *pile[at + 1 :]))
        case _:
            assert_never(thrown.source)


def _card_bound(state: State, event: CardBound) -> State:
    copy = bound(event.card, event.as_type, event.changes, event.used)
    return with_changed_card(state, event.seat, event.card, copy)


def _card_value_changed(state: State, event: CardValueChanged) -> State:
    card, number = event.card, turn_of(state).changes + 1
    changes = (*card.changes, Change(event.op, event.amount, number))
    changed = HandCard(card.card, card.as_type, changes, card.used)
    state = with_changed_card(state, event.seat, card, changed)
    has_set = turn_of(state).has_set or event.op == "set"
    return with_turn(state, changes=number, has_set=has_set)


def _swapped_with_stall(state: State, event: CardSwappedWithStall) -> State:
    stall = state.players[event.owner].stall
    stack = sorted_cards((*without(stall[event.stack], event.card_out), event.card_in))
    state = with_player(state, event.owner, stall=with_item(stall, event.stack, stack))
    return with_hand_cards(state, event.seat, (event.card_out,))
