"""The acceptance scenarios of setup, rounds, dealing and picking."""

from collections import Counter
from itertools import chain

import pytest

from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.data import COLOURS, STARTING_SETS, VILLAGES, Card, Cards, Village
from howff.engine.games.troedler.events import (
    DealerCardRevealed,
    DiscardPileFormed,
    Event,
    RoundPileShuffled,
)
from howff.engine.games.troedler.state import Options, State
from howff.engine.play import Draft
from howff.engine.seats import Seat
from support.rng import LocalRng
from support.texts import kinds, of
from support.troedler import BySeat, Counts, cards, given, legal, texts, when, whole_deck

SEEDS = range(5)


def start(seats: int, options: Options, seed: int = 0) -> Draft[State, Event]:
    return GAME.start(options, seats, LocalRng(seed))


def cards_in_the_game(state: State) -> Cards:
    supply = state.supply
    hands = chain.from_iterable(player.hand for player in state.players)
    return (*supply.round_pile, *supply.discard_pile, *hands)


@pytest.mark.parametrize("seed", SEEDS)
def test_scenario_01_a_match_of_four_is_laid_out(seed: int) -> None:
    draft = start(4, Options(), seed)
    state = draft.state
    assert [len(player.hand) for player in state.players] == [3, 3, 3, 3]
    assert len(state.supply.round_pile) == 80
    assert len(state.supply.discard_pile) == 18
    assert Counter(each.startswith("req_") for each in state.supply.discard_pile)[True] == 9
    assert state.supply.discard_pile.count(Card("feed")) == 9
    assert {name: len(state.goods_in(name)) for name in VILLAGES} == {
        name: record.goods for name, record in VILLAGES.items()
    }
    assert sum(map(len, state.goods)) == 48
    found = {name: len(state.goods_in(Village(name))) for name in ("rothes", "dallas", "carron")}
    assert found == {"rothes": 2, "dallas": 6, "carron": 0}
    carts = {player.colour: player.cart for player in state.players}
    assert carts == {colour: STARTING_SETS[colour].village for colour in COLOURS}
    assert (state.stage, state.round) == ("forming", 1)


def test_scenario_01_the_setup_tells_its_events_in_order() -> None:
    assert kinds(start(4, Options()).events) == [
        "GameStarted",
        "StartVillagesAssigned",
        "GoodsPlaced",
        *("StartCardsTaken" for _ in range(4)),
        "DiscardPileFormed",
        "RoundPileShuffled",
        "StartingDealerChosen",
        "RoundStarted",
    ]


@pytest.mark.parametrize(("seats", "aside", "pile"), [(2, 7, 84), (3, 9, 80), (4, 9, 80)])
def test_scenario_02_piles_have_their_sizes(seats: int, aside: int, pile: int) -> None:
    events = start(seats, Options()).events
    (discards,) = of(events, DiscardPileFormed)
    assert (discards.size, discards.requests, discards.feed) == (2 * aside, aside, aside)
    assert discards.top == discards.order[-1]
    (round_pile,) = of(events, RoundPileShuffled)
    assert (round_pile.size, len(round_pile.order)) == (pile, pile)


@pytest.mark.parametrize("seed", SEEDS)
def test_scenario_02_a_match_of_two_is_laid_out(seed: int) -> None:
    state = start(2, Options(), seed).state
    assert [len(player.hand) for player in state.players] == [3, 3]
    assert (len(state.supply.round_pile), len(state.supply.discard_pile)) == (84, 14)
    in_the_game = cards_in_the_game(state)
    assert len(in_the_game) == 104
    starting = {card for each in STARTING_SETS.values() for card in each.cards if "req_" in card}
    assert len(starting - set(in_the_game)) == 2
    assert Counter(in_the_game) == Counter(whole_deck(each.colour for each in state.players))
    assert sum(map(len, state.goods)) == 48


@pytest.mark.parametrize(
    ("seats", "rest"),
    [
        (2, {"bridge": 11, "extra": 4, "requests": 19, "feed": 17}),
        (4, {"bridge": 11, "extra": 4, "requests": 17, "feed": 15}),
    ],
)
def test_scenario_02_the_round_pile_holds_what_is_left(seats: int, rest: dict[str, int]) -> None:
    pile = start(seats, Options()).state.supply.round_pile
    requests = sum(card.startswith("req_") for card in pile)
    found = {card: pile.count(Card(card)) for card in ("bridge", "extra", "feed")}
    assert found | {"requests": requests} == rest


