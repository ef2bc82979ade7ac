"""What holds in every state of every match of Dale of Merchants, whatever is played."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given

from howff.engine.codec import classes_of
from howff.engine.errors import EngineError
from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.data import ALL_JUNK, CARDS, JUNK, MOST_TECHNIQUES, Card
from howff.engine.games.dale_of_merchants.events import (
    CardGivenBack,
    CardsDiscarded,
    CardSwappedWithMarket,
    CardSwappedWithStall,
    CardTakenFromHand,
    Event,
    HandCardsExchanged,
    HandsMixed,
    JunkTaken,
    StackBuilt,
    TechniquePlayed,
    TurnEnded,
)
from howff.engine.games.dale_of_merchants.stages import stage_of
from howff.engine.games.dale_of_merchants.state import State, has_finished
from howff.engine.play import fold
from howff.engine.seats import Seat
from support.dale_of_merchants import given as given_parts
from support.dale_of_merchants import when
from support.dale_of_merchants_playouts import Moment, Playout, places, playout, playouts
from support.rng import LocalRng


def later_moments(match: Playout) -> tuple[Moment, ...]:
    """Return the moments from the first turn on."""
    return match.moments[len(match.opening) :]


def all_cards(state: State) -> Counter[Card]:
    """Return how many cards of each type there are, wherever they lie."""
    market = state.market
    found = Counter((*market.deck, *market.discard_pile, *state.removed, *state.private.looked_at))
    found.update(card for card in market.slots if card is not None)
    for player in state.players:
        found.update((*player.deck, *player.discard_pile))
        found.update(held.card for held in player.hand)
        found.update(card for stack in player.stall for card in stack)
    found[JUNK] += state.junk_pile
    if state.turn is not None:
        found.update(pick.card.card for pick in state.turn.paid)
        found.update(cards_in_play(state))
    return +found


def cards_in_play(state: State) -> Iterator[Card]:
    in_play = state.turn and state.turn.in_play
    if in_play:
        yield in_play.card
        if in_play.revealed is not None:
            yield in_play.revealed


def whole_box(match: Playout, substitutes: int) -> Counter[Card]:
    """Return all cards of the sets of a match, and the junk."""
    sets = match.options.sets
    cards = {card: each.copies for card, each in CARDS.items() if each.set in sets}
    return Counter(cards | {JUNK: ALL_JUNK + substitutes})


@given(match=playouts)
def test_invariant_01_no_card_appears_or_vanishes(match: Playout) -> None:
    for moment in later_moments(match):
        if isinstance(moment.event, CardSwappedWithMarket | CardSwappedWithStall):
            # The played card has moved already, and is put away with the next event.
            continue
        assert all_cards(moment.after) == whole_box(match, moment.after.substitutes)


def test_invariant_01_a_charm_that_wins_is_still_somewhere() -> None:
    twice = ("flashy_show", "favourite_toy", "flashy_show")
    state = given_parts(
        hands={0: "charm flashy_show favourite_toy"}, stacks={0: 7}, market_deck="accordion"
    )
    ended = when(state, *(f"play_technique {card}" for card in (*twice, "charm"))).state
    assert ended.ending is not None
    assert all_cards(ended) == all_cards(state)


def test_the_matches_show_all_there_is() -> None:
    kinds: set[type] = set()
    played: set[Card] = set()
    for seats in GAME.seats:
        for seed in range(4):
            for moment in playout(seats, seed).moments:
                kinds.add(type(moment.event))
                if isinstance(moment.event, TechniquePlayed):
                    played.add(moment.event.as_type or moment.event.card.current)
    assert played == {card for card, record in CARDS.items() if record.kind == "technique"}
    assert set(classes_of(Event)) - kinds <= {JunkTaken}


@given(match=playouts)
def test_invariant_02_junk_never_comes_to_the_market(match: Playout) -> None:
    for state in match.states:
        market = state.market
        assert JUNK not in (*market.slots, *market.deck, *market.discard_pile)
        assert state.junk_pile >= 0


@given(match=playouts)
def test_invariant_03_stacks_are_only_appended(match: Playout) -> None:
    for moment in later_moments(match):
        for seat, player in enumerate(moment.after.players):
            before = moment.before.players[seat].stall
            assert len(player.stall) <= 8
            assert all(player.stall)
            sizes, sizes_before = (
                [len(stack) for stack in each] for each in (player.stall, before)
            )
            assert sizes[: len(sizes_before)] == sizes_before
            if isinstance(moment.event, StackBuilt) and moment.event.seat == seat:
                assert (len(sizes) - len(sizes_before), moment.event.number) == (1, len(sizes))
                assert player.stall[:-1] == before
            elif not isinstance(moment.event, CardSwappedWithStall):
                assert player.stall == before


AGAINST_OTHERS = (CardTakenFromHand, CardGivenBack, HandCardsExchanged, HandsMixed)


@given(match=playouts)
def test_invariant_04_a_hand_is_filled_in_the_clean_up(match: Playout) -> None:
    for moment in later_moments(match):
        if isinstance(moment.event, TurnEnded):
            assert len(moment.after.players[moment.event.seat].hand) >= 5


@given(match=playouts)
def test_invariant_04_other_hands_change_by_four_techniques_only(match: Playout) -> None:
    for moment in later_moments(match):
        turn = moment.before.turn
        for seat, player in enumerate(moment.after.players):
            if player.hand == moment.before.players[seat].hand:
                continue
            if turn is None or turn.seat != seat:
                is_nuisance = (
                    isinstance(moment.event, CardsDiscarded) and moment.event.cause == "nuisance"
                )
                assert is_nuisance or isinstance(moment.event, AGAINST_OTHERS)


@given(match=playouts)
def test_invariant_05_empty_slots_are_on_the_left(match: Playout) -> None:
    for moment in later_moments(match):
        if isinstance(moment.event, TurnEnded):
            market = moment.after.market
            filled = [card is not None for card in market.slots]
            assert filled == sorted(filled, reverse=True)
            assert all(filled) or not (market.deck or market.discard_pile)


@given(match=playouts)
def test_invariant_06_somebody_has_a_move_until_the_end(match: Playout) -> None:
    for step in match.steps:
        (seat,) = GAME.to_act(step.before)
        assert GAME.legal_moves(step.before, seat)
        assert GAME.outcome(step.before) is None
        assert step.events
    assert GAME.to_act(match.final) == ()
    assert stage_of(match.final) == "finished"
    assert GAME.outcome(match.final) is not None


@given(match=playouts, at=places)
def test_invariant_06_what_was_started_can_be_finished_from_any_point(
    match: Playout, at: int
) -> None:
    started = [step for step in match.steps if stage_of(step.before) in {"pay", "build"}]
    rng = LocalRng(at)
    for step in rng.shuffle("steps", started)[:10]:
        for move in GAME.legal_moves(step.before, step.seat):
            state = GAME.play(step.before, step.seat, move, rng).state
            picks = 0
            while stage_of(state) in {"pay", "build"}:
                legal = GAME.legal_moves(state, step.seat)
                state = GAME.play(state, step.seat, rng.roll("move", legal), rng).state
                picks += 1
            player = step.before.players[step.seat]
            assert picks <= len(player.hand) + len(player.discard_pile)


@given(match=playouts, at=places, elsewhere=places)
def test_exactly_the_listed_moves_are_accepted(match: Playout, at: int, elsewhere: int) -> None:
    step, other = (match.steps[place % len(match.steps)] for place in (at, elsewhere))
    legal = GAME.legal_moves(step.before, step.seat)
    assert len(set(legal)) == len(legal)
    for move in legal:
        draft = GAME.play(step.before, step.seat, move, LocalRng(1))
        assert draft.events
        assert fold(GAME.evolve, step.before, draft.events) == draft.state
    for move in (*GAME.legal_moves(other.before, other.seat), other.move):
        if move not in legal:
            with pytest.raises(EngineError):
                GAME.play(step.before, step.seat, move, LocalRng(1))


@given(match=playouts)
def test_invariant_08_techniques_and_rounds_keep_their_limits(match: Playout) -> None:
    for moment in later_moments(match):
        state = moment.after
        assert state.turn is None or state.turn.techniques <= MOST_TECHNIQUES
        assert 1 <= state.round <= match.options.round_limit


@given(match=playouts)
def test_invariant_09_marks_are_on_cards_of_the_active_hand(match: Playout) -> None:
    for moment in later_moments(match):
        state = moment.after
        active = None if state.turn is None else state.turn.seat
        for seat, player in enumerate(state.players):
            marked = [held for held in player.hand if held.as_type or held.changes or held.used]
            assert not marked or (seat == active or state.ending is not None)
            assert list(player.hand) == sorted(
                player.hand, key=lambda held: list(CARDS).index(held.card)
            )


@given(match=playouts)
def test_invariant_10_only_the_active_seat_decides_but_for_a_guess(match: Playout) -> None:
    for step in match.steps:
        turn = step.before.turn
        assert turn is not None
        is_guess = stage_of(step.before) == "guess_value"
        assert (GAME.to_act(step.before) == (turn.seat,)) == (not is_guess)
        for seat in map(Seat, range(match.seats)):
            assert bool(GAME.legal_moves(step.before, seat)) == (seat == step.seat)


@given(match=playouts)
def test_invariant_11_events_lead_to_the_same_state(match: Playout) -> None:
    state = fold(GAME.evolve, GAME.initial(match.options, match.seats), match.opening)
    for step in match.steps:
        assert step.before == state
        state = fold(GAME.evolve, state, step.events)
        assert step.after == state


@given(match=playouts)
def test_invariant_12_eight_stacks_end_the_match(match: Playout) -> None:
    for moment in later_moments(match):
        state = moment.after
        if not isinstance(moment.event, StackBuilt):
            is_finished = any(map(has_finished, state.players))
            reason = state.ending.reason if state.ending else None
            assert is_finished == (reason == "stall_finished")
