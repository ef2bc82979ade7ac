"""Who sits down at a table, by what right, and who has to get up again."""

import pytest

from howff.lobby.domain.errors import (
    AlreadySeatedError,
    NoSuchInvitationError,
    NoSuchSeatError,
    NoSuchTableError,
    NothingChangesError,
    NotHostError,
    NotInvitedError,
    RatedWithBotsError,
    SeatTakenError,
    TooManyInvitationsError,
    WrongEntropyError,
    WrongPhaseError,
)
from howff.lobby.domain.tables.commands import (
    LeaveSeat,
    MakeInvitation,
    RemoveAccount,
    RevokeInvitation,
    SeatBot,
    TableCommand,
    TakeSeat,
)
from howff.lobby.domain.tables.events import (
    BotSeated,
    HostChanged,
    InvitationMade,
    InvitationRevoked,
    LeftBecause,
    ReservationLifted,
    SeatLeft,
    SeatReadied,
    SeatTaken,
    TableClosed,
)
from howff.lobby.domain.tables.rules import MOST_INVITATIONS
from support.lobby_domain import full, hash_of, matched, opened, rated, table

ADA, BEA = SeatTaken(0, "ada"), SeatTaken(1, "bea")
CLOSED = TableClosed("cancelled")
BY_INVITATION = opened(visibility="invitation")
FOR_BEA = opened(visibility="invitation", reserved=(None, "bea", None))
ANYWHERE, IN_TWO = InvitationMade("any"), InvitationMade("two", 2)
PLATFORM: tuple[LeftBecause, ...] = ("suspended", "erased")


def test_anybody_sits_down_at_a_public_table() -> None:
    command = TakeSeat(by="bea", seat=1, entropy_hash=hash_of("luck"))
    after = table(opened(), ADA).when(command).then(SeatTaken(1, "bea", hash_of("luck")))
    assert after is not None
    assert after.free == (2,)


def test_a_seat_is_refused_to_a_second_player() -> None:
    table(opened(), ADA).when(TakeSeat(by="bea", seat=0)).then(SeatTakenError(0))


def test_the_seat_of_a_bot_is_taken() -> None:
    table(opened(), BotSeated(1, "random")).when(TakeSeat(by="bea", seat=1)).then(SeatTakenError(1))


def test_an_account_has_one_seat() -> None:
    table(opened(), ADA).when(TakeSeat(by="ada", seat=1)).then(AlreadySeatedError(0))


@pytest.mark.parametrize("seat", [-1, 3])
@pytest.mark.parametrize("kind", [TakeSeat, LeaveSeat])
def test_only_seats_that_there_are_can_be_taken_or_left(
    kind: type[TakeSeat | LeaveSeat], seat: int
) -> None:
    table(opened()).when(kind(by="ada", seat=seat)).then(NoSuchSeatError(3, seat))


def test_a_seat_is_taken_with_a_hash_or_with_none() -> None:
    refusal = WrongEntropyError(expected="SHA-256 in lower-case hex", found="'luck'")
    command = TakeSeat(by="bea", seat=1, entropy_hash="luck")
    table(opened()).when(command).then(refusal)


def test_a_table_by_invitation_is_none_to_who_has_no_good_invitation() -> None:
    for invitation in (None, "guessed"):
        command = TakeSeat(by="bea", seat=1, invitation=invitation)
        table(BY_INVITATION).when(command).then(NoSuchTableError())
        table(BY_INVITATION, CLOSED).when(command).then(NoSuchTableError())
    command = TakeSeat(by="bea", seat=1, invitation="any")
    revoked = (BY_INVITATION, ANYWHERE, InvitationRevoked("any"))
    table(*revoked).when(command).then(NoSuchTableError())


@pytest.mark.parametrize(
    "command",
    [
        LeaveSeat(by="dan", seat=0),
        SeatBot(by="dan", seat=0, level="random"),
        MakeInvitation(by="dan", invitation="mine"),
        RevokeInvitation(by="dan", invitation="any"),
    ],
)
def test_who_may_not_know_of_a_table_is_told_of_none(command: TableCommand) -> None:
    table(BY_INVITATION, ANYWHERE).when(command).then(NoSuchTableError())
    table(opened(), ANYWHERE).when(command).then(NotHostError())


def test_an_invitation_is_good_for_its_seat_and_for_as_many_as_have_it() -> None:
    given = table(BY_INVITATION, ANYWHERE, IN_TWO)
    given.when(TakeSeat(by="bea", seat=1, invitation="any")).then(BEA)
    given.when(TakeSeat(by="bea", seat=2, invitation="two")).then(SeatTaken(2, "bea"))
    given.when(TakeSeat(by="bea", seat=1, invitation="two")).then(NotInvitedError())
    after = table(BY_INVITATION, ANYWHERE, BEA)
    after.when(TakeSeat(by="cid", seat=2, invitation="any")).then(SeatTaken(2, "cid"))


