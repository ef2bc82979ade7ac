"""What a legal move causes in a match of Dale of Merchants."""

from typing import assert_never

from howff.engine.games.dale_of_merchants import building, dealings, purchases, techniques
from howff.engine.games.dale_of_merchants.changes import turn_of
from howff.engine.games.dale_of_merchants.clean_up import bind, clean_up, show_chain
from howff.engine.games.dale_of_merchants.copying import good_old_times_of, use_of
from howff.engine.games.dale_of_merchants.data import DIE
from howff.engine.games.dale_of_merchants.events import (
    AbilityUsed,
    BonusActionDeclined,
    CardsDiscarded,
    CardValueChanged,
    CookiesCopySkipped,
    DieRolled,
    ExtraStackDeclined,
    InventoryFinished,
    InventoryStarted,
    StackStarted,
    TechniquePlayed,
)
from howff.engine.games.dale_of_merchants.evolve import evolve
from howff.engine.games.dale_of_merchants.forced import forced_move
from howff.engine.games.dale_of_merchants.legality import could_be_cookies
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
from howff.engine.games.dale_of_merchants.piles import Decision, throw_from_market_deck
from howff.engine.games.dale_of_merchants.stages import to_act
from howff.engine.games.dale_of_merchants.state import HandCard, State, bound, next_stack
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat


def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Decision:
    """Return what *move* causes, with what is forced after it; it is one of the legal moves."""
    decision = Draft(state, evolve)
    _carry_out(decision, seat, move, rng)
    while forced := forced_move(decision.state):
        (seat,) = to_act(decision.state)
        _carry_out(decision, seat, forced[0], rng)
    return decision


def _carry_out(  # noqa: C901, PLR0912, PLR0915
    decision: Decision, seat: Seat, move: Move, rng: Rng
) -> None:
    state = decision.state
    match move:
        case PayCard(card, copy_of):
            purchases.pay_card(decision, seat, use_of(state, seat, card, copy_of))
        case AddToStack(card, copy_of):
            building.add_from_hand(decision, seat, use_of(state, seat, card, copy_of))
        case DiscardCard(card):
            decision.add(CardsDiscarded(seat, (card,), "hand", "inventory"))
        case FinishPayment():
            purchases.finish_payment(decision, seat, rng)
        case StartPurchase(target):
            purchases.start_purchase(decision, seat, target)
        case PlayTechnique():
            _play_technique(decision, seat, move, rng)
        case StartStack():
            decision.add(StackStarted(seat, next_stack(state.players[seat])))
        case StartInventory():
            decision.add(InventoryStarted(seat))
        case FinishInventory():
            decision.add(InventoryFinished(seat))
            clean_up(decision, rng)
        case RollDie():
            _roll_die(decision, seat, move, rng)
        case ThrowFromMarketDeck():
            _throw_from_market_deck(decision, seat, move, rng)
        case DeclineBonus():
            decision.add(BonusActionDeclined(seat))
            clean_up(decision, rng)
        case ThrowPaidJunk(position):
            purchases.throw_paid_junk(decision, seat, position, rng)
        case FinishThrowing():
            purchases.discard_payment(decision, seat, rng)
        case AddFromDiscard(position):
            building.add_from_discard(decision, seat, position)
        case FinishStack():
            building.finish_stack(decision, seat, rng)
        case DeclineExtraStack():
            decision.add(ExtraStackDeclined(seat, 0))
            building.end_building(decision, rng)
        case CopyCookies(card):
            _copy_cookies(decision, seat, card, rng)
        case SkipCookies(card):
            decision.add(CookiesCopySkipped(seat, card))
            clean_up(decision, rng)
        case DiscardNext(card):
            techniques.discard_next(decision, seat, card, rng)
        case ThrowHandCard(card):
            techniques.throw_hand_card(decision, seat, card, rng)
        case KeepCard(kept):
            techniques.keep_card(decision, seat, kept, rng)
        case ReturnCard(returned):
            techniques.return_card(decision, seat, returned, rng)
        case ThrowLookedCard(looked_at):
            techniques.throw_looked_card(decision, seat, looked_at, rng)
        case ThrowMarketCard(slot):
            techniques.throw_market_card(decision, seat, slot, rng)
        case TakeMarketCard(slot):
            techniques.take_market_card(decision, seat, slot, rng)
        case SwapWithMarket(slot):
            techniques.swap_with_market(decision, seat, slot, rng)
        case ThrowFromDiscard(position):
            techniques.throw_from_discard(decision, seat, position, rng)
        case ChooseVictims(seats):
            dealings.choose_victims(decision, seat, seats, rng)
        case PlaceOnDeck():
            dealings.place_on_deck(decision, seat, move, rng)
        case ChooseOpponent(target):
            dealings.choose_opponent(decision, seat, target, rng)
        case GiveBack(card):
            dealings.give_back(decision, seat, card, rng)
        case TakeFromDiscard(owner):
            dealings.take_from_discard(decision, seat, owner, rng)
        case SwapWithStall():
            dealings.swap_with_stall(decision, seat, move, rng)
        case ChooseSecretCard(card, copy_of):
            dealings.choose_secret_card(decision, seat, use_of(state, seat, card, copy_of))
        case GuessValue(value):
            dealings.guess_value(decision, seat, value, rng)
        case SetValue(value):
            dealings.set_value(decision, seat, value, rng)
        case _:
            assert_never(move)


def _play_technique(decision: Decision, seat: Seat, move: PlayTechnique, rng: Rng) -> None:
    use = use_of(decision.state, seat, move.card, move.copy_of)
    ordinal = turn_of(decision.state).techniques + 1
    decision.add(TechniquePlayed(seat, move.card, use.as_type, use.copy_of, ordinal))
    show_chain(decision, seat, use, "copy")
    techniques.begin(decision, seat, rng)


def _roll_die(decision: Decision, seat: Seat, move: RollDie, rng: Rng) -> None:
    use = use_of(decision.state, seat, move.card, move.copy_of)
    bind(decision, seat, use, "ability")
    held = _as_bound(move.card, move.copy_of)
    decision.add(AbilityUsed(seat, held, "roll"))
    face = rng.roll("die", DIE)
    decision.add(DieRolled(seat, "bold_haggler", face))
    used = HandCard(held.card, held.as_type, held.changes, (*held.used, "roll"))
    decision.add(CardValueChanged(seat, used, "add", face))


def _throw_from_market_deck(
    decision: Decision, seat: Seat, move: ThrowFromMarketDeck, rng: Rng
) -> None:
    state = decision.state
    if move.ability == "good_old_times":
        uses = good_old_times_of(state, seat, move.card)
        use = next(each for each in uses if each.copy_of == move.copy_of)
    else:
        use = use_of(state, seat, move.card, move.copy_of)
    bind(decision, seat, use, "ability")
    decision.add(AbilityUsed(seat, _as_bound(move.card, move.copy_of), move.ability))
    throw_from_market_deck(decision, seat, rng)


def _as_bound(held: HandCard, copy_of: HandCard | None) -> HandCard:
    """Return *held* as it is once it was bound to what it copies."""
    if copy_of is None:
        return held
    return bound(held, copy_of.current, copy_of.changes, copy_of.used)


def _copy_cookies(decision: Decision, seat: Seat, card: HandCard, rng: Rng) -> None:
    use = next(use for held, use, _ in could_be_cookies(decision.state, seat) if held == card)
    bind(decision, seat, use, "copy")
    clean_up(decision, rng)
