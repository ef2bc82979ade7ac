"""Forgeries of time and of leaving by who holds the key: the chain is right, the signatures too."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from howff.engine.codec import JSON, to_json
from howff.engine.outcome import Outcome
from howff.engine.seats import Seat
from howff.match.clocks import GRACE, SECOND, PerMatch
from howff.match.commands import PlayMove
from howff.match.commit import Commit, time_text
from howff.match.decisions import DEFAULT_POLICY
from howff.match.events import (
    ClockPaused,
    ClockStarted,
    FlagFallen,
    MatchAborted,
    MatchBranched,
    MatchEnded,
    SeatGivenBack,
    SeatResigned,
    SeatTakenOver,
    SeedRevealed,
    TimeCredited,
    WishTold,
)
from howff.match.export import read_export, write_export
from howff.match.match import match_of
from howff.match.play import play
from howff.match.verify import verify
from support.forging import NEWER, changed, failure, rechained, results, with_event
from support.played import NOON, NOTARY, SEED, exported
from support.timed import ANY, STAND_IN, TimedMatch, timed
from support.toy_game import TOY
from support.toy_types import Bid, CardBid

CLOCK = PerMatch(60, 5)
DUE = 60 * SECOND + GRACE
REVEALED = SeedRevealed(SEED.hex())
Forge = Callable[[TimedMatch], object]


def found(match: TimedMatch) -> tuple[str, int | None, int | None, str | None]:
    """Return what verifying finds wrong in *match* once it is over."""
    if not match.match.is_over:
        match.expires_all()
    if not match.match.is_over:
        match.aborts()
    report = verify(exported(match.record), TOY)
    place = failure(report).place
    assert results(report)["signatures"] == "passed"
    return failure(report).code, place.version, place.event, place.field


def lowest(match: TimedMatch, seat: int) -> int:
    return int(match.match.state.players[seat].hand[0])


def a_late_move(match: TimedMatch) -> None:
    """Record a move of seat 0 as if it had come when its flag was due."""
    move = TOY.legal_moves(match.match.state, Seat(0))[0]
    command = PlayMove(id=ANY, seat=Seat(0), move=move)
    commit = play(match.match, command, at=NOON, notary=NOTARY).commit
    match.append(replace(commit, at=time_text(NOON + timedelta(milliseconds=DUE))))


def bid_for(match: TimedMatch, seat: int, card: int, bot: JSON = None) -> None:
    match.forges(CardBid(Seat(seat), card), seat=seat, move=Bid(card), bot=bot)


def told_pause(match: TimedMatch, *more: object) -> None:
    match.forges(WishTold(Seat(0), "pause", is_wanted=True), *more, seat=0)


def fates(fate: Callable[[Seat], object]) -> Iterator[object]:
    """Return the fall of all three flags, and what follows from each."""
    for seat in map(Seat, range(3)):
        yield FlagFallen(seat)
        yield fate(seat)


FORGERIES: dict[str, Forge] = {
    "a flag that did not fall": lambda match: match.forges(
        FlagFallen(Seat(0)), SeatResigned(Seat(0), 1)
    ),
    "a flag that fell a millisecond early": lambda match: match.waits(DUE - 1).forges(
        *fates(lambda seat: SeatResigned(seat, 1)),
        MatchEnded("resigned", Outcome((1, 1, 1), ((), (), ()))),
        REVEALED,
    ),
    "one flag where three fell": lambda match: match.waits(DUE).forges(
        FlagFallen(Seat(0)), SeatResigned(Seat(0), 1)
    ),
    "a take-over where a flag is a resignation": lambda match: match.waits(DUE).forges(
        *fates(lambda seat: SeatTakenOver(seat, STAND_IN))
    ),
    "a move after the flag was due": a_late_move,
    "a pause that one seat wants": lambda match: told_pause(match, ClockPaused()),
    "a pause by the platform": lambda match: match.forges(ClockPaused()),
    "a going on without a pause": lambda match: match.forges(ClockStarted()),
    "a resignation that was the second": lambda match: match.forges(
        SeatResigned(Seat(1), 2), seat=1
    ),
    "a resignation in another's name": lambda match: match.forges(SeatResigned(Seat(1), 1), seat=0),
    "a resignation by the platform": lambda match: match.forges(SeatResigned(Seat(1), 1)),
    "a resignation that ends the match": lambda match: match.forges(
        SeatResigned(Seat(1), 1),
        MatchEnded("resigned", Outcome((1, 3, 1), ((), (), ()))),
        REVEALED,
        seat=1,
    ),
    "a credit of part of a second": lambda match: match.forges(TimeCredited(Seat(0), 1500)),
    "a credit of less than nothing": lambda match: match.forges(TimeCredited(Seat(0), -1000)),
    "a seat given back that was not taken over": lambda match: match.forges(
        SeatGivenBack(Seat(0)), seat=0
    ),
    "an end that one seat wants": lambda match: match.forges(
        WishTold(Seat(0), "abort", is_wanted=True), MatchAborted("agreement"), REVEALED, seat=0
    ),
    "an agreement by the platform": lambda match: match.forges(MatchAborted("agreement"), REVEALED),
    "a wish withdrawn that was not told": lambda match: match.forges(
        WishTold(Seat(0), "abort", is_wanted=False), seat=0
    ),
    "nothing at all": lambda match: match.forges(),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES.keys())
def test_what_was_not_decided_is_found(forge: Forge) -> None:
    match = timed(clock=CLOCK)
    forge(match)

    assert found(match)[:2] == ("unlawful_commit", 2)


@pytest.mark.parametrize(
    "event",
    [
        TimeCredited(Seat(0), 60_000),
        FlagFallen(Seat(1)),
        ClockStarted(),
        SeatTakenOver(Seat(1), STAND_IN),
    ],
)
def test_a_seat_does_nothing_that_the_platform_does(event: object) -> None:
    match = timed(clock=CLOCK)
    match.forges(event, seat=0)
    assert found(match) == ("unlawful_commit", 2, None, "move")
    match = timed(clock=CLOCK)
    match.forges(event, seat=0, move=Bid(lowest(match, 0)))
    assert found(match)[:2] == ("unlawful_commit", 2)


def test_a_branch_off_later_is_found() -> None:
    match = timed(clock=CLOCK)
    state = to_json(TOY.state, match.match.state)
    match.moves(0)
    match.forges(MatchBranched("match-1", 1, state))

    assert found(match)[:2] == ("unlawful_commit", 3)


@pytest.mark.parametrize("bot", [None, {"policy": "chance"}, DEFAULT_POLICY])
def test_a_default_move_that_is_not_the_default_is_found(bot: JSON) -> None:
    match = timed()
    match.resigns(1)
    hand = match.match.state.players[1].hand
    assert hand[0] != hand[-1]
    bid_for(match, 1, hand[-1], bot)

    assert found(match) == ("unlawful_commit", 3, 0, "card")


@pytest.mark.parametrize("bot", [None, {"policy": "chance"}])
def test_a_default_move_that_says_somebody_chose_it_is_found(bot: JSON) -> None:
    match = timed()
    match.resigns(1)
    bid_for(match, 1, lowest(match, 1), bot)

    assert found(match) == ("unlawful_commit", 3, None, "bot")


def test_a_move_of_who_has_resigned_is_found_where_bots_decide() -> None:
    match = timed(on_leave="bot")
    match.resigns(1)
    bid_for(match, 1, lowest(match, 1))

    assert found(match)[:2] == ("unlawful_commit", 3)


def test_a_move_of_a_person_whom_a_bot_has_replaced_is_found() -> None:
    match = timed(clock=CLOCK, on_flag="bot").waits_until_due()
    match.expires()
    bid_for(match, 1, lowest(match, 1))

    assert found(match)[:2] == ("unlawful_commit", 3)


def test_a_second_take_over_is_found() -> None:
    match = timed(2, clock=CLOCK, on_flag="bot")
    match.moves(1)
    match.waits_until_due().expires()
    match.waits_until_due().forges(FlagFallen(Seat(0)), SeatTakenOver(Seat(0), STAND_IN))

    assert found(match)[:2] == ("unlawful_commit", 4)


def test_a_pause_that_was_over_too_early_is_found() -> None:
    match = timed(clock=CLOCK)
    match.wants("pause", 0, 1, 2)
    match.waits_until_due(-1).forges(ClockStarted())

    assert found(match)[:2] == ("unlawful_commit", 5)


def test_a_move_in_a_pause_is_found() -> None:
    match = timed(clock=CLOCK)
    match.wants("pause", 0, 1, 2)
    bid_for(match, 0, lowest(match, 0))

    assert found(match)[:2] == ("unlawful_commit", 5)


@pytest.mark.parametrize("places", [(1, 2, 3), (1, 2, 2), (3, 1, 2)])
def test_wrong_places_after_resignations_are_found(places: tuple[int, ...]) -> None:
    match = timed()
    match.resigns(1)
    ended = MatchEnded("resigned", Outcome(places, ((), (), ())))
    match.forges(SeatResigned(Seat(2), 2), ended, REVEALED, seat=2)

    assert found(match) == ("wrong_outcome", 3, 1, "outcome")


def test_another_reason_for_the_end_is_found() -> None:
    match = timed(2)
    ended = MatchEnded("finished", Outcome((1, 2), ((), ())))
    match.forges(SeatResigned(Seat(1), 1), ended, REVEALED, seat=1)

    assert found(match) == ("unlawful_commit", 2, 1, "reason")


def test_another_clock_than_the_one_that_was_agreed_is_found() -> None:
    match = timed(clock=CLOCK).waits(40 * SECOND)
    match.moves(0)
    match.aborts()
    shorter = {"type": "PerMatch", "data": {"match_seconds": 30, "increment_seconds": 5}}
    forged = rechained(changed(exported(match.record), 1, with_event(0, clock=shorter)))
    place = failure(verify(forged, TOY)).place

    assert (failure(verify(forged, TOY)).code, place.version) == ("unlawful_commit", 2)


@pytest.mark.parametrize(
    "data",
    [
        {"clock": {"type": "PerMove", "data": {"move_seconds": 0}}},
        {"clock": {"type": "PerTurn", "data": {"turn_days": 31}}},
        {"stand_in": STAND_IN},
        {"on_flag": "bot"},
        {"on_leave": "bot"},
        {"on_flag": "bot", "stand_in": ""},
    ],
)
def test_terms_that_there_are_not_are_found(data: dict[str, JSON]) -> None:
    match = timed(clock=CLOCK)
    match.aborts()
    forged = rechained(changed(exported(match.record), 1, with_event(0, **data)))
    report = failure(verify(forged, TOY))

    assert report.code in {"unlawful_commit", "wrong_header"}
    assert report.place.version == 1


def test_places_after_resignations_are_checked_under_other_rules_too() -> None:
    match = timed()
    match.resigns(1)
    match.resigns(0)
    export = exported(match.record)
    assert verify(export, NEWER).failure is None
    wrong = {"places": [1, 2, 3], "figures": [[], [], []]}
    forged = rechained(changed(export, 3, with_event(1, outcome=wrong)))

    assert failure(verify(forged, NEWER)).code == "wrong_outcome"


def test_no_match_that_its_game_has_ended_is_aborted() -> None:
    aborted = {"type": "MatchAborted", "data": {"by": "agreement"}}
    export = exported(timed().plays_to_the_end().record)
    forged = changed(
        export,
        len(export.commits),
        lambda commit: replace(commit, events=(*commit.events[:-2], aborted, commit.events[-1])),
    )

    assert failure(verify(rechained(forged), NEWER)).code == "wrong_outcome"
    assert failure(verify(rechained(forged), TOY)).code == "unlawful_commit"


def without_clocks(commit: Commit) -> Commit:
    """Return the first *commit* as it was written before there were clocks."""
    first, *others = commit.events
    younger = {"clock", "on_flag", "on_leave", "stand_in"}
    data = {name: value for name, value in first["data"].items() if name not in younger}
    assert len(data) == len(first["data"]) - len(younger)
    return replace(commit, events=(first | {"data": data}, *others))


def without_reason(commit: Commit) -> Commit:
    """Return the last *commit* of a match that was aborted before there were reasons."""
    *others, aborted, revealed = commit.events
    assert aborted["data"].keys() == {"by", "reason"}
    older = aborted | {"data": {"by": aborted["data"]["by"]}}
    return replace(commit, events=(*others, older, revealed))


def agreed() -> TimedMatch:
    """Return a match that all seats wanted to be aborted."""
    match = timed()
    for seat in range(len(match.match.started.seats)):
        match.wants("abort", seat)
    return match


def administered() -> TimedMatch:
    match = timed()
    match.aborts()
    return match


@pytest.mark.parametrize("aborted", [agreed, administered])
def test_a_match_that_was_aborted_before_there_were_reasons_decides_alike(
    aborted: Callable[[], TimedMatch],
) -> None:
    export = exported(aborted().record)
    older = rechained(changed(export, len(export.commits), without_reason))
    assert read_export(write_export(older)) == older
    assert verify(older, TOY).failure is None


def test_an_agreement_has_no_reason() -> None:
    export = exported(agreed().record)
    forged = changed(export, len(export.commits), with_event(1, by="agreement", reason="cheating"))
    report = failure(verify(rechained(forged), TOY))
    assert (report.code, report.place.field) == ("unlawful_commit", "reason")


def test_a_reason_that_nobody_could_give_is_refused() -> None:
    export = exported(administered().record)
    forged = changed(export, len(export.commits), with_event(0, reason="he cheats"))
    assert verify(rechained(forged), TOY).failure is not None


def test_a_match_from_before_there_were_clocks_decides_alike() -> None:
    match = timed().plays_to_the_end()
    old = rechained(changed(exported(match.record), 1, without_clocks))

    assert [check.result for check in verify(old, TOY).checks] == ["passed"] * 6
    assert match_of(TOY, old.commits).started == match.match.started
    assert match_of(TOY, old.commits).state == match.match.state


def test_a_forged_opening_from_before_there_were_clocks_is_named() -> None:
    old = changed(exported(timed().plays_to_the_end().record), 1, without_clocks)
    starter = old.commits[0].events[1]["data"]["starter"]
    forged = rechained(changed(old, 1, with_event(1, starter=(starter + 1) % 3)))
    report = failure(verify(forged, TOY))

    assert (report.code, report.place.version) == ("unlawful_commit", 1)
    assert (report.place.event, report.place.field) == (1, "starter")
