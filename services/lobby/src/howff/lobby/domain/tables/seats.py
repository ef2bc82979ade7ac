"""Sitting down, being ready, and getting up again."""

from howff.lobby.domain.errors import (
    AlreadySeatedError,
    NoSuchTableError,
    NothingChangesError,
    NotInvitedError,
    NotYourSeatError,
    SeatTakenError,
    TableNotFullError,
)
from howff.lobby.domain.tables.checks import (
    check_bots,
    check_entropy,
    check_hash,
    check_host,
    check_known,
    check_phase,
    check_seat,
)
from howff.lobby.domain.tables.commands import (
    LeaveSeat,
    RemoveAccount,
    SeatBot,
    TakeSeat,
    TellReady,
    WithdrawReady,
)
from howff.lobby.domain.tables.events import (
    BotSeated,
    HostChanged,
    ReadyWithdrawn,
    ReservationLifted,
    SeatLeft,
    SeatReadied,
    SeatTaken,
    TableClosed,
    TableEvent,
)
from howff.lobby.domain.tables.table import Person, Table

Events = tuple[TableEvent, ...]


def take_seat(table: Table, command: TakeSeat) -> Events:
    """Return how an account sits down, or fixes another entropy in its own seat."""
    is_invited = table.invitation(command.invitation or "") is not None
    if not table.is_known_to(command.by) and not is_invited:
        raise NoSuchTableError
    check_phase(table, "open")
    check_seat(len(table.seats), command.seat)
    check_hash(command.entropy_hash)
    holder, own = table.seats[command.seat], table.seat_of(command.by)
    if isinstance(holder, Person) and own == command.seat:
        _check_other_entropy(holder, command.entropy_hash)
        return (SeatTaken(command.seat, command.by, command.entropy_hash),)
    _check_admitted(table, command)
    if holder is not None:
        raise SeatTakenError(command.seat)
    if own is not None:
        raise AlreadySeatedError(own)
    return (SeatTaken(command.seat, command.by, command.entropy_hash),)


def _check_other_entropy(person: Person, entropy_hash: str | None) -> None:
    if person.is_ready:
        raise NothingChangesError("an account that is ready")
    if person.entropy_hash == entropy_hash:
        raise NothingChangesError("an account that has the seat")


def _check_admitted(table: Table, command: TakeSeat) -> None:
    reserved = table.reserved[command.seat]
    if reserved not in {None, command.by}:
        raise SeatTakenError(command.seat)
    if table.visibility == "public" or command.by in {reserved, table.host}:
        return
    invitation = table.invitation(command.invitation or "")
    if invitation is None or invitation.seat not in {None, command.seat}:
        raise NotInvitedError


def leave_seat(table: Table, command: LeaveSeat) -> Events:
    """Return how a seat becomes free: by who has it, or by the host."""
    check_known(table, command.by)
    check_phase(table, "open")
    check_seat(len(table.seats), command.seat)
    holder = table.seats[command.seat]
    if isinstance(holder, Person) and holder.account == command.by:
        return _left(table, command.seat)
    check_host(table, command.by)
    if holder is not None:
        return (SeatLeft(command.seat, "kicked"),)
    if table.reserved[command.seat] is None:
        raise NothingChangesError("a free seat")
    return (ReservationLifted(command.seat, "kicked"),)


def remove(table: Table, command: RemoveAccount) -> Events:
    """Return how an account has no part in the table any more."""
    check_phase(table, "open", "gathering")
    seat, events = table.seat_of(command.account), _lifted(table, command)
    if table.phase == "gathering" and seat is not None:
        return (TableClosed("ticket_gone"),)
    if seat is not None:
        events += (SeatLeft(seat, command.because),)
    if command.account == table.host:
        events += _passed_on(table, seat)
    if not events:
        raise NothingChangesError("an account without a part in the table")
    return events


def _lifted(table: Table, command: RemoveAccount) -> Events:
    """Return how free seats are kept for the account no more."""
    return tuple(
        ReservationLifted(seat, command.because)
        for seat in table.free
        if table.reserved[seat] == command.account
    )


def _left(table: Table, seat: int) -> Events:
    left = SeatLeft(seat, "left")
    if table.persons[seat].account != table.host:
        return (left,)
    return (left, *_passed_on(table, seat))


def _passed_on(table: Table, seat: int | None) -> Events:
    """Return who is the host without the account in *seat*, or that there is nobody."""
    rest = [each.account for at, each in sorted(table.persons.items()) if at != seat]
    return (HostChanged(rest[0]),) if rest else (TableClosed("empty"),)


def seat_bot(table: Table, command: SeatBot) -> Events:
    """Return how a bot gets a seat."""
    check_host(table, command.by)
    check_phase(table, "open")
    check_seat(len(table.seats), command.seat)
    check_bots(table.terms, has_bots=True)
    if table.seats[command.seat] is not None or table.reserved[command.seat] is not None:
        raise SeatTakenError(command.seat)
    return (BotSeated(command.seat, command.level),)


def tell_ready(table: Table, command: TellReady) -> Events:
    """Return how an account is ready in its seat."""
    person = _own(table, command.by, command.seat)
    if person.is_ready:
        raise NothingChangesError("an account that is ready")
    check_entropy(person, command.entropy)
    if command.entropy is not None and table.free:
        raise TableNotFullError(table.free)
    return (SeatReadied(command.seat, command.entropy),)


def withdraw_ready(table: Table, command: WithdrawReady) -> Events:
    """Return how an account is ready no longer."""
    if not _own(table, command.by, command.seat).is_ready:
        raise NothingChangesError("an account that is not ready")
    return (ReadyWithdrawn(command.seat),)


def _own(table: Table, account: str, seat: int) -> Person:
    check_known(table, account)
    check_phase(table, "open")
    check_seat(len(table.seats), seat)
    holder = table.seats[seat]
    if not isinstance(holder, Person) or holder.account != account:
        raise NotYourSeatError(seat)
    return holder
