"""How long the faces of Trödler's cards stay open to those who read the log again."""

from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from typing import Any

import pytest

from howff.engine.codec import JSON
from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.moves import EndTurn, Move, PlayRoute, RevealAll
from howff.engine.games.troedler.state import Options, State
from howff.engine.seats import Seat, Viewer
from howff.match.commit import Commit
from howff.match.match import Match
from howff.match.redaction import redact_commit
from howff.match.seals import is_sealed
from support.played import NOON, SEED, Record, played, recorder

Place = tuple[int, int]
"""Where an event stands: the version of its commit, and its place there."""
SEATS: tuple[Seat, ...] = (Seat(0), Seat(1), Seat(2))
VIEWERS: tuple[Viewer, ...] = (None, *SEATS)


def dull_move(state: State, legal: tuple[Move, ...]) -> Move:
    """Return a move that gets on; each seat drives once a turn if it can."""
    if not state.turn.played:
        for move in legal:
            if isinstance(move, PlayRoute):
                return move
    return next((move for move in legal if isinstance(move, RevealAll | EndTurn)), legal[0])


@cache
def recorded() -> tuple[tuple[Match, ...], tuple[Commit, ...]]:
    """Return a match of four rounds after each of its commits, and these."""
    record = recorder(GAME, Options(starting_dealer=Seat(1)), 3)
    matches = [record.match]
    while record.match.state.round < 5:
        (seat,) = record.match.to_act
        move = dull_move(record.match.state, GAME.legal_moves(record.match.state, seat))
        record.play(seat, move, at=NOON + timedelta(seconds=record.match.version))
        matches.append(record.match)
    return tuple(matches), tuple(record.commits)


def match_of_four_rounds() -> tuple[Match, ...]:
    """Return the match after each of its commits; seat 0 deals in round 3, seat 1 in round 4."""
    return recorded()[0]


def commits() -> tuple[Commit, ...]:
    """Return the commits of that match."""
    return recorded()[1]


def told_events() -> Iterator[tuple[Place, int, str, JSON]]:
    """Yield place, round, type and data of each event."""
    number = 0
    for commit in commits():
        for at, event in enumerate(commit.events):
            if event["type"] == "RoundStarted":
                number = event["data"]["round"]
            yield (commit.version, at), number, event["type"], event["data"]


def place_of(kind: str, number: int, **data: Any) -> Place:
    """Return where the first event of this *kind* and *data* stands in the round *number*."""
    return next(
        place
        for place, found, name, fields in told_events()
        if (found, name) == (number, kind) and data.items() <= fields.items()
    )


def read(match: Match, viewer: Viewer, place: Place, *, told_live: bool = False) -> JSON:
    """Return the data of the event at *place* as *viewer* reads it while *match* stands so."""
    return read_of(Record(match, commits()), viewer, place, told_live=told_live)


def read_of(record: Record, viewer: Viewer, place: Place, *, told_live: bool = False) -> JSON:
    """Return the data of the event at *place* as *viewer* reads it while a match stands so."""
    version, at = place
    match, commit = record.match, record.commits[version - 1]
    return redact_commit(match, commit, viewer, SEED, told_live=told_live).events[at]["data"]


def version_that_closes(viewer: Viewer, place: Place, field: str) -> int:
    """Return the version of the first commit after which *viewer* finds *field* sealed."""
    later = match_of_four_rounds()[place[0] - 1 :]
    sealed = [is_sealed(read(match, viewer, place)[field]) for match in later]
    first = sealed.index(True)
    assert all(sealed[first:])
    return later[first].version


def test_the_match_moves_as_the_scenario_says() -> None:
    for number, order in ((3, [0, 1, 2]), (4, [1, 2, 0])):
        turns = [
            fields["seat"]
            for _, found, kind, fields in told_events()
            if (found, kind) == (number, "TurnEnded")
        ]
        assert turns == order


@pytest.mark.parametrize(
    ("viewer", "number", "seat"), [(Seat(2), 3, 2), (Seat(0), 4, 0), (Seat(1), 4, 1), (None, 3, 1)]
)
def test_scenario_33_a_played_card_stays_open_until_a_turn_has_ended(
    viewer: Viewer, number: int, seat: int
) -> None:
    played_card = place_of("CardPlayed", 3, seat=1)
    closing = place_of("TurnEnded", number, seat=seat)
    for field in ("card", "use"):
        assert version_that_closes(viewer, played_card, field) == closing[0]


