"""The toy game plays as it says, since so much is tested with it."""

from dataclasses import replace

from howff.engine.outcome import Outcome
from howff.engine.play import Draft
from howff.engine.seats import Seat
from support.playouts import play_out
from support.rng import LocalRng
from support.toy_game import TOY
from support.toy_types import (
    Answer,
    Bid,
    BottomPeeked,
    CardsExchanged,
    EndTurn,
    Event,
    Memory,
    Move,
    Offer,
    Options,
    Passed,
    Peek,
    Player,
    State,
)


def _bidding(*hands: tuple[int, ...]) -> State:
    """Return a position in which the seats bid for a 5; a 6 is at the bottom of the deck."""
    players = tuple(Player(hand=hand) for hand in hands)
    return State(Options(rounds=1), players, Seat(0), round=1, prize=5, deck=(1, 1, 1, 6))


def _play(state: State, *moves: tuple[int, Move]) -> Draft[State, Event]:
    draft: Draft[State, Event] = Draft(state, TOY.evolve)
    for seat, move in moves:
        draft = TOY.play(draft.state, Seat(seat), move, LocalRng(0))
    return draft


def test_the_highest_bid_wins_the_prize_and_the_turn() -> None:
    state = _play(_bidding((1, 2), (3, 6), (4,)), (2, Bid(4)), (0, Bid(2)), (1, Bid(6))).state
    assert TOY.to_act(state) == (1,)
    assert [player.prizes for player in state.players] == [(), (5,), ()]
    assert state.discards == (2, 4, 6)


def test_of_equal_bids_the_first_from_the_starter_wins() -> None:
    bidding = replace(_bidding((4,), (4,), (3,)), starter=Seat(1))
    state = _play(bidding, (0, Bid(4)), (1, Bid(4)), (2, Bid(3))).state
    assert state.active == 1


def test_a_bid_lies_face_down_until_all_have_bid() -> None:
    state = _play(_bidding((1,), (2,), (3,)), (2, Bid(3))).state
    assert TOY.to_act(state) == (0, 1)
    seen, own = TOY.view(state, Seat(0)), TOY.view(state, Seat(2))
    assert (seen.players[2].has_bid, seen.players[2].bid) == (True, None)
    assert own.players[2].bid == 3


def test_an_offer_interrupts_the_turn_until_it_is_answered() -> None:
    turn = _play(_bidding((1, 6), (2, 3)), (0, Bid(6)), (1, Bid(2))).state
    offered = _play(turn, (0, Offer(Seat(1), 1))).state
    assert TOY.to_act(offered) == (1,)
    draft = _play(offered, (1, Answer(3)))
    assert draft.events == [CardsExchanged(Seat(0), Seat(1), given=1, answer=3)]
    assert draft.state.players[0].store == (Passed(Seat(1), Seat(0), 3),)
    assert draft.state.players[1].store == (Passed(Seat(0), Seat(1), 1),)
    assert TOY.legal_moves(draft.state, Seat(0)) == (Peek(), EndTurn())


def test_an_exchanged_card_is_known_to_two_seats() -> None:
    bids = ((0, Bid(6)), (1, Bid(2)), (2, Bid(2)))
    turn = _play(_bidding((1, 6), (2, 3), (2, 2)), *bids).state
    state = _play(turn, (0, Offer(Seat(1), 1)), (1, Answer(3))).state
    known = [TOY.view(state, viewer).players[1].store[0].card for viewer in (Seat(0), Seat(1))]
    assert known == [1, 1]
    assert TOY.view(state, Seat(2)).players[1].store[0].card is None
    assert TOY.view(state, None).players[1].store[0].card is None


def test_a_peek_shows_the_bottom_of_the_deck_and_is_remembered() -> None:
    turn = _play(_bidding((1, 6), (2, 3)), (0, Bid(6)), (1, Bid(2))).state
    draft = _play(turn, (0, Peek()))
    assert draft.events == [BottomPeeked(Seat(0), 6)]
    memory = TOY.remember(Memory(), draft.events[0], Seat(0))
    assert memory == Memory(bottom=6)
    assert TOY.is_true(memory, draft.state, Seat(0))
    assert not TOY.is_true(Memory(bottom=5), draft.state, Seat(0))


def test_prizes_and_stores_count_at_the_end() -> None:
    turn = _play(_bidding((1, 6), (2, 3)), (0, Bid(6)), (1, Bid(2))).state
    state = _play(turn, (0, Offer(Seat(1), 1)), (1, Answer(3)), (0, EndTurn())).state
    assert TOY.to_act(state) == ()
    assert state.points == (8, 1)


def test_equal_points_share_a_place() -> None:
    state = replace(_bidding((), (), ()), stage="finished", points=(7, 9, 9))
    outcome = TOY.outcome(state)
    assert isinstance(outcome, Outcome)
    assert outcome.places == (3, 1, 1)


def test_a_round_ends_with_full_hands_and_a_new_prize() -> None:
    playout = play_out(TOY, Options(rounds=2), 4, 1)
    after = next(step.after for step in playout.steps if step.after.round == 2)
    assert [len(player.hand) for player in after.players] == [3, 3, 3, 3]
    assert after.prize is not None


def test_with_open_memory_the_discards_may_be_looked_up() -> None:
    strict, opened = (
        play_out(TOY, Options(memory=memory), 2, 1).final for memory in ("strict", "open")
    )
    assert TOY.view(strict, Seat(0)).discards is None
    assert TOY.view(opened, Seat(0)).discards == opened.discards
