"""The acceptance scenarios of raids: fights, spoils, refresh; and of exchanging cards."""

from collections.abc import Sequence

import pytest

from howff.engine.errors import NotYourDecisionError
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.events import CardsDrawn, RaidResolved
from howff.engine.games.highland_clans.state import Options, State
from howff.engine.seats import Seat
from support.highland_clans import Fate, bag, board, cards_drawn, given, legal, texts, when
from support.texts import kinds, of

DUTCH = Options(edition="dutch")
ATTACKER = "W4 P1 | E2: cattle 1 | hand [2, 2, 3, 4] | score 5"
DEFENDER = "W4 P0 | E2: cattle 1 | hand [1, 2, 3, 4] | score 5"


def fought(*fights: str) -> list[str]:
    """Return the moves of a raid on seat 1; `3+ v 4`: a bagpiper stands on the attacker's 3."""
    commitments = [
        f"commit_card {card[0]} {'true' if card.endswith('+') else 'false'}"
        for fight in fights
        for card in fight.split(" v ")
    ]
    return ["raid 1", *commitments]


WON = fought("4 v 3", "2 v 2", "3+ v 4")
"""One fight of three, the others drawn."""


def resolved(state: State, moves: Sequence[str]) -> RaidResolved:
    (event,) = of(when(state, *moves).events, RaidResolved)
    return event


def test_scenario_19_equal_strength_wins_no_fight() -> None:
    state = given(boards={0: "P1 | hand [1, 2, 3, 4]", 1: "hand [1, 2, 3, 4]"})
    blue = state.bag.blue
    draft = when(state, "raid 1", "commit_card 3 true")
    assert texts(draft.events) == ["CardCommitted 0 1 true 3"]
    assert draft.state.players[0].board.bagpipers == 0
    assert draft.state.bag.blue == blue
    assert (draft.state.stage, GAME.to_act(draft.state)) == ("defender_commit", (1,))
    draft = when(draft.state, "commit_card 4 false")
    assert texts(draft.events) == [
        "CardCommitted 1 1 false 4",
        "FightResolved 1 3 true 4 false null",
    ]
    assert draft.state.bag.blue == blue + 1
    assert draft.state.discard_pile == (3, 4)


def test_scenario_20_one_fight_won_wins_the_raid() -> None:
    state = given(boards={0: ATTACKER, 1: DEFENDER})
    assert state.bag.blue == 20
    draft = when(state, *WON)
    assert texts(draft.events) == [
        "CardCommitted 1 3 false 4",
        "FightResolved 3 3 true 4 false null",
        "RaidResolved 0 1 1 0 attacker 1 0 true",
    ]
    assert draft.state.bag.blue == 21
    assert board(draft.state, 0) == "W4 P0 M0 | E2: cattle 1 | hand [2] | score 6"
    assert board(draft.state, 1) == "W4 P0 M0 | E2: cattle 1 | hand [1] | score 5"
    assert (draft.state.stage, GAME.to_act(draft.state)) == ("spoils", (0,))
    assert legal(draft.state) == ["take_spoils cattle", "take_spoils none"]


def test_scenario_20_the_herd_changes_hands_and_both_hands_are_refreshed() -> None:
    state = when(given(boards={0: ATTACKER, 1: DEFENDER}), *WON).state
    fate = Fate(cards_drawn(1, 1, 2, 3, 4, 4, 4, 4, 3, 3, of=state.deck))
    draft = when(state, "take_spoils cattle", rng=fate)
    assert texts(draft.events) == [
        "SpoilsTaken 0 1 cattle true",
        "CardsDrawn 0 raid 5 [1, 1, 2, 3, 4]",
        "CardsDrawn 1 raid 5 [3, 3, 4, 4, 4]",
        "DiscardRequired 0 2 raid",
        "DiscardRequired 1 2 raid",
    ]
    state = draft.state
    assert board(state, 0) == "W4 P0 M0 | E2: cattle 2 | hand [1, 1, 2, 2, 3, 4] | score 6"
    assert board(state, 1) == "W4 P0 M0 | E2 | hand [1, 3, 3, 4, 4, 4] | score 5"
    assert state.players[0].board.free_estates == 0
    assert (state.stage, GAME.to_act(state)) == ("refresh", (0, 1))
    draft = when(state, "0: discard_cards [1, 1]", "1: discard_cards [1, 3]")
    assert [len(player.hand) for player in draft.state.players] == [4, 4, 4, 4]
    assert draft.state.players[0].hand == (2, 2, 3, 4)
    assert draft.state.players[1].hand == (3, 4, 4, 4)
    assert texts(draft.events)[:3] == [
        "CardsDiscarded 1 raid 2 [1, 3]",
        "TurnEnded 0",
        "TurnStarted 1 2 2 2 false",
    ]


