"""What is to be decided now, and by whom: all that follows from the state."""

from collections.abc import Callable, Mapping
from typing import Final, Literal

from howff.engine.games.dale_of_merchants.data import Card
from howff.engine.games.dale_of_merchants.state import InPlay, State, Turn
from howff.engine.seats import Seat

Stage = Literal[
    "choose_action",
    "choose_bonus_action",
    "pay",
    "throw_paid_junk",
    "build",
    "choose_extra_stack",
    "inventory",
    "copy_cookies",
    "discard_next",
    "throw_hand_card",
    "keep_card",
    "return_card",
    "throw_looked_card",
    "throw_market_card",
    "take_market_card",
    "choose_victims",
    "place_on_deck",
    "choose_opponent",
    "give_back",
    "take_from_discard",
    "swap_with_stall",
    "throw_from_discard",
    "choose_secret_card",
    "guess_value",
    "set_value",
    "swap_with_market",
    "finished",
]


def stage_of(state: State) -> Stage:  # noqa: C901, PLR0911
    """Return what is decided next, if something is left to decide there."""
    turn = state.turn
    if turn is None or state.ending is not None:
        return "finished"
    if turn.payment is not None:
        return "pay"
    if turn.paid:
        return "throw_paid_junk"
    if turn.build is not None:
        return "build"
    if turn.owed:
        return "choose_extra_stack"
    if turn.inventory:
        return "inventory"
    if turn.in_play is not None:
        return _of_technique(state, turn, turn.in_play)
    if turn.phase == "clean_up":
        return "copy_cookies"
    return "choose_action" if turn.phase == "action" else "choose_bonus_action"


def to_act(state: State) -> tuple[Seat, ...]:
    """Return the one seat that decides now; nobody once the match is over."""
    turn = state.turn
    if turn is None or state.ending is not None:
        return ()
    in_play = turn.in_play
    if in_play is not None and in_play.target is not None and stage_of(state) == "guess_value":
        return (in_play.target,)
    return (turn.seat,)


def _of_technique(state: State, turn: Turn, in_play: InPlay) -> Stage:
    """Return what a technique asks for next."""
    if in_play.effect in _ALWAYS:
        return _ALWAYS[in_play.effect]
    return _IN_STEPS[in_play.effect](state, turn, in_play)


def _mixing(state: State, turn: Turn, in_play: InPlay) -> Stage:
    is_discarding = state.players[turn.seat].hand and not in_play.has_drawn
    return "discard_next" if is_discarding else "choose_opponent"


def _guessing(state: State, _turn: Turn, in_play: InPlay) -> Stage:
    if state.private.secret is None:
        return "choose_secret_card"
    if in_play.target is None:
        return "choose_opponent"
    return "guess_value" if in_play.guess is None else "set_value"


_ALWAYS: Final[Mapping[Card, Stage]] = {
    Card("swift_broker"): "discard_next",
    Card("shattered_relic"): "throw_hand_card",
    Card("loyal_partner"): "throw_market_card",
    Card("prepaid_good"): "take_market_card",
    Card("nuisance"): "choose_victims",
    Card("rotten_food"): "place_on_deck",
    Card("treasure_hunter"): "take_from_discard",
    Card("acorn"): "swap_with_stall",
    Card("new_season"): "throw_from_discard",
    Card("gamble"): "choose_opponent",
    Card("gift_voucher"): "swap_with_market",
}
_IN_STEPS: Final[Mapping[Card, Callable[[State, Turn, InPlay], Stage]]] = {
    Card("spyglass"): lambda _state, _turn, play: "return_card" if play.has_kept else "keep_card",
    Card("special_offer"): lambda _state, _turn, play: (
        "throw_looked_card" if play.has_kept else "keep_card"
    ),
    Card("dirty_exchange"): lambda _state, _turn, play: (
        "choose_opponent" if play.target is None else "give_back"
    ),
    Card("sabotage"): lambda _state, _turn, play: (
        "choose_opponent" if play.target is None else "throw_looked_card"
    ),
    Card("whirligig"): _mixing,
    Card("blindfold"): _guessing,
}
