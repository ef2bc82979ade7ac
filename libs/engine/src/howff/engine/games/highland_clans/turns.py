"""Beginning and ending turns and rounds, and drawing from bag and deck."""

from howff.engine.games.highland_clans.data import (
    ACTIONS,
    ACTIONS_OF_LAST_SEAT,
    CUBES_DRAWN,
    RED_FROM,
    Cards,
    Cubes,
    cubes_of,
)
from howff.engine.games.highland_clans.events import (
    ActionsEnded,
    CardsDrawn,
    CubesDrawn,
    DeckReshuffled,
    DrawReason,
    EstateRemoved,
    Event,
    FollowingAssigned,
    GameEnded,
    RoundScored,
    RoundStarted,
    StartSeatPassed,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.highland_clans.legality import has_actions
from howff.engine.games.highland_clans.scoring import largest_following, ranking, round_scores
from howff.engine.games.highland_clans.state import EndReason, State, numbers_left
from howff.engine.play import Draft
from howff.engine.rng import Rng, pick
from howff.engine.seats import Seat, seat_after

Decision = Draft[State, Event]


def start_round(decision: Decision, number: int, start_seat: Seat, rng: Rng) -> None:
    """Begin round *number* with the turn of *start_seat*."""
    decision.add(RoundStarted(number, start_seat))
    _start_turn(decision, start_seat, 1, rng)


def end_turn(decision: Decision, rng: Rng) -> None:
    """End the turn; the next one begins, or the round is scored."""
    state = decision.state
    assert state.turn is not None, "a turn that ends has begun"
    seat, position = state.turn.seat, state.turn.position
    decision.add(TurnEnded(seat))
    if position < state.seats:
        _start_turn(decision, seat_after(seat, state.seats), position + 1, rng)
    else:
        _end_round(decision, rng)


def end_actions_if_none_is_left(decision: Decision) -> None:
    """End the actions of the turn once no action is possible any more; all of that is open."""
    if not has_actions(decision.state):
        end_actions(decision)


def end_actions(decision: Decision) -> None:
    """End the actions of the turn: the cubes that are left go into the bag."""
    turn = decision.state.turn
    assert turn is not None, "actions are part of a turn"
    decision.add(ActionsEnded(turn.seat, turn.cubes))


def draw_cubes(bag: Cubes, count: int, name: str, rng: Rng) -> Cubes:
    """Return *count* cubes drawn blindly from *bag*."""
    return cubes_of(pick(rng, name, bag.each, count))


def draw_cards(decision: Decision, seat: Seat, reason: DrawReason, count: int, rng: Rng) -> None:
    """Let *seat* draw *count* cards; the discard pile is reshuffled only when a card is missing."""
    available = min(count, len(decision.state.deck))
    if available:
        decision.add(CardsDrawn(seat, reason, available, _cards(decision, available, rng)))
    if available < count:
        decision.add(DeckReshuffled(len(decision.state.discard_pile)))
        missing = count - available
        decision.add(CardsDrawn(seat, reason, missing, _cards(decision, missing, rng)))


def _cards(decision: Decision, count: int, rng: Rng) -> Cards:
    return tuple(sorted(pick(rng, "cards", decision.state.deck, count)))


def _start_turn(decision: Decision, seat: Seat, position: int, rng: Rng) -> None:
    state = decision.state
    if state.bag.total < CUBES_DRAWN:
        _end_match(decision, "bag_exhausted")
        return
    limit = ACTIONS_OF_LAST_SEAT if position == state.seats else ACTIONS
    may_redraw = seat == state.marker
    decision.add(TurnStarted(seat, state.round, position, limit, may_redraw))
    decision.add(CubesDrawn(seat, draw_cubes(state.bag, CUBES_DRAWN, "cubes", rng)))
    if not may_redraw:
        end_actions_if_none_is_left(decision)


def _end_round(decision: Decision, rng: Rng) -> None:
    state = decision.state
    boards = [player.board for player in state.players]
    marker = largest_following(boards, state.marker)
    decision.add(FollowingAssigned(marker, state.marker))
    decision.add(RoundScored(state.round, round_scores(boards)))
    reason = _remove_estate(decision, rng)
    if reason is not None:
        _end_match(decision, reason)
        return
    assert state.start_seat is not None, "a round has a start seat"
    start_seat = seat_after(state.start_seat, state.seats)
    decision.add(StartSeatPassed(start_seat))
    start_round(decision, state.round + 1, start_seat, rng)


def _remove_estate(decision: Decision, rng: Rng) -> EndReason | None:
    """Remove a tile from the supply; return why the match ends, if it does."""
    state = decision.state
    best = max(state.scores)
    if not state.supply:
        # Ruling 11: there is no number left to wait for.
        return "supply_exhausted" if best >= RED_FROM else None
    if best < RED_FROM:
        decision.add(EstateRemoved(None))
        return None
    # All tiles that nobody has looked at are alike, so the number is drawn when it is looked at.
    number = rng.roll("estate number", numbers_left(state.revealed))
    decision.add(EstateRemoved(number))
    return "estate_number" if number <= best else None


def _end_match(decision: Decision, reason: EndReason) -> None:
    decision.add(GameEnded(reason, ranking(decision.state)))
