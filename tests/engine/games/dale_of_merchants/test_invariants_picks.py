"""Invariant 7, pick by pick: what can be part of a payment or of a stack is offered, no more."""

from collections.abc import Iterable
from functools import partial

from hypothesis import given

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.copying import Use, uses_of, value_of
from howff.engine.games.dale_of_merchants.data import CARDS
from howff.engine.games.dale_of_merchants.moves import (
    AddFromDiscard,
    AddToStack,
    FinishPayment,
    FinishStack,
    PayCard,
)
from howff.engine.games.dale_of_merchants.stages import stage_of
from howff.engine.games.dale_of_merchants.state import Hand, Pick
from howff.engine.multisets import without, without_all
from support.dale_of_merchants_laws import MOST_CARDS, Law, Used, is_stack, pays, subsets
from support.dale_of_merchants_playouts import Playout, Step, places, playouts
from support.rng import LocalRng


def picking(match: Playout, stage: str, seed: int) -> tuple[Step, ...]:
    """Return some steps of a *stage* in which cards are picked."""
    wanted = [step for step in match.steps if stage_of(step.before) == stage]
    return LocalRng(seed).shuffle("steps", wanted)[:15]


def picked(picks: Iterable[Pick]) -> list[Used]:
    return [Used(each.used_as, each.value, each.position is not None) for each in picks]


def as_used(step: Step, use: Use) -> Used:
    assert step.before.turn is not None
    return Used(use.used_as, value_of(step.before.turn, use))


def ways(step: Step, hand: Hand) -> list[tuple[Used, ...]]:
    """Return the ways in which each card of a hand may be used."""
    return [
        tuple(as_used(step, use) for use in uses_of(step.before, step.seat, held)) for held in hand
    ]


def can_complete(law: Law, done: list[Used], left: list[tuple[Used, ...]]) -> bool:
    """Return whether some of what is *left* makes what is *done* complete."""
    return any(law([*done, *more]) for more in subsets(left))


def uses_that_complete(
    step: Step, law: Law, done: list[Used], left: Hand, pile: list[tuple[Used, ...]]
) -> list[Use]:
    """Return the uses of the hand cards *left* with which all can be completed."""
    return [
        use
        for held in dict.fromkeys(left)
        for use in uses_of(step.before, step.seat, held)
        if can_complete(law, [*done, as_used(step, use)], [*ways(step, without(left, held)), *pile])
    ]


@given(match=playouts, seed=places)
def test_invariant_07_a_card_is_offered_if_it_can_be_part_of_a_payment(
    match: Playout, seed: int
) -> None:
    for step in picking(match, "pay", seed):
        assert step.before.turn is not None
        payment = step.before.turn.payment
        assert payment is not None
        law = partial(pays, price=payment.price, from_discard=payment.target == "discard")
        done = picked(payment.picks)
        hand = step.before.players[step.seat].hand
        left = without_all(hand, (pick.card for pick in payment.picks))
        legal = GAME.legal_moves(step.before, step.seat)
        assert [each for each in legal if isinstance(each, PayCard)] == [
            PayCard(use.card, use.copy_of) for use in uses_that_complete(step, law, done, left, [])
        ]
        assert (FinishPayment() in legal) == law(done)


@given(match=playouts, seed=places)
def test_invariant_07_a_card_is_offered_if_it_can_be_part_of_a_stack(
    match: Playout, seed: int
) -> None:
    for step in picking(match, "build", seed):
        player, turn = step.before.players[step.seat], step.before.turn
        assert turn is not None
        build = turn.build
        assert build is not None
        law = partial(is_stack, number=build.number)
        done = picked(build.picks)
        taken = {pick.position for pick in build.picks}
        pile = {
            at: (Used(card, CARDS[card].value + len(turn.all_up), is_found=True),)
            for at, card in enumerate(player.discard_pile)
            if at not in taken
        }
        if len(player.hand) + len(pile) > MOST_CARDS:
            continue
        held = (pick.card for pick in build.picks if pick.position is None)
        left = without_all(player.hand, held)
        uses = uses_that_complete(step, law, done, left, list(pile.values()))
        positions = [
            at
            for at in pile
            if can_complete(
                law,
                [*done, *pile[at]],
                [*ways(step, left), *(each for other, each in pile.items() if other != at)],
            )
        ]
        assert [
            each
            for each in GAME.legal_moves(step.before, step.seat)
            if not isinstance(each, FinishStack)
        ] == [
            *(AddToStack(use.card, use.copy_of) for use in uses),
            *map(AddFromDiscard, positions),
        ]
        assert (FinishStack() in GAME.legal_moves(step.before, step.seat)) == law(done)
