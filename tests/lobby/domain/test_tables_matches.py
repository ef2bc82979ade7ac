"""Being ready, the entropies that seats add, and the match that a table asks for."""

import pytest

from howff.lobby.domain.errors import (
    NoSuchSeatError,
    NoSuchTableError,
    NothingChangesError,
    NotHostError,
    NotReadyError,
    NotYourSeatError,
    TableNotFullError,
    WrongEntropyError,
    WrongPhaseError,
)
from howff.lobby.domain.tables.commands import (
    CloseTable,
    DissolveTable,
    LeaveSeat,
    NoteBegun,
    NoteOver,
    NoteRefused,
    SettleMatched,
    StartTable,
    TableCommand,
    TakeSeat,
    TellReady,
    WithdrawReady,
)
from howff.lobby.domain.tables.events import (
    BotSeated,
    MatchBegun,
    MatchOver,
    ReadyWithdrawn,
    SeatLeft,
    SeatReadied,
    SeatTaken,
    StartRefused,
    TableClosed,
    TableEvent,
    TableStarted,
)
from howff.match.events import Account, Bot
from support.lobby_domain import full, hash_of, matched, opened, table

ALL_READY: tuple[TableEvent, ...] = (
    *full("ada's", "bea's"),
    SeatReadied(0, "ada's"),
    SeatReadied(1, "bea's"),
    SeatReadied(2),
)
STARTED = (*ALL_READY, TableStarted(1))
REFUSED = StartRefused(1, "no_luck", "there is none")
OF_TICKETS = (matched(), TableStarted(1))
PHASES: dict[str, tuple[TableEvent, ...]] = {
    "open": (opened(),),
    "gathering": (matched(),),
    "starting": STARTED,
    "playing": (*STARTED, MatchBegun()),
    "over": (*STARTED, MatchBegun(), MatchOver()),
    "closed": (opened(), TableClosed("cancelled")),
}


def test_a_player_without_an_entropy_is_ready_at_any_time() -> None:
    given = table(opened(), SeatTaken(0, "ada"))
    given.when(TellReady(by="ada", seat=0)).then(SeatReadied(0))


def test_an_entropy_is_told_to_a_full_table() -> None:
    given = table(*full("ada's"))
    after = given.when(TellReady(by="ada", seat=0, entropy="ada's")).then(SeatReadied(0, "ada's"))
    assert after is not None
    assert after.entropies == ("ada's", None, None)


def test_an_entropy_is_told_to_nobody_while_a_seat_is_free() -> None:
    given = table(opened(), SeatTaken(0, "ada", hash_of("ada's")), BotSeated(2, "random"))
    given.when(TellReady(by="ada", seat=0, entropy="ada's")).then(TableNotFullError((1,)))


@pytest.mark.parametrize(
    ("entropy", "expected", "found"),
    [
        (None, "the entropy of the hash that was told", "none"),
        ("another", f"one with the hash {hash_of('told')}", "another"),
        ("x" * 65, "at most 64 ASCII characters", "another"),
        ("schön", "at most 64 ASCII characters", "another"),
    ],
)
def test_an_entropy_is_that_of_its_hash(entropy: str | None, expected: str, found: str) -> None:
    refusal = WrongEntropyError(expected=expected, found=found)
    table(*full("told")).when(TellReady(by="ada", seat=0, entropy=entropy)).then(refusal)


def test_an_entropy_without_a_hash_that_was_told_is_refused() -> None:
    refusal = WrongEntropyError(expected="a hash that was told when sitting down", found="none")
    table(*full()).when(TellReady(by="ada", seat=0, entropy="late")).then(refusal)


def test_the_longest_entropy_and_the_empty_one_are_told() -> None:
    for entropy in ("", "x" * 64):
        given = table(*full(entropy))
        given.when(TellReady(by="ada", seat=0, entropy=entropy)).then(SeatReadied(0, entropy))


def test_everybody_is_ready_for_oneself() -> None:
    given = table(*full()[:-1], BotSeated(2, "random"))
    for seat in (1, 2):
        given.when(TellReady(by="ada", seat=seat)).then(NotYourSeatError(seat))
        given.when(WithdrawReady(by="ada", seat=seat)).then(NotYourSeatError(seat))
    given.when(TellReady(by="ada", seat=3)).then(NoSuchSeatError(3, 3))


