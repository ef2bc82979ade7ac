"""Refusals of a match: expected errors, each with a code that never changes."""

from howff.engine.errors import RefusalError


class MatchError(RefusalError):
    """The base of a match's refusals."""


class CommandIdReusedError(MatchError):
    """An actor sent a command under the id of an earlier, different one."""

    code = "command_id_reused"

    def __init__(self, command: str, version: int) -> None:
        expected = f"the move of version {version}, which has this command id"
        super().__init__(f"command id {command!r} reused", expected=expected, found="another move")


class ReservedNameError(MatchError):
    """A game calls an event by a name that belongs to the platform."""

    code = "reserved_name"

    def __init__(self, name: str) -> None:
        expected = "event names that the platform does not use"
        super().__init__("reserved name of an event", expected=expected, found=repr(name))


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


class MalformedExportError(MatchError):
    """A line of an export is not what stands there by the format; lines count from 1."""

    code = "malformed_export"

    def __init__(self, line: int, *, expected: str, found: str) -> None:
        super().__init__(f"malformed export at line {line}", expected=expected, found=found)
        self.line = line


class TruncatedExportError(MalformedExportError):
    """An export breaks off within a line, or has not as many commits as it says."""

    code = "truncated_export"
