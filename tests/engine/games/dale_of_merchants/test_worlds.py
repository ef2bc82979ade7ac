"""Sampled worlds are drawn evenly: compared with all deals, counted one by one."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice, permutations
from math import sqrt

import pytest

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.data import JUNK, Card, Cards
from howff.engine.games.dale_of_merchants.dealt import deal
from howff.engine.games.dale_of_merchants.events import Event
from howff.engine.games.dale_of_merchants.known import MARKET, Pool, SeatMemory
from howff.engine.games.dale_of_merchants.legality import legal_moves
from howff.engine.games.dale_of_merchants.memory import Memory, is_true, remember
from howff.engine.games.dale_of_merchants.seen import (
    hidden_cards,
    looked_at_of,
    with_seen,
)
from howff.engine.games.dale_of_merchants.state import (
    Options,
    State,
    plain,
    sorted_cards,
    sorted_hand,
)
from howff.engine.games.dale_of_merchants.view import view
from howff.engine.games.dale_of_merchants.worlds import sample_world
from howff.engine.seats import Seat, Viewer
from support.dale_of_merchants import Fate, cards, given, hand_card, when
from support.playouts import play_out, told_live
from support.rng import LocalRng

A, B, C = Seat(0), Seat(1), Seat(2)
DRAWS = 6_000
EMPTY = "- - - - -"

Places = tuple[Cards, ...]
"""What lies in each place, sorted."""


def sorted_places(places: Iterable[Cards]) -> Places:
    return tuple(map(sorted_cards, places))


def all_deals(
    hidden: Cards, sizes: Iterable[int], fits: Callable[[Places], bool]
) -> Counter[Places]:
    """Return the deals of *hidden* to places of these sizes that fit, with the ways to each."""
    lengths = tuple(sizes)
    assert sum(lengths) == len(hidden)
    ways: Counter[Places] = Counter()
    for order in permutations(hidden):
        rest = iter(order)
        ways[sorted_places(tuple(islice(rest, length)) for length in lengths)] += 1
    return Counter({places: count for places, count in ways.items() if fits(places)})


def assert_even(drawn: Counter[Places], ways: Counter[Places]) -> None:
    """Fail unless each deal came about as often as it should, within five standard deviations."""
    assert drawn.keys() == ways.keys()
    for places, count in ways.items():
        share = count / ways.total()
        spread = 5 * sqrt(drawn.total() * share * (1 - share))
        assert abs(drawn[places] - drawn.total() * share) <= spread, places


def holds(place: Cards, text: str) -> bool:
    return Counter(cards(text)) <= Counter(place)


def places_of(world: State) -> Places:
    """Return hand and deck of each seat, and the market deck, with the cards looked at in it."""
    hands = (tuple(held.card for held in player.hand) for player in world.players)
    decks = (player.deck for player in world.players)
    both = (place for pair in zip(hands, decks, strict=True) for place in pair)
    return sorted_places((*both, world.market.deck, world.private.looked_at))


def sizes_of(world: State) -> tuple[int, ...]:
    return tuple(map(len, places_of(world)))


def sampled(state: State, viewer: Viewer, memory: Memory, draws: int = DRAWS) -> Counter[Places]:
    rng, seen = LocalRng(1), view(state, viewer)
    return Counter(places_of(sample_world(seen, memory, rng)) for _ in range(draws))


def remembered(memory: Memory, events: Iterable[Event], seat: Seat) -> Memory:
    for event in told_live(tuple(events), seat):
        memory = remember(memory, event, seat)
    return memory


def test_cards_of_a_seat_are_dealt_evenly_to_hand_and_deck() -> None:
    known = SeatMemory(
        hand=cards("spyglass"),
        own=cards("cookies junk junk"),
        inside=cards("acorn"),
        deck=(None, cards("shattered_relic")[0], None),
    )
    memory, rng = Memory((known,), (Pool((MARKET,), ()),)), LocalRng(1)

    def draw() -> Places:
        found = deal(memory, 0, rng)
        assert found.decks[0][1] == "shattered_relic"
        return sorted_places((*found.hands, *found.decks))

    def fits(places: Places) -> bool:
        hand, deck = places
        return holds(hand, "spyglass") and holds(deck, "acorn shattered_relic")

    hidden = cards("spyglass cookies junk junk acorn shattered_relic")
    assert_even(Counter(draw() for _ in range(DRAWS)), all_deals(hidden, (3, 3), fits))


def test_strays_are_dealt_evenly_at_least_as_many_to_the_hand_as_are_surely_there() -> None:
    known = SeatMemory(own=cards("junk junk junk"), deck=(None,) * 3, strays=2, held_strays=1)
    pool = Pool((A, MARKET), cards("cookies spyglass acorn acorn"))
    memory, rng = Memory((known,), (pool,)), LocalRng(1)

    def draw() -> Places:
        found = deal(memory, 2, rng)
        return sorted_places((*found.hands, *found.decks, found.market))

    def fits(places: Places) -> bool:
        hand, deck, market = places
        owned = Counter((*hand, *deck))
        return owned[JUNK] == 3 and hand != (JUNK,) * len(hand) and JUNK not in market

    hidden = cards("junk junk junk cookies spyglass acorn acorn")
    ways = all_deals(hidden, (2, 3, 2), fits)
    assert_even(Counter(draw() for _ in range(DRAWS)), ways)


def test_who_knows_nothing_allows_every_deal_without_junk_in_the_market() -> None:
    state = given(
        hands={0: "junk", 1: "cookies junk"},
        decks={0: "acorn", 1: "junk"},
        market=EMPTY,
        market_deck="acorn spyglass",
    )

    def fits(places: Places) -> bool:
        return JUNK not in places[4]

    ways = all_deals(hidden_cards(view(state, None)), sizes_of(state), fits)
    assert_even(sampled(state, None, Memory()), ways)


def test_the_own_hand_stays_and_all_else_is_dealt() -> None:
    state = given(
        hands={0: "junk acorn", 1: "cookies"},
        decks={0: "junk", 1: "junk acorn"},
        market=EMPTY,
        market_deck="spyglass",
    )
    own = places_of(state)[0]

    def fits(places: Places) -> bool:
        return places[0] == own and JUNK not in places[4]

    hidden = hidden_cards(view(state, A))
    assert_even(sampled(state, A, Memory()), all_deals(hidden, sizes_of(state), fits))


def test_the_hand_of_a_seat_that_pays_leaves_it_a_choice() -> None:
    state = given(
        active=1,
        hands={0: "junk", 1: "spyglass acorn junk"},
        decks={0: "junk", 1: "shattered_relic cookies"},
        market="accordion - - - -",
        market_deck="",
    )
    picked = when(state, "start_purchase 0", "pay_card spyglass").state

    def fits(places: Places) -> bool:
        if not holds(places[2], "spyglass"):
            return False
        player = replace(picked.players[B], hand=sorted_hand(plain(places[2])))
        world = replace(picked, players=picked.with_player(B, player))
        return len(legal_moves(world, B)) > 1

    ways = all_deals(hidden_cards(view(picked, None)), sizes_of(picked), fits)
    assert len(ways) > 1
    assert_even(sampled(picked, None, Memory()), ways)


HAGGLING = given(
    seats=3,
    active=1,
    hands={0: "junk", 1: "bold_haggler cookies junk", 2: "junk"},
    decks={1: "junk junk"},
    market="accordion - - - -",
    market_deck="spyglass shattered_relic",
)
ROLLED = when(HAGGLING, "roll_die bold_haggler", rng=Fate(die=[3]))
PAYING = when(ROLLED.state, "start_purchase 0")
HAND = cards("bold_haggler cookies junk")
BEFORE = Memory(
    (
        SeatMemory(hand=cards("junk")),
        SeatMemory(own=HAND, inside=cards("junk junk"), deck=(None, None)),
        SeatMemory(hand=cards("junk")),
    ),
    (Pool((MARKET,), cards("spyglass shattered_relic")),),
)


@pytest.mark.parametrize("viewer", [None, A, C])
def test_a_marked_card_that_was_picked_is_in_the_hand(viewer: Viewer) -> None:
    picked = when(PAYING.state, "pay_card bold_haggler+3@1!roll").state
    for seed in range(30):
        world = sample_world(view(picked, viewer), Memory(), LocalRng(seed))
        assert view(world, viewer) == view(picked, viewer)
        assert hand_card("bold_haggler+3@1!roll") in world.players[B].hand
        assert len(legal_moves(world, B)) > 1


def test_a_mark_that_was_seen_is_in_all_worlds() -> None:
    memory = remembered(BEFORE, (*ROLLED.events, *PAYING.events), A)
    for seed in range(10):
        world = sample_world(view(PAYING.state, A), memory, LocalRng(seed))
        assert world.players[B].hand == PAYING.state.players[B].hand
        assert is_true(memory, world, A)


def test_a_known_hand_that_could_not_pay_is_marked_somehow() -> None:
    for seed in range(10):
        world = sample_world(view(PAYING.state, A), BEFORE, LocalRng(seed))
        assert tuple(held.card for held in world.players[B].hand) == sorted_cards(HAND)
        assert len(legal_moves(world, B)) > 1


def test_a_secret_card_is_in_the_hand_and_has_its_value() -> None:
    state = given(
        hands={0: "blindfold cookies acorn reflection", 1: "junk"},
        discards={1: "spyglass"},
        market=EMPTY,
    )
    chosen = when(state, "play_technique blindfold", "choose_secret_card cookies")
    assert chosen.state.private.secret is not None
    guessing = chosen.state
    values = set()
    for seed in range(200):
        world = sample_world(view(guessing, B), Memory(), LocalRng(seed))
        secret = world.private.secret
        assert secret is not None
        assert secret.card in world.players[A].hand
        assert legal_moves(world, B) == legal_moves(guessing, B)
        values.add(secret.value)
    assert values == {1, 2, 3, 4, 5}


def test_a_secret_that_was_shown_stays_and_one_that_was_missed_is_not_the_value_guessed() -> None:
    state = given(
        hands={0: "blindfold cookies acorn junk", 1: "junk"}, market=EMPTY, market_deck="spyglass"
    )
    chosen = when(state, "play_technique blindfold", "choose_secret_card acorn")
    guessed = when(chosen.state, "guess_value 1")
    assert guessed.state.turn is not None
    for seed in range(60):
        world = sample_world(view(guessed.state, B), Memory(), LocalRng(seed))
        assert world.private.secret is not None
        assert world.private.secret.value != 1
    known = SeatMemory(own=cards("cookies acorn junk"), deck=(None,) * 5, inside=cards("junk " * 5))
    hand = SeatMemory(hand=cards("junk"))
    memory = Memory((known, hand), (Pool((MARKET,), cards("spyglass")),))
    memory = remembered(memory, guessed.events, B)
    world = sample_world(view(guessed.state, B), memory, LocalRng(1))
    assert world.private == guessed.state.private


def test_a_card_on_top_of_a_deck_stays_where_one_has_put_it() -> None:
    known = SeatMemory(own=cards("cookies acorn spyglass"), deck=(JUNK, None, None))
    pool = Pool((MARKET,), cards("acorn"))
    state = given(
        hands={0: "junk", 1: "cookies"},
        decks={0: "", 1: "junk acorn spyglass"},
        market=EMPTY,
        market_deck="acorn",
    )
    memory = Memory((SeatMemory(hand=cards("junk")), known), (pool,))
    worlds = [sample_world(view(state, A), memory, LocalRng(seed)) for seed in range(60)]
    assert {world.players[B].deck[0] for world in worlds} == {JUNK}
    assert {world.players[B].deck[1] for world in worlds} == set(cards("cookies acorn spyglass"))
    assert all(is_true(memory, world, A) for world in worlds)


def test_the_cards_of_a_wholly_known_hand_are_dealt_evenly_once_one_of_them_was_taken() -> None:
    state = given(
        seats=3,
        hands={0: "dirty_exchange cookies", 1: "acorn junk", 2: "junk"},
        decks={0: "", 1: "spyglass shattered_relic"},
        market=EMPTY,
        market_deck="",
    )
    of_taker = SeatMemory(hand=cards("cookies"))
    own = cards("spyglass shattered_relic")
    of_giver = SeatMemory(hand=cards("acorn junk"), own=own, deck=(None, None))
    before = Memory((of_taker, of_giver, SeatMemory(hand=(JUNK,))), (Pool((MARKET,), ()),))
    taken = when(state, "play_technique dirty_exchange", "choose_opponent 1")

    def fits(places: Places) -> bool:
        in_place = holds(places[0], "cookies") and holds(places[3], "spyglass shattered_relic")
        return in_place and places[4] == (JUNK,)

    memory = remembered(before, taken.events, C)
    ways = all_deals(hidden_cards(view(taken.state, C)), sizes_of(taken.state), fits)
    assert len(ways) == 2
    assert_even(sampled(taken.state, C, memory), ways)


@pytest.mark.parametrize("viewer", [None, A, B])
def test_cards_of_the_market_that_are_looked_at_are_no_junk(viewer: Viewer) -> None:
    state = given(
        hands={0: "special_offer junk", 1: "junk junk"},
        decks={0: "junk", 1: "junk"},
        market=EMPTY,
        market_deck="acorn spyglass cookies new_season",
    )
    looking = when(state, "play_technique special_offer").state
    looked_at = set()
    for seed in range(40):
        world = sample_world(view(looking, viewer), Memory(), LocalRng(seed))
        assert view(world, viewer) == view(looking, viewer)
        assert JUNK not in world.private.looked_at
        looked_at.add(world.private.looked_at)
    assert (len(looked_at) == 1) == (viewer == A)


def test_a_seat_that_is_asked_about_cookies_has_a_copier() -> None:
    state = given(
        seats=3,
        hands={0: "reflection junk junk junk junk", 1: "junk", 2: "junk"},
        decks={0: "acorn acorn"},
        discards={1: "cookies", 2: "junk"},
        market=EMPTY,
        market_deck="spyglass shattered_relic",
    )
    asked = when(state, "start_inventory", "finish_inventory").state
    assert view(asked, B).stage == "copy_cookies"
    for seed in range(20):
        world = sample_world(view(asked, B), Memory(), LocalRng(seed))
        assert "reflection" in {held.card for held in world.players[A].hand}


def test_a_seat_is_asked_about_cookies_only_once_its_hand_is_filled() -> None:
    state = given(
        seats=3,
        hands={0: "reflection reflection junk junk junk", 1: "junk", 2: "junk"},
        decks={0: "cookies cookies acorn acorn junk junk"},
        discards={1: "cookies", 2: "junk"},
        market=EMPTY,
        market_deck="spyglass shattered_relic",
    )
    asked = when(state, "start_inventory", "finish_inventory").state
    for seed in range(60):
        world = sample_world(view(asked, B), Memory(), LocalRng(seed))
        assert "cookies" not in {held.card for held in world.players[A].hand}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_hidden_card_is_remembered_in_some_place(seats: int) -> None:
    playout = play_out(GAME, Options(round_limit=50), seats, seed=seats)
    memory = Memory()
    for at, step in enumerate(playout.steps[:400]):
        memory = remembered(memory, step.events, A)
        if at % 5 == 0 and step.after.ending is None:
            seen = view(step.after, A)
            known = with_seen(memory, seen)
            own = seen.private.looked_at if looked_at_of(seen) == MARKET and seen.private else ()
            assert sorted_cards((*cards_of(known), *own)) == hidden_cards(seen)
            assert [each.hand_size for each in known.seats] == [
                each.hand_size for each in seen.players
            ]


def cards_of(known: Memory) -> Iterator[Card]:
    """Yield all cards of a memory."""
    for each in known.seats:
        yield from (*each.hand, *each.own, *each.inside)
        yield from (card for card in each.deck if card is not None)
    for pool in known.pools:
        yield from pool.cards


def test_after_the_end_there_is_one_world() -> None:
    state = given(
        hands={0: "accordion stashing_vendor junk", 1: "junk acorn"}, stacks={0: 7}, market=EMPTY
    )
    moves = "start_stack", "add_to_stack accordion", "add_to_stack junk"
    final = when(state, *moves).state
    assert final.ending is not None
    assert sample_world(view(final, None), Memory(), LocalRng(0)) == final