def test_scenario_21_a_herd_without_room_goes_into_the_bag() -> None:
    state = given(boards={0: ATTACKER.replace("cattle 1", "cattle 1, castle 1"), 1: DEFENDER})
    state = when(state, *WON).state
    red = state.bag.red
    draft = when(state, "take_spoils cattle")
    assert texts(draft.events)[0] == "SpoilsTaken 0 1 cattle false"
    assert board(draft.state, 0).startswith("W4 P0 M0 | E2: cattle 1, castle 1 |")
    assert board(draft.state, 1).startswith("W4 P0 M0 | E2 |")
    assert draft.state.bag.red == red + 1


@pytest.mark.parametrize(("options", "delta"), [(Options(), 2), (DUTCH, 1)])
def test_scenario_22_a_seat_without_possessions_pays_in_points(
    options: Options, delta: int
) -> None:
    boards = {0: "hand [1, 3, 4, 4]", 1: "E2 | hand [1, 2, 3, 4]"}
    state = given(boards=boards, options=options)
    draft = when(state, *fought("4 v 3", "4 v 2", "1 v 4"))
    assert [each.partition(" [")[0] for each in texts(draft.events)[2:]] == [
        f"RaidResolved 0 1 2 1 attacker {delta} 0 false",
        "CardsDrawn 0 raid 5",
        "CardsDrawn 1 raid 5",
        "DiscardRequired 0 2 raid",
        "DiscardRequired 1 2 raid",
    ]
    assert draft.state.scores == (5 + delta, 5, 5, 5)
    assert draft.state.stage == "refresh"


@pytest.mark.parametrize(("score", "delta"), [(0, 0), (5, -1), (1, -1)])
def test_scenario_23_a_defender_that_wins_gets_two_points(score: int, delta: int) -> None:
    boards = {0: f"hand [1, 1, 2, 3] | score {score}", 1: "hand [1, 2, 3, 4] | score 7"}
    draft = when(given(boards=boards), *fought("1 v 3", "1 v 2", "2 v 1+"))
    (event,) = of(draft.events, RaidResolved)
    assert (event.attacker_wins, event.defender_wins, event.result) == (0, 2, "defender")
    assert (event.attacker_delta, event.defender_delta, event.spoils) == (delta, 2, False)
    assert draft.state.scores == (score + delta, 9, 5, 5)
    assert draft.state.stage == "refresh"


def test_scenario_24_a_draw_is_worth_a_point_to_the_attacker() -> None:
    boards = {0: "hand [1, 2, 3, 4]", 1: "E3: cattle 3 | hand [1, 2, 3, 4]"}
    moves = fought("4 v 3", "2 v 2", "1 v 4")
    state = given(boards=boards)
    event = resolved(state, moves)
    assert (event.attacker_wins, event.defender_wins, event.result) == (1, 1, "draw")
    assert (event.attacker_delta, event.defender_delta, event.spoils) == (1, 0, False)
    state = when(state, *moves).state
    assert state.scores == (6, 5, 5, 5)
    assert (state.stage, state.players[1].board.cattle) == ("refresh", 3)


def test_scenario_24_three_drawn_fights_are_a_draw() -> None:
    state = given(boards={0: "hand [1, 2, 3, 4]", 1: "hand [1, 2, 3, 4]"})
    event = resolved(state, fought("1 v 1", "2 v 2", "3+ v 3+"))
    assert (event.attacker_wins, event.defender_wins, event.result) == (0, 0, "draw")
    assert (event.attacker_delta, event.defender_delta) == (1, 0)


