from dataclasses import dataclass, replace
from typing import Annotated

import pytest

from howff.engine.game import AnyGame
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import hidden, secret_to
from howff.match.chain import hash_of_redacted
from howff.match.commit import Commit, commit_from_json, commit_to_json
from howff.match.errors import NoSuchSeatError
from howff.match.redaction import redact_commit
from howff.match.seals import is_sealed
from howff.match.turns import NO_TURNS, Turns
from support.played import NOON, NOTARY, SEED, Record, played, recorder, resumed
from support.toy_game import TOY
from support.toy_types import Bid, EndTurn, Offer, Options, Peek, TurnEnded, TurnStarted

VIEWERS: tuple[Viewer, ...] = (None, Seat(0), Seat(1), Seat(2))


def match_with_exchange(options: Options) -> Record:
    """Play one round of three seats: all bid, the winner peeks and makes an offer."""
    record = recorder(TOY, options, 3)
    for seat in record.match.to_act:
        record.play(seat, Bid(max(record.match.state.players[seat].hand)), at=NOON, bot="depth 3")
    (winner,) = record.match.to_act
    record.play(winner, Peek(), at=NOON)
    offer = next(
        move for move in TOY.legal_moves(record.match.state, winner) if isinstance(move, Offer)
    )
    record.play(winner, offer, at=NOON)
    (asked,) = record.match.to_act
    record.play(asked, TOY.legal_moves(record.match.state, asked)[0], at=NOON)
    return Record.of(record)


def ended_turn(before: Record) -> Record:
    record = resumed(before)
    (winner,) = record.match.to_act
    record.play(winner, EndTurn(), at=NOON)
    return Record.of(record)


def told(record: Record, kind: str, viewer: Viewer, *, told_live: bool = False) -> list[bool]:
    """Return of the last event of this *kind* which of its covered fields *viewer* is shown."""
    for commit in reversed(record.commits):
        for at, event in enumerate(commit.events):
            if event["type"] == kind:
                redacted = redact_commit(record.match, commit, viewer, SEED, told_live=told_live)
                data = redacted.events[at]["data"]
                return [not is_sealed(value) for name, value in data.items() if name in _COVERED]
    raise AssertionError(kind)


_COVERED = {"order", "cards", "card", "given", "answer"}


def by_viewer(record: Record, kind: str) -> list[bool]:
    return [all(told(record, kind, viewer)) for viewer in VIEWERS]


def test_a_secret_is_told_to_the_seats_it_belongs_to() -> None:
    record = match_with_exchange(Options())
    winner = record.match.state.active
    last = record.commits[-1]
    asked = next(event["data"]["to"] for event in last.events if "to" in event["data"])

    assert by_viewer(record, "CardsExchanged") == [each in {winner, asked} for each in VIEWERS]
    assert by_viewer(record, "DeckShuffled") == [False] * 4


def test_a_move_is_told_to_its_seat_and_how_a_bot_came_to_it_to_nobody() -> None:
    record = match_with_exchange(Options())
    commit = record.commits[1]
    for viewer in VIEWERS:
        redacted = redact_commit(record.match, commit, viewer, SEED, told_live=True)
        assert is_sealed(redacted.move) == (viewer != commit.seat)
        assert is_sealed(redacted.bot)


def test_a_move_is_open_to_its_seat_as_long_as_what_it_has_caused() -> None:
    before = match_with_exchange(Options())
    winner = before.match.state.active
    after = ended_turn(before)
    bid = next(commit for commit in before.commits if commit.seat == winner)
    peek = before.commits[4]

    def is_told(record: Record, commit: Commit) -> bool:
        return not is_sealed(redact_commit(record.match, commit, winner, SEED).move)

    assert (peek.seat, peek.move) == (winner, {"type": "Peek", "data": {}})
    assert is_told(before, bid)
    # The turn that has ended began after the bid, but before the peek.
    assert not is_told(after, bid)
    assert not is_sealed(redact_commit(after.match, bid, winner, SEED, told_live=True).move)
    assert is_told(after, peek)
    assert is_told(ended_turn(match_with_exchange(Options(memory="open"))), bid)


def test_a_move_that_opens_a_turn_of_its_seat_closes_at_the_end_of_that_turn() -> None:
    record = recorder(TOY, Options(), 3)
    bids = [Bid(max(player.hand)) for player in record.match.state.players]
    winner = match_with_exchange(Options()).match.state.active
    assert winner is not None
    for seat in (*(each for each in record.match.to_act if each != winner), winner):
        record.play(seat, bids[seat], at=NOON)
    last_bid = record.commits[-1]
    before, after = record.match, ended_turn(Record.of(record)).match

    assert [event["type"] for event in last_bid.events] == [
        "CardBid",
        "BidsRevealed",
        "TurnStarted",
    ]
    assert not is_sealed(redact_commit(before, last_bid, winner, SEED).move)
    # Else its move would tell a card of those that have just been covered.
    assert is_sealed(redact_commit(after, last_bid, winner, SEED).move)


@pytest.mark.parametrize("viewer", [-1, 3, 99])
def test_nobody_looks_through_the_eyes_of_a_seat_that_is_not_there(viewer: int) -> None:
    running = Record.of(recorder(TOY, Options(), 3))
    for record in (running, played(TOY, Options(), 3)):
        with pytest.raises(NoSuchSeatError) as refusal:
            redact_commit(record.match, record.commits[0], Seat(viewer), SEED)
        assert refusal.value.code == "no_such_seat"


@dataclass(frozen=True)
class Gift:
    """A gift; *colour* was added by younger rules."""

    rank: int
    colour: str = "red"


