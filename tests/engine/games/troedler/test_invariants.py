"""What holds in every match of Trödler, whatever is played."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given

from howff.engine.errors import EngineError
from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.data import FEED, GOODS, REQUESTS, ROUTE_BETWEEN, Cards, Goods
from howff.engine.games.troedler.events import (
    CartMoved,
    DealerPileDiscarded,
    DealerPilesFormed,
    DealerPileTaken,
    DiscardPileFormed,
    DiscardPileReshuffled,
    GameEnded,
    GoodsDelivered,
    HandCardDiscarded,
    PlayedCardsStored,
    RequestFulfilled,
    RoundEnded,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.troedler.state import State
from howff.engine.play import fold
from howff.engine.seats import Seat
from support.rng import LocalRng
from support.texts import kinds, of
from support.troedler import whole_deck
from support.troedler_playouts import Moment, Playout, places, playout, playouts

FIRST_RESHUFFLE = {2: 8, 3: 6, 4: 5}
LEAST_RESHUFFLED = {2: (58, 47), 3: (53, 38), 4: (50, 31)}
END_REQUESTS = {2: 7, 3: 6, 4: 5}


def all_cards(state: State) -> Counter[str]:
    found: Counter[str] = Counter()
    for player in state.players:
        found.update((*player.hand, *player.value_pile))
    for pile in state.supply.dealer_piles:
        found.update(pile or ())
    found.update((*state.supply.round_pile, *state.supply.discard_pile, *state.turn.played))
    return found


def moments_of(match: Playout, *kinds: type) -> Iterator[Moment]:
    return (each for each in match.moments if isinstance(each.event, kinds))


def is_request(card: str) -> bool:
    return card.startswith("req_")


@given(match=playouts)
def test_invariant_01_no_card_appears_or_vanishes(match: Playout) -> None:
    colours = [player.colour for player in match.final.players]
    deck = Counter[str](whole_deck(colours))
    assert deck.total() == 98 + 3 * match.seats
    assert deck["feed"] == 24 + match.seats
    assert sum(is_request(card) for card in deck) == 26 + match.seats
    for moment in match.moments[len(match.opening) - 1 :]:
        assert all_cards(moment.after) == deck


@given(match=playouts)
def test_invariant_02_no_good_appears_or_vanishes(match: Playout) -> None:
    for moment in match.moments[len(match.opening) - 1 :]:
        state = moment.after
        found = Counter(good for goods in state.goods for good in goods)
        for player in state.players:
            found.update(player.collection)
        assert found == dict.fromkeys(GOODS, 8)


@given(match=playouts)
def test_invariant_03_hands_keep_their_limits(match: Playout) -> None:
    may_be_full = set[Seat]()
    for moment in match.moments:
        match moment.event:
            case DealerPileTaken(seat):
                may_be_full.add(seat)
            case TurnEnded(seat):
                may_be_full.discard(seat)
            case RoundEnded():
                assert not may_be_full
            case _:
                pass
        for place, player in enumerate(moment.after.players):
            assert len(player.hand) <= (8 if Seat(place) in may_be_full else 4)


@given(match=playouts)
def test_invariant_04_feed_goes_from_no_hand_to_the_discard_pile(match: Playout) -> None:
    for moment in match.moments:
        before = moment.before.supply.discard_pile.count(FEED)
        after = moment.after.supply.discard_pile.count(FEED)
        piles = DealerPileDiscarded | DiscardPileFormed
        assert after <= before or isinstance(moment.event, piles)
    for moment in moments_of(match, HandCardDiscarded):
        assert moment.before.supply.discard_pile == moment.after.supply.discard_pile[:-1]


@given(match=playouts)
def test_invariant_04_value_piles_only_grow(match: Playout) -> None:
    for moment in match.moments[len(match.opening) :]:
        for before, after in zip(moment.before.players, moment.after.players, strict=True):
            assert Counter(before.value_pile) <= Counter(after.value_pile)
            assert all(card == FEED or card in REQUESTS for card in after.value_pile)


def rounds_of(match: Playout) -> Iterator[list[object]]:
    events = [moment.event for moment in match.moments]
    starts = [at for at, event in enumerate(events) if isinstance(event, RoundStarted)]
    return (list(events[start:end]) for start, end in pairwise([*starts, len(events)]))


@given(match=playouts)
def test_invariant_05_every_seat_picks_and_plays_once_a_round(match: Playout) -> None:
    dealers: list[int] = []
    for number, events in enumerate(rounds_of(match), start=1):
        (started,) = of(events, RoundStarted)
        assert started.round == number
        dealers.append(started.dealer)
        order = [(started.dealer + offset) % match.seats for offset in range(match.seats)]
        assert [each.seat for each in of(events, TurnStarted)] == order
        assert [each.seat for each in of(events, TurnEnded)] == order
        assert [each.seat for each in of(events, DealerPileTaken)] == [*order[1:], order[0]]
        (discarded,) = of(events, DealerPileDiscarded)
        taken = {each.pile for each in of(events, DealerPileTaken)}
        assert {discarded.pile, *taken} == set(range(match.seats + 1))
    for dealer, following in pairwise(dealers):
        assert following == (dealer + 1) % match.seats


@given(match=playouts)
def test_invariant_06_complete_piles_have_four_cards(match: Playout) -> None:
    for moment in moments_of(match, DealerPilesFormed):
        sizes = [len(pile or ()) for pile in moment.after.supply.dealer_piles]
        assert sizes == [4] * (match.seats + 1)


@given(match=playouts)
def test_invariant_07_the_discard_pile_is_shuffled_when_it_has_to_be(match: Playout) -> None:
    shuffles = [
        (at, moment.event)
        for at, moment in enumerate(match.moments)
        if isinstance(moment.event, DiscardPileReshuffled)
    ]
    first_least, later_least = LEAST_RESHUFFLED[match.seats]
    for place, (at, shuffled) in enumerate(shuffles):
        moment = match.moments[at]
        assert moment.before.supply.round_pile == ()
        assert shuffled.size == len(moment.before.supply.discard_pile) == len(shuffled.order)
        assert Counter(shuffled.order) == Counter(moment.before.supply.discard_pile)
        assert shuffled.size >= (later_least if place else first_least)
    started = [moment.event for moment in match.moments[: shuffles[0][0]]][-1]
    assert isinstance(started, RoundStarted)
    assert started.round == FIRST_RESHUFFLE[match.seats]


@given(match=playouts)
def test_invariant_08_carts_move_along_routes(match: Playout) -> None:
    for moment in match.moments[len(match.opening) :]:
        carts = [player.cart for player in moment.before.players]
        if isinstance(moment.event, CartMoved):
            moved = moment.event
            assert ROUTE_BETWEEN[moved.origin, moved.to] == moved.route_type
            assert carts[moved.seat] == moved.origin
            assert moved.take_owed == bool(moment.before.goods_in(moved.to))
            carts[moved.seat] = moved.to
        assert [player.cart for player in moment.after.players] == carts


@given(match=playouts)
def test_invariant_09_requests_are_fulfilled_in_empty_villages(match: Playout) -> None:
    visited = set[str]()
    for moment in match.moments:
        match moment.event:
            case TurnStarted():
                visited = set()
            case GoodsDelivered(seat, village):
                assert moment.before.players[seat].cart == village
                assert moment.before.goods_in(village) == ()
            case RequestFulfilled(_, village):
                assert village not in visited
                visited.add(village)
            case _:
                pass


def is_completable(wanted: Goods, owned: Goods, feed: int) -> bool:
    short = sum(max(0, wanted.count(good) - owned.count(good)) for good in GOODS)
    return short <= feed and len(owned) >= len(wanted)


@given(match=playouts)
def test_invariant_10_an_open_delivery_can_be_completed(match: Playout) -> None:
    for step in match.steps:
        delivery = step.state.turn.delivery
        assert (delivery is not None) == (step.state.stage == "delivering")
        if delivery is not None:
            player = step.state.players[step.seat]
            wanted = Counter(REQUESTS[delivery.request].goods) - Counter(delivery.replaced)
            owned = Counter(player.collection) - Counter(delivery.substitutes)
            assert is_completable(
                tuple(wanted.elements()), tuple(owned.elements()), player.hand.count(FEED)
            )
            assert GAME.legal_moves(step.state, step.seat)


@given(match=playouts)
def test_invariant_11_there_are_legal_moves_until_the_end(match: Playout) -> None:
    for step in match.steps:
        legal = GAME.legal_moves(step.state, step.seat)
        assert 0 < len(legal) < 120
        assert len(set(legal)) == len(legal)
        for seat in {*map(Seat, range(match.seats))} - {step.seat}:
            assert GAME.legal_moves(step.state, seat) == ()
    assert match.final.stage == "finished"
    assert GAME.to_act(match.final) == ()


@given(match=playouts, at=places, elsewhere=places)
def test_invariant_11_exactly_the_listed_moves_are_accepted(
    match: Playout, at: int, elsewhere: int
) -> None:
    step, other = (match.steps[place % len(match.steps)] for place in (at, elsewhere))
    legal = GAME.legal_moves(step.state, step.seat)
    for move in legal:
        draft = GAME.play(step.state, step.seat, move, LocalRng(1))
        assert draft.events
        assert fold(GAME.evolve, step.state, draft.events) == draft.state
    for move in (*GAME.legal_moves(other.state, other.seat), other.move):
        if move not in legal:
            with pytest.raises(EngineError):
                GAME.play(step.state, step.seat, move, LocalRng(1))


@given(match=playouts)
def test_invariant_14_the_events_rebuild_the_states(match: Playout) -> None:
    state = fold(GAME.evolve, GAME.initial(match.options, match.seats), match.opening)
    for step in match.steps:
        assert step.state == state
        state = fold(GAME.evolve, state, step.events)
    assert state == match.final


@given(match=playouts, at=places)
def test_invariant_14_deciding_changes_nothing(match: Playout, at: int) -> None:
    step = match.steps[at % len(match.steps)]
    before = repr(step.state)
    for move in GAME.legal_moves(step.state, step.seat):
        once, again = (GAME.decide(step.state, step.seat, move, LocalRng(2)) for _ in range(2))
        assert (once.events, once.state) == (again.events, again.state)
    assert repr(step.state) == before


@given(match=playouts)
def test_invariant_15_the_match_ends_with_a_round(match: Playout) -> None:
    events = [moment.event for moment in match.moments]
    assert [type(event) for event in events].count(GameEnded) == 1
    ended = events[-1]
    assert isinstance(ended, GameEnded)
    assert kinds(events)[-2] == "RoundEnded"
    assert ended.reason == "requests"
    piles = [player.value_pile for player in match.final.players]
    assert max(sum(map(is_request, pile)) for pile in piles) >= END_REQUESTS[match.seats]
    assert sum(each.total_damage for each in ended.scores) <= 1
    assert min(each.rank for each in ended.scores) == 1


def test_invariant_15_nobody_had_enough_requests_at_an_earlier_rounds_end() -> None:
    for seats in (2, 3, 4):
        *earlier, _ = moments_of(playout(seats, 0), RoundEnded)
        assert earlier
        for moment in earlier:
            for player in moment.after.players:
                assert sum(map(is_request, player.value_pile)) < END_REQUESTS[seats]


def account(value_pile: Cards, collection: Goods) -> tuple[int, int]:
    """Return damage and total."""
    points = sum(REQUESTS[card].points for card in value_pile if is_request(card))
    return value_pile.count(FEED) + (len(collection) + 1) // 2, points + len(collection)


@given(match=playouts)
def test_invariant_16_scores_follow_from_value_pile_and_collection(match: Playout) -> None:
    assert match.final.scores is not None
    for score, player in zip(match.final.scores, match.final.players, strict=True):
        found = account(player.value_pile, player.collection)
        assert (score.damage, score.total) == found


@given(match=playouts)
def test_what_was_played_is_what_is_stored(match: Playout) -> None:
    for moment in moments_of(match, PlayedCardsStored):
        event = moment.event
        assert isinstance(event, PlayedCardsStored)
        played = moment.before.turn.played
        values = tuple(card for card in played if card == FEED or is_request(card))
        assert event.to_value == values
        assert event.to_discard == tuple(card for card in played if card not in values)
        counts = (len(event.to_discard), len(event.to_value))
        assert (event.to_discard_count, event.to_value_count) == counts