def test_who_is_ready_can_not_be_more_so_or_less_so_twice() -> None:
    ready = table(*full(), SeatReadied(0))
    ready.when(TellReady(by="ada", seat=0)).then(NothingChangesError("an account that is ready"))
    ready.when(WithdrawReady(by="ada", seat=0)).then(ReadyWithdrawn(0))
    refusal = NothingChangesError("an account that is not ready")
    table(*full()).when(WithdrawReady(by="ada", seat=0)).then(refusal)


def test_who_is_ready_no_longer_tells_the_same_entropy_again() -> None:
    given = table(*full("told"), SeatReadied(0, "told"), ReadyWithdrawn(0))
    refusal = WrongEntropyError(expected="the entropy of the hash that was told", found="none")
    given.when(TellReady(by="ada", seat=0)).then(refusal)
    given.when(TellReady(by="ada", seat=0, entropy="told")).then(SeatReadied(0, "told"))


def test_entropies_that_were_told_count_no_more_once_a_seat_is_free() -> None:
    for command in (LeaveSeat(by="cid", seat=2), LeaveSeat(by="ada", seat=2)):
        after = table(*ALL_READY).after(command).state
        assert after is not None
        assert after.entropies == (None, None, None)
        assert [each.entropy_hash for each in after.persons.values()] == [None, None]
        assert not any(each.is_ready for each in after.persons.values())


def test_who_has_told_no_entropy_keeps_it_when_somebody_leaves() -> None:
    given = table(*full("ada's", "bea's"), SeatReadied(0, "ada's"), SeatLeft(2, "left"))
    after = given.state
    assert after is not None
    assert [each.entropy_hash for each in after.persons.values()] == [None, hash_of("bea's")]


def test_nobody_chooses_an_entropy_by_those_of_others() -> None:
    """Cid, who knows what the others have told, fixes another entropy: theirs count no more."""
    given = table(*full("ada's", "bea's", "cid's"), *ALL_READY[-3:-1])
    chosen = TakeSeat(by="cid", seat=2, entropy_hash=hash_of("chosen"))
    after = given.after(chosen).state
    assert after is not None
    assert after.entropies == (None, None, None)
    assert after.persons[2].entropy_hash == hash_of("chosen")
    assert not any(each.is_ready for each in after.persons.values())


def test_nor_by_taking_back_what_was_told() -> None:
    given = table(*full("ada's", "bea's"), *ALL_READY[-3:-1], ReadyWithdrawn(0))
    after = given.after(TakeSeat(by="ada", seat=0, entropy_hash=hash_of("chosen"))).state
    assert after is not None
    assert after.entropies == (None, None, None)


def test_a_match_is_asked_for_when_all_are_ready() -> None:
    after = table(*ALL_READY).when(StartTable(by="ada")).then(TableStarted(1))
    assert after is not None
    assert (after.phase, after.attempt) == ("starting", 1)
    assert after.holders == (Account("ada"), Account("bea"), Account("cid"))
    assert after.entropies == ("ada's", "bea's", None)


def test_bots_are_always_ready() -> None:
    given = table(*full()[:-1], BotSeated(2, "random"), SeatReadied(0), SeatReadied(1))
    after = given.when(StartTable(by="ada")).then(TableStarted(1))
    assert after is not None
    assert after.holders == (Account("ada"), Account("bea"), Bot("random"))


def test_no_match_is_asked_for_while_somebody_is_missing_or_not_ready() -> None:
    given = table(opened(), SeatTaken(0, "ada"), SeatTaken(1, "bea"), SeatReadied(1))
    given.when(StartTable(by="ada")).then(NotReadyError((0, 2)))


def test_only_the_host_asks_for_the_match_or_gives_the_table_up() -> None:
    for command in (StartTable(by="bea"), CloseTable(by="bea")):
        table(*ALL_READY).when(command).then(NotHostError())
        by_invitation = table(opened(visibility="invitation"))
        by_invitation.when(command).then(NoSuchTableError())


def test_a_refused_match_opens_the_table_again_and_nobody_is_ready() -> None:
    refusal = NoteRefused(1, "no_luck", "there is none")
    after = table(*STARTED).when(refusal).then(REFUSED)
    assert after is not None
    assert after.phase == "open"
    assert not any(each.is_ready for each in after.persons.values())
    assert after.refusal is not None
    assert (after.refusal.code, after.refusal.detail) == ("no_luck", "there is none")