def test_a_host_needs_no_invitation() -> None:
    table(BY_INVITATION).when(TakeSeat(by="ada", seat=1)).then(SeatTaken(1, "ada"))


def test_a_seat_is_kept_for_whom_it_is_reserved() -> None:
    given = table(FOR_BEA, ANYWHERE)
    given.when(TakeSeat(by="bea", seat=1)).then(BEA)
    given.when(TakeSeat(by="ada", seat=1)).then(SeatTakenError(1))
    given.when(TakeSeat(by="cid", seat=1, invitation="any")).then(SeatTakenError(1))
    given.when(TakeSeat(by="bea", seat=2)).then(NotInvitedError())
    given.when(SeatBot(by="ada", seat=1, level="random")).then(SeatTakenError(1))


def test_a_host_gives_up_a_seat_that_is_reserved() -> None:
    after = table(FOR_BEA).when(LeaveSeat(by="ada", seat=1)).then(ReservationLifted(1, "kicked"))
    assert after is not None
    assert not after.is_known_to("bea")
    given = table(FOR_BEA, ReservationLifted(1, "kicked"))
    given.when(SeatBot(by="ada", seat=1, level="random")).then(BotSeated(1, "random"))
    given.when(TakeSeat(by="ada", seat=1)).then(SeatTaken(1, "ada"))


@pytest.mark.parametrize("because", ["left", "kicked"])
def test_a_seat_that_was_left_is_reserved_for_nobody(because: LeftBecause) -> None:
    given = table(FOR_BEA, BEA, SeatLeft(1, because))
    given.when(SeatBot(by="ada", seat=1, level="random")).then(BotSeated(1, "random"))


def test_a_seat_is_left_by_who_has_it() -> None:
    after = table(opened(), ADA, BEA).when(LeaveSeat(by="bea", seat=1)).then(SeatLeft(1, "left"))
    assert after is not None
    assert (after.free, after.host) == ((1, 2), "ada")


def test_a_host_sends_away_whom_it_likes_and_bots() -> None:
    given = table(opened(), ADA, BEA, BotSeated(2, "random"))
    given.when(LeaveSeat(by="ada", seat=1)).then(SeatLeft(1, "kicked"))
    given.when(LeaveSeat(by="ada", seat=2)).then(SeatLeft(2, "kicked"))


def test_nobody_else_sends_anybody_away() -> None:
    given = table(opened(), ADA, BEA, BotSeated(2, "random"))
    for seat in (0, 2):
        given.when(LeaveSeat(by="bea", seat=seat)).then(NotHostError())


def test_a_free_seat_can_not_be_left() -> None:
    table(opened(), ADA).when(LeaveSeat(by="ada", seat=1)).then(NothingChangesError("a free seat"))


def test_the_first_of_those_who_stay_is_the_host_after_the_host() -> None:
    given = table(opened(host="cid"), BEA, SeatTaken(2, "cid"), ADA)
    given.when(LeaveSeat(by="cid", seat=2)).then(SeatLeft(2, "left"), HostChanged("ada"))


def test_a_table_that_its_last_player_leaves_is_closed() -> None:
    given = table(opened(), ADA, BotSeated(1, "random"))
    given.when(LeaveSeat(by="ada", seat=0)).then(SeatLeft(0, "left"), TableClosed("empty"))


def test_a_host_without_a_seat_stays_the_host_whoever_leaves() -> None:
    table(opened(), BEA).when(LeaveSeat(by="bea", seat=1)).then(SeatLeft(1, "left"))


def test_a_host_gives_free_seats_to_bots() -> None:
    given = table(opened(), ADA)
    given.when(SeatBot(by="ada", seat=1, level="random")).then(BotSeated(1, "random"))
    given.when(SeatBot(by="ada", seat=0, level="random")).then(SeatTakenError(0))
    given.when(SeatBot(by="ada", seat=3, level="random")).then(NoSuchSeatError(3, 3))


def test_no_bot_sits_down_where_the_match_counts() -> None:
    given = table(opened(terms=rated()), ADA)
    given.when(SeatBot(by="ada", seat=1, level="random")).then(RatedWithBotsError())


def test_a_host_makes_invitations_and_revokes_them() -> None:
    given = table(opened(), ANYWHERE)
    given.when(MakeInvitation(by="ada", invitation="two", seat=2)).then(IN_TWO)
    given.when(MakeInvitation(by="ada", invitation="x", seat=3)).then(NoSuchSeatError(3, 3))
    after = given.when(RevokeInvitation(by="ada", invitation="any")).then(InvitationRevoked("any"))
    assert after is not None
    assert after.invitations == ()