def test_scenario_25_the_third_fight_is_fought_in_any_case() -> None:
    boards = {0: "hand [1, 2, 4, 4]", 1: "hand [1, 1, 1, 4]"}
    draft = when(given(boards=boards), *fought("4 v 1", "4 v 1"))
    assert kinds(draft.events) == ["CardCommitted", "FightResolved"]
    assert draft.state.stage == "attacker_commit"
    draft = when(draft.state, "commit_card 1 false")
    assert texts(draft.events) == ["CardCommitted 0 3 false 1"]


@pytest.mark.parametrize(
    ("kind", "event", "gained"),
    [
        ("castle", "SpoilsTaken 0 1 castle false", (0, 2, 0, 0)),
        ("monastery", "SpoilsTaken 0 1 monastery false", (0, 0, 3, 0)),
        ("none", "SpoilsDeclined 0 1", (0, 0, 0, 0)),
    ],
)
def test_scenario_26_other_spoils_go_into_the_bag(
    kind: str, event: str, gained: tuple[int, int, int, int]
) -> None:
    boards = {
        0: "hand [1, 2, 4, 4]",
        1: "E2: castle 1, monastery 1 | hand [1, 1, 1, 4]",
    }
    state = when(given(boards=boards), *fought("4 v 1", "4 v 1", "1 v 1")).state
    assert legal(state) == ["take_spoils castle", "take_spoils monastery", "take_spoils none"]
    draft = when(state, f"take_spoils {kind}")
    assert texts(draft.events)[0] == event
    before, after = state.bag, draft.state.bag
    found = (
        after.yellow - before.yellow,
        after.blue - before.blue,
        after.green - before.green,
        after.red - before.red,
    )
    assert found == gained
    left = {"castle": "monastery 1", "monastery": "castle 1", "none": "castle 1, monastery 1"}
    assert board(draft.state, 1).split(" | ")[1] == f"E2: {left[kind]}"
    assert board(draft.state, 0).split(" | ")[1] == "E2: cattle 1"


@pytest.mark.parametrize(
    ("options", "pairs"),
    [
        (Options(), ["1, 1", "1, 2", "1, 3", "1, 4", "2, 2", "2, 3", "2, 4", "3, 4"]),
        (DUTCH, ["1, 1", "1, 2", "1, 3", "2, 2", "2, 3"]),
    ],
)
def test_scenario_27_what_may_be_discarded_after_a_raid(options: Options, pairs: list[str]) -> None:
    boards = {0: "hand [1, 1, 1, 4]", 1: "E2: cattle 1 | hand [2, 2, 2, 4]"}
    state = given(boards=boards, options=options)
    fate = Fate(cards_drawn(1, 1, 2, 2, 3, of=state.deck))
    state = when(state, *fought("1 v 2", "1 v 2", "1 v 2"), rng=fate).state
    assert state.players[0].hand == (1, 1, 2, 2, 3, 4)
    assert legal(state, seat=0) == [f"discard_cards [{each}]" for each in pairs]


def test_scenario_28_what_may_be_exchanged() -> None:
    state = given(boards={0: "hand [1, 1, 2, 3]"})
    cards = ["1", "1, 1", "1, 1, 2", "1, 1, 3", "1, 2", "1, 2, 3", "1, 3", "2", "2, 3", "3"]
    assert legal(state) == [
        "raid 1",
        "raid 2",
        "raid 3",
        *(f"exchange_cards [{each}]" for each in cards),
        "end_turn",
    ]
    assert len(legal(state)) == 14
    draft = when(state, "exchange_cards [1, 1]")
    (drawn,) = of(draft.events, CardsDrawn)
    assert texts(draft.events)[:3] == [
        "CardsDiscarded 0 exchange 2 [1, 1]",
        f"CardsDrawn 0 exchange 2 {list(drawn.cards)}",
        "TurnEnded 0",
    ]
    assert len(draft.state.players[0].hand) == 4
    assert draft.state.discard_pile == (1, 1)


