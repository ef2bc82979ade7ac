"""The rulings on what the rulebook leaves open, as far as no scenario shows them."""

from collections import Counter

import pytest

from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.data import FIGURES, STARTING_SETS
from howff.engine.games.troedler.events import (
    DealerPileTaken,
    DiscardPileFormed,
    GameEnded,
    StartVillagesAssigned,
)
from howff.engine.games.troedler.state import Options
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import told as visible
from support.rng import LocalRng
from support.seals import redacted
from support.texts import kinds, of
from support.troedler import collection, given, hand, legal, texts, value_pile, village, when


def test_ruling_01_starting_cards_are_ordinary_cards() -> None:
    red = dict.fromkeys(STARTING_SETS["red"].cards, 1)
    state = given(hands={0: red | {"extra": 2}}, goods={"archiestown": {"cup": 1}})
    state = when(state, "play_route moor_path archiestown", "leave_goods", "end_turn").state
    assert state.supply.discard_pile == ("moor_path",)
    state = given(hands={0: red | {"extra": 2}})
    draft = when(state, "end_turn", "discard_card req_anvil_chair")
    assert draft.state.supply.discard_pile == ("req_anvil_chair",)


def test_ruling_02_colours_are_as_named_or_drawn() -> None:
    def colours(options: Options, seed: int) -> tuple[str, ...]:
        (assigned,) = of(GAME.start(options, 2, LocalRng(seed)).events, StartVillagesAssigned)
        return tuple(each.colour for each in assigned.villages)

    drawn = Counter(colours(Options(), seed) for seed in range(240))
    assert len(drawn) == 12
    named = GAME.read_options({"colours": ["yellow", "blue"]})
    assert {colours(named, seed) for seed in range(5)} == {("yellow", "blue")}


def test_ruling_03_the_first_discard_pile_is_shuffled() -> None:
    tops = Counter[str]()
    requests = Counter[str]()
    for seed in range(100):
        (formed,) = of(GAME.start(Options(), 4, LocalRng(seed)).events, DiscardPileFormed)
        tops[formed.top] += 1
        requests.update(each for each in formed.order if each != "feed")
    assert 30 < tops["feed"] < 70
    assert len(requests) == 26


def test_ruling_08_a_pile_used_up_by_the_last_card_waits_for_the_next_round() -> None:
    piles = ["bridge"] * 11 + ["ferry"] * 9
    state = given(stage="forming", round_pile=piles, discard_pile=["feed"] * 9)
    draft = when(state, "reveal_all")
    assert kinds(draft.events)[-1] == "DealerPilesFormed"
    assert draft.state.supply.round_pile == ()
    assert draft.state.supply.discard_pile == ("feed",) * 9
    state = draft.state
    while state.round == 1:
        draft = when(state, legal(state)[0] if state.stage != "playing" else "end_turn")
        state = draft.state
    assert kinds(draft.events)[-2:] == ["RoundStarted", "DiscardPileReshuffled"]
    # The nine, the pile that was left over and what was over the hand limit (none was).
    assert Counter(state.supply.round_pile).total() == 9 + 4


def test_ruling_08_what_was_dealt_before_the_shuffle_stays() -> None:
    state = given(stage="forming", round_pile=["extra", "extra"], discard_pile=["feed"] * 20)
    state = when(state, "reveal_card", "reveal_card", "reveal_card").state
    assert state.supply.dealer_piles == (("extra",), ("extra",), ("feed",), (), ())


def test_ruling_09_no_card_is_played_without_effect() -> None:
    routes = {"mountain_trail": 1, "extra": 1, "feed": 1, "req_cup2": 1}
    state = given(carts={0: "advie"}, hands={0: routes})
    assert legal(state, "play_route", "play_extra", "feed_take", "fulfil_request") == []
    assert legal(state, "feed_substitute") == []


def test_ruling_10_the_take_is_decided_before_any_other_card() -> None:
    state = given(
        carts={0: "aberlour"},
        hands={0: {"ferry": 2, "extra": 1, "feed": 1}},
        goods={"carron": {"cup": 1}},
    )
    state = when(state, "play_route ferry carron").state
    assert legal(state) == ["take_good cup", "leave_goods"]
    state = when(state, "leave_goods").state
    assert legal(state, "take_good") == []


