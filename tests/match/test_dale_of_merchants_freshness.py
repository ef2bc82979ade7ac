"""How long what was seen once in Dale of Merchants stays open to those who read the log again."""

from collections.abc import Iterator
from datetime import timedelta
from functools import cache

import pytest

from howff.engine.codec import JSON
from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.moves import PlayTechnique, RollDie, StartPurchase
from howff.engine.games.dale_of_merchants.state import Options
from howff.engine.seats import Seat, Viewer
from howff.match.commit import Commit
from howff.match.match import Match
from howff.match.redaction import redact_commit
from howff.match.seals import is_sealed
from support.played import NOON, SEED, played, recorder
from support.rng import LocalRng

Place = tuple[int, int]
"""Where an event stands: the version of its commit, and its place there."""
OPTIONS = Options(
    sets=("macaws", "raccoons", "ocelots", "chameleons"), first_seat=Seat(0), round_limit=50
)
SEATS: tuple[Seat, ...] = tuple(map(Seat, range(3)))
VIEWERS: tuple[Viewer, ...] = (None, *SEATS)
CHOICE = 11
MOVES = 340
SHOWN_TO_ALL = {
    "HandCardsShown": ("cards",),
    "CardBound": ("card", "as_type", "copied_card", "changes", "used"),
    "AbilityUsed": ("card",),
    "CardValueChanged": ("card",),
    "SecretCardShown": ("card", "as_type", "copied_card", "value"),
}
SHOWN_TO_THE_SEAT = {
    "CardsDrawn": ("cards",),
    "CardsLookedAt": ("cards",),
    "CardKept": ("card",),
    "CardReturnedToDeck": ("card",),
    "CardPlacedOnDeck": ("card",),
    "SecretCardChosen": ("card", "as_type", "copied_card", "value", "changes", "used"),
}
SHOWN_TO_BOTH = {
    "CardTakenFromHand": ("card",),
    "CardGivenBack": ("card",),
    "HandCardsExchanged": ("given", "received"),
}
OPEN = {
    "CardPurchased",
    "CardsDiscarded",
    "CardsThrownAway",
    "PaymentCardPicked",
    "StackBuilt",
    "TechniquePlayed",
    "MarketFilled",
    "CardTakenFromDiscard",
}


@cache
def recorded() -> tuple[tuple[Match, ...], tuple[Commit, ...]]:
    """Return a match after each of its commits, and these: cards are played by chance."""
    record = recorder(GAME, OPTIONS, len(SEATS))
    rng = LocalRng(CHOICE)
    found = [record.match]
    while record.match.version <= MOVES:
        (seat,) = record.match.to_act
        legal = GAME.legal_moves(record.match.state, seat)
        wanted = tuple(move for move in legal if isinstance(move, PlayTechnique | RollDie))
        bought = tuple(move for move in legal if isinstance(move, StartPurchase))
        move = rng.roll("move", wanted or bought or legal)
        record.play(seat, move, at=NOON + timedelta(seconds=record.match.version))
        found.append(record.match)
    return tuple(found), tuple(record.commits)


def matches() -> tuple[Match, ...]:
    return recorded()[0]


def commits() -> tuple[Commit, ...]:
    return recorded()[1]


def told_events() -> Iterator[tuple[Place, str, JSON]]:
    """Yield place, type and data of each event."""
    for commit in commits():
        for at, event in enumerate(commit.events):
            yield (commit.version, at), event["type"], event["data"]


def first_place(kind: str) -> Place:
    """Return where the first event of a *kind* stands."""
    return next(place for place, found, _ in told_events() if found == kind)


def data_of(place: Place) -> JSON:
    """Return what the event at *place* really says."""
    version, at = place
    return commits()[version - 1].events[at]["data"]


def read(version: int, viewer: Viewer, place: Place) -> JSON:
    """Return the data of the event at *place* as *viewer* reads it at a later *version*."""
    match = matches()[version - 1]
    commit = commits()[place[0] - 1]
    return redact_commit(match, commit, viewer, SEED).events[place[1]]["data"]


