"""The rulings on what the rulebook leaves open, as far as no scenario shows them."""

import pytest

from howff.engine.errors import IllegalMoveError
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.events import CardsDiscarded, RoundScored
from howff.engine.games.highland_clans.state import State
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import told
from support.highland_clans import (
    QUIET,
    Fate,
    bag,
    board,
    cards_drawn,
    cubes,
    given,
    in_front,
    legal,
    number_drawn,
    texts,
    when,
)
from support.playouts import told_live
from support.texts import kinds, of

EVERYBODY: tuple[Viewer, ...] = (None, *map(Seat, range(4)))


def refreshed(state: State) -> State:
    """Return the state after both have discarded what comes first."""
    return when(
        state, *(f"{seat}: {legal(state, seat=seat)[0]}" for seat in GAME.to_act(state))
    ).state


def raided(state: State, target: int) -> State:
    """Return the state after a raid in which both sides play their lowest cards."""
    state = when(state, f"raid {target}").state
    for _ in range(6):
        state = when(state, legal(state)[0]).state
    return state


def peaceful(state: State) -> State:
    """Return the state in which the active seat may raid or exchange."""
    while state.stage != "raid_or_exchange":
        state = when(state, legal(state)[-1]).state
    return state


def test_ruling_08_cubes_of_the_court_do_not_count_as_used() -> None:
    state = given(boards={0: "M2"}, drawn="Y2 B2 G1 R1")
    state = when(state, "acquire_estate green true 2", "discard_cards [1]").state
    assert state.turn is not None
    assert state.turn.used == 0
    # Four drawn cubes may still be used.
    assert legal(state, "build_castle", "place_cattle") == ["place_cattle", "build_castle"]


def test_ruling_10_the_track_has_no_end() -> None:
    boards = {0: "P0 | E3: cattle 3 | score 60", 1: QUIET, 2: QUIET, 3: QUIET}
    state = given(boards=boards, active=3, supply=0)
    assert when(state, "end_turn").state.scores == (65, 5, 5, 5)


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_ruling_15_discards_are_told_to_their_seat_alone(viewer: Viewer) -> None:
    state = given(boards={0: "hand [1, 2, 2, 4]"})
    draft = when(state, "exchange_cards [2, 2]")
    (discarded,) = of(told_live(tuple(draft.events), viewer), CardsDiscarded)
    assert discarded.count == 2
    assert told(discarded.cards) == ((2, 2) if viewer == 0 else None)
    assert GAME.view(draft.state, viewer).discard_size == 2
    state = raided(given(boards={1: "E2"}), 1)
    draft = when(state, f"1: {legal(state, seat=1)[0]}")
    (discarded,) = of(told_live(tuple(draft.events), viewer), CardsDiscarded)
    assert (told(discarded.cards) is not None) == (viewer == 1)


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_ruling_16_two_piles_of_one_size_look_alike(viewer: Viewer) -> None:
    high = given(deck=[1] * 12 + [2] * 12)
    low = given(deck=[3] * 12 + [4] * 9 + [1] * 3)
    assert high.discard_pile != low.discard_pile
    assert len(high.discard_pile) == len(low.discard_pile)
    assert GAME.view(high, viewer) == GAME.view(low, viewer)


def test_ruling_17_the_owner_chooses_the_card_that_goes_with_a_warrior() -> None:
    state = given(boards={1: "hand [1, 2, 4, 4]"}, drawn="Y2 B2 G1 R1")
    state = when(state, "play_bard 1 [yellow] null").state
    assert GAME.to_act(state) == (1,)
    assert GAME.legal_moves(state, Seat(0)) == ()
    assert legal(state) == ["discard_cards [1]", "discard_cards [2]", "discard_cards [4]"]
    assert when(state, "discard_cards [4]").state.players[1].hand == (1, 2, 4)


def test_ruling_18_both_cubes_may_go_into_the_bag() -> None:
    state = given(boards={1: "P2 M2"}, drawn="Y2 B2 G1 R1")
    draft = when(state, "play_bard 1 [blue, green] null")
    assert texts(draft.events)[0] == "BardPlayed 0 1 [blue, green] null"
    assert board(draft.state, 0).startswith("W4 P2 M0 |")
    assert board(draft.state, 1).startswith("W4 P1 M1 |")
    # The bard, both cubes, and the five drawn cubes that were left.
    assert draft.state.bag.total == state.bag.total + 8


@pytest.mark.parametrize(
    ("keep", "court"), [("blue", "W4 P3 M0"), ("green", "W4 P2 M1"), ("null", "W4 P2 M0")]
)
def test_ruling_18_the_kept_cube_comes_to_the_own_court(keep: str, court: str) -> None:
    state = given(boards={1: "P2 M2"}, drawn="Y2 B2 G1 R1")
    state = when(state, f"play_bard 1 [blue, green] {keep}").state
    assert board(state, 0).startswith(f"{court} |")
    assert board(state, 1).startswith("W4 P1 M1 |")
    assert (state.stage, len(state.players[0].hand)) == ("raid_or_exchange", 4)