def test_a_match_is_asked_for_again_under_the_next_number() -> None:
    ready = (SeatReadied(0, "ada's"), SeatReadied(1, "bea's"), SeatReadied(2))
    after = table(*STARTED, REFUSED, *ready).when(StartTable(by="ada")).then(TableStarted(2))
    assert after is not None
    assert after.refusal is None


def test_the_refusal_of_an_earlier_attempt_changes_nothing() -> None:
    refusal = NothingChangesError("a refusal of what is not asked for any more")
    ready = (SeatReadied(0, "ada's"), SeatReadied(1, "bea's"), SeatReadied(2))
    again = table(*STARTED, REFUSED, *ready, TableStarted(2))
    again.when(NoteRefused(1, "no_luck", "there is none")).then(refusal)
    table(*STARTED, REFUSED).when(NoteRefused(1, "no_luck", "there is none")).then(refusal)


def test_an_order_that_nobody_could_read_is_the_one_that_is_waited_for() -> None:
    command = NoteRefused(0, "malformed", "what is that")
    table(*STARTED).when(command).then(StartRefused(1, "malformed", "what is that"))


def test_a_match_that_has_begun_and_ended_is_noted_once() -> None:
    table(*STARTED).when(NoteBegun()).then(MatchBegun())
    table(*STARTED, MatchBegun()).when(NoteOver()).then(MatchOver())
    for phase in ("playing", "over", "closed"):
        table(*PHASES[phase]).when(NoteBegun()).then(
            NothingChangesError(f"a table that is {phase}")
        )
    for phase in ("over", "closed"):
        table(*PHASES[phase]).when(NoteOver()).then(NothingChangesError(f"a table that is {phase}"))


def test_the_end_of_a_match_may_be_told_before_its_beginning() -> None:
    table(*STARTED).when(NoteOver()).then(MatchOver())


def test_a_match_that_begins_after_its_refusal_is_played() -> None:
    table(*STARTED, REFUSED).when(NoteBegun()).then(MatchBegun())


def test_no_match_begins_or_ends_that_nobody_has_asked_for() -> None:
    for command in (NoteBegun(), NoteOver()):
        for phase in ("open", "gathering"):
            refusal = NothingChangesError(f"a table that is {phase}")
            table(*PHASES[phase]).when(command).then(refusal)


def test_the_match_of_tickets_is_asked_for_once_all_are_claimed() -> None:
    after = table(matched()).when(SettleMatched()).then(TableStarted(1))
    assert after is not None
    assert after.entropies == (None, None, None)


def test_the_refused_match_of_tickets_closes_their_table() -> None:
    refused = StartRefused(1, "no_luck", "there is none")
    command = NoteRefused(1, "no_luck", "there is none")
    after = table(*OF_TICKETS).when(command).then(refused, TableClosed("refused"))
    assert after is not None
    assert (after.phase, after.closed_because) == ("closed", "refused")


def test_a_host_gives_an_open_table_up() -> None:
    table(opened()).when(CloseTable(by="ada")).then(TableClosed("cancelled"))


def test_the_platform_gives_up_tables_that_wait() -> None:
    expired, closure = (
        DissolveTable(because="expired"),
        DissolveTable(because="administrator", reason="abuse"),
    )
    for phase in ("open", "gathering"):
        table(*PHASES[phase]).when(expired).then(TableClosed("expired"))
        table(*PHASES[phase]).when(closure).then(TableClosed("administrator", "abuse"))


@pytest.mark.parametrize("phase", ["starting", "playing", "over", "closed"])
@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (StartTable(by="ada"), "open"),
        (CloseTable(by="ada"), "open"),
        (TellReady(by="ada", seat=0), "open"),
        (WithdrawReady(by="ada", seat=0), "open"),
        (LeaveSeat(by="ada", seat=0), "open"),
        (DissolveTable(because="expired"), "open or gathering"),
        (SettleMatched(), "gathering"),
    ],
)
def test_nothing_else_happens_to_a_table_that_waits_no_longer(
    command: TableCommand, expected: str, phase: str
) -> None:
    table(*PHASES[phase]).when(command).then(WrongPhaseError(expected, phase))
