"""No viewer learns more than the rules tell it, and what it is told makes up its view."""

from dataclasses import replace

import pytest
from hypothesis import given

from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import Cards
from howff.engine.games.highland_clans.state import Commitment, Player, State
from howff.engine.rng import pick
from howff.engine.seats import Seat, Viewer
from support.highland_clans_playouts import Playout, places, playout, playouts
from support.highland_clans_told import Notes
from support.playouts import told_live
from support.rng import LocalRng


def redealt(state: State, viewer: Viewer, seed: int) -> State:
    """Return *state* with the cards hidden from *viewer* dealt anew, to places of their sizes."""
    rng = LocalRng(seed)
    hands = {at: each.hand for at, each in enumerate(state.players) if at != viewer}
    covered = tuple(each.value for each in hidden_commitments(state, viewer))
    places = [*hands.values(), covered, state.deck, state.discard_pile]
    unseen = iter(rng.shuffle("cards", [card for place in places for card in place]))
    dealt: list[Cards] = [tuple(next(unseen) for _ in place) for place in places]
    players = tuple(
        player if at == viewer else with_hand(player, dealt[list(hands).index(at)], rng)
        for at, player in enumerate(state.players)
    )
    state = with_commitments(state, dealt[-3])
    deck, discard_pile = (tuple(sorted(pile)) for pile in dealt[-2:])
    return replace(state, players=players, deck=deck, discard_pile=discard_pile)


def hidden_commitments(state: State, viewer: Viewer) -> tuple[Commitment, ...]:
    if state.raid is None or state.raid.attacker == viewer:
        return ()
    return state.raid.commitments


def with_commitments(state: State, values: Cards) -> State:
    if state.raid is None or not values:
        return state
    (covered,) = state.raid.commitments
    commitments = (replace(covered, value=values[0]),)
    return replace(state, raid=replace(state.raid, commitments=commitments))


def with_hand(player: Player, hand: Cards, rng: LocalRng) -> Player:
    fresh = tuple(sorted(pick(rng, "fresh", hand, len(player.fresh))))
    return replace(player, hand=tuple(sorted(hand)), fresh=fresh)


@given(match=playouts, at=places, seed=places)
def test_invariant_12_views_and_legal_moves_depend_on_nothing_hidden(
    match: Playout, at: int, seed: int
) -> None:
    for offset in range(8):
        step = match.steps[(at + offset) % len(match.steps)]
        for viewer in (None, *map(Seat, range(match.seats))):
            other = redealt(step.before, viewer, seed)
            assert GAME.view(other, viewer) == GAME.view(step.before, viewer)
            if viewer is not None:
                legal = GAME.legal_moves(step.before, viewer)
                assert GAME.legal_moves(other, viewer) == legal


def test_invariant_12_states_dealt_anew_do_differ() -> None:
    differing = sum(
        redealt(step.before, viewer, seed) != step.before
        for seed, step in enumerate(playout(4, 0).steps)
        for viewer in (None, Seat(0))
    )
    assert differing > len(playout(4, 0).steps)


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("seed", [0, 1])
def test_invariant_12_what_is_told_makes_up_the_view(seats: int, seed: int) -> None:
    match = playout(seats, seed)
    for viewer in (None, *map(Seat, range(seats))):
        notes = Notes(viewer)
        for event in told_live(match.opening, viewer):
            notes.read(event)
        assert notes.view() == GAME.view(match.steps[0].before, viewer)
        for step in match.steps:
            for event in told_live(step.events, viewer):
                notes.read(event)
            expected = replace(GAME.view(step.after, viewer), revelation=None)
            assert notes.view() == expected


@given(match=playouts)
def test_once_the_match_has_ended_everything_lies_open(match: Playout) -> None:
    for viewer in (None, Seat(0), Seat(match.seats - 1)):
        revealed = GAME.view(match.final, viewer).revelation
        assert revealed is not None
        assert revealed.hands == tuple(player.hand for player in match.final.players)
        assert (revealed.deck, revealed.discard_pile) == (
            match.final.deck,
            match.final.discard_pile,
        )