def test_scenario_03_cards_are_dealt_in_layers() -> None:
    pile = whole_deck(COLOURS)[::-1][:80]
    state = given(stage="forming", round_pile=pile)
    assert legal(state) == ["reveal_card", "reveal_all"]
    state = when(state, *["reveal_card"] * 7).state
    assert state.supply.dealer_piles == (
        (pile[0], pile[5]),
        (pile[1], pile[6]),
        (pile[2],),
        (pile[3],),
        (pile[4],),
    )
    draft = when(state, "reveal_all")
    told = [
        f"DealerCardRevealed {at % 5} {at // 5 + 1} {card}" for at, card in enumerate(pile[:20])
    ]
    assert texts(draft.events) == [*told[7:], "DealerPilesFormed picking 1"]
    assert draft.state.supply.dealer_piles[0] == (pile[0], pile[5], pile[10], pile[15])
    assert [each[-1] for each in draft.state.supply.dealer_piles if each] == list(pile[15:20])
    assert len(draft.state.supply.round_pile) == 60


PILES = [
    ["bridge", "feed", "ferry", "extra"],
    ["moor_path", "feed", "ferry", "req_cup3"],
    ["bridge", "req_pot3", "ferry", "mountain_trail"],
    ["req_vase3", "feed", "ferry", "bridge"],
]


def test_scenarios_04_and_34_three_seats_pick() -> None:
    state = given(seats=3, dealer=1, active=2, stage="picking", dealer_piles=PILES)
    draft = when(state, "take_pile 3")
    assert texts(draft.events) == ["DealerPileTaken 2 3 0 bridge [req_vase3, feed, ferry, bridge]"]
    draft = when(draft.state, "take_pile 0")
    assert texts(draft.events) == ["DealerPileTaken 0 0 1 extra [bridge, feed, ferry, extra]"]
    assert legal(draft.state) == ["take_pile 1", "take_pile 2"]
    draft = when(draft.state, "take_pile 1")
    assert texts(draft.events) == [
        "DealerPileTaken 1 1 null req_cup3 [moor_path, feed, ferry, req_cup3]",
        "DealerPileDiscarded null 2 null mountain_trail [bridge, req_pot3, ferry, mountain_trail]",
        "TurnStarted 1",
    ]
    state = draft.state
    assert state.supply.discard_pile == tuple(PILES[2])
    assert [len(player.hand) for player in state.players] == [4, 4, 4]
    assert state.supply.dealer_piles == (None, None, None, None)
    assert (state.stage, state.active) == ("playing", 1)


def test_scenarios_05_and_34_two_seats_dump_and_pick() -> None:
    requests = [card for card in whole_deck(COLOURS[:2]) if card.startswith("req_")]
    state = given(
        seats=2,
        stage="forming",
        hands={0: {"moor_path": 1, "feed": 2}, 1: {"bridge": 1, "feed": 2}},
        discard_pile=[*requests[-7:], *["feed"] * 7],
        round_pile=[*PILES[0], *PILES[1], *PILES[2]],
    )
    draft = when(state, "reveal_all")
    assert texts(draft.events)[-1] == "DealerPilesFormed dumping 0"
    assert draft.state.supply.dealer_piles[0] == ("bridge", "extra", "ferry", "req_pot3")
    assert legal(draft.state) == ["discard_pile 0", "discard_pile 1", "discard_pile 2"]
    draft = when(draft.state, "discard_pile 2")
    assert texts(draft.events) == [
        "DealerPileDiscarded 0 2 1 mountain_trail [ferry, feed, bridge, mountain_trail]"
    ]
    assert len(draft.state.supply.discard_pile) == 18
    assert draft.state.supply.discard_pile[-1] == "mountain_trail"
    assert (draft.state.stage, draft.state.active) == ("picking", 1)
    assert legal(draft.state) == ["take_pile 0", "take_pile 1"]
    draft = when(draft.state, "take_pile 0")
    assert texts(draft.events) == [
        "DealerPileTaken 1 0 0 req_pot3 [bridge, extra, ferry, req_pot3]",
        "DealerPileTaken 0 1 null ferry [feed, moor_path, req_cup3, ferry]",
        "TurnStarted 0",
    ]
    assert [len(player.hand) for player in draft.state.players] == [7, 7]
    assert len(draft.state.supply.discard_pile) == 18


