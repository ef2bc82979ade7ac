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
    """Somebody wants to look through the eyes of a seat that the match has not."""

    code = "no_such_seat"

    def __init__(self, seats: int, found: int) -> None:
        expected = f"a spectator or a seat from 0 to {seats - 1}"
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