def test_ruling_11_several_feed_serve_one_request() -> None:
    state = given(
        carts={0: "carron"}, hands={0: {"feed": 3, "req_cup3": 1}}, collections={0: {"pot": 3}}
    )
    state = when(state, *["feed_substitute req_cup3 cup pot"] * 3, "complete_delivery").state
    assert village(state, "carron") == {"pot": 3}
    state = when(state, "end_turn").state
    assert value_pile(state) == {"feed": 3, "req_cup3": 1}


def test_ruling_12_feed_may_replace_a_good_that_one_has() -> None:
    state = given(
        carts={0: "carron"},
        hands={0: {"feed": 1, "req_cup2": 1}},
        collections={0: {"cup": 2, "pot": 1}},
    )
    assert legal(state, "fulfil_request") == ["fulfil_request req_cup2"]
    state = when(state, "feed_substitute req_cup2 cup pot", "complete_delivery").state
    assert collection(state) == {"cup": 1}


def test_ruling_14_leaving_and_coming_back_allows_no_second_request() -> None:
    state = given(
        carts={0: "carron"},
        hands={0: {"bridge": 2, "req_cup2": 1, "req_chair_pot": 1, "feed": 1}},
        collections={0: {"cup": 2, "pot": 1, "chair": 1}},
    )
    state = when(state, "fulfil_request req_cup2", "feed_take cup").state
    state = when(state, "play_route bridge macallan").state
    assert legal(state, "fulfil_request") == ["fulfil_request req_chair_pot"]
    state = when(state, "play_route bridge carron", "take_good cup").state
    assert village(state, "carron") == {}
    assert legal(state) == ["end_turn"]


def test_ruling_15_goods_are_taken_only_where_the_cart_is() -> None:
    state = given(
        carts={0: "carron", 1: "rothes"},
        hands={0: {"extra": 1, "feed": 1}},
        goods={"carron": {"cup": 1, "vase": 1}, "rothes": {"pot": 1}, "macallan": {"bottle": 1}},
    )
    assert legal(state, "play_extra", "feed_take") == [
        "play_extra cup",
        "play_extra vase",
        "feed_take cup",
        "feed_take vase",
    ]


def test_ruling_16_extra_goods_need_no_arrival() -> None:
    state = given(
        carts={0: "carron"},
        hands={0: {"extra": 2, "bridge": 1}},
        goods={"carron": {"cup": 1}, "macallan": {"pot": 2}},
    )
    state = when(state, "play_extra cup", "play_route bridge macallan", "leave_goods").state
    assert collection(when(state, "play_extra pot").state) == {"cup": 1, "pot": 1}


def test_ruling_17_feed_that_nobody_took_is_discarded() -> None:
    piles = [["feed"] * 4, ["bridge"] * 4, ["ferry"] * 4, ["moor_path"] * 4]
    state = given(seats=3, stage="picking", active=1, dealer_piles=piles)
    state = when(state, "take_pile 1", "take_pile 2", "take_pile 3").state
    assert state.supply.discard_pile == ("feed",) * 4


@pytest.mark.parametrize(
    ("before", "codes"),
    [
        ({"feed": 3, "bridge": 1, "ferry": 1}, ["bridge", "ferry"]),
        ({"feed": 4}, None),
        ({"feed": 4, "bridge": 1}, None),
        ({"feed": 8}, None),
    ],
)
def test_ruling_18_feed_is_stored_only_over_four(
    before: dict[str, int], codes: list[str] | None
) -> None:
    draft = when(given(hands={0: before}), "end_turn")
    surplus = max(0, before["feed"] - 4)
    assert value_pile(draft.state) == ({"feed": surplus} if surplus else {})
    if codes is None:
        assert hand(draft.state) == {"feed": 4}
        assert draft.state.active == 1
    else:
        assert legal(draft.state) == [f"discard_card {code}" for code in codes]


