"""The acceptance scenarios of the bard and of acquiring estates."""

import pytest

from howff.engine.errors import IllegalMoveError
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.events import CardsDiscarded, CardsDrawn
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import told
from support.highland_clans import (
    Fate,
    bag,
    board,
    cards_drawn,
    given,
    in_front,
    legal,
    texts,
    when,
)
from support.playouts import told_live
from support.texts import of

BARD = given(
    boards={0: "hand [1, 2, 3, 4]", 2: "W5 P1 M1 | hand [1, 1, 2, 3, 4]"}, drawn="Y1 B2 G2 R1"
)
POOR = "W3 P0 M0"
"""A court of which a bard takes nothing."""


def test_scenario_10_a_bard_follows_no_other_action() -> None:
    state = when(given(drawn="Y2 B3 G1"), "recruit_warrior").state
    assert in_front(state) == "Y1 B3 G1"
    assert legal(state, "play_bard") == []


def test_scenario_10_nothing_follows_a_bard() -> None:
    draft = when(given(drawn="Y2 B3 G1"), "play_bard 1 [blue] null")
    assert texts(draft.events) == ["BardPlayed 0 1 [blue] null", "ActionsEnded 0 {Y2 B2 G1}"]
    assert draft.state.stage == "raid_or_exchange"


def test_scenario_11_a_bard_takes_two_cubes_and_keeps_one() -> None:
    assert bag(BARD) == "Y7 B16 G17 R5"
    fate = Fate(cards_drawn(3, of=BARD.deck))
    draft = when(BARD, "play_bard 2 [yellow, green] yellow", rng=fate)
    assert texts(draft.events) == [
        "BardPlayed 0 2 [yellow, green] yellow",
        "CardsDrawn 0 bard 1 [3]",
        "DiscardRequired 2 1 hand_limit",
    ]
    state = draft.state
    assert bag(state) == "Y7 B17 G18 R5"
    assert board(state, 0) == "W5 P2 M0 | E2: cattle 1 | hand [1, 2, 3, 3, 4] | score 5"
    assert board(state, 2) == "W4 P1 M0 | E2: cattle 1 | hand [1, 1, 2, 3, 4] | score 5"
    assert (state.stage, GAME.to_act(state)) == ("hand_limit", (2,))
    assert legal(state) == [f"discard_cards [{value}]" for value in (1, 2, 3, 4)]
    draft = when(state, "discard_cards [1]")
    assert texts(draft.events) == [
        "CardsDiscarded 2 hand_limit 1 [1]",
        "ActionsEnded 0 {Y1 B1 G2 R1}",
    ]
    assert bag(draft.state) == "Y8 B18 G20 R6"
    assert (draft.state.stage, GAME.to_act(draft.state)) == ("raid_or_exchange", (0,))
    assert [len(player.hand) for player in draft.state.players] == [5, 4, 4, 4]
    assert draft.state.discard_pile == (1,)


@pytest.mark.parametrize("viewer", [None, *map(Seat, range(4))])
def test_scenario_11_other_seats_see_counts_only(viewer: Viewer) -> None:
    draft = when(BARD, "play_bard 2 [yellow, green] yellow")
    (drawn,) = of(told_live(tuple(draft.events), viewer), CardsDrawn)
    draft = when(draft.state, "discard_cards [1]")
    (discarded,) = of(told_live(tuple(draft.events), viewer), CardsDiscarded)
    assert (drawn.count, discarded.count) == (1, 1)
    assert (told(drawn.cards) is not None) == (viewer == 0)
    assert told(discarded.cards) == ((1,) if viewer == 2 else None)
    view = GAME.view(draft.state, viewer)
    assert [player.hand_size for player in view.players] == [5, 4, 4, 4]


def test_scenario_12_three_warriors_stay() -> None:
    boards = {1: "W3 P1 M0", 2: POOR, 3: POOR}
    state = given(boards=boards, drawn="Y2 B2 G1 R1")
    assert legal(state, "play_bard") == ["play_bard 1 [blue] null"]


def test_scenario_12_without_anything_to_take_there_is_no_bard() -> None:
    state = given(boards=dict.fromkeys((1, 2), POOR), drawn="Y2 B2 G1 R1")
    assert {each.split()[1] for each in legal(state, "play_bard")} == {"3"}
    state = given(boards=dict.fromkeys((1, 2, 3), POOR), drawn="Y2 B2 G1 R1")
    assert legal(state, "play_bard") == []


def test_scenario_13_a_single_cube_goes_into_the_bag() -> None:
    state = given(drawn="Y2 B2 G1 R1")
    with pytest.raises(IllegalMoveError):
        when(state, "play_bard 1 [blue] blue")
    blue = state.bag.blue
    draft = when(state, "play_bard 1 [blue] null")
    # The bard itself, the bagpiper taken, and the drawn cube that was left.
    assert draft.state.bag.blue == blue + 3
    assert draft.state.players[1].board.bagpipers == 1
    assert draft.state.players[0].board.bagpipers == 2


