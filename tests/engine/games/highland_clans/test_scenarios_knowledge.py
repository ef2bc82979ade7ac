"""The acceptance scenario of what is seen of a raid, and by whom."""

from collections.abc import Iterator
from typing import Literal

import pytest

from howff.engine.codec import JSON, to_json
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import Card
from howff.engine.games.highland_clans.events import CardCommitted, FightResolved
from howff.engine.games.highland_clans.state import Options, State
from howff.engine.games.highland_clans.view import CommitmentView
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import told
from support.highland_clans import Fate, cards_drawn, given, legal, when
from support.playouts import told_live
from support.texts import of

EVERYBODY: tuple[Viewer, ...] = (None, *map(Seat, range(4)))
POSITION = given(boards={0: "P2 | hand [1, 1, 3, 3]", 1: "P1 | hand [2, 2, 2, 2]"})


def commitment(state: State, viewer: Viewer) -> CommitmentView | None:
    raid = GAME.view(state, viewer).raid
    assert raid is not None
    return raid.commitment


@pytest.mark.parametrize("viewer", EVERYBODY)
@pytest.mark.parametrize("bagpiper", [True, False])
def test_scenario_43_a_committed_card_is_covered_but_for_its_bagpiper(
    viewer: Viewer, *, bagpiper: bool
) -> None:
    draft = when(POSITION, "raid 1", f"commit_card 3 {'true' if bagpiper else 'false'}")
    assert draft.state.stage == "defender_commit"
    value = Card(3) if viewer == 0 else None
    assert commitment(draft.state, viewer) == CommitmentView(bagpiper, value)
    (committed,) = of(told_live(tuple(draft.events), viewer), CardCommitted)
    assert (committed.seat, committed.fight, committed.bagpiper) == (0, 1, bagpiper)
    assert told(committed.value) == value
    assert GAME.view(draft.state, viewer).players[0].hand_size == 3


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_scenario_43_fights_stay_in_view_until_the_turn_has_ended(viewer: Viewer) -> None:
    draft = when(POSITION, "raid 1", "commit_card 3 true", "commit_card 2 false")
    (fight,) = of(told_live(tuple(draft.events), viewer), FightResolved)
    assert (fight.attacker_value, fight.defender_value, fight.winner) == (3, 2, 0)
    assert commitment(draft.state, viewer) is None
    state = when(draft.state, "commit_card 3 false", "commit_card 2 false").state
    state = when(state, "commit_card 1 false", "commit_card 2 false").state
    assert state.stage == "spoils"
    assert fights(state, viewer) == [(3, 2, 0), (3, 2, 0), (1, 2, 1)]
    state = when(state, "take_spoils none").state
    assert fights(state, viewer) == [(3, 2, 0), (3, 2, 0), (1, 2, 1)]
    state = when(state, *(f"{seat}: {legal(state, seat=seat)[0]}" for seat in (0, 1))).state
    assert GAME.view(state, viewer).raid is None


def fights(state: State, viewer: Viewer) -> list[tuple[int, int, int | None]]:
    raid = GAME.view(state, viewer).raid
    assert raid is not None
    return [(each.attacker.value, each.defender.value, each.winner) for each in raid.fights]


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_scenario_43_hands_are_secret_and_their_sizes_are_not(viewer: Viewer) -> None:
    view = GAME.view(POSITION, viewer)
    assert [each.hand_size for each in view.players] == [4, 4, 4, 4]
    assert view.hand == (None if viewer is None else POSITION.players[viewer].hand)
    assert (view.deck_size, view.discard_size, view.revelation) == (51, 0, None)


@pytest.mark.parametrize("viewer", EVERYBODY)
@pytest.mark.parametrize("edition", ["consolidated", "dutch"])
def test_the_cards_just_drawn_are_named_to_their_seat_alone(
    viewer: Viewer, edition: Literal["consolidated", "dutch"]
) -> None:
    boards = {0: "hand [1, 1, 1, 4]", 1: "E2 | hand [2, 2, 2, 4]"}
    state = given(boards=boards, options=Options(edition=edition))
    fights = ["commit_card 1 false", "commit_card 2 false"] * 3
    fate = Fate(cards_drawn(1, 2, 3, 3, 4, 1, 1, 2, 2, 3, of=state.deck))
    state = when(state, "raid 1", *fights, rng=fate).state
    fresh = {0: (1, 2, 3, 3, 4), 1: (1, 1, 2, 2, 3)} if edition == "dutch" else {}
    assert GAME.view(state, viewer).fresh == fresh.get(-1 if viewer is None else viewer)
    state = when(state, "0: discard_cards [1, 2]").state
    fresh.pop(0, None)
    assert GAME.view(state, viewer).fresh == fresh.get(-1 if viewer is None else viewer)


def names(plain: JSON) -> Iterator[str]:
    if isinstance(plain, dict):
        for name, value in plain.items():
            yield name
            yield from names(value)
    elif isinstance(plain, list):
        for each in plain:
            yield from names(each)


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_a_view_holds_no_pile_and_no_other_hand(viewer: Viewer) -> None:
    view = GAME.view(POSITION, viewer)
    found = set(names(to_json(GAME.view_type, view)))
    assert not {"deck", "discard_pile", "hands", "memory"} & found
    assert "hand" in found