@dataclass(frozen=True)
class GiftLaid:
    seat: Seat
    gift: Annotated[Gift, secret_to("seat")]
    note: Annotated[str, hidden()] = ""


def test_what_younger_rules_add_to_a_secret_changes_no_old_commitment() -> None:
    grown: AnyGame = replace(TOY, event=TOY.event | GiftLaid)
    record = recorder(TOY, Options(), 3)
    match = replace(record.match, game=grown)
    event = {"type": "GiftLaid", "data": {"seat": 1, "gift": {"rank": 3}}}
    commit = NOTARY.attest(replace(record.commits[0], events=(event,)), grown)

    for viewer in VIEWERS:
        redacted = redact_commit(match, commit, viewer, SEED)
        assert is_sealed(redacted.events[0]["data"]["gift"]) == (viewer != 1)
        assert hash_of_redacted(redacted) == commit.hash


def test_of_a_platform_command_nobody_is_told_a_move() -> None:
    record = recorder(TOY, Options(), 3)
    for viewer in VIEWERS:
        assert is_sealed(redact_commit(record.match, record.commits[0], viewer, SEED).move)


def test_what_is_shown_once_is_told_live_even_when_the_same_commit_closes_it() -> None:
    record = match_with_exchange(Options())

    assert told(record, "BidsRevealed", None, told_live=True) == [True]
    assert told(record, "BidsRevealed", None) == [False]


def test_what_is_shown_once_closes_to_a_seat_when_its_own_turn_has_ended() -> None:
    before = match_with_exchange(Options())
    winner = before.match.state.active
    after = ended_turn(before)

    assert by_viewer(before, "BidsRevealed") == [False, True, True, True]
    # The turn that has ended began after the bids were shown, and only the winner had one.
    assert by_viewer(after, "BidsRevealed") == [
        viewer is not None and viewer != winner for viewer in VIEWERS
    ]


def test_what_a_seat_alone_saw_stays_open_in_the_turn_after_the_one_it_saw_it_in() -> None:
    before = match_with_exchange(Options())
    winner = before.match.state.active
    after = ended_turn(before)

    # The turn in which it peeked began before the peek, so its end does not close it.
    for record in (before, after):
        assert by_viewer(record, "BottomPeeked") == [viewer == winner for viewer in VIEWERS]


def test_with_open_memory_nothing_closes() -> None:
    record = ended_turn(match_with_exchange(Options(memory="open")))

    assert by_viewer(record, "BidsRevealed") == [True] * 4


def test_after_the_match_everything_is_open() -> None:
    record = played(TOY, Options(), 3)
    for viewer in VIEWERS:
        for commit in record.commits:
            assert redact_commit(record.match, commit, viewer, SEED) == commit


def test_a_redacted_commit_comes_back_from_its_json() -> None:
    record = match_with_exchange(Options())
    for viewer in VIEWERS:
        for commit in record.commits:
            redacted = redact_commit(record.match, commit, viewer, SEED)
            assert is_sealed(redacted.bot)
            assert commit_from_json(commit_to_json(redacted)) == redacted


def test_a_redacted_commit_keeps_the_fields_that_were_stored() -> None:
    record = match_with_exchange(Options())
    for commit in record.commits:
        redacted = redact_commit(record.match, commit, None, SEED)
        for stored, shown in zip(commit.events, redacted.events, strict=True):
            assert shown["type"] == stored["type"]
            assert shown["data"].keys() == stored["data"].keys()


@dataclass
class Log:
    """A log of turns in which events are counted as commits of one event."""

    turns: Turns = NO_TURNS
    length: int = 0

    def add(self, event: object = None) -> tuple[int, int]:
        self.length += 1
        self.turns = self.turns.after(event, (self.length, 0))
        return self.length, 0

    def turn(self, seat: int) -> tuple[int, int]:
        """Let *seat* have a turn in which something is shown."""
        self.add(TurnStarted(Seat(seat)))
        shown = self.add()
        self.add(TurnEnded(Seat(seat)))
        return shown

    def open_to(self, moment: tuple[int, int]) -> set[Viewer]:
        return {viewer for viewer in VIEWERS if self.turns.is_open(viewer, moment)}


def test_rounds_with_a_moving_first_seat_close_what_was_shown_at_each_seats_own_turn() -> None:
    log = Log()
    dealt = log.add()
    assert log.open_to(dealt) == {None, 0, 1, 2}
    shown_by_0 = log.turn(0)
    assert log.open_to(dealt) == {1, 2}
    assert log.open_to(shown_by_0) == {0, 1, 2}
    log.turn(1)
    assert log.open_to(shown_by_0) == {0, 2}
    shown_by_2 = log.turn(2)
    assert log.open_to(dealt) == set()
    assert log.open_to(shown_by_0) == {0}
    log.turn(1)  # the second round begins one seat further on
    assert log.open_to(shown_by_2) == {0, 2}
    assert log.open_to(shown_by_0) == {0}
    log.turn(2)
    log.add(TurnStarted(Seat(0)))
    assert log.open_to(shown_by_0) == {0}
    log.add(TurnEnded(Seat(0)))
    assert log.open_to(shown_by_0) == set()


def test_spectators_lose_what_was_shown_when_a_turn_begins() -> None:
    log = Log()
    shown = log.add()
    log.add()
    assert None in log.open_to(shown)
    log.add(TurnStarted(Seat(0)))
    assert None not in log.open_to(shown)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_feed_of_a_viewer_tells_every_commit_and_event(viewer: Viewer) -> None:
    record = played(TOY, Options(), 3).before_the_last()
    redacted = [redact_commit(record.match, each, viewer, SEED) for each in record.commits]

    assert [len(each.events) for each in redacted] == [len(each.events) for each in record.commits]