def test_scenario_20_the_discard_pile_is_shuffled_at_a_rounds_start() -> None:
    hands, value_piles, rest = dealt_out(requests_each=1, feed=5)
    state = given(
        dealer=3,
        active=2,
        round=4,
        hands=hands,
        value_piles=value_piles,
        discard_pile=rest,
        round_pile=(),
    )
    assert len(rest) == 85
    draft = when(state, "end_turn")
    assert kinds(draft.events) == [
        "PlayedCardsStored",
        "TurnEnded",
        "RoundEnded",
        "HorsePassed",
        "RoundStarted",
        "DiscardPileReshuffled",
    ]
    assert texts(draft.events)[1:5] == [
        "TurnEnded 2",
        "RoundEnded 4",
        "HorsePassed 3 0",
        "RoundStarted 5 0",
    ]
    assert reshuffled(draft) == (85, Counter(rest))
    assert len(draft.state.supply.round_pile) == 85
    assert draft.state.supply.discard_pile == ()
    assert (draft.state.stage, draft.state.active) == ("forming", 0)


def test_scenario_21_the_discard_pile_is_shuffled_in_the_middle_of_dealing() -> None:
    hands, value_piles, rest = dealt_out(requests_each=4, feed=9)
    state = given(
        dealer=3,
        active=2,
        round=8,
        hands=hands,
        value_piles=value_piles,
        discard_pile=rest[5:],
        round_pile=rest[:5],
    )
    draft = when(state, "end_turn")
    assert texts(draft.events)[-1] == "RoundStarted 9 0"
    state = when(draft.state, *["reveal_card"] * 5).state
    assert state.supply.round_pile == ()
    assert len(state.supply.discard_pile) == 64
    draft = when(state, "reveal_card")
    assert kinds(draft.events) == ["DiscardPileReshuffled", "DealerCardRevealed"]
    assert reshuffled(draft) == (64, Counter(rest[5:]))
    (revealed,) = of(draft.events, DealerCardRevealed)
    assert (revealed.pile, revealed.layer) == (0, 2)
    assert len(draft.state.supply.round_pile) == 63
    assert draft.state.supply.discard_pile == ()
    assert len(when(draft.state, "reveal_all").state.supply.round_pile) == 49


def dealt_out(requests_each: int, feed: int) -> tuple[BySeat, BySeat, Cards]:
    """Return four hands of four, value piles, and what is left of the cards of the game."""
    hand: Counts = {"bridge": 1, "ferry": 1, "moor_path": 1, "mountain_trail": 1}
    requests = [card for card in whole_deck(COLOURS) if card.startswith("req_")]
    value_piles: dict[int, dict[str, int]] = {
        seat: dict.fromkeys(requests[seat * requests_each :][:requests_each], 1)
        for seat in range(4)
    }
    value_piles[0]["feed"] = feed
    taken = Counter[str]()
    for counts in (*[hand] * 4, *value_piles.values()):
        taken.update(cards(counts))
    rest = Counter[str](whole_deck(COLOURS)) - taken
    return dict.fromkeys(range(4), hand), value_piles, tuple(map(Card, rest.elements()))


def reshuffled(draft: Draft[State, Event]) -> tuple[int, Counter[Card]]:
    """Return the told size of the one reshuffle, and the cards that came to lie face down."""
    (told,) = [each for each in texts(draft.events) if each.startswith("DiscardPileReshuffled")]
    _, size, order = told.split(" ", 2)
    return int(size), Counter(map(Card, order.strip("[]").split(", ")))


def test_scenario_22_all_seats_still_play_when_one_has_enough_requests() -> None:
    state = given(
        active=1,
        carts={1: "carron"},
        hands={1: {"req_cup2": 1}},
        collections={1: {"cup": 2}},
        value_piles={1: {"req_cup3": 1, "req_pot3": 1, "req_pot2": 1, "req_vase2": 1}},
    )
    draft = when(state, "fulfil_request req_cup2", "end_turn")
    assert kinds(draft.events) == ["PlayedCardsStored", "TurnEnded", "TurnStarted"]
    assert (draft.state.stage, draft.state.active) == ("playing", 2)
    assert GAME.outcome(draft.state) is None
    draft = when(draft.state, "end_turn")
    assert draft.state.active == 3
    draft = when(draft.state, "end_turn")
    assert kinds(draft.events) == ["PlayedCardsStored", "TurnEnded", "RoundEnded", "GameEnded"]
    assert draft.state.stage == "finished"
    assert draft.state.active is None
    assert GAME.to_act(draft.state) == ()
    assert GAME.legal_moves(draft.state, Seat(0)) == ()


