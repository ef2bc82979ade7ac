"""Invariant 11: no viewer learns more than the rules tell it."""

from dataclasses import replace

from hypothesis import given

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.state import Player, State, plain, sorted_hand
from howff.engine.seats import Seat, Viewer
from support.dale_of_merchants_playouts import Playout, places, playout, playouts
from support.rng import LocalRng


def redealt(state: State, viewer: Viewer, seed: int) -> State:
    """Return *state* with all decks shuffled, and with hands of others dealt anew from them."""
    rng = LocalRng(seed)
    players = tuple(
        replace(player, deck=rng.shuffle("deck", player.deck))
        if seat == viewer
        else dealt_anew(player, rng)
        for seat, player in enumerate(state.players)
    )
    deck = rng.shuffle("market deck", state.market.deck)
    state = replace(state, players=players, market=replace(state.market, deck=deck))
    turn = state.turn
    if turn is None or turn.seat == viewer:
        return state
    looked_at = rng.shuffle("looked at", state.private.looked_at)
    return replace(state, private=replace(state.private, looked_at=looked_at))


def dealt_anew(player: Player, rng: LocalRng) -> Player:
    owned = rng.shuffle("cards", (*player.deck, *(held.card for held in player.hand)))
    size = len(player.hand)
    return replace(player, hand=sorted_hand(plain(owned[:size])), deck=owned[size:])


@given(match=playouts, at=places, seed=places)
def test_invariant_11_views_and_legal_moves_depend_on_nothing_hidden(
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


def test_invariant_11_states_dealt_anew_do_differ() -> None:
    steps = playout(4, 0).steps[:200]
    differing = sum(
        redealt(step.before, viewer, seed) != step.before
        for seed, step in enumerate(steps)
        for viewer in (None, Seat(0))
    )
    assert differing > 300


@given(match=playouts)
def test_a_view_holds_the_own_hand_alone_until_the_end(match: Playout) -> None:
    for step in match.steps[:50]:
        for viewer in (None, *map(Seat, range(match.seats))):
            view = GAME.view(step.before, viewer)
            own = None if viewer is None else step.before.players[viewer].hand
            assert (view.hand, view.revelation) == (own, None)
            turn = step.before.turn
            assert turn is not None
            assert (view.private is None) == (viewer != turn.seat)


@given(match=playouts)
def test_once_the_match_has_ended_everything_lies_open(match: Playout) -> None:
    for viewer in (None, Seat(0), Seat(match.seats - 1)):
        revealed = GAME.view(match.final, viewer).revelation
        assert revealed is not None
        assert revealed.hands == tuple(player.hand for player in match.final.players)
        assert revealed.decks == tuple(player.deck for player in match.final.players)
        assert revealed.market_deck == match.final.market.deck
