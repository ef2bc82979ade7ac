"""The suite sees secrets that leak, and memories and samples that are wrong."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any

import pytest

from engine.conformance import check_gaps, check_memories, check_moves_told, check_worlds
from engine.conformance.planting import (
    Check,
    case_of,
    check_all_worlds,
    check_luck,
    check_moves_of_others,
    check_pairs,
    is_seen,
    with_open,
)
from howff.engine.game import AnyGame
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import hidden, told
from support import toy_view
from support.rng import LocalRng
from support.toy_game import TOY, evolve
from support.toy_types import (
    Bid,
    BidsRevealed,
    BottomPeeked,
    CardBid,
    Cards,
    CardsDrawn,
    CardsExchanged,
    DeckShuffled,
    Event,
    Memory,
    Move,
    Peek,
    PrizeTurned,
    State,
    View,
)


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        (DeckShuffled, check_luck),
        (CardsDrawn, check_luck),
        (CardsDrawn, check_pairs),
        (BottomPeeked, check_pairs),
        (CardBid, check_moves_of_others),
        (CardsExchanged, check_moves_of_others),
    ],
)
def test_a_secret_that_lost_its_declaration_is_seen(kind: type, check: Check) -> None:
    assert is_seen(with_open(kind), check)


@dataclass(frozen=True, slots=True)
class CoveredReshuffled:
    """The deck has been shuffled again."""

    order: Annotated[Cards, hidden()]


@dataclass(frozen=True, slots=True)
class OpenReshuffled:
    """The deck has been shuffled again, for all to see."""

    order: Cards


def _with_reshuffles(kind: Callable[[Cards], Any]) -> AnyGame:
    """Return the toy game with a deck that is shuffled after each peek."""

    def evolve_too(state: State, event: Any) -> State:
        if isinstance(event, CoveredReshuffled | OpenReshuffled):
            return replace(state, deck=event.order)
        return evolve(state, event)

    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Draft[State, Any]:
        draft: Draft[State, Any] = Draft(state, evolve_too)
        for event in TOY.decide(state, seat, move, rng).events:
            draft.add(event)
        if isinstance(move, Peek):
            draft.add(kind(rng.shuffle("deck", state.deck)))
        return draft

    event = TOY.event | CoveredReshuffled | OpenReshuffled
    return replace(TOY, event=event, decide=decide, evolve=evolve_too)


def test_an_order_that_is_shown_in_the_middle_of_a_match_is_seen() -> None:
    check = check_luck
    assert not is_seen(_with_reshuffles(CoveredReshuffled), check)
    assert is_seen(_with_reshuffles(OpenReshuffled), check)


def test_a_card_that_the_entry_does_not_name_is_told_with_a_hint() -> None:
    def uncovers(_event: Event, viewer: Viewer) -> bool:
        return viewer is not None

    case = case_of(TOY)
    message = (
        r"a spectator is told PrizeTurned\.card: \d or \d in the opening with other luck in "
        r"'deck'; if this shows a hidden card, or open luck, name the event in `uncovers`"
    )
    blind = replace(case, entry=replace(case.entry, uncovers=uncovers))
    with pytest.raises(AssertionError, match=message):
        check_moves_told.check_luck_of_openings(blind)


@dataclass(frozen=True, slots=True)
class PrizeTurnedWithNext(PrizeTurned):
    """A prize with the card below it, which nobody should see."""

    next: int


def test_a_secret_beside_what_an_event_may_uncover_is_seen() -> None:
    def setup(state: State, rng: Rng) -> Draft[State, Any]:
        draft: Draft[State, Any] = TOY.setup(state, rng)
        turned = draft.events[-1]
        draft.events[-1] = PrizeTurnedWithNext(turned.round, turned.card, draft.state.deck[0])
        return draft

    assert is_seen(replace(TOY, event=TOY.event | PrizeTurnedWithNext, setup=setup), check_luck)


def test_draws_that_tell_a_secret_move_are_seen() -> None:
    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Draft[State, Event]:
        if isinstance(move, Bid) and move.card > 3:
            rng.draw("needless", 2)
        return TOY.decide(state, seat, move, rng)

    assert is_seen(replace(TOY, decide=decide), check_moves_of_others)


def test_draws_that_tell_secret_luck_are_seen() -> None:
    def setup(state: State, rng: Rng) -> Draft[State, Event]:
        draft: Draft[State, Event] = TOY.setup(state, rng)
        if draft.state.deck[-1] > 3:
            rng.draw("needless", 2)
        return draft

    assert is_seen(replace(TOY, setup=setup), check_luck)


def _with_samples(change: Callable[[State, View, Memory], State]) -> AnyGame:
    def sample_world(view: View, memory: Memory, rng: Rng) -> State:
        return change(toy_view.sample_world(view, memory, rng), view, memory)

    return replace(TOY, sample_world=sample_world)


def test_samples_whose_deck_is_in_order_are_seen() -> None:
    def with_sorted_deck(world: State, _view: View, memory: Memory) -> State:
        bottom = () if memory.bottom is None else world.deck[-1:]
        deck = world.deck[: len(world.deck) - len(bottom)]
        return replace(world, deck=(*sorted(deck), *bottom))

    assert is_seen(_with_samples(with_sorted_deck), check_worlds.check_hidden_places_vary)


def test_samples_that_hold_others_for_timid_are_seen() -> None:
    def with_low_bids(world: State, view: View, _memory: Memory) -> State:
        for seat, player in enumerate(view.players):
            if player.has_bid and player.bid is None:
                world = _with_lowest_bid(world, Seat(seat))
        return world

    assert is_seen(_with_samples(with_low_bids), check_worlds.check_hidden_places_vary)


def _with_lowest_bid(world: State, seat: Seat) -> State:
    lowest, bid = min(world.deck), world.players[seat].bid
    assert bid is not None
    at = world.deck.index(lowest)
    deck = (*world.deck[:at], bid, *world.deck[at + 1 :])
    return replace(world, deck=deck).with_player(seat, bid=lowest)


def test_a_test_of_memories_that_is_always_passed_is_seen() -> None:
    def is_true(_memory: Memory, _state: State, _seat: Seat) -> bool:
        return True

    assert is_seen(replace(TOY, is_true=is_true), check_memories.check_memories_say_something)


def test_a_memory_that_forgets_everything_is_seen() -> None:
    def remember(_memory: Memory, _event: Event, _seat: Seat) -> Memory:
        return Memory()

    game = replace(TOY, remember=remember)
    assert is_seen(game, check_memories.check_memories_say_something)
    assert is_seen(game, check_memories.check_memories_keep_what_is_told)


@pytest.mark.parametrize("kind", [BidsRevealed, BottomPeeked])
def test_a_memory_that_forgets_one_kind_of_secret_is_seen(kind: type) -> None:
    def remember(memory: Memory, event: Event, seat: Seat) -> Memory:
        return memory if isinstance(event, kind) else toy_view.remember(memory, event, seat)

    game = replace(TOY, remember=remember)
    assert is_seen(game, check_memories.check_memories_keep_what_is_told)
    case = case_of(game)
    forgiving = replace(case, entry=replace(case.entry, forgettable=lambda _options: (kind,)))
    check_memories.check_memories_keep_what_is_told(forgiving, case.play_out(0))


def test_a_view_that_shows_a_hidden_card_is_seen() -> None:
    def view(state: State, viewer: Viewer) -> View:
        return replace(toy_view.view(state, viewer), prize=state.deck[0])

    assert is_seen(replace(TOY, view=view), check_all_worlds)


def test_moves_that_depend_on_a_secret_are_seen() -> None:
    def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
        moves = TOY.legal_moves(state, seat)
        return moves if state.deck[0] > 3 else moves[::-1]

    assert is_seen(replace(TOY, legal_moves=legal_moves), check_all_worlds)


def test_an_event_that_exists_because_of_a_secret_is_seen() -> None:
    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Draft[State, Event]:
        draft: Draft[State, Event] = TOY.decide(state, seat, move, rng)
        if isinstance(move, Bid) and max(state.players[0].hand, default=0) > 4:
            draft.add(BottomPeeked(seat, state.deck[-1]))
        return draft

    assert is_seen(replace(TOY, decide=decide), check_pairs)


def test_a_draw_that_depends_on_a_secret_is_seen() -> None:
    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Draft[State, Event]:
        if state.deck[-1] > 2:
            rng.draw("needless", 2)
        return TOY.decide(state, seat, move, rng)

    assert is_seen(replace(TOY, decide=decide), check_pairs)


def test_a_view_that_learns_what_no_event_told_is_seen() -> None:
    def view(state: State, viewer: Viewer) -> View:
        shown = toy_view.view(state, viewer)
        return replace(shown, points=state.deck[-1:]) if state.has_exchanged else shown

    assert is_seen(replace(TOY, view=view), check_pairs)


def test_a_wrong_memory_is_seen() -> None:
    def remember(memory: Memory, event: Event, seat: Seat) -> Memory:
        memory = toy_view.remember(memory, event, seat)
        is_reveal = isinstance(event, BidsRevealed)
        return replace(memory, discards=(*memory.discards, 6)) if is_reveal else memory

    assert is_seen(replace(TOY, remember=remember), check_memories.check_memories_are_true)


def test_a_memory_that_makes_up_what_it_missed_is_seen() -> None:
    def remember(memory: Memory, event: Event, seat: Seat) -> Memory:
        memory = toy_view.remember(memory, event, seat)
        is_missed = isinstance(event, BidsRevealed) and told(event.cards) is None
        return replace(memory, discards=(*memory.discards, 6)) if is_missed else memory

    game = replace(TOY, remember=remember)
    assert not is_seen(game, check_memories.check_memories_are_true)
    assert is_seen(game, check_gaps.check_memories_with_gaps)


def test_samples_that_ignore_the_memory_are_seen() -> None:
    def sample_world(view: View, _memory: Memory, rng: Rng) -> State:
        return toy_view.sample_world(view, Memory(), rng)

    assert is_seen(replace(TOY, sample_world=sample_world), check_all_worlds)


def test_samples_that_lose_a_card_are_seen() -> None:
    def sample_world(view: View, memory: Memory, rng: Rng) -> State:
        world = toy_view.sample_world(view, memory, rng)
        return replace(world, deck=(world.deck[1], *world.deck[1:]))

    assert is_seen(replace(TOY, sample_world=sample_world), check_all_worlds)


def test_samples_that_are_always_the_same_are_seen() -> None:
    def sample_world(view: View, memory: Memory, _rng: Rng) -> State:
        return toy_view.sample_world(view, memory, LocalRng(0))

    assert is_seen(replace(TOY, sample_world=sample_world), check_worlds.check_hidden_places_vary)