def closing_version(viewer: Viewer, place: Place) -> int:
    """Return the version from which on a momentary field is covered, as the rules tell it."""
    later = [(at, kind, data) for at, kind, data in told_events() if at > place]
    if viewer is None:
        return next(at[0] for at, kind, _ in later if kind in {"TurnStarted", "TurnEnded"})
    has_begun = False
    for at, kind, data in later:
        if kind == "TurnStarted" and data["seat"] == viewer:
            has_begun = True
        if kind == "TurnEnded" and data["seat"] == viewer and has_begun:
            return at[0]
    pytest.fail("the match is too short")


def assert_open_until(viewer: Viewer, place: Place, fields: tuple[str, ...], closing: int) -> None:
    """Assert that *viewer* reads some fields before the version *closing*, and not from it on."""
    for version in {place[0], closing - 1, closing, closing + 1}:
        if version < place[0]:
            continue
        found = read(version, viewer, place)
        for field in fields:
            if version < closing:
                assert found[field] == data_of(place)[field]
            else:
                assert is_sealed(found[field])


def assert_sealed(viewer: Viewer, place: Place, fields: tuple[str, ...]) -> None:
    """Assert that *viewer* can't read some fields, not even at once."""
    found = read(place[0], viewer, place)
    assert all(is_sealed(found[field]) for field in fields)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("kind", SHOWN_TO_ALL)
def test_what_all_saw_stays_open_until_an_own_later_turn_has_ended(
    kind: str, viewer: Viewer
) -> None:
    place = first_place(kind)
    assert_open_until(viewer, place, SHOWN_TO_ALL[kind], closing_version(viewer, place))


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("kind", SHOWN_TO_THE_SEAT)
def test_what_one_seat_saw_stays_open_to_it_for_as_long(kind: str, viewer: Viewer) -> None:
    place, fields = first_place(kind), SHOWN_TO_THE_SEAT[kind]
    if viewer == data_of(place)["seat"]:
        assert_open_until(viewer, place, fields, closing_version(viewer, place))
    else:
        assert_sealed(viewer, place, fields)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("kind", SHOWN_TO_BOTH)
def test_what_two_seats_exchanged_stays_open_to_both_for_as_long(kind: str, viewer: Viewer) -> None:
    place, fields = first_place(kind), SHOWN_TO_BOTH[kind]
    if viewer in {data_of(place)["seat"], data_of(place)["target"]}:
        assert_open_until(viewer, place, fields, closing_version(viewer, place))
    else:
        assert_sealed(viewer, place, fields)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("kind", sorted(OPEN))
def test_what_follows_from_the_open_record_stays_readable(kind: str, viewer: Viewer) -> None:
    place = first_place(kind)
    assert read(len(matches()), viewer, place) == data_of(place)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("kind", ["PlayerDeckShuffled", "MarketDeckShuffled"])
def test_nobody_reads_the_order_of_a_deck(kind: str, viewer: Viewer) -> None:
    place = first_place(kind)
    found = read(place[0], viewer, place)
    assert is_sealed(found["order"])
    assert found["count"] == len(data_of(place)["order"])


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("kind", SHOWN_TO_ALL)
def test_when_it_happens_it_is_told_to_all(kind: str, viewer: Viewer) -> None:
    version, at = place = first_place(kind)
    match = matches()[version - 1]
    told = redact_commit(match, commits()[version - 1], viewer, SEED, told_live=True)
    assert told.events[at]["data"] == data_of(place)


def test_after_the_end_everybody_reads_everything() -> None:
    record = played(GAME, OPTIONS, len(SEATS))
    assert record.match.is_over
    for viewer in VIEWERS:
        for commit in record.commits:
            assert redact_commit(record.match, commit, viewer, SEED) == commit
