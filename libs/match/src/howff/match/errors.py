"""Refusals of a match: expected errors, each with a code that never changes."""

from howff.engine.errors import RefusalError


class MatchError(RefusalError):
    """The base of a match's refusals."""


class CommandIdReusedError(MatchError):
    """An actor sent a command under the id of an earlier, different one."""

    code = "command_id_reused"

    def __init__(self, command: str, version: int) -> None:
        found = f"that of version {version}"
        super().__init__(f"command id {command!r} reused", expected="a new id", found=found)


class ReservedNameError(MatchError):
    """A game calls an event by a name that belongs to the platform."""

    code = "reserved_name"

    def __init__(self, name: str) -> None:
        expected = "event names that the platform does not use"
        super().__init__("reserved name of an event", expected=expected, found=repr(name))


class UnrecordableError(MatchError):
    """A command holds something that could not be read again from a file."""

    code = "unrecordable"

    def __init__(self, what: str, *, expected: str, found: str) -> None:
        super().__init__(f"unrecordable: {what}", expected=expected, found=found)


class WrongSeedError(MatchError):
    """A seed has the wrong length, or is not that of the match."""

    code = "wrong_seed"

    def __init__(self, *, expected: str, found: str) -> None:
        super().__init__("wrong seed", expected=expected, found=found)


class NoSuchSeatError(MatchError):
    """A seat is named that the match has not."""

    code = "no_such_seat"

    def __init__(self, seats: int, found: int) -> None:
        expected = f"a seat from 0 to {seats - 1}"
        super().__init__("no such seat", expected=expected, found=str(found))


class WrongEntropiesError(MatchError):
    """The entropies of the seats have the wrong number or form."""

    code = "wrong_entropies"

    def __init__(self, seats: int, found: str) -> None:
        expected = f"{seats} of null or at most 64 ASCII characters"
        super().__init__("wrong entropies", expected=expected, found=found)


class MatchGoesOnError(MatchError):
    """Something was asked that only a finished match gives."""

    code = "match_goes_on"

    def __init__(self, what: str) -> None:
        super().__init__(what, expected="a finished match", found="one that goes on")


class ResignedError(MatchError):
    """A seat that has resigned wants something."""

    code = "resigned"

    def __init__(self, seat: int) -> None:
        expected = "a seat that is in the match still"
        super().__init__("the seat has resigned", expected=expected, found=f"seat {seat}")


class SeatTakenOverError(MatchError):
    """A bot decides for the seat; its account may take it back first."""

    code = "seat_taken_over"

    def __init__(self, seat: int) -> None:
        expected = "the seat to be taken back first"
        super().__init__("a bot has taken the seat over", expected=expected, found=f"seat {seat}")


class NotTakenOverError(MatchError):
    """A seat can't be taken back or decided for, since the one who holds it does so."""

    code = "not_taken_over"

    def __init__(self, seat: int) -> None:
        expected = "a seat that its account has left"
        super().__init__("the seat is nobody else's", expected=expected, found=f"seat {seat}")


class NoVoteError(MatchError):
    """A bot wants something that people agree on."""

    code = "no_vote"

    def __init__(self, seat: int) -> None:
        super().__init__("no vote", expected="a seat that a person holds", found=f"seat {seat}")


class MatchPausedError(MatchError):
    """Nobody may move while the clocks stand."""

    code = "match_paused"

    def __init__(self) -> None:
        expected = "clocks that run"
        super().__init__("the match is paused", expected=expected, found="a move in the pause")


class NoClockError(MatchError):
    """A match without a clock has nothing to pause or to credit."""

    code = "no_clock"

    def __init__(self) -> None:
        super().__init__("no clock", expected="a match with a clock", found="one without")


class NothingToldError(MatchError):
    """A seat tells a wish that it has told already, or withdraws one that it has not."""

    code = "nothing_told"

    def __init__(self, wish: str, *, is_wanted: bool) -> None:
        expected = f"another answer about the wish {wish!r} than before"
        super().__init__("nothing new", expected=expected, found=str(is_wanted).lower())


class TooManyWishesError(MatchError):
    """A seat has told and withdrawn wishes so often that the others should be left alone."""

    code = "too_many_wishes"

    def __init__(self, most: int) -> None:
        expected = f"at most {most} between two moves"
        super().__init__("too many wishes", expected=expected, found="one more")


class WrongTermError(MatchError):
    """A match is to be played by terms that there are not, or that do not fit each other."""

    code = "wrong_term"

    def __init__(self, term: str, *, expected: str, found: str) -> None:
        super().__init__(f"wrong term {term!r}", expected=expected, found=found)


class NothingToPlayError(MatchError):
    """A branch would begin where nobody has anything to decide."""

    code = "nothing_to_play"

    def __init__(self, version: int) -> None:
        expected = "a version at which somebody owes a decision"
        super().__init__("nothing to play", expected=expected, found=f"version {version}")


class DeadlineDueError(MatchError):
    """A command is later than something that has to happen first."""

    code = "deadline_due"

    def __init__(self, late: int) -> None:
        expected = "what is due by the clocks to be recorded first"
        super().__init__("a deadline is due", expected=expected, found=f"{late} ms of delay")


class NotDueError(MatchError):
    """Nothing is due by the clocks; *remaining* milliseconds are left, or None for ever."""

    code = "not_due"

    def __init__(self, remaining: int | None) -> None:
        found = "no deadline" if remaining is None else f"{remaining} ms left"
        super().__init__("nothing is due", expected="a deadline that has passed", found=found)
        self.remaining = remaining


class NotFollowingError(MatchError):
    """A commit is not the next one of the match."""

    code = "not_following"

    def __init__(self, field: str, *, expected: str, found: str) -> None:
        super().__init__(f"not the next commit by its {field}", expected=expected, found=found)


class NotFoldableError(MatchError):
    """The events of a commit do not fit the state before them."""

    code = "not_foldable"

    def __init__(self, version: int, *, found: str) -> None:
        what = f"version {version} does not fold"
        super().__init__(what, expected="events that fit the state", found=found)


class NotReplayableError(MatchError):
    """A commit holds sealed fields, so that no state can be folded from it."""

    code = "not_replayable"

    def __init__(self, version: int) -> None:
        expected = "commits without sealed fields"
        super().__init__("not replayable", expected=expected, found=f"some in version {version}")


class DisorderError(MatchError):
    """A record breaks what holds of every match, whatever the rules of its game."""

    code = "disorder"

    def __init__(self, place: str, *, expected: str, found: str) -> None:
        super().__init__(f"disorder at {place}", expected=expected, found=found)


class MalformedExportError(MatchError):
    """A line of an export is not what stands there by the format; lines count from 1."""

    code = "malformed_export"

    def __init__(self, line: int, *, expected: str, found: str) -> None:
        super().__init__(f"malformed export at line {line}", expected=expected, found=found)
        self.line = line


class TruncatedExportError(MalformedExportError):
    """An export breaks off within a line, or has not as many commits as it says."""

    code = "truncated_export"
