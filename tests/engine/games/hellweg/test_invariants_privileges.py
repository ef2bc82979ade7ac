"""Privileges, claims and black carriages: who may have them, and when a way brings them."""

from collections.abc import Iterable, Mapping
from typing import Final

from hypothesis import given

from howff.engine.games.hellweg.data import Privilege
from howff.engine.games.hellweg.events import (
    AdditionalCarriagesReceived,
    CarriagePlaced,
    Event,
    PrivilegeClaimEarned,
    PrivilegeReceived,
    PrivilegesRevealed,
    PrivilegeUsed,
    TurnEnded,
)
from howff.engine.games.hellweg.state import AdditionalCarriages, HeldPrivilege, State
from howff.engine.seats import Seat
from support.hellweg_playouts import Playout, playouts

ROUTES: Final[Mapping[Privilege, tuple[str, str]]] = {
    "storage": ("hagen", "wesel"),
    "stock_up": ("moenster", "olpe"),
    "take_thaler": ("builefeld", "corbach"),
}
BLACK_ROUTE: Final = ("duisburg", "paderborn")


def is_way(roads: Iterable[str], ends: tuple[str, str]) -> bool:
    """Return whether *roads* join two towns: by merging the towns that a road joins."""
    groups: list[set[str]] = [set(road.split("_")) for road in roads]
    joined: list[set[str]] = []
    while groups:
        group = groups.pop()
        touching = [other for other in groups if other & group]
        groups = [other for other in groups if not other & group]
        if touching:
            groups.append(group.union(*touching))
        else:
            joined.append(group)
    return any(set(ends) <= group for group in joined)


@given(match=playouts)
def test_invariant_09_a_seat_has_at_most_three_privileges_and_claims(match: Playout) -> None:
    for moment in match.moments:
        for player in moment.after.players:
            owned = [held.privilege for held in player.privileges]
            assert len(owned) == len(set(owned))
            assert 0 <= player.claims <= 3 - len(owned)


@given(match=playouts)
def test_invariant_09_the_family_game_has_nothing_of_the_expansion(match: Playout) -> None:
    if not match.options.warehouse_and_privileges:
        for moment in match.moments:
            assert moment.after.additional_carriages is None
            for player in moment.after.players:
                assert (player.privileges, player.claims) == ((), 0)
                assert (player.warehouse_tokens, player.warehouse_carriages) == (0, 0)


def due_for_a_way(state: State, seat: Seat) -> list[Event]:
    """Return what a carriage brings that *seat* has just placed."""
    player, due = state.players[seat], list[Event]()
    owned = {held.privilege for held in player.privileges}
    claims = player.claims
    for privilege, ends in ROUTES.items():
        if privilege not in owned and is_way(player.carriages, ends):
            owned |= {privilege}
            claims = min(claims, 3 - len(owned))
            due.append(PrivilegeReceived(seat, privilege, "route", claims))
    black = state.additional_carriages
    if black == AdditionalCarriages() and is_way(player.carriages, BLACK_ROUTE):
        due.append(AdditionalCarriagesReceived(seat))
    return due


def brought_by_ways(match: Playout) -> list[Event]:
    """Return what the ways of a match should have brought, each right after its carriage."""
    expected: list[Event] = []
    if match.options.warehouse_and_privileges:
        for _, placed, after in match.of(CarriagePlaced):
            expected += [placed, *due_for_a_way(after, placed.seat)]
    return expected


@given(match=playouts)
def test_invariant_10_a_way_brings_what_it_should_as_soon_as_it_is_there(match: Playout) -> None:
    found = [
        event
        for event in match.events
        if isinstance(event, CarriagePlaced | AdditionalCarriagesReceived)
        or (isinstance(event, PrivilegeReceived) and event.by == "route")
    ]
    if match.options.warehouse_and_privileges:
        assert found == brought_by_ways(match)
    else:
        assert {type(event) for event in found} == {CarriagePlaced}


@given(match=playouts)
def test_invariant_10_the_additional_carriages_keep_their_owner(match: Playout) -> None:
    owners = [
        black.owner
        for moment in match.moments
        if (black := moment.after.additional_carriages) is not None and black.owner is not None
    ]
    assert len(set(owners)) <= 1
    assert len(list(match.of(AdditionalCarriagesReceived))) == len(set(owners))


@given(match=playouts)
def test_invariant_11_what_is_locked_is_unlocked_when_the_turn_ends(match: Playout) -> None:
    for moment in match.moments:
        turn = moment.after.turn
        for seat, player in enumerate(moment.after.players):
            if any(held.side == "locked" for held in player.privileges):
                assert turn is not None
                assert turn.seat == seat
    for before, ended, after in match.of(TurnEnded):
        for held, later in zip(
            before.players[ended.seat].privileges,
            after.players[ended.seat].privileges,
            strict=True,
        ):
            assert later.privilege == held.privilege
            assert later.side == ("face_down" if held.side == "face_down" else "face_up")


@given(match=playouts)
def test_only_what_lies_face_up_is_used_and_only_what_was_used_is_turned_up(
    match: Playout,
) -> None:
    for before, used, after in match.of(PrivilegeUsed):
        assert HeldPrivilege(used.privilege, "face_up") in before.players[used.seat].privileges
        assert HeldPrivilege(used.privilege, "face_down") in after.players[used.seat].privileges
    for before, revealed, _ in match.of(PrivilegesRevealed):
        assert revealed.privileges
        for privilege in revealed.privileges:
            used_one = HeldPrivilege(privilege, "face_down")
            assert used_one in before.players[revealed.seat].privileges


@given(match=playouts)
def test_a_claim_is_earned_only_where_a_privilege_is_left_to_choose(match: Playout) -> None:
    for before, earned, _ in match.of(PrivilegeClaimEarned):
        player = before.players[earned.seat]
        assert earned.claims == player.claims + 1 <= 3 - len(player.privileges)