def test_scenario_41_the_deck_is_reshuffled_between_cards() -> None:
    hand = "hand [1, 2, 3, 4]"
    boards = dict.fromkeys(range(4), hand)
    state = given(boards=boards, deck=[3, 4])
    state = when(state, *fought("1 v 1", "2 v 2", "3 v 3")[:-1]).state
    assert [len(player.hand) for player in state.players] == [1, 2, 4, 4]
    draft = when(state, "commit_card 3 false")
    drawn = of(draft.events, CardsDrawn)
    assert texts(draft.events)[1:] == [
        "FightResolved 3 3 false 3 false null",
        "RaidResolved 0 1 0 0 draw 1 0 false",
        "CardsDrawn 0 raid 2 [3, 4]",
        "DeckReshuffled 55",
        f"CardsDrawn 0 raid 3 {list(drawn[1].cards)}",
        f"CardsDrawn 1 raid 5 {list(drawn[2].cards)}",
        "DiscardRequired 0 2 raid",
        "DiscardRequired 1 2 raid",
    ]
    assert (len(draft.state.deck), len(draft.state.discard_pile)) == (47, 0)
    state = draft.state
    moves = [f"{seat}: {legal(state, seat=seat)[0]}" for seat in (0, 1)]
    state = when(state, *moves).state
    assert (len(state.deck), len(state.discard_pile)) == (47, 4)
    assert [len(player.hand) for player in state.players] == [4, 4, 4, 4]


@pytest.mark.parametrize(("left", "attackers", "defenders"), [(7, [5], [2, 3]), (5, [5], [5])])
def test_the_deck_may_run_out_between_attacker_and_defender(
    left: int, attackers: list[int], defenders: list[int]
) -> None:
    boards = dict.fromkeys(range(4), "hand [1, 2, 3, 4]")
    state = given(boards=boards, deck=[1, 1, 2, 2, 3, 3, 4][:left])
    draft = when(state, *fought("1 v 1", "2 v 2", "3 v 3"))
    drawn = of(draft.events, CardsDrawn)
    assert [each.count for each in drawn if each.seat == 0] == attackers
    assert [each.count for each in drawn if each.seat == 1] == defenders
    at = kinds(draft.events).index("DeckReshuffled")
    # The pile was 67 - 16 - left before the raid, and 6 cards were fought with.
    assert texts(draft.events)[at] == f"DeckReshuffled {57 - left}"
    assert texts(draft.events)[at + 1].startswith(f"CardsDrawn 1 raid {defenders[-1]} ")


def test_the_five_just_drawn_may_come_from_before_and_after_a_reshuffle() -> None:
    boards = dict.fromkeys(range(4), "hand [1, 2, 3, 4]")
    state = given(boards=boards, deck=[3, 4], options=DUTCH)
    draft = when(state, *fought("1 v 1", "2 v 2", "3 v 3"))
    first, second, third = (each.cards for each in of(draft.events, CardsDrawn))
    attacker, defender = (GAME.view(draft.state, Seat(seat)).fresh for seat in (0, 1))
    assert attacker == tuple(sorted((*first, *second)))
    assert (len(first), len(second)) == (2, 3)
    assert defender == third


def test_scenario_45_both_discard_before_the_turn_ends() -> None:
    state = given(boards={0: "hand [1, 1, 1, 4]", 1: "hand [2, 2, 2, 4]"})
    state = when(state, *fought("1 v 2", "1 v 2", "1 v 2")).state
    assert GAME.to_act(state) == (0, 1)
    with pytest.raises(NotYourDecisionError):
        when(state, "2: discard_cards [1, 2]")
    first = legal(state, seat=1)[0]
    draft = when(state, f"1: {first}")
    assert kinds(draft.events) == ["CardsDiscarded"]
    assert (draft.state.stage, GAME.to_act(draft.state)) == ("refresh", (0,))
    with pytest.raises(NotYourDecisionError):
        when(draft.state, f"1: {first}")
    draft = when(draft.state, legal(draft.state)[0])
    assert kinds(draft.events) == ["CardsDiscarded", "TurnEnded", "TurnStarted", "CubesDrawn"]


@pytest.mark.parametrize("options", [Options(), DUTCH])
def test_the_order_of_the_discards_changes_nothing(options: Options) -> None:
    boards = {0: "hand [1, 1, 1, 4]", 1: "hand [2, 2, 2, 4]"}
    state = when(given(boards=boards, options=options), *fought("1 v 2", "1 v 2", "1 v 2")).state
    attacker, defender = (f"{seat}: {legal(state, seat=seat)[0]}" for seat in (0, 1))
    one = when(state, attacker, defender).state
    other = when(state, defender, attacker).state
    assert one == other
    assert bag(one) == bag(other)
