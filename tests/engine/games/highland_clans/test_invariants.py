"""What holds in every state of every match of Highland Clans, whatever is played."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given

from howff.engine.errors import EngineError
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import (
    ALL_CARDS,
    ALL_CUBES,
    ESTATE_NUMBERS,
    NO_CUBES,
    Cubes,
)
from howff.engine.games.highland_clans.events import (
    ActionsEnded,
    CubesDrawn,
    CubesRedrawn,
    EstateRemoved,
    FollowingAssigned,
    RaidResolved,
    RoundScored,
)
from howff.engine.games.highland_clans.state import RunningRaid, State
from howff.engine.play import fold
from howff.engine.seats import Seat
from support.highland_clans import cubes_on
from support.highland_clans_playouts import Moment, Playout, places, playouts
from support.rng import LocalRng

STAGES_WITH_CUBES = {"redraw", "actions", "hand_limit"}


def moments_of(match: Playout, *kinds: type) -> Iterator[Moment]:
    return (each for each in match.moments if isinstance(each.event, kinds))


def later_moments(match: Playout) -> tuple[Moment, ...]:
    """Return the moments once the boards lie there."""
    return match.moments[len(match.opening) - 1 :]


def all_cubes(state: State) -> Cubes:
    found = state.bag + state.set_aside
    if state.turn is not None:
        found += state.turn.cubes
    for player in state.players:
        found += cubes_on(player.board)
    for commitment in state.raid.commitments if state.raid else ():
        found += Cubes(blue=int(commitment.bagpiper))
    return found


@given(match=playouts)
def test_invariant_01_no_cube_appears_or_vanishes(match: Playout) -> None:
    for moment in match.moments:
        assert all_cubes(moment.after) == ALL_CUBES == Cubes(29, 27, 20, 10)
        bag = moment.after.bag
        assert min(bag.yellow, bag.blue, bag.green, bag.red) >= 0


def all_cards(state: State) -> Counter[int]:
    found = Counter[int]((*state.deck, *state.discard_pile))
    for player in state.players:
        found.update(player.hand)
    found.update(commitment.value for commitment in (state.raid.commitments if state.raid else ()))
    return found


@given(match=playouts)
def test_invariant_02_no_card_appears_or_vanishes(match: Playout) -> None:
    for moment in match.moments:
        assert all_cards(moment.after) == {1: 20, 2: 18, 3: 16, 4: 13}
        for pile in (moment.after.deck, moment.after.discard_pile):
            assert list(pile) == sorted(pile)


@given(match=playouts)
def test_invariant_03_no_tile_appears_or_vanishes(match: Playout) -> None:
    scorings = 0
    for moment in match.moments:
        state = moment.after
        if isinstance(moment.event, RoundScored):
            scorings += state.supply > 0
        acquired = sum(max(0, player.board.estates - 2) for player in state.players)
        assert state.supply + state.removed + acquired == 25
        assert Counter(state.revealed) <= Counter(ESTATE_NUMBERS)
        assert len(state.revealed) <= state.removed
        if not isinstance(moment.event, RoundScored):
            assert state.removed == scorings


@given(match=playouts)
def test_invariant_04_boards_keep_their_limits(match: Playout) -> None:
    for moment in later_moments(match):
        for player in moment.after.players:
            board = player.board
            assert board.warriors >= 3
            assert 2 <= board.estates <= 6
            assert board.cattle + board.castles + board.monasteries <= board.estates
            assert board.free_estates >= 0
            assert min(board.bagpipers, board.monks, board.cattle) >= 0
            assert min(board.castles, board.monasteries, board.score) >= 0


def expected_hand(state: State, seat: Seat) -> int:
    """Return how many cards *seat* holds, by the stage of the match."""
    warriors = state.players[seat].board.warriors
    raid = state.raid
    if any(debt.seat == seat for debt in state.owed):
        return warriors + (2 if state.stage == "refresh" else 1)
    if raid is None or seat not in {raid.attacker, raid.defender} or state.stage == "refresh":
        return warriors
    return warriors - len(raid.fights) - committed(raid, seat)


def committed(raid: RunningRaid, seat: Seat) -> int:
    return int(bool(raid.commitments) and seat == raid.attacker)


@given(match=playouts)
def test_invariant_05_a_hand_is_as_large_as_the_following(match: Playout) -> None:
    for state in match.states:
        for seat, player in enumerate(state.players):
            assert len(player.hand) == expected_hand(state, Seat(seat))
        if state.stage == "spoils":
            assert state.raid is not None
            attacker = state.players[state.raid.attacker]
            assert len(attacker.hand) == attacker.board.warriors - 3


@given(match=playouts)
def test_invariant_06_actions_keep_their_limits(match: Playout) -> None:
    for state in match.states:
        turn = state.turn
        if turn is None:
            assert state.stage == "finished"
            continue
        assert turn.used <= 4
        assert len(turn.done) <= turn.action_limit
        assert len(set(turn.done)) == len(turn.done)
        assert "play_bard" not in turn.done or turn.done == ("play_bard",)
        assert turn.action_limit == (1 if turn.position == match.seats else 2)
        if state.stage in STAGES_WITH_CUBES:
            assert turn.cubes.total + turn.used == 6
        else:
            assert turn.cubes == NO_CUBES


@given(match=playouts)
def test_invariant_06_at_least_one_action_is_done_if_one_is_possible(match: Playout) -> None:
    for moment in moments_of(match, ActionsEnded):
        turn = moment.before.turn
        assert turn is not None
        assert turn.done or turn.cubes == Cubes(red=6)


@given(match=playouts)
def test_invariant_07_six_cubes_are_drawn_from_six_or_more(match: Playout) -> None:
    for moment in moments_of(match, CubesDrawn, CubesRedrawn):
        if isinstance(moment.event, CubesDrawn):
            assert moment.before.bag.total >= 6
            assert moment.event.cubes.total == 6
        else:
            assert isinstance(moment.event, CubesRedrawn)
            assert moment.event.returned.total == moment.event.drawn.total >= 1
        assert moment.after.turn is not None
        assert moment.after.turn.cubes.total == 6


@given(match=playouts)
def test_invariant_08_a_raid_is_worth_what_the_table_says(match: Playout) -> None:
    for moment in moments_of(match, RaidResolved):
        event = moment.event
        assert isinstance(event, RaidResolved)
        score = moment.before.players[event.attacker].board.score
        owns_nothing = moment.before.players[event.defender].board.owns_nothing
        bonus = owns_nothing and match.options.edition == "consolidated"
        assert (event.attacker_delta, event.defender_delta) == {
            "attacker": (2 if bonus else 1, 0),
            "draw": (1, 0),
            "defender": (-1 if score else 0, 2),
        }[event.result]
        assert event.spoils == (event.result == "attacker" and not owns_nothing)
        assert event.attacker_wins + event.defender_wins <= 3


@given(match=playouts)
def test_invariant_09_the_marker_moves_at_a_scoring_only(match: Playout) -> None:
    for moment in match.moments:
        if not isinstance(moment.event, FollowingAssigned):
            assert moment.before.marker == moment.after.marker
        else:
            assert moment.event.previous == moment.before.marker
            assert moment.event.seat == moment.after.marker


@given(match=playouts)
def test_invariant_10_there_are_always_cards_to_draw(match: Playout) -> None:
    for moment in match.moments:
        assert len(moment.after.deck) + len(moment.after.discard_pile) >= 34
    assert len(ALL_CARDS) == 67


@given(match=playouts)
def test_invariant_11_somebody_is_to_act_until_the_end(match: Playout) -> None:
    for step in match.steps:
        to_act = GAME.to_act(step.before)
        assert to_act
        assert len(to_act) == 1 or step.before.stage == "refresh"
        for seat in map(Seat, range(match.seats)):
            assert bool(GAME.legal_moves(step.before, seat)) == (seat in to_act)
        assert GAME.outcome(step.before) is None
    assert GAME.to_act(match.final) == ()
    assert (match.final.stage, GAME.outcome(match.final) is None) == ("finished", False)
    assert not any(GAME.legal_moves(match.final, Seat(seat)) for seat in range(match.seats))


@given(match=playouts, at=places, elsewhere=places)
def test_invariant_11_exactly_the_listed_moves_are_accepted(
    match: Playout, at: int, elsewhere: int
) -> None:
    step, other = (match.steps[place % len(match.steps)] for place in (at, elsewhere))
    legal = GAME.legal_moves(step.before, step.seat)
    for move in legal:
        draft = GAME.play(step.before, step.seat, move, LocalRng(1))
        assert draft.events
        assert fold(GAME.evolve, step.before, draft.events) == draft.state
    for move in (*GAME.legal_moves(other.before, other.seat), other.move):
        if move not in legal:
            with pytest.raises(EngineError):
                GAME.play(step.before, step.seat, move, LocalRng(1))


@given(match=playouts)
def test_invariant_13_numbers_are_looked_at_from_30_on(match: Playout) -> None:
    for moment in moments_of(match, EstateRemoved):
        assert isinstance(moment.event, EstateRemoved)
        best = max(moment.after.scores)
        assert (moment.event.number is not None) == (best >= 30)
    assert match.final.ending is not None
    if match.final.ending.reason == "estate_number":
        assert match.final.revealed[-1] <= max(match.final.scores)
    *earlier, _ = moments_of(match, EstateRemoved)
    for moment in earlier:
        revealed = moment.after.revealed
        assert not revealed or revealed[-1] > max(moment.after.scores)