def test_scenario_22_the_dealers_last_request_leaves_the_others_their_turns() -> None:
    piles = {"req_cup3": 1, "req_pot3": 1, "req_pot2": 1, "req_vase2": 1, "req_cup2": 1}
    state = given(active=0, value_piles={0: piles})
    for seat in range(1, 4):
        state = when(state, "end_turn").state
        assert (state.stage, state.active) == ("playing", seat)
    assert kinds(when(state, "end_turn").events)[-2:] == ["RoundEnded", "GameEnded"]


@pytest.mark.parametrize(
    ("seats", "requests", "ends"),
    [(2, 6, False), (2, 7, True), (3, 5, False), (3, 6, True), (4, 4, False), (4, 5, True)],
)
def test_scenario_22_each_number_of_seats_has_its_end(
    seats: int, requests: int, *, ends: bool
) -> None:
    found = [card for card in whole_deck(COLOURS[:seats]) if card.startswith("req_")]
    pile: Counts = dict.fromkeys(found[:requests], 1)
    draft = when(given(seats=seats, active=seats - 1, value_piles={0: pile}), "end_turn")
    assert ("GameEnded" in kinds(draft.events)) == ends
    assert ("HorsePassed" in kinds(draft.events)) != ends


@pytest.mark.parametrize("seed", SEEDS)
def test_scenario_35_the_engine_deals_by_itself(seed: int) -> None:
    draft = start(4, Options(starting_dealer=Seat(3), dealing="auto"), seed)
    assert kinds(draft.events)[-22:] == [
        "RoundStarted",
        *["DealerCardRevealed"] * 20,
        "DealerPilesFormed",
    ]
    assert texts(draft.events)[-1] == "DealerPilesFormed picking 0"
    assert len(draft.state.supply.round_pile) == 60
    assert (draft.state.stage, draft.state.active) == ("picking", 0)


def test_scenario_35_later_rounds_are_dealt_in_the_batch_that_ends_a_round() -> None:
    draft = when(given(active=3, options=Options(dealing="auto")), "end_turn")
    assert kinds(draft.events) == [
        "PlayedCardsStored",
        "TurnEnded",
        "RoundEnded",
        "HorsePassed",
        "RoundStarted",
        *["DealerCardRevealed"] * 20,
        "DealerPilesFormed",
    ]
    assert (draft.state.stage, draft.state.active) == ("picking", 2)


def test_scenario_35_two_seats_that_do_not_deal_begin_with_dumping() -> None:
    draft = start(2, Options(starting_dealer=Seat(1), dealing="auto"))
    assert texts(draft.events)[-1] == "DealerPilesFormed dumping 1"
    assert (draft.state.stage, draft.state.active) == ("dumping", 1)


def test_scenario_36_a_round_limit_ends_the_match() -> None:
    state = given(seats=3, active=2, options=Options(round_limit=1))
    draft = when(state, "end_turn")
    assert kinds(draft.events) == ["PlayedCardsStored", "TurnEnded", "RoundEnded", "GameEnded"]
    assert texts(draft.events)[2] == "RoundEnded 1"
    assert texts(draft.events)[3].startswith("GameEnded round_limit ")


def test_scenario_36_the_match_goes_on_below_the_round_limit() -> None:
    options = Options(round_limit=2)
    first = when(given(seats=3, active=2, options=options), "end_turn")
    assert kinds(first.events)[-2:] == ["HorsePassed", "RoundStarted"]
    second = when(given(seats=3, round=2, dealer=1, active=0, options=options), "end_turn")
    assert texts(second.events)[-2] == "RoundEnded 2"
    assert texts(second.events)[-1].startswith("GameEnded round_limit ")


def test_scenario_36_requests_are_the_reason_even_in_the_last_round() -> None:
    six = ("cup3", "pot3", "vase3", "cup2", "pot2", "vase2")
    pile: Counts = {f"req_{each}": 1 for each in six}
    state = given(seats=3, active=2, options=Options(round_limit=1), value_piles={1: pile})
    assert texts(when(state, "end_turn").events)[-1].startswith("GameEnded requests ")
