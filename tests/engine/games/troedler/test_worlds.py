"""Sampled worlds are drawn evenly: compared with all deals, counted one by one."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from math import sqrt

from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.data import EXTRA, FEED, REQUESTS, Card, Cards
from howff.engine.games.troedler.dealt import Deal, DiscardRoom
from howff.engine.games.troedler.known import ValueDemand
from howff.engine.games.troedler.scoring import points_of, requests_of
from howff.engine.games.troedler.state import Options
from howff.engine.seats import Seat
from support.playouts import play_out
from support.rng import LocalRng

BRIDGE = Card("bridge")
PAIR, OTHER_PAIR = Card("req_chair_pot"), Card("req_cup_vase")  # 3 points each
FOUR, SEVEN = Card("req_cup2"), Card("req_cup3")
DRAWS = 20_000

Piles = tuple[Cards, ...]
"""What lies in each place, sorted."""


def sorted_piles(piles: Iterable[Iterable[Card]]) -> Piles:
    return tuple(tuple(sorted(pile)) for pile in piles)


def all_deals(unknown: Cards, places: int, fits: Callable[[Piles], bool]) -> Counter[Piles]:
    """Return the deals of *unknown* to *places* that fit, with the ways to make each."""
    ways: Counter[Piles] = Counter()
    for chosen in product(range(places), repeat=len(unknown)):
        piles: list[list[Card]] = [[] for _ in range(places)]
        for card, place in zip(unknown, chosen, strict=True):
            piles[place].append(card)
        ways[sorted_piles(piles)] += 1
    return Counter({piles: count for piles, count in ways.items() if fits(piles)})


def assert_even(drawn: Counter[Piles], ways: Counter[Piles]) -> None:
    """Fail unless each deal came about as often as it should, within five standard deviations."""
    assert drawn.keys() == ways.keys()
    for piles, count in ways.items():
        share = count / ways.total()
        assert abs(drawn[piles] - DRAWS * share) < 5 * sqrt(DRAWS * share * (1 - share)), piles


def may_be_valued(pile: Cards) -> bool:
    return all(card == FEED or card in REQUESTS for card in pile)


def test_cards_of_unknown_places_are_dealt_evenly_to_value_piles_and_others() -> None:
    unknown = (BRIDGE, EXTRA, FEED, FEED, PAIR, FOUR)
    free = ValueDemand(None, None, possible_requests=range(2))
    rng = LocalRng(1)

    def draw() -> Piles:
        deal = Deal(unknown, rng)
        values = deal.exact_value_piles((free, free))
        deal.fill_free_value_piles((free, free), values, DiscardRoom(is_open=True, elsewhere=2))
        deal.mix()
        return sorted_piles((deal.take(2), *values, deal.rest()))

    def fits(piles: Piles) -> bool:
        hand, first, second, _ = piles
        valued = (first, second)
        return (
            len(hand) == 2
            and all(map(may_be_valued, valued))
            and all(requests_of(pile) <= 1 for pile in valued)
        )

    assert_even(Counter(draw() for _ in range(DRAWS)), all_deals(unknown, 4, fits))


def test_a_value_pile_holds_at_least_what_was_just_delivered() -> None:
    unknown = (BRIDGE, FEED, PAIR, OTHER_PAIR, FOUR)
    delivered = ValueDemand(None, None, possible_requests=range(1, 3))
    rng = LocalRng(5)

    def draw() -> Piles:
        deal = Deal(unknown, rng)
        values = deal.exact_value_piles((delivered,))
        deal.fill_free_value_piles((delivered,), values, DiscardRoom(is_open=True, elsewhere=2))
        deal.mix()
        return sorted_piles((deal.take(2), *values, deal.rest()))

    def fits(piles: Piles) -> bool:
        hand, valued, _ = piles
        return len(hand) == 2 and may_be_valued(valued) and requests_of(valued) in {1, 2}

    assert_even(Counter(draw() for _ in range(DRAWS)), all_deals(unknown, 3, fits))


def test_without_a_discard_pile_the_value_piles_take_what_is_left() -> None:
    unknown = (BRIDGE, FEED, FEED, PAIR, FOUR)
    free = ValueDemand(None, None, possible_requests=range(3))
    rng = LocalRng(2)

    def draw() -> Piles:
        deal = Deal(unknown, rng)
        values = deal.exact_value_piles((free, free))
        deal.fill_free_value_piles((free, free), values, DiscardRoom(is_open=False, elsewhere=2))
        deal.mix()
        hand = deal.take(2)
        assert not deal.rest()
        return sorted_piles((hand, *values))

    def fits(piles: Piles) -> bool:
        return len(piles[0]) == 2 and all(map(may_be_valued, piles[1:]))

    assert_even(Counter(draw() for _ in range(DRAWS)), all_deals(unknown, 3, fits))


def test_feed_of_unknown_number_is_dealt_beside_requests_of_known_number() -> None:
    unknown = (BRIDGE, FEED, FEED, PAIR, OTHER_PAIR, FOUR)
    demands = (ValueDemand(1, None), ValueDemand(1, 1))
    rng = LocalRng(3)

    def draw() -> Piles:
        deal = Deal(unknown, rng)
        values = deal.exact_value_piles(demands)
        deal.fill_free_value_piles(demands, values, DiscardRoom(is_open=True, elsewhere=1))
        deal.mix()
        return sorted_piles((deal.take(1), *values, deal.rest()))

    def fits(piles: Piles) -> bool:
        hand, first, second, _ = piles
        return (
            len(hand) == 1
            and all(map(may_be_valued, (first, second)))
            and requests_of(first) == requests_of(second) == 1
            and second.count(FEED) == 1
        )

    assert_even(Counter(draw() for _ in range(DRAWS)), all_deals(unknown, 4, fits))


def test_value_piles_of_known_points_are_dealt_evenly() -> None:
    unknown = (BRIDGE, FEED, PAIR, OTHER_PAIR, FOUR, SEVEN, Card("req_pot2"))
    demands = (ValueDemand(2, 0, points=7), ValueDemand(1, 1, points=3))
    rng = LocalRng(4)

    def draw() -> Piles:
        deal = Deal(unknown, rng)
        values = deal.exact_value_piles(demands)
        deal.fill_free_value_piles(demands, values, DiscardRoom(is_open=True, elsewhere=2))
        deal.mix()
        return sorted_piles((deal.take(2), *values, deal.rest()))

    def fits(piles: Piles) -> bool:
        hand, first, second, _ = piles
        return (
            len(hand) == 2
            and all(map(may_be_valued, (first, second)))
            and (requests_of(first), first.count(FEED), points_of(first)) == (2, 0, 7)
            and (requests_of(second), second.count(FEED), points_of(second)) == (1, 1, 3)
        )

    assert_even(Counter(draw() for _ in range(DRAWS)), all_deals(unknown, 4, fits))


def test_a_forgetful_viewer_allows_what_the_trimming_seat_has_just_stored() -> None:
    seen = 0
    for seed in range(40):
        for step in play_out(GAME, Options(dealing="auto", round_limit=2), 2, seed).steps:
            state, active = step.after, step.after.active
            if state.stage != "trimming" or active is None:
                continue
            seen += 1
            other = Seat(1 - active)
            world = GAME.sample_world(GAME.view(state, other), GAME.memory(), LocalRng(seed))
            stored = world.players[active].value_pile
            assert requests_of(stored) >= len(state.turn.delivered_villages)
            assert GAME.view(world, other) == GAME.view(state, other)
    assert seen > 40


def test_nobody_has_stored_more_than_seven_cards_after_the_first_turn() -> None:
    """Seen by somebody who has missed how the match began."""
    for seed in range(4):
        for step in play_out(GAME, Options(), 3, seed).steps[:40]:
            if step.after.round > 1:
                break
            world = GAME.sample_world(GAME.view(step.after, None), GAME.memory(), LocalRng(seed))
            assert all(len(each.hand) + len(each.value_pile) <= 7 for each in world.players)
