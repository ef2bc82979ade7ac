"""Sampled worlds are drawn evenly: compared with all deals, counted one by one."""

from collections import Counter
from collections.abc import Callable
from itertools import permutations
from math import sqrt

from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import ALL_CARDS, Card, Cards, Clan
from howff.engine.games.highland_clans.memory import Memory
from howff.engine.games.highland_clans.state import (
    Board,
    Commitment,
    Debt,
    Options,
    Player,
    RunningRaid,
    State,
    Turn,
)
from howff.engine.multisets import without_all
from howff.engine.seats import Seat
from support.rng import LocalRng

DRAWS = 5_000
Deal = tuple[Cards, ...]
"""What lies in each place, sorted."""
CLANS: tuple[Clan, ...] = ("campbell", "macdonald", "macgregor")
TURN = Turn(Seat(1), position=2, action_limit=2, may_redraw=False)


def cards(text: str) -> Cards:
    return tuple(Card(int(value)) for value in text.split())


def position(hands: tuple[str, str, str], deck: str, unseen: str, **parts: object) -> State:
    """Return a state in which all other cards lie in the discard pile, with those *unseen*."""
    held = tuple(map(cards, hands))
    elsewhere = (*(card for hand in held for card in hand), *cards(deck))
    raid = parts.get("raid")
    if isinstance(raid, RunningRaid):
        elsewhere = (*elsewhere, *(each.value for each in raid.commitments))
    players = tuple(
        Player(clan, Board(warriors=4), hand) for clan, hand in zip(CLANS, held, strict=True)
    )
    assert set(cards(unseen)) <= set(ALL_CARDS)
    state = State(
        Options(),
        3,
        stage="raid_or_exchange",
        round=2,
        start_seat=Seat(0),
        turn=TURN,
        players=players,
        deck=cards(deck),
        discard_pile=without_all(ALL_CARDS, elsewhere),
    )
    return State(**(vars(state) | parts))


def remembered(state: State, unseen: str) -> Memory:
    """Return the memory of who has seen all of the discard pile but the *unseen* cards."""
    return Memory(discard_pile=without_all(state.discard_pile, cards(unseen)))


def assert_even(
    state: State, memory: Memory, unknown: str, deal_of: Callable[[Cards], Deal]
) -> None:
    """Fail unless each deal of the *unknown* cards comes about as often as it should.

    *deal_of* lays the cards of an order into the places. Five standard deviations are allowed.
    """
    ways = Counter(map(deal_of, permutations(cards(unknown))))
    view, rng = GAME.view(state, Seat(0)), LocalRng(1)
    drawn = Counter(places(GAME.sample_world(view, memory, rng), memory) for _ in range(DRAWS))
    assert drawn.keys() == ways.keys()
    for deal, count in ways.items():
        share = count / ways.total()
        assert abs(drawn[deal] - DRAWS * share) < 5 * sqrt(DRAWS * share * (1 - share)), deal


def places(world: State, memory: Memory) -> Deal:
    """Return what lies in the places that seat 0 can't see."""
    committed = () if world.raid is None else world.raid.commitments
    return (
        *(player.hand for player in world.players[1:]),
        *(player.fresh for player in world.players[1:] if player.fresh),
        *((each.value,) for each in committed),
        without_all(world.deck, memory.deck),
        without_all(world.discard_pile, memory.discard_pile),
    )


def ordered(*piles: Cards) -> Deal:
    return tuple(tuple(sorted(pile)) for pile in piles)


def test_hands_deck_and_unseen_discards_are_dealt_evenly() -> None:
    state = position(("1 3", "4", "1 2"), deck="2 3", unseen="4")
    assert_even(
        state,
        remembered(state, "4"),
        "1 2 2 3 4 4",
        lambda order: ordered(order[:1], order[1:3], order[3:5], order[5:]),
    )


def test_what_is_known_of_the_deck_is_not_dealt() -> None:
    state = position(("1 3", "4", "1 2"), deck="1 2 2 3 3", unseen="4")
    pile = remembered(state, "4").discard_pile
    assert_even(
        state,
        Memory(discard_pile=pile, deck=cards("1 2 3")),
        "1 2 2 3 4 4",
        lambda order: ordered(order[:1], order[1:3], order[3:5], order[5:]),
    )


def test_a_committed_card_is_any_of_the_unknown() -> None:
    raid = RunningRaid(Seat(1), Seat(0), (), (Commitment(Card(4), bagpiper=True),))
    state = position(("1 3", "4", "1"), deck="2 3", unseen="", raid=raid, stage="defender_commit")
    assert_even(
        state,
        remembered(state, ""),
        "1 2 3 4 4",
        lambda order: ordered(order[:1], order[1:2], order[2:3], order[3:], ()),
    )


def test_the_cards_just_drawn_are_any_of_a_hand() -> None:
    state = position(
        ("1 3", "1 2 2 4 4 4", "1"),
        deck="",
        unseen="",
        options=Options(edition="dutch"),
        stage="refresh",
        raid=RunningRaid(Seat(1), Seat(2)),
        owed=(Debt(Seat(1), 2, "raid"),),
    )
    assert_even(
        state,
        remembered(state, ""),
        "1 1 2 2 4 4 4",
        lambda order: ordered(order[:6], order[6:], order[:5], (), ()),
    )