def test_ruling_21_the_last_seat_may_play_a_bard() -> None:
    state = given(active=3, drawn="Y2 B2 G1 R1")
    draft = when(state, "play_bard 0 [blue] null")
    assert texts(draft.events) == ["BardPlayed 3 0 [blue] null", "ActionsEnded 3 {Y2 B1 G1 R1}"]


def test_ruling_24_a_warrior_just_recruited_may_pay() -> None:
    state = given(boards={0: "W3"}, drawn="Y1 B4 R1")
    state = when(state, "recruit_warrior").state
    assert legal(state, "acquire_estate") == ["acquire_estate red true 0"]
    state = when(state, "acquire_estate red true 0").state
    assert board(state, 0).startswith("W3 P2 M0 | E3: cattle 1 |")


def test_ruling_24_monks_just_recruited_may_pay() -> None:
    state = when(given(drawn="Y1 B3 G2"), "recruit_monks 2").state
    assert legal(state, "acquire_estate") == [
        "acquire_estate green false 2",
        "acquire_estate green true 2",
    ]
    draft = when(state, "acquire_estate green false 2")
    assert texts(draft.events)[0] == "EstateAcquired 0 {Y1} {G2}"
    assert bag(draft.state) == "Y9 B17 G20 R6"


def test_ruling_28_a_score_of_30_within_a_round_ends_nothing() -> None:
    boards = {0: "P0 | E2 | hand [1, 1, 1, 1] | score 29", 1: "P0 | E2 | hand [1, 1, 1, 1]"}
    state = raided(given(boards=boards), 1)
    assert state.scores[0] == 30
    assert state.stage == "refresh"
    state = refreshed(state)
    assert (state.round, state.stage) == (2, "actions")


def test_ruling_28_the_scoring_itself_may_reach_the_red_zone() -> None:
    boards = {0: "P0 | E2: cattle 1 | score 27", 1: QUIET, 2: QUIET, 3: QUIET}
    state = given(boards=boards, active=3)
    draft = when(state, "end_turn", rng=Fate(number_drawn(30)))
    assert draft.state.scores[0] == 30
    assert texts(draft.events)[-2:] == [
        "EstateRemoved 30",
        "GameEnded estate_number [1, 2, 2, 2]",
    ]


def test_ruling_29_an_empty_bag_leaves_turns_unequal() -> None:
    boards = {
        0: "W9 P5 M8 | E6: cattle 4, castle 2",
        1: "W6 P4 M6 | E6: cattle 3, castle 3",
        2: "W5 P4 M5 | E4: cattle 2, castle 1",
        3: "W4 P0 M0 | E2: cattle 1",
    }
    state = given(boards=boards, active=1)
    assert state.bag.total == 2
    draft = when(state, "end_turn")
    assert kinds(draft.events) == ["TurnEnded", "GameEnded"]
    assert (draft.state.round, draft.state.scores) == (2, (5, 5, 5, 5))


def test_ruling_30_a_deck_used_up_by_the_last_card_waits_for_the_next_one() -> None:
    state = given(boards={0: "hand [1, 1, 2, 3]"}, deck=[4, 4])
    draft = when(state, "exchange_cards [1, 1]")
    assert "DeckReshuffled" not in kinds(draft.events)
    assert draft.state.deck == ()
    state = peaceful(draft.state)
    assert state.deck == ()
    draft = when(state, legal(state, "exchange_cards")[0])
    assert kinds(draft.events)[:3] == ["CardsDiscarded", "DeckReshuffled", "CardsDrawn"]


def test_ruling_30_exchanged_cards_may_come_back() -> None:
    boards = {0: "hand [1, 1, 2, 3]"}
    state = given(boards=boards, deck=[])
    pile = tuple(sorted((*state.discard_pile, *state.players[0].hand[:2])))
    draft = when(state, "exchange_cards [1, 1]", rng=Fate(cards_drawn(1, 1, of=pile)))
    assert texts(draft.events)[:4] == [
        "CardsDiscarded 0 exchange 2 [1, 1]",
        f"DeckReshuffled {len(pile)}",
        "CardsDrawn 0 exchange 2 [1, 1]",
        "TurnEnded 0",
    ]
    assert draft.state.players[0].hand == (1, 1, 2, 3)


def test_ruling_31_any_other_seat_may_be_raided_again_and_again() -> None:
    state = given(active=1)
    assert legal(state, "raid") == ["raid 0", "raid 2", "raid 3"]
    state = refreshed(raided(state, 3))
    state = when(peaceful(state), "raid 3").state
    assert state.raid is not None
    assert (state.raid.attacker, state.raid.defender) == (2, 3)


def test_ruling_31_nobody_raids_itself() -> None:
    with pytest.raises(IllegalMoveError):
        when(given(), "raid 0")


