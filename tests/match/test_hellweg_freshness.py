"""How long the trading cards of Hellweg Westfalicus stay open to those who read the log again."""

from datetime import timedelta
from functools import cache

import pytest

from howff.engine.codec import JSON, to_json
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import TRADING_CARDS, Square
from howff.engine.games.hellweg.moves import Move, TakeThaler
from howff.engine.games.hellweg.state import Options, State
from howff.engine.seats import Seat, Viewer
from howff.match.commit import Commit
from howff.match.match import Match
from howff.match.redaction import redact_commit
from howff.match.seals import is_sealed
from support.played import NOON, SEED, played, recorder

Place = tuple[int, int]
"""Where an event stands: the version of its commit, and its place there."""
SEATS: tuple[Seat, ...] = tuple(map(Seat, range(3)))
VIEWERS: tuple[Viewer, ...] = (None, *SEATS)
MONTHS = (1, 2, 3)


def dull_move(state: State, seat: Seat) -> Move:
    """Return a move that gets on; whoever can sells."""
    legal = GAME.legal_moves(state, seat)
    return next((move for move in legal if isinstance(move, TakeThaler)), legal[0])


@cache
def recorded() -> tuple[tuple[Match, ...], tuple[Commit, ...]]:
    """Return a match of three months after each of its commits, and these."""
    record = recorder(GAME, Options(), len(SEATS))
    matches = [record.match]
    while record.match.state.month <= MONTHS[-1]:
        seat = record.match.to_act[0]
        move = dull_move(record.match.state, seat)
        record.play(seat, move, at=NOON + timedelta(seconds=record.match.version))
        matches.append(record.match)
    return tuple(matches), tuple(record.commits)


def matches_from(version: int) -> tuple[Match, ...]:
    """Return the match after each of its commits, from that of *version* on."""
    return recorded()[0][version - 1 :]


def commits() -> tuple[Commit, ...]:
    """Return the commits of that match."""
    return recorded()[1]


def places_of(*kinds: str) -> list[tuple[Place, JSON]]:
    """Return where events of these *kinds* stand, and what they hold."""
    return [
        ((commit.version, at), event["data"])
        for commit in commits()
        for at, event in enumerate(commit.events)
        if event["type"] in kinds
    ]


def revealed(month: int) -> Place:
    """Return where the trading card of a *month* is turned up."""
    found = places_of("TradingCardRevealed")
    return next(place for place, data in found if data["month"] == month)


def face_of(month: int) -> JSON:
    """Return all that is told of the trading card of a *month*."""
    found = next(data for _, data in places_of("TradingCardRevealed") if data["month"] == month)
    assert found["slots"] == to_json(tuple[Square, ...], TRADING_CARDS[found["card"]])
    return found


def closing(viewer: Viewer, month: int) -> int:
    """Return the version after which the card of a *month* is closed to *viewer*.

    To a seat with the end of its first turn of the month, to spectators with that of any turn or
    its beginning, whatever comes first.
    """
    kinds = ("TurnStarted", "TurnEnded") if viewer is None else ("TurnEnded",)
    return next(
        place[0]
        for place, data in places_of(*kinds)
        if place > revealed(month) and viewer in {None, data["seat"]}
    )


def read(match: Match, viewer: Viewer, place: Place, *, told_live: bool = False) -> JSON:
    """Return the data of the event at *place* as *viewer* reads it while *match* stands so."""
    version, at = place
    commit = commits()[version - 1]
    return redact_commit(match, commit, viewer, SEED, told_live=told_live).events[at]["data"]


def is_blank(found: JSON, month: int) -> bool:
    """Return whether nothing but the month, and that it is not the last, can be read."""
    closed = {"month": month, "last": False}
    return closed.items() <= found.items() and all(
        is_sealed(found[field]) for field in ("card", "slots")
    )


@pytest.mark.parametrize("month", MONTHS)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_card_that_is_turned_up_is_told_to_everybody(viewer: Viewer, month: int) -> None:
    place = revealed(month)
    match = matches_from(place[0])[0]
    assert read(match, viewer, place, told_live=True) == face_of(month)


def test_scenario_44_in_the_third_month_only_its_own_card_can_be_read_again() -> None:
    seat = Seat(0)
    begun, ended = revealed(3)[0], closing(seat, 3)
    before = [match for match in matches_from(begun) if match.version < ended]
    assert len(before) > 1
    for match in before:
        assert match.state.month == 3
        assert read(match, seat, revealed(3)) == face_of(3)
        for month in (1, 2):
            assert is_blank(read(match, seat, revealed(month)), month)


def test_scenario_44_after_the_first_turn_the_card_is_closed_but_lies_open() -> None:
    seat = Seat(0)
    after = [match for match in matches_from(closing(seat, 3)) if match.state.month == 3]
    assert len(after) > 1
    for match in after:
        assert is_blank(read(match, seat, revealed(3)), 3)
        for viewer in VIEWERS:
            open_card = GAME.view(match.state, viewer).card
            assert open_card is not None
            assert open_card.card == face_of(3)["card"]
            assert open_card.slots == TRADING_CARDS[open_card.card]
            assert not open_card.is_last


@pytest.mark.parametrize("month", MONTHS)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_scenario_44_a_card_closes_with_a_turn_and_for_good(viewer: Viewer, month: int) -> None:
    place = revealed(month)
    for match in matches_from(place[0]):
        found = read(match, viewer, place)
        if match.version < closing(viewer, month):
            assert found == face_of(month)
        else:
            assert is_blank(found, month)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_order_of_the_deck_stays_sealed(viewer: Viewer) -> None:
    ((place, data),) = places_of("TradingDeckShuffled")
    assert len(data["order"]) == 12
    for match in matches_from(1):
        for told_live in (True, False):
            assert is_sealed(read(match, viewer, place, told_live=told_live)["order"])


def test_what_seats_did_stays_readable() -> None:
    match = matches_from(1)[-1]
    kinds = ("MerchandiseSold", "MerchantPlaced", "MoneyReceived", "CarriagePlaced")
    for kind in kinds:
        assert places_of(kind)
    for place, data in places_of(*kinds):
        for viewer in VIEWERS:
            assert read(match, viewer, place) == data


@pytest.mark.parametrize("options", [Options(), Options(short_game=True)])
def test_scenario_44_after_the_end_everybody_reads_everything(options: Options) -> None:
    record = played(GAME, options, len(SEATS))
    assert record.match.is_over
    told = [event["type"] for commit in record.commits for event in commit.events]
    assert told.count("TradingCardRevealed") == (10 if options.short_game else 12)
    assert told.count("TradingCardsSetAside") == options.short_game
    for viewer in VIEWERS:
        for commit in record.commits:
            assert redact_commit(record.match, commit, viewer, SEED) == commit
