"""What commands to a table cause, and when they are refused."""

from datetime import datetime
from typing import Final, assert_never

from howff.lobby.domain.errors import (
    NoSuchInvitationError,
    NoSuchTableError,
    NothingChangesError,
    NotReadyError,
    TableExistsError,
    TooManyInvitationsError,
)
from howff.lobby.domain.tables.checks import (
    check_bots,
    check_hash,
    check_host,
    check_no_hash,
    check_phase,
    check_seat,
)
from howff.lobby.domain.tables.commands import (
    CloseTable,
    DissolveTable,
    LeaveSeat,
    MakeInvitation,
    MatchTickets,
    NoteBegun,
    NoteOver,
    NoteRefused,
    OpeningCommand,
    OpenRematch,
    OpenTable,
    RemoveAccount,
    RevokeInvitation,
    SeatBot,
    SettleMatched,
    StandingCommand,
    StartTable,
    TableCommand,
    TakeSeat,
    TellReady,
    WithdrawReady,
)
from howff.lobby.domain.tables.events import (
    BotSeated,
    InvitationMade,
    InvitationRevoked,
    MatchBegun,
    MatchOver,
    SeatTaken,
    StartRefused,
    TableClosed,
    TableEvent,
    TableMatched,
    TableOpened,
    TableStarted,
)
from howff.lobby.domain.tables.seats import (
    leave_seat,
    remove,
    seat_bot,
    take_seat,
    tell_ready,
    withdraw_ready,
)
from howff.lobby.domain.tables.table import Person, Phase, Table
from howff.lobby.domain.terms import resolved
from howff.match.events import Bot

MOST_INVITATIONS: Final = 32
UNREADABLE: Final = 0
"""The attempt that is told of an order which could not be read."""
Events = tuple[TableEvent, ...]


def decide(table: Table | None, command: TableCommand, _: datetime) -> Events:
    """Return what *command* causes at *table*, None for one that is not there yet.

    Raises:
        RefusalError: it is not possible, not allowed, or not now.
    """
    match command:
        case OpenTable() | OpenRematch() | MatchTickets():
            if table is not None:
                raise TableExistsError
            return _opening(command)
        case _:
            if table is None:
                raise NoSuchTableError
            return _decided(table, command)


def _opening(command: OpeningCommand) -> Events:
    match command:
        case OpenTable():
            return _open(command)
        case OpenRematch():
            return _open_rematch(command)
        case MatchTickets(terms=terms, seed_commitment=commitment, seats=seats):
            check_bots(terms, any(isinstance(each, Bot) for each in seats))
            return (TableMatched(resolved(terms), commitment, seats),)


def _decided(table: Table, command: StandingCommand) -> Events:  # noqa: C901, PLR0911, PLR0912
    match command:
        case TakeSeat():
            return take_seat(table, command)
        case LeaveSeat():
            return leave_seat(table, command)
        case RemoveAccount():
            return remove(table, command)
        case SeatBot():
            return seat_bot(table, command)
        case TellReady():
            return tell_ready(table, command)
        case WithdrawReady():
            return withdraw_ready(table, command)
        case MakeInvitation():
            return _invite(table, command)
        case RevokeInvitation():
            return _revoke(table, command)
        case StartTable():
            return _start(table, command)
        case SettleMatched():
            check_phase(table, "gathering")
            return (TableStarted(1),)
        case NoteRefused() | NoteBegun() | NoteOver():
            return _noted(table, command)
        case CloseTable(by=by):
            check_host(table, by)
            check_phase(table, "open")
            return (TableClosed("cancelled"),)
        case DissolveTable(because=because, reason=reason):
            check_phase(table, "open", "gathering")
            return (TableClosed(because, reason),)
        case _:
            assert_never(command)


def _open(command: OpenTable) -> Events:
    terms = resolved(command.terms)
    opened = TableOpened(
        terms=terms,
        visibility=command.visibility,
        host=command.by,
        seed_commitment=command.seed_commitment,
        reserved=(None,) * terms.seats,
    )
    if command.seat is None:
        check_no_hash(command.entropy_hash)
        return (opened,)
    check_seat(terms.seats, command.seat)
    check_hash(command.entropy_hash)
    return opened, SeatTaken(command.seat, command.by, command.entropy_hash)


def _open_rematch(command: OpenRematch) -> Events:
    check_bots(command.terms, has_bots=any(each is not None for each in command.bots))
    opened = TableOpened(
        terms=resolved(command.terms),
        visibility=command.visibility,
        host=command.by,
        seed_commitment=command.seed_commitment,
        reserved=command.reserved,
        previous=command.previous,
    )
    bots = (BotSeated(at, level) for at, level in enumerate(command.bots) if level is not None)
    return (opened, *bots, SeatTaken(command.reserved.index(command.by), command.by))


def _invite(table: Table, command: MakeInvitation) -> Events:
    check_host(table, command.by)
    check_phase(table, "open")
    if command.seat is not None:
        check_seat(len(table.seats), command.seat)
    if len(table.invitations) >= MOST_INVITATIONS:
        raise TooManyInvitationsError(MOST_INVITATIONS)
    return (InvitationMade(command.invitation, command.seat),)


def _revoke(table: Table, command: RevokeInvitation) -> Events:
    check_host(table, command.by)
    check_phase(table, "open")
    if table.invitation(command.invitation) is None:
        raise NoSuchInvitationError
    return (InvitationRevoked(command.invitation),)


def _start(table: Table, command: StartTable) -> Events:
    check_host(table, command.by)
    check_phase(table, "open")
    missing = tuple(
        at
        for at, each in enumerate(table.seats)
        if each is None or (isinstance(each, Person) and not each.is_ready)
    )
    if missing:
        raise NotReadyError(missing)
    return (TableStarted(table.attempt + 1),)


def _noted(table: Table, command: NoteRefused | NoteBegun | NoteOver) -> Events:
    """Return what the match service tells, of which only what is new counts."""
    match command:
        case NoteRefused():
            return _note_refused(table, command)
        case NoteBegun():
            return _note(table, "starting", "open", event=MatchBegun())
        case NoteOver():
            return _note(table, "starting", "open", "playing", event=MatchOver())


def _note_refused(table: Table, command: NoteRefused) -> Events:
    is_of_this = command.attempt in {table.attempt, UNREADABLE}
    if table.phase != "starting" or not is_of_this:
        raise NothingChangesError("a refusal of what is not asked for any more")
    refused = StartRefused(table.attempt, command.code, command.detail)
    return (refused, TableClosed("refused")) if table.is_matched else (refused,)


def _note(table: Table, *phases: Phase, event: MatchBegun | MatchOver) -> Events:
    """Return the *event*, which comes again and again, if the table is in one of the *phases*.

    An open table may have asked for the match before, and what was refused have begun since.
    """
    if table.phase not in phases or not table.attempt:
        raise NothingChangesError(f"a table that is {table.phase}")
    return (event,)