def test_ruling_33_bagpipers_are_lost_even_if_the_fight_is_won() -> None:
    boards = {0: "P2 | hand [1, 2, 3, 4]", 1: "P2 | hand [1, 2, 3, 4]"}
    state = given(boards=boards)
    draft = when(state, "raid 1", "commit_card 4 true", "commit_card 1 true")
    assert texts(draft.events)[-1] == "FightResolved 1 4 true 1 true 0"
    assert [player.board.bagpipers for player in draft.state.players] == [1, 1, 2, 2]
    assert draft.state.bag.blue == state.bag.blue + 2


def test_ruling_33_a_bagpiper_is_needed_to_use_one() -> None:
    state = given(boards={0: "P1 | hand [1, 1, 3, 3]", 1: "P0 | hand [1, 2, 3, 4]"})
    state = when(state, "raid 1", "commit_card 1 true").state
    assert legal(state) == [f"commit_card {value} false" for value in (1, 2, 3, 4)]
    state = when(state, "commit_card 1 false").state
    assert legal(state) == ["commit_card 1 false", "commit_card 3 false"]


def test_ruling_34_the_own_herd_is_not_deducted() -> None:
    boards = {0: "P3 | E3: cattle 3", 1: "P3 | E2: cattle 1", 2: QUIET, 3: QUIET}
    draft = when(given(boards=boards, active=3), "end_turn")
    (scored,) = of(draft.events, RoundScored)
    assert [each.blue for each in scored.seats] == [2, 0, 0, 0]


def test_ruling_37_stolen_cattle_come_to_a_new_estate() -> None:
    boards = {
        0: "E2: cattle 1, castle 1 | hand [4, 4, 4, 4]",
        1: "E2: cattle 2 | hand [1, 1, 1, 1]",
    }
    state = given(boards=boards, drawn="Y1 B4 R1")
    state = when(state, "acquire_estate red false 0", "end_actions").state
    state = when(raided(state, 1), "take_spoils cattle").state
    assert board(state, 0).split(" | ")[1] == "E3: cattle 2, castle 1"
    assert board(state, 1).split(" | ")[1] == "E2: cattle 1"


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_ruling_40_drawn_cubes_lie_openly(viewer: Viewer) -> None:
    state = given(drawn="Y2 B2 G1 R1")
    view = GAME.view(state, viewer)
    assert view.turn is not None
    assert (view.turn.cubes, view.bag) == (cubes("Y2 B2 G1 R1"), cubes("Y7 B15 G19 R5"))


def test_ruling_41_nobody_exchanges_cards_after_a_raid() -> None:
    state = raided(given(boards={1: "E2"}), 1)
    for seat in (0, 1):
        assert {each.split()[0] for each in legal(state, seat=seat)} == {"discard_cards"}
    state = refreshed(state)
    assert state.turn is not None
    assert state.turn.seat == 1


def test_ruling_42_of_equal_herds_one_is_deducted() -> None:
    boards = {0: "P4", 1: "P0 | E2: cattle 2", 2: "P0 | E2: cattle 2", 3: "P0 | E2: cattle 2"}
    draft = when(given(boards=boards, active=3), "end_turn")
    (scored,) = of(draft.events, RoundScored)
    assert [each.blue for each in scored.seats] == [2, 0, 0, 0]


def test_ruling_43_the_marker_counts_what_the_last_turn_has_brought() -> None:
    state = given(boards={0: "W5"}, active=3, marker=0, drawn="Y2 B2 G1 R1")
    draft = when(state, "recruit_warrior", "end_turn")
    assert "FollowingAssigned 0 0" in texts(draft.events)
    state = given(boards={0: "W5 P1", 3: "W4 P2"}, active=3, marker=0, drawn="Y2 B2 G1 R1")
    draft = when(state, "recruit_warrior", "end_turn")
    assert "FollowingAssigned 3 0" in texts(draft.events)


def test_ruling_44_the_marker_stays_until_the_scoring() -> None:
    state = given(boards={1: "W5 | E2 | hand [1, 1, 2, 3, 4]", 2: "W5"}, marker=1, drawn="B6")
    state = when(state, "play_bard 1 [yellow, blue] blue", "discard_cards [1]").state
    assert state.players[1].board.warriors == 4
    assert state.marker == 1
    state = raided(state, 1)
    assert state.marker == 1
    state = refreshed(state)
    assert (state.stage, GAME.to_act(state)) == ("redraw", (1,))


def test_the_exchange_ends_the_turn() -> None:
    state = given(boards={0: "hand [1, 2, 3, 4]"})
    draft = when(state, "exchange_cards [1, 2, 3]")
    assert kinds(draft.events)[:3] == ["CardsDiscarded", "CardsDrawn", "TurnEnded"]
    assert draft.state.turn is not None
    assert (draft.state.turn.seat, len(draft.state.players[0].hand)) == (1, 4)
    assert in_front(draft.state)