def test_an_invitation_is_revoked_once() -> None:
    for events in ((), (ANYWHERE, InvitationRevoked("any"))):
        command = RevokeInvitation(by="ada", invitation="any")
        table(opened(), *events).when(command).then(NoSuchInvitationError())


def test_a_table_has_so_many_invitations_and_no_more() -> None:
    made = (InvitationMade(str(number)) for number in range(MOST_INVITATIONS))
    given = table(opened(), *made)
    refusal = TooManyInvitationsError(MOST_INVITATIONS)
    given.when(MakeInvitation(by="ada", invitation="more")).then(refusal)
    fewer = given.after(RevokeInvitation(by="ada", invitation="0"))
    fewer.when(MakeInvitation(by="ada", invitation="more")).then(InvitationMade("more"))


@pytest.mark.parametrize(
    "command",
    [
        TakeSeat(by="bea", seat=1),
        LeaveSeat(by="ada", seat=0),
        SeatBot(by="ada", seat=1, level="random"),
        MakeInvitation(by="ada", invitation="more"),
        RevokeInvitation(by="ada", invitation="any"),
    ],
)
def test_seats_change_at_open_tables_only(command: TableCommand) -> None:
    table(opened(), ANYWHERE, ADA, CLOSED).when(command).then(WrongPhaseError("open", "closed"))


@pytest.mark.parametrize("because", PLATFORM)
def test_an_account_that_the_platform_removes_has_no_part_any_more(because: LeftBecause) -> None:
    bea, ada = (RemoveAccount(account=each, because=because) for each in ("bea", "ada"))
    table(opened(), ADA, BEA).when(bea).then(SeatLeft(1, because))
    table(opened(), ADA, BEA).when(ada).then(SeatLeft(0, because), HostChanged("bea"))
    table(opened(), ADA).when(ada).then(SeatLeft(0, because), TableClosed("empty"))
    table(opened(), BEA).when(ada).then(HostChanged("bea"))
    table(opened()).when(ada).then(TableClosed("empty"))


def test_no_seat_is_kept_for_an_account_that_the_platform_removes() -> None:
    command = RemoveAccount(account="bea", because="erased")
    table(FOR_BEA, ADA).when(command).then(ReservationLifted(1, "erased"))
    elsewhere = opened(reserved=("bea", "ada", "bea"))
    seated = table(elsewhere, BEA)
    lifted = (ReservationLifted(0, "erased"), ReservationLifted(2, "erased"))
    after = seated.when(command).then(*lifted, SeatLeft(1, "erased"))
    assert after is not None
    assert not {"bea"} & {*after.reserved}


def test_an_account_without_a_part_can_not_be_removed() -> None:
    refusal = NothingChangesError("an account without a part in the table")
    command = RemoveAccount(account="dan", because="suspended")
    table(opened(), ADA).when(command).then(refusal)
    table(matched()).when(command).then(refusal)


def test_tickets_come_to_nothing_when_one_of_the_players_is_removed() -> None:
    command = RemoveAccount(account="bea", because="suspended")
    table(matched()).when(command).then(TableClosed("ticket_gone"))


def test_nobody_is_removed_from_a_match_that_is_asked_for() -> None:
    given = table(*full(), CLOSED)
    command = RemoveAccount(account="bea", because="suspended")
    given.when(command).then(WrongPhaseError("open or gathering", "closed"))


def test_who_has_a_seat_fixes_another_entropy_until_ready() -> None:
    given = table(opened(), SeatTaken(0, "ada", hash_of("luck")))
    other = TakeSeat(by="ada", seat=0, entropy_hash=hash_of("other"))
    given.when(other).then(SeatTaken(0, "ada", hash_of("other")))
    given.when(TakeSeat(by="ada", seat=0)).then(SeatTaken(0, "ada"))
    ready = table(opened(), ADA, SeatReadied(0))
    ready.when(other).then(NothingChangesError("an account that is ready"))


def test_to_sit_down_again_with_the_same_entropy_changes_nothing() -> None:
    command = TakeSeat(by="ada", seat=0, entropy_hash=hash_of("luck"))
    refusal = NothingChangesError("an account that has the seat")
    table(opened(), SeatTaken(0, "ada", hash_of("luck"))).when(command).then(refusal)


def test_who_has_a_seat_needs_no_invitation_for_another_entropy() -> None:
    given = table(BY_INVITATION, ANYWHERE, BEA, InvitationRevoked("any"))
    command = TakeSeat(by="bea", seat=1, entropy_hash=hash_of("luck"))
    given.when(command).then(SeatTaken(1, "bea", hash_of("luck")))
