"""The order and the number of legal moves."""

from dataclasses import astuple

import pytest
from hypothesis import given as given_any

from howff.engine.codec import classes_of
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import COLOURS
from howff.engine.games.highland_clans.moves import AcquireEstate, Move, PlayBard, TakeSpoils
from support.highland_clans import Fate, cards_drawn, given, legal, when
from support.highland_clans_playouts import Playout, playouts

KINDS = [
    "KeepCubes",
    "RedrawCubes",
    "PlaceCattle",
    "BuildCastle",
    "BuildMonastery",
    "RecruitWarrior",
    "RecruitBagpiper",
    "RecruitMonks",
    "AcquireEstate",
    "PlayBard",
    "EndActions",
    "DiscardCards",
    "Raid",
    "ExchangeCards",
    "EndTurn",
    "CommitCard",
    "TakeSpoils",
]
"""The order of the tables of the rules."""
MOST = {
    "redraw": 36,
    "actions": 62,
    "hand_limit": 4,
    "raid_or_exchange": 39,
    "attacker_commit": 8,
    "defender_commit": 8,
    "spoils": 4,
    "refresh": 10,
}
SPOILS = ("castle", "monastery", "cattle", "none")


def place_of(move: Move) -> tuple[object, ...]:
    """Return a key by which legal moves have to be sorted."""
    kind = KINDS.index(type(move).__name__)
    match move:
        case AcquireEstate(price, yellow_from_court, green_from_court):
            return (kind, ("red", "green").index(price), yellow_from_court, green_from_court)
        case PlayBard(target, take, keep):
            kept = -1 if keep is None else COLOURS.index(keep)
            return (kind, target, tuple(map(COLOURS.index, take)), kept)
        case TakeSpoils(spoils):
            return (kind, SPOILS.index(spoils))
        case _:
            return (kind, *astuple(move))


def test_every_move_stands_in_a_table() -> None:
    assert {kind.__name__ for kind in classes_of(Move)} == set(KINDS)


@given_any(match=playouts)
def test_legal_moves_stand_in_the_order_of_the_tables(match: Playout) -> None:
    for step in match.steps:
        moves = GAME.legal_moves(step.before, step.seat)
        assert list(moves) == sorted(moves, key=place_of)
        assert len(set(moves)) == len(moves) <= MOST[step.before.stage]


def test_the_longest_list_of_actions_has_62_moves() -> None:
    state = given(seats=5, boards=dict.fromkeys(range(5), "W4 P2 M2"), drawn="Y1 B1 G3 R1")
    assert len(legal(state)) == MOST["actions"]
    assert len(legal(state, "play_bard")) == 48
    assert len(legal(state, "acquire_estate")) == 8


def test_the_longest_list_of_redraws_has_36_moves() -> None:
    state = given(marker=0, drawn="Y2 B2 G1 R1")
    assert len(legal(state)) == MOST["redraw"]


def test_the_longest_list_before_a_turns_end_has_39_moves() -> None:
    hand = "hand [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]"
    state = given(seats=5, boards={0: f"W12 | {hand}"} | dict.fromkeys(range(1, 5), "W4"))
    assert len(legal(state)) == MOST["raid_or_exchange"]
    assert len(legal(state, "raid")) == 4
    assert len(legal(state, "exchange_cards")) == 34


def test_the_longest_lists_of_a_raid_have_8_and_10_moves() -> None:
    rich = "W8 P2 | hand [1, 1, 2, 2, 3, 3, 4, 4]"
    state = when(given(boards={0: rich, 1: rich}), "raid 1").state
    assert legal(state) == [
        f"commit_card {value} {bagpiper}"
        for value in (1, 2, 3, 4)
        for bagpiper in ("false", "true")
    ]
    assert len(legal(state)) == MOST["attacker_commit"]
    state = when(state, "commit_card 1 true").state
    assert len(legal(state)) == MOST["defender_commit"]
    fights = [f"commit_card {value} false" for value in (1, 2, 2, 3, 3)]
    fate = Fate(cards_drawn(1, 1, 2, 2, 3, 1, 1, 2, 2, 3, of=state.deck))
    state = when(state, *fights, "take_spoils none", rng=fate).state
    assert state.players[0].hand == (1, 1, 1, 2, 2, 2, 3, 3, 4, 4)
    assert len(legal(state, seat=0)) == len(legal(state, seat=1)) == MOST["refresh"]


def test_the_longest_list_of_spoils_has_4_moves() -> None:
    boards = {0: "hand [4, 4, 4, 4]", 1: "E3: cattle 1, castle 1, monastery 1 | hand [1, 1, 1, 1]"}
    state = when(
        given(boards=boards), "raid 1", *["commit_card 4 false", "commit_card 1 false"] * 3
    )
    assert legal(state.state) == [f"take_spoils {kind}" for kind in SPOILS]


def test_the_longest_list_of_single_discards_has_4_moves() -> None:
    state = given(boards={0: "W5 | hand [1, 2, 3, 4, 4]"}, drawn="Y1 B2 G2 R1")
    state = when(state, "acquire_estate red true 0").state
    assert legal(state) == [f"discard_cards [{value}]" for value in (1, 2, 3, 4)]


@pytest.mark.parametrize("hand", ["[3, 3, 3]", "[1, 1, 1]"])
def test_a_choice_of_one_is_asked_for_all_the_same(hand: str) -> None:
    boards = {0: f"W3 P0 | hand {hand}", 1: f"W4 P0 | hand {hand[:-1]}, 3]"}
    state = when(given(boards=boards), "raid 1").state
    assert state.stage == "attacker_commit"
    assert len(legal(state)) == 1
