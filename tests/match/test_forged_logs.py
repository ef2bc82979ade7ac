"""Forgeries of viewers' logs, signed anew with the true key: only who holds it could make them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from howff.engine.codec import JSON
from howff.engine.redact import sealed
from howff.engine.seats import Seat, Viewer
from howff.match.commit import Commit, MatchId, Version
from howff.match.export import Export
from howff.match.redaction import redact_commit
from howff.match.seals import is_sealed
from howff.match.verify import verify
from support.forging import (
    VIEWERS,
    Change,
    changed,
    failure,
    rechained,
    running,
    told_to,
    whole,
    with_header,
)
from support.played import SEED
from support.toy_game import TOY

SALT = "00" * 16
Edit = Callable[[JSON], JSON]


def edited(at: int, edit: Edit) -> Change:
    """Return the change that makes an *edit* of the event at place *at*."""

    def change(commit: Commit) -> Commit:
        events = list(commit.events)
        events[at] = edit(events[at])
        return replace(commit, events=tuple(events))

    return change


def place_of(export: Export, is_it: Callable[[JSON], bool]) -> tuple[int, int]:
    """Return version and place of the first event of *export* that *is_it*."""
    return next(
        (commit.version, at)
        for commit in export.commits
        for at, event in enumerate(commit.events)
        if is_it(event)
    )


def code_of(export: Export) -> tuple[str, int | None, str | None]:
    found = failure(verify(rechained(export), TOY))
    return found.code, found.place.version, found.place.field


def drawn(export: Export, seat: int) -> tuple[int, int]:
    """Return where *seat* has drawn cards."""
    return place_of(
        export, lambda event: event["type"] == "CardsDrawn" and event["data"]["seat"] == seat
    )


def without_salts(event: JSON) -> JSON:
    return {"type": event["type"], "data": event["data"]}


@pytest.mark.parametrize(
    ("seat", "edit"),
    [
        (0, without_salts),
        (0, lambda event: event | {"salts": event["salts"] | {"seat": SALT}}),
        (0, lambda event: event | {"data": event["data"] | {"cards": sealed("ab" * 32)}}),
        (
            0,
            lambda event: without_salts(event)
            | {"data": event["data"] | {"cards": sealed(SALT * 2)}},
        ),
        (1, lambda event: event | {"salts": {"cards": SALT}}),
        (1, lambda event: event | {"salts": {"seat": SALT}}),
        (1, lambda event: event | {"data": event["data"] | {"cards": [1, 2, 3]}}),
        (
            1,
            lambda event: event
            | {"data": event["data"] | {"cards": [1]}, "salts": {"cards": SALT}},
        ),
        (1, lambda event: event | {"data": event["data"] | {"cards": {"sealed": "rubbish"}}}),
        (1, lambda event: event | {"data": event["data"] | {"cards": sealed("AB" * 32)}}),
    ],
)
def test_a_log_has_seals_and_salts_exactly_where_its_viewer_may_know(seat: int, edit: Edit) -> None:
    export = told_to(Seat(0))
    version, at = drawn(export, seat)
    code, found, field = code_of(changed(export, version, edited(at, edit)))

    assert (code, found) == ("wrong_header", version)
    assert field in {"cards", "seat"}


def test_a_salt_that_opens_another_value_breaks_the_chain() -> None:
    export = told_to(Seat(0))
    version, at = drawn(export, 0)
    lie = edited(at, lambda event: event | {"data": event["data"] | {"cards": [6, 6, 6]}})
    found = failure(verify(changed(export, version, lie), TOY))

    assert (found.code, found.place.version) == ("broken_chain", version)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(
    "changes",
    [
        {"bot": None},
        {"bot": {"sealed": "rubbish"}},
        {"bot": {"policy": "chance"}, "salts": {"bot": SALT}},
        {"salts": {"bot": SALT}},
    ],
)
def test_how_a_bot_came_to_its_move_is_told_to_nobody(
    viewer: Viewer, changes: dict[str, Any]
) -> None:
    forged = changed(told_to(viewer), 2, lambda commit: replace(commit, **changes))

    assert code_of(forged)[:2] == ("wrong_header", 2)


def test_a_move_is_told_with_its_salt_or_not_at_all() -> None:
    export = told_to(Seat(0))
    own = next(each for each in export.commits if each.seat == 0 and not is_sealed(each.move))
    other = next(each for each in export.commits if each.seat == 1)

    for commit, changes in (
        (own, {"salts": None}),
        (own, {"move": sealed("ab" * 32)}),
        (other, {"salts": {"move": SALT}}),
        (other, {"move": own.move, "salts": own.salts}),
    ):
        forged = changed(export, commit.version, lambda each: replace(each, **changes))  # noqa: B023
        assert code_of(forged) == ("wrong_header", commit.version, "move")


def test_what_was_shown_once_may_be_told_live_or_sealed_but_not_to_others() -> None:
    version, at = place_of(whole(), lambda event: bool(event["type"] == "BottomPeeked"))
    match, commit = running().match, running().commits[version - 1]
    assert commit.seat is not None
    again = told_to(commit.seat)
    live = redact_commit(match, commit, commit.seat, SEED, told_live=True)
    shown = live.events[at]

    # All this has the hashes that were signed.
    for told in (live, redact_commit(match, commit, commit.seat, SEED)):
        assert verify(changed(again, version, lambda _, told=told: told), TOY).failure is None  # type: ignore[misc]
    for viewer in VIEWERS:
        if viewer != commit.seat:
            lie = changed(told_to(viewer), version, edited(at, lambda _: shown))
            found = failure(verify(lie, TOY))
            assert (found.code, found.place.field) == ("wrong_header", "card")


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("version", lambda commit: replace(commit, version=Version(7))),
        ("match", lambda commit: replace(commit, match=MatchId("match-2"))),
    ],
)
def test_a_signed_commit_of_another_place_breaks_the_chain(
    viewer: Viewer, field: str, change: Change
) -> None:
    assert code_of(changed(told_to(viewer), 3, change)) == ("broken_chain", 3, field)


@pytest.mark.parametrize("viewer", ["seat:3", "seat:9", "seat:99"])
def test_a_log_of_a_seat_that_is_not_there_has_a_wrong_header(viewer: str) -> None:
    forged = with_header(told_to(None), viewer=viewer)

    assert code_of(forged) == ("wrong_header", None, "viewer")


def test_a_public_field_is_not_sealed() -> None:
    edit = edited(1, lambda event: event | {"data": event["data"] | {"seats": sealed("ab" * 32)}})

    assert code_of(changed(told_to(None), 1, edit))[0] == "unlawful_commit"


def test_draws_are_counted_even_where_they_can_not_be_made_again() -> None:
    forged = changed(told_to(None), 2, lambda commit: replace(commit, draws={"luck": 7}))

    assert failure(verify(forged, TOY)).code == "broken_chain"
    assert verify(rechained(forged), TOY).failure is None
    signed_whole = changed(whole(), 2, lambda commit: replace(commit, draws={"luck": 7}))
    assert code_of(signed_whole) == ("unlawful_commit", 2, "draws")
