"""What a seat may do now: the only place where Dale of Merchants lists legal moves."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, combinations
from typing import Final

from howff.engine.games.dale_of_merchants import payments, stacks
from howff.engine.games.dale_of_merchants.copying import (
    COPIERS,
    Use,
    Uses,
    good_old_times_of,
    uses_of,
    uses_of_hand,
)
from howff.engine.games.dale_of_merchants.data import CARDS, JUNK, MOST_TECHNIQUES, SETS, Card
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
from howff.engine.games.dale_of_merchants.stages import Stage, stage_of, to_act
from howff.engine.games.dale_of_merchants.state import (
    Hand,
    HandCard,
    State,
    Turn,
)
from howff.engine.seats import Seat, seats_from

BOLD_HAGGLER: Final = Card("bold_haggler")
COOKIES: Final = Card("cookies")
MOST_THROWN: Final = 3
"""So many of the junk cards that paid for an Essential Purchase may be thrown away."""
_SET_VALUES: Final = range(1, 6)

Moves = Iterator[Move]


def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """Return what *seat* may do now, in the order of the rules; nothing if it owes no decision."""
    if seat not in to_act(state):
        return ()
    return tuple(moves_at(state, stage_of(state), seat))


def moves_at(state: State, stage: Stage, seat: Seat) -> Iterator[Move]:
    """Yield the moves of *seat*, which is to act at *stage*, one by one."""
    return iter(_MOVES[stage](state, seat))


def highest_guess(turn: Turn) -> int:
    """Return up to which number a secret value may be guessed: no value can exceed it (R54)."""
    return _SET_VALUES[-1] + len(turn.all_up) + turn.best_roll


def could_be_cookies(state: State, seat: Seat) -> Iterator[tuple[HandCard, Use, bool]]:
    """Yield the copiers that may count as Cookies, how, and whether they must.

    Left out are those that are a copy already, and those skipped in this clean-up.
    """
    for held in dict.fromkeys(state.players[seat].hand):
        if held.card in COPIERS and held.as_type is None and held not in state.private.skipped:
            uses = uses_of(state, seat, held)
            cookies = [use for use in uses if use.used_as == COOKIES]
            if cookies:
                yield held, cookies[0], len(cookies) == len(uses)


def _actions(state: State, seat: Seat) -> Moves:
    turn, player = _turn(state), state.players[seat]
    uses = uses_of_hand(state, seat)
    yield from map(StartPurchase, payments.payable_targets(state, player.hand, uses))
    if turn.techniques < MOST_TECHNIQUES:
        for use in chain.from_iterable(uses.values()):
            if CARDS[use.used_as].kind == "technique":
                yield PlayTechnique(use.card, use.copy_of)
    if stacks.can_build(state, player, uses):
        yield StartStack()
    yield StartInventory()
    yield from _abilities(state, seat, uses)


def _bonus_actions(state: State, seat: Seat) -> Moves:
    yield from _actions(state, seat)
    yield DeclineBonus()


def _abilities(state: State, seat: Seat, uses: Uses) -> Moves:
    for use in chain.from_iterable(uses.values()):
        if use.used_as == BOLD_HAGGLER and not use.has_used("roll"):
            yield RollDie(use.card, use.copy_of)
    if state.market.deck or state.market.discard_pile:
        yield from _throws(state, seat, uses)


def _throws(state: State, seat: Seat, uses: Uses) -> Moves:
    for held, its_uses in uses.items():
        for use in its_uses:
            if use.used_as == payments.MARKET_DISCOVERY and not use.has_used("market_discovery"):
                yield ThrowFromMarketDeck(held, "market_discovery", use.copy_of)
        for use in good_old_times_of(state, seat, held):
            if not use.has_used("good_old_times"):
                yield ThrowFromMarketDeck(held, "good_old_times", use.copy_of)


def _extra_stack(state: State, seat: Seat) -> Moves:
    uses = uses_of_hand(state, seat)
    if stacks.can_build(state, state.players[seat], uses):
        yield StartStack()
    yield from _abilities(state, seat, uses)
    yield DeclineExtraStack()


def _payment(state: State, seat: Seat) -> Moves:
    payment, uses = _turn(state).payment, uses_of_hand(state, seat)
    assert payment is not None, "something is being paid for"
    for use in payments.possible_picks(state, state.players[seat].hand, uses, payment):
        yield PayCard(use.card, use.copy_of)
    if payments.is_paid(payment):
        yield FinishPayment()


def _paid_junk(state: State, _seat: Seat) -> Moves:
    turn = _turn(state)
    if turn.thrown < MOST_THROWN:
        for position, pick in enumerate(turn.paid):
            if pick.used_as == JUNK:
                yield ThrowPaidJunk(position)
    yield FinishThrowing()


def _stack(state: State, seat: Seat) -> Moves:
    build, player, uses = _turn(state).build, state.players[seat], uses_of_hand(state, seat)
    assert build is not None, "a stack is being built"
    for use in stacks.possible_uses(state, player, uses, build):
        yield AddToStack(use.card, use.copy_of)
    yield from map(AddFromDiscard, stacks.possible_positions(state, player, uses, build))
    if stacks.is_stack(build):
        yield FinishStack()


def _inventory(state: State, seat: Seat) -> Moves:
    yield from map(DiscardCard, _sorts(state, seat))
    yield FinishInventory()


def _cookies(state: State, seat: Seat) -> Moves:
    choices = [held for held, _, must in could_be_cookies(state, seat) if not must]
    for held in choices[:1]:
        yield CopyCookies(held)
        yield SkipCookies(held)


def _looked_at(state: State) -> Iterable[Card]:
    return sorted(set(state.private.looked_at), key=tuple(CARDS).index)


def _victims(state: State, seat: Seat) -> Moves:
    others = _others(state, seat)
    for count in range(min(2, len(others)) + 1):
        yield from map(ChooseVictims, combinations(others, count))


def _places_on_decks(state: State, seat: Seat) -> Moves:
    for held in _sorts(state, seat):
        for other in _others(state, seat):
            yield PlaceOnDeck(held, other)


def _stall_swaps(state: State, seat: Seat) -> Moves:
    for other in _others(state, seat):
        for at, stack in enumerate(state.players[other].stall):
            for card in dict.fromkeys(stack):
                yield SwapWithStall(other, at, card)


def _discards(state: State, seat: Seat) -> Moves:
    for position, card in enumerate(state.players[seat].discard_pile):
        if CARDS[card].set in SETS:
            yield ThrowFromDiscard(position)


def _secret_cards(state: State, seat: Seat) -> Moves:
    for use in chain.from_iterable(uses_of_hand(state, seat).values()):
        yield ChooseSecretCard(use.card, use.copy_of)


def _filled_slots(state: State) -> Iterator[int]:
    return (slot for slot, card in enumerate(state.market.slots) if card is not None)


def _others(state: State, seat: Seat) -> tuple[Seat, ...]:
    return tuple(sorted(seats_from(seat, state.seats)[1:]))


def _sorts(state: State, seat: Seat) -> Hand:
    return tuple(dict.fromkeys(state.players[seat].hand))


def _turn(state: State) -> Turn:
    assert state.turn is not None, "a turn has begun"
    return state.turn


_MOVES: Final[Mapping[Stage, Callable[[State, Seat], Iterable[Move]]]] = {
    "choose_action": _actions,
    "choose_bonus_action": _bonus_actions,
    "pay": _payment,
    "throw_paid_junk": _paid_junk,
    "build": _stack,
    "choose_extra_stack": _extra_stack,
    "inventory": _inventory,
    "copy_cookies": _cookies,
    "discard_next": lambda state, seat: map(DiscardNext, _sorts(state, seat)),
    "throw_hand_card": lambda state, seat: map(ThrowHandCard, _sorts(state, seat)),
    "keep_card": lambda state, _: map(KeepCard, _looked_at(state)),
    "return_card": lambda state, _: map(ReturnCard, _looked_at(state)),
    "throw_looked_card": lambda state, _: map(ThrowLookedCard, _looked_at(state)),
    "throw_market_card": lambda state, _: map(ThrowMarketCard, _filled_slots(state)),
    "take_market_card": lambda state, _: map(TakeMarketCard, _filled_slots(state)),
    "choose_victims": _victims,
    "place_on_deck": _places_on_decks,
    "choose_opponent": lambda state, seat: map(ChooseOpponent, _others(state, seat)),
    "give_back": lambda state, seat: map(GiveBack, _sorts(state, seat)),
    "take_from_discard": lambda state, seat: (
        TakeFromDiscard(other)
        for other in _others(state, seat)
        if state.players[other].discard_pile
    ),
    "swap_with_stall": _stall_swaps,
    "throw_from_discard": _discards,
    "choose_secret_card": _secret_cards,
    "guess_value": lambda state, _: map(GuessValue, range(1, highest_guess(_turn(state)) + 1)),
    "set_value": lambda _state, _seat: map(SetValue, _SET_VALUES),
    "swap_with_market": lambda state, _: map(SwapWithMarket, _filled_slots(state)),
    "finished": lambda _state, _seat: (),
}
