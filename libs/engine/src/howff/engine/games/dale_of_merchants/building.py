"""Stacks: picking their cards, placing them, and the extra stacks that they may bring."""

from howff.engine.games.dale_of_merchants.changes import turn_of
from howff.engine.games.dale_of_merchants.clean_up import clean_up, show_chain
from howff.engine.games.dale_of_merchants.copying import Use, changed_value, value_of
from howff.engine.games.dale_of_merchants.data import Card
from howff.engine.games.dale_of_merchants.events import (
    ExtraStackGranted,
    GameEnded,
    StackBuilt,
    StackCardPicked,
    Stacked,
)
from howff.engine.games.dale_of_merchants.piles import Decision
from howff.engine.games.dale_of_merchants.resolving import finish_technique
from howff.engine.games.dale_of_merchants.scoring import ranking
from howff.engine.games.dale_of_merchants.stacks import WINTER_IS_COMING
from howff.engine.games.dale_of_merchants.state import HandCard, Pick, has_finished, next_stack
from howff.engine.rng import Rng
from howff.engine.seats import Seat


def add_from_hand(decision: Decision, seat: Seat, use: Use) -> None:
    """Pick a card of the hand for the stack."""
    value = value_of(turn_of(decision.state), use)
    decision.add(StackCardPicked(seat, use.card, None, use.as_type, use.copy_of, value))
    show_chain(decision, seat, use, "copy")


def add_from_discard(decision: Decision, seat: Seat, position: int) -> None:
    """Pick a card of the own discard pile for the stack; it is what is printed on it."""
    card = decision.state.players[seat].discard_pile[position]
    value = changed_value(turn_of(decision.state), card)
    decision.add(StackCardPicked(seat, HandCard(card), position, None, None, value))


def finish_stack(decision: Decision, seat: Seat, rng: Rng) -> None:
    """Place the stack that was put together."""
    build = turn_of(decision.state).build
    assert build is not None, "a stack is being built"
    total = sum(pick.value for pick in build.picks)
    cards = tuple(map(_stacked, build.picks))
    decision.add(StackBuilt(seat, build.number, cards, build.number - total))
    used = [pick.used_as for pick in build.picks]
    _after_stack(decision, seat, used.count(WINTER_IS_COMING), rng)


def build_revealed(decision: Decision, seat: Seat, card: Card, rng: Rng) -> None:
    """Build the next stack of the one card that Charm has revealed."""
    number = next_stack(decision.state.players[seat])
    shift = number - changed_value(turn_of(decision.state), card)
    decision.add(StackBuilt(seat, number, (Stacked(HandCard(card), "revealed", None),), shift))
    _after_stack(decision, seat, int(card == WINTER_IS_COMING), rng)


def end_building(decision: Decision, rng: Rng) -> None:
    """Go on once no extra stack is owed: with Charm, or with the clean-up."""
    if turn_of(decision.state).in_play is None:
        clean_up(decision, rng)
    else:
        finish_technique(decision, rng)


def _stacked(pick: Pick) -> Stacked:
    return Stacked(pick.card, "hand" if pick.position is None else "discard", pick.position)


def _after_stack(decision: Decision, seat: Seat, extra: int, rng: Rng) -> None:
    """End the match with the last stack; else grant the *extra* stacks that this one brings."""
    if has_finished(decision.state.players[seat]):
        decision.add(GameEnded("stall_finished", ranking(decision.state)))
        return
    if extra:
        decision.add(ExtraStackGranted(seat, turn_of(decision.state).owed + extra))
    if not turn_of(decision.state).owed:
        end_building(decision, rng)