def test_scenario_14_an_estate_is_paid_wholly_from_the_court() -> None:
    state = given(
        boards={1: "W5 P2 M3 | E2: cattle 1, castle 1 | hand [1, 2, 2, 3, 4]"},
        active=1,
        drawn="Y1 B2 G3",
    )
    assert bag(state) == "Y7 B13 G14 R6"
    draft = when(state, "acquire_estate green true 2")
    assert texts(draft.events) == [
        "EstateAcquired 1 {} {Y1 G2}",
        "DiscardRequired 1 1 hand_limit",
    ]
    assert board(draft.state, 1) == (
        "W4 P2 M1 | E3: cattle 1, castle 1 | hand [1, 2, 2, 3, 4] | score 5"
    )
    assert bag(draft.state) == "Y8 B13 G16 R6"
    assert draft.state.supply == state.supply - 1
    assert draft.state.turn is not None
    assert draft.state.turn.used == 0
    assert GAME.to_act(draft.state) == (1,)
    state = when(draft.state, "discard_cards [1]").state
    assert state.players[1].hand == (2, 2, 3, 4)
    assert state.stage == "actions"
    draft = when(state, "build_monastery")
    assert texts(draft.events) == ["MonasteryBuilt 1", "ActionsEnded 1 {Y1 B2}"]
    assert bag(draft.state) == "Y9 B15 G16 R6"
    assert board(draft.state, 1) == (
        "W4 P2 M1 | E3: cattle 1, castle 1, monastery 1 | hand [2, 2, 3, 4] | score 5"
    )
    assert draft.state.stage == "raid_or_exchange"


def test_scenario_15_three_warriors_do_not_pay() -> None:
    state = given(boards={0: "W3"}, drawn="B3 G2 R1")
    assert legal(state, "acquire_estate") == []
    state = given(boards={0: "W3"}, drawn="Y1 B4 R1")
    assert legal(state, "acquire_estate") == ["acquire_estate red false 0"]


def test_scenario_16_six_estates_are_the_most() -> None:
    drawn = "Y2 B1 G2 R1"
    assert legal(given(boards={0: "M2 | E5"}, drawn=drawn), "acquire_estate")
    assert legal(given(boards={0: "M2 | E6"}, drawn=drawn), "acquire_estate") == []


def test_scenario_16_an_empty_supply_gives_no_estate() -> None:
    drawn = "Y2 B1 G2 R1"
    assert legal(given(boards={0: "M2"}, drawn=drawn, supply=1), "acquire_estate")
    assert legal(given(boards={0: "M2"}, drawn=drawn, supply=0), "acquire_estate") == []


def test_scenario_17_buildings_need_free_estates() -> None:
    state = given(boards={0: "E2: cattle 1, castle 1"}, drawn="Y1 B2 R3")
    assert legal(state, "place_cattle", "build_castle") == []
    state = when(state, "acquire_estate red false 0").state
    assert legal(state, "place_cattle", "build_castle") == ["place_cattle", "build_castle"]
    draft = when(state, "build_castle")
    assert draft.state.turn is not None
    assert draft.state.turn.used == 4
    assert board(draft.state, 0).startswith("W4 P2 M0 | E3: cattle 1, castle 2 |")


def test_an_estate_offers_all_eight_payments_in_order() -> None:
    state = given(boards={0: "M2"}, drawn="Y1 B2 G2 R1")
    assert legal(state, "acquire_estate") == [
        "acquire_estate red false 0",
        "acquire_estate red true 0",
        "acquire_estate green false 0",
        "acquire_estate green false 1",
        "acquire_estate green false 2",
        "acquire_estate green true 0",
        "acquire_estate green true 1",
        "acquire_estate green true 2",
    ]


@pytest.mark.parametrize(
    ("text", "drawn", "court", "used"),
    [
        ("red false 0", "Y1 R1", "", 2),
        ("red true 0", "R1", "Y1", 1),
        ("green false 0", "Y1 G2", "", 3),
        ("green false 1", "Y1 G1", "G1", 2),
        ("green false 2", "Y1", "G2", 1),
        ("green true 0", "G2", "Y1", 2),
        ("green true 1", "G1", "Y1 G1", 1),
        ("green true 2", "", "Y1 G2", 0),
    ],
)
def test_what_pays_for_an_estate_goes_into_the_bag(
    text: str, drawn: str, court: str, used: int
) -> None:
    state = given(boards={0: "W4 M2"}, drawn="Y1 B2 G2 R1")
    draft = when(state, f"acquire_estate {text}")
    assert texts(draft.events)[0] == f"EstateAcquired 0 {{{drawn}}} {{{court}}}"
    assert draft.state.turn is not None
    assert draft.state.turn.used == used
    gained = 3 if text.startswith("green") else 2
    assert draft.state.bag.total == state.bag.total + gained
    assert ("hand_limit" in draft.state.stage) == ("true" in text)


def test_a_bard_offers_twelve_choices_a_target() -> None:
    boards = {1: "W4 P1 M1", 2: POOR, 3: POOR}
    state = given(boards=boards, drawn="Y2 B2 G1 R1")
    assert legal(state, "play_bard") == [
        f"play_bard 1 {choice}"
        for choice in (
            "[yellow] null",
            "[yellow, blue] null",
            "[yellow, blue] yellow",
            "[yellow, blue] blue",
            "[yellow, green] null",
            "[yellow, green] yellow",
            "[yellow, green] green",
            "[blue] null",
            "[blue, green] null",
            "[blue, green] blue",
            "[blue, green] green",
            "[green] null",
        )
    ]
