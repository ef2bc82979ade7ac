"""Invariant 7: what is paid and built keeps the law, and all that keeps it is offered."""

from hypothesis import given

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.copying import uses_of, value_of
from howff.engine.games.dale_of_merchants.data import CARDS
from howff.engine.games.dale_of_merchants.events import (
    CardPurchased,
    PaymentCardPicked,
    PurchaseStarted,
    StackBuilt,
    StackCardPicked,
    StackStarted,
)
from howff.engine.games.dale_of_merchants.moves import StartPurchase, StartStack
from howff.engine.games.dale_of_merchants.stages import stage_of
from howff.engine.games.dale_of_merchants.state import Change, PurchaseTarget, State
from howff.engine.seats import Seat
from support.dale_of_merchants_laws import MOST_CARDS, Used, is_stack, pays, subsets
from support.dale_of_merchants_playouts import Playout, Step, places, playouts
from support.rng import LocalRng


def price(state: State, target: PurchaseTarget) -> int | None:
    market = state.market
    if target == "discard":
        return CARDS[market.discard_pile[-1]].value if market.discard_pile else None
    card = market.slots[target]
    return None if card is None else CARDS[card].value + target


@given(match=playouts)
def test_invariant_07_every_purchase_keeps_the_law(match: Playout) -> None:
    purchases = 0
    used: list[Used] = []
    for moment in match.moments:
        match moment.event:
            case PurchaseStarted(_, target, card, asked):
                used = []
                assert asked == price(moment.before, target)
                market = moment.before.market
                top = market.discard_pile[-1:] if target == "discard" else market.slots[target]
                assert card == (top[0] if isinstance(top, tuple) else top)
            case PaymentCardPicked(_, held, as_type, _, value):
                used.append(Used(as_type or held.current, value))
            case CardPurchased(_, _, target, asked, paid, total):
                purchases += 1
                assert pays(used, asked, from_discard=target == "discard")
                assert total == sum(each.value for each in used)
                assert [each.as_type or each.card.current for each in paid] == [
                    each.card for each in used
                ]
            case _:
                pass
    assert purchases > 0


@given(match=playouts)
def test_invariant_07_every_stack_keeps_the_law(match: Playout) -> None:
    stacks = 0
    used: list[Used] = []
    for moment in match.moments:
        match moment.event:
            case StackStarted(seat, number):
                used = []
                assert number == len(moment.before.players[seat].stall) + 1
            case StackCardPicked(_, held, position, as_type, _, value):
                is_found = position is not None
                used.append(Used(as_type or held.current, value, is_found=is_found))
            case StackBuilt(seat, number, cards, shift):
                assert number == len(moment.before.players[seat].stall) + 1
                if cards[0].source == "revealed":
                    (alone,) = cards
                    most = 1 if alone.card.card == "accordion" else 0
                    assert abs(shift) <= most
                    continue
                stacks += 1
                assert is_stack(used, number)
                assert shift == number - sum(each.value for each in used)
                assert len(cards) == len(used)
            case _:
                pass
    assert stacks > 0


@given(match=playouts)
def test_every_value_is_the_printed_one_and_all_changes_in_their_order(match: Playout) -> None:
    for moment in match.moments:
        event = moment.event
        if not isinstance(event, PaymentCardPicked | StackCardPicked):
            continue
        turn = moment.before.turn
        assert turn is not None
        copied = event.copied_card.changes if event.copied_card else ()
        changes = [*event.card.changes, *copied, *(Change("add", 1, at) for at in turn.all_up)]
        value = CARDS[event.as_type or event.card.current].value
        for change in sorted(changes, key=lambda each: each.number):
            value = change.amount if change.op == "set" else value + change.amount
        assert event.value == value


def ways(state: State, seat: Seat) -> list[tuple[Used, ...]]:
    """Return the ways in which each card of a hand may be used."""
    turn = state.turn
    assert turn is not None
    return [
        tuple(Used(use.used_as, value_of(turn, use)) for use in uses_of(state, seat, held))
        for held in state.players[seat].hand
    ]


def actions(match: Playout, seed: int) -> tuple[Step, ...]:
    """Return some steps in which an action is chosen."""
    wanted = [
        step
        for step in match.steps
        if stage_of(step.before) in {"choose_action", "choose_bonus_action"}
        and len(step.before.players[step.seat].hand) <= MOST_CARDS
    ]
    return LocalRng(seed).shuffle("steps", wanted)[:15]


@given(match=playouts, seed=places)
def test_invariant_07_what_can_be_paid_is_offered(match: Playout, seed: int) -> None:
    for step in actions(match, seed):
        payments = list(subsets(ways(step.before, step.seat)))
        expected = []
        for target in (0, 1, 2, 3, 4, "discard"):
            asked = price(step.before, target)
            if asked is not None and any(
                pays(each, asked, from_discard=target == "discard") for each in payments
            ):
                expected.append(target)
        legal = GAME.legal_moves(step.before, step.seat)
        assert [each.target for each in legal if isinstance(each, StartPurchase)] == expected


@given(match=playouts, seed=places)
def test_invariant_07_what_can_be_built_is_offered(match: Playout, seed: int) -> None:
    for step in actions(match, seed):
        player = step.before.players[step.seat]
        if len(player.hand) + len(player.discard_pile) > MOST_CARDS:
            continue
        turn = step.before.turn
        assert turn is not None
        up = len(turn.all_up)
        pile = [
            (Used(card, CARDS[card].value + up, is_found=True),) for card in player.discard_pile
        ]
        number = len(player.stall) + 1
        can_build = any(
            is_stack(each, number) for each in subsets([*ways(step.before, step.seat), *pile])
        )
        legal = GAME.legal_moves(step.before, step.seat)
        assert (StartStack() in legal) == can_build