@pytest.mark.parametrize("viewer", SEATS)
@pytest.mark.parametrize(("pile", "layer"), [(0, 1), (2, 4)])
def test_scenario_33_a_revealed_card_stays_open_until_the_own_turn_has_ended(
    viewer: Seat, pile: int, layer: int
) -> None:
    revealed = place_of("DealerCardRevealed", 3, pile=pile, layer=layer)
    closing = place_of("TurnEnded", 3, seat=viewer)
    assert version_that_closes(viewer, revealed, "card") == closing[0]


def test_scenario_33_a_revealed_card_stays_open_to_spectators_until_a_turn_starts() -> None:
    revealed = place_of("DealerCardRevealed", 3, pile=0, layer=1)
    closing = place_of("TurnStarted", 3, seat=0)
    assert version_that_closes(None, revealed, "card") == closing[0]


def test_scenario_30_faces_are_gone_once_the_own_turn_has_ended() -> None:
    ended, _ = place_of("TurnEnded", 3, seat=2)
    match = match_of_four_rounds()[ended - 1]
    revealed = read(match, Seat(2), place_of("DealerCardRevealed", 3, pile=0, layer=1))
    assert (revealed["pile"], revealed["layer"]) == (0, 1)
    assert is_sealed(revealed["card"])
    card = read(match, Seat(2), place_of("CardPlayed", 3, seat=1))
    assert card["seat"] == 1
    assert is_sealed(card["card"])
    assert is_sealed(card["use"])
    stored = read(match, Seat(2), place_of("PlayedCardsStored", 3, seat=1))
    assert {name for name, value in stored.items() if not is_sealed(value)} == {"seat"}


@pytest.mark.parametrize("kind", ["CartMoved", "GoodsDelivered", "GoodTaken", "TurnEnded"])
def test_scenario_30_what_lies_on_the_board_stays_open(kind: str) -> None:
    record = played(GAME, Options(), 3, most=250)
    assert not record.match.is_over
    places = [
        (commit.version, at)
        for commit in record.commits
        for at, event in enumerate(commit.events)
        if event["type"] == kind
    ]
    assert places
    for version, at in places:
        stored = record.commits[version - 1].events[at]["data"]
        assert all(read_of(record, viewer, (version, at)) == stored for viewer in VIEWERS)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_rule_m_the_commit_that_is_told_shows_its_own(viewer: Viewer) -> None:
    ended, _ = place_of("TurnEnded", 3, seat=1)
    match = match_of_four_rounds()[ended - 1]
    live = read(match, viewer, (ended, 0), told_live=True)
    assert not any(map(is_sealed, live.values()))
    again = read(match, viewer, (ended, 0))
    assert any(map(is_sealed, again.values())) == (viewer is None)


@pytest.mark.parametrize("viewer", SEATS)
def test_a_taken_pile_stays_open_to_its_taker_alone(viewer: Seat) -> None:
    match = match_of_four_rounds()[-1]
    taken = place_of("DealerPileTaken", 3, seat=1)
    assert is_sealed(read(match, viewer, taken)["cards"]) == (viewer != 1)
    assert is_sealed(read(match, viewer, taken)["top"])


def test_open_memory_blanks_nothing() -> None:
    record = played(GAME, Options(memory="open"), 3, most=200)
    assert not record.match.is_over
    for commit in record.commits:
        for viewer in VIEWERS:
            again = redact_commit(record.match, commit, viewer, SEED)
            assert again == redact_commit(record.match, commit, viewer, SEED, told_live=True)


def test_scenario_30_after_the_end_everything_is_readable() -> None:
    record = played(GAME, Options(), 3)
    assert record.match.is_over
    for viewer in VIEWERS:
        for commit in record.commits:
            assert redact_commit(record.match, commit, viewer, SEED) == commit


def test_moves_of_other_seats_are_not_told() -> None:
    match = match_of_four_rounds()[-1]
    for commit in commits()[1:]:
        assert isinstance(commit.seat, int)
        for viewer in VIEWERS:
            told = redact_commit(match, commit, viewer, SEED, told_live=True)
            assert is_sealed(told.move) == (viewer != commit.seat)