def test_ruling_19_the_hand_limit_waits_for_the_end_of_the_own_turn() -> None:
    full = {"bridge": 4, "ferry": 4}
    state = given(hands={0: full, 1: full})
    assert legal(state, "discard_card") == []
    state = when(state, "end_turn", *["discard_card bridge"] * 4).state
    assert state.active == 1
    assert hand(state, 1) == full


def test_ruling_20_equal_damage_ruins_nobody() -> None:
    options = Options(round_limit=1)
    feed = {0: {"feed": 5}, 1: {"feed": 5}}
    draft = when(given(seats=2, active=1, options=options, value_piles=feed), "end_turn")
    (ended,) = of(draft.events, GameEnded)
    assert [(each.total_damage, each.rank) for each in ended.scores] == [(False, 1), (False, 1)]


@pytest.mark.parametrize("seats", [3, 4])
def test_rulings_21_and_22_one_damage_more_is_total(seats: int) -> None:
    options = Options(round_limit=1)
    state = given(
        seats=seats,
        active=seats - 1,
        options=options,
        collections={1: {"cup": 1}},
        value_piles={1: {"req_cup3": 1}},
    )
    (ended,) = of(when(state, "end_turn").events, GameEnded)
    assert [each.total_damage for each in ended.scores] == [seat == 1 for seat in range(seats)]
    assert [each.rank for each in ended.scores] == [1, seats, 1, 1][:seats]


def test_ruling_15_a_good_just_delivered_may_be_taken_with_feed() -> None:
    state = given(
        carts={0: "carron"}, hands={0: {"feed": 1, "req_cup2": 1}}, collections={0: {"cup": 2}}
    )
    state = when(state, "fulfil_request req_cup2", "feed_take cup").state
    assert collection(state) == {"cup": 1}


def test_ruling_24_a_delivery_needs_no_arrival() -> None:
    state = given(hands={0: {"req_cup2": 1}}, collections={0: {"cup": 2}})
    assert legal(state) == ["fulfil_request req_cup2", "end_turn"]


def test_ruling_26_the_requests_cannot_run_out() -> None:
    for seats, figures in FIGURES.items():
        assert 26 + seats > seats * (figures.end_requests - 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ruling_27_a_turn_without_a_card_is_a_turn(seats: int) -> None:
    draft = when(given(seats=seats), "end_turn")
    assert texts(draft.events) == ["PlayedCardsStored 0 0 0 [] []", "TurnEnded 0", "TurnStarted 1"]


def test_ruling_28_feed_as_a_route_gives_a_take() -> None:
    state = given(carts={0: "carron"}, hands={0: {"feed": 1}}, goods={"macallan": {"pot": 1}})
    draft = when(state, "feed_route macallan")
    assert draft.state.stage == "arriving"
    assert collection(when(draft.state, "take_good pot").state) == {"pot": 1}


@pytest.mark.parametrize("viewer", [None, *map(Seat, range(4))])
def test_rulings_23_and_29_a_taken_pile_shows_its_top_alone(viewer: Viewer) -> None:
    draft = when(given(stage="forming"), "reveal_all", "take_pile 2")
    (taken,) = of(draft.events, DealerPileTaken)
    told = redacted(taken, viewer, told_live=True)
    assert told.top == taken.top
    assert visible(told.cards) == (taken.cards if viewer == 1 else None)
    later = redacted(taken, viewer, told_live=False)
    assert visible(later.top) is None
    assert later.cards == told.cards


def test_ruling_06_the_view_tells_no_size_that_gives_a_value_pile_away() -> None:
    bridges = ["bridge"] * 8
    rich = given(
        value_piles={1: {"feed": 5, "req_cup3": 1}},
        discard_pile=["ferry", "extra"],
        round_pile=bridges,
    )
    poor = given(discard_pile=["moor_path"] * 6 + ["ferry", "extra"], round_pile=bridges)
    for viewer in (None, Seat(0), Seat(2)):
        assert GAME.view(rich, viewer) == GAME.view(poor, viewer)
    assert GAME.view(rich, Seat(1)) != GAME.view(poor, Seat(1))
