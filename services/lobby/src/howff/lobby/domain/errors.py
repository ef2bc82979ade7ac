"""Refusals of the lobby."""

from howff.engine.errors import RefusalError


class LobbyError(RefusalError):
    """The base of the service's refusals."""


class NoSuchTableError(LobbyError):
    """There is no such table, or none that the caller may see: one answer for both."""

    code = "no_such_table"

    def __init__(self) -> None:
        super().__init__("no such table", expected="a table that the caller may see", found="none")


class TableExistsError(LobbyError):
    """A table is to be opened where one stands."""

    code = "table_exists"

    def __init__(self) -> None:
        super().__init__("the table exists", expected="a new table", found="one that was opened")


class WrongPhaseError(LobbyError):
    """A table is asked for something that is too late, or too early."""

    code = "wrong_phase"

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(
            "not now", expected=f"a table that is {expected}", found=f"one that is {found}"
        )


class NoSuchSeatError(LobbyError):
    """The table has no seat of that number."""

    code = "no_such_seat"

    def __init__(self, seats: int, found: int) -> None:
        expected = f"a seat from 0 to {seats - 1}"
        super().__init__("no such seat", expected=expected, found=str(found))


class SeatTakenError(LobbyError):
    """Somebody else has the seat, or it is reserved for somebody."""

    code = "seat_taken"

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} is taken", expected="a free seat", found="one that is not")


class AlreadySeatedError(LobbyError):
    """An account that has a seat wants another."""

    code = "already_seated"

    def __init__(self, seat: int) -> None:
        expected = "one seat an account"
        super().__init__("already seated", expected=expected, found=f"one in seat {seat}")


class NotYourSeatError(LobbyError):
    """An account asks for something in a seat that it has not."""

    code = "not_your_seat"

    def __init__(self, seat: int) -> None:
        expected = f"the account in seat {seat}"
        super().__init__("not your seat", expected=expected, found="another")


class NotInvitedError(LobbyError):
    """A seat is for those who are invited, and the invitation is not good for it."""

    code = "not_invited"

    def __init__(self) -> None:
        expected = "an invitation that is good for this seat"
        super().__init__("not invited", expected=expected, found="none")


class NotHostError(LobbyError):
    """Only the host may do that."""

    code = "not_host"

    def __init__(self) -> None:
        super().__init__("not the host", expected="the host of the table", found="another account")


class NoSuchInvitationError(LobbyError):
    """The table has no such invitation, or none any more."""

    code = "no_such_invitation"

    def __init__(self) -> None:
        expected = "an invitation of this table"
        super().__init__("no such invitation", expected=expected, found="none")


class TooManyInvitationsError(LobbyError):
    """A table has as many invitations as it may have."""

    code = "too_many_invitations"

    def __init__(self, most: int) -> None:
        super().__init__("too many invitations", expected=f"at most {most}", found="one more")


class WrongEntropyError(LobbyError):
    """An entropy is not what its hash was told of, or the hash is none."""

    code = "wrong_entropy"

    def __init__(self, *, expected: str, found: str) -> None:
        super().__init__("wrong entropy", expected=expected, found=found)


class TableNotFullError(LobbyError):
    """An entropy may be told only when nobody can sit down any more who would know it."""

    code = "table_not_full"

    def __init__(self, free: tuple[int, ...]) -> None:
        found = f"free: {', '.join(map(str, free))}"
        super().__init__("the table is not full", expected="all seats to be taken", found=found)


class NotReadyError(LobbyError):
    """A match is asked for while seats are free, or somebody is not ready."""

    code = "not_ready"

    def __init__(self, seats: tuple[int, ...]) -> None:
        expected = "everybody to be ready"
        found = f"not so in seat {', '.join(map(str, seats))}"
        super().__init__("not ready", expected=expected, found=found)


class UnknownLevelError(LobbyError):
    """There are no bots of this level."""

    code = "unknown_level"

    def __init__(self, known: tuple[str, ...], found: str) -> None:
        super().__init__("unknown level", expected=" or ".join(known), found=repr(found))


class RatedWithBotsError(LobbyError):
    """A match that counts is asked for with bots."""

    code = "rated_with_bots"

    def __init__(self) -> None:
        expected = "accounts alone, or a match that is not rated"
        super().__init__("rated with bots", expected=expected, found="both")


class NothingChangesError(LobbyError):
    """What is asked for is so already, or can't be any more; nothing has to be recorded."""

    code = "nothing_changes"

    def __init__(self, found: str) -> None:
        super().__init__("nothing changes", expected="something to change", found=found)


class NoSuchTicketError(LobbyError):
    """The account has no such ticket, or none any more."""

    code = "no_such_ticket"

    def __init__(self) -> None:
        expected = "an open ticket of one's own"
        super().__init__("no such ticket", expected=expected, found="none")


class TicketExistsError(LobbyError):
    """A ticket is to be opened under the id of another one."""

    code = "ticket_exists"

    def __init__(self) -> None:
        super().__init__("the ticket exists", expected="a new ticket", found="one that was opened")


class TooManyTicketsError(LobbyError):
    """An account has as many open tickets as it may have."""

    code = "too_many_tickets"

    def __init__(self, most: int) -> None:
        super().__init__("too many tickets", expected=f"at most {most} open ones", found="one more")


class WrongWishError(LobbyError):
    """A ticket asks for what nobody could be given."""

    code = "wrong_wish"

    def __init__(self, field: str, *, expected: str, found: str) -> None:
        super().__init__(f"wrong {field}", expected=expected, found=found)


class TicketClaimedError(LobbyError):
    """A match is being made of one of the account's tickets."""

    code = "ticket_claimed"
    retry_after = 1

    def __init__(self) -> None:
        expected = "a ticket that waits"
        super().__init__(
            "the ticket is claimed", expected=expected, found="a match being made of it"
        )


class TicketNotDueError(LobbyError):
    """A ticket is to expire before its time."""

    code = "ticket_not_due"

    def __init__(self) -> None:
        super().__init__("not due", expected="a ticket whose time is over", found="one that waits")


class SuspendedError(LobbyError):
    """An account was suspended by an administrator."""

    code = "suspended"

    def __init__(self) -> None:
        super().__init__(
            "suspended", expected="an account in good standing", found="a suspended one"
        )


class MatchServiceError(LobbyError):
    """The match service refuses what it is asked, or answers something else."""

    code = "match_service"
    retry_after = 1

    def __init__(self, found: str) -> None:
        super().__init__("the match service refuses", expected="an answer", found=found)
