"""Why a match does not count, or can't be asked for."""

from howff.engine.errors import RefusalError


class ScoringError(RefusalError):
    """The base of the refusals of scoring."""


class UnfinishedError(ScoringError):
    """A match that goes on has no result."""

    code = "unfinished"

    def __init__(self, match: str) -> None:
        super().__init__(f"match {match}", expected="its end", found="none in its log")


class UnverifiedError(ScoringError):
    """The log of a match is not what it claims to be, so nothing is made of it."""

    code = "unverified"

    def __init__(self, match: str, *, expected: str, found: str) -> None:
        super().__init__(f"match {match} is not verified", expected=expected, found=found)


class NoSuchProjectionError(ScoringError):
    """There is no projection of this name."""

    code = "no_such_projection"

    def __init__(self, name: str, known: str) -> None:
        super().__init__("projection", expected=f"one of {known}", found=repr(name))


class OtherVersionError(ScoringError):
    """A process of a newer version makes the rows of a projection."""

    code = "other_version"

    def __init__(self, name: str, own: int, found: int) -> None:
        super().__init__(f"projection {name}", expected=f"version {own}", found=f"version {found}")


class NotPutAsideError(ScoringError):
    """No match stands aside at this position."""

    code = "not_put_aside"

    def __init__(self, position: int) -> None:
        super().__init__("match", expected="one that was put aside", found=f"position {position}")


class StillPutAsideError(ScoringError):
    """A match was tried again, in vain."""

    code = "still_put_aside"

    def __init__(self, position: int, error: str) -> None:
        super().__init__(f"match at {position}", expected="one that can be applied", found=error)


class NoSuchPlayerError(ScoringError):
    """Nobody of this id has a result."""

    code = "no_such_player"

    def __init__(self) -> None:
        super().__init__("player", expected="one who has ended a match", found="none of this id")


class DamagedError(ScoringError):
    """An entry of the archive is not what was archived."""

    code = "damaged"

    def __init__(self, match: str, version: int | None, expected: str, found: str) -> None:
        where = "" if version is None else f" at version {version}"
        super().__init__(f"archived match {match}{where}", expected=expected, found=found)
        self.version = version


class NotArchivedError(ScoringError):
    """A match is not in the archive."""

    code = "not_archived"

    def __init__(self, match: str) -> None:
        super().__init__(f"match {match!r}", expected="one of the archive", found="none")


class NothingArchivedError(ScoringError):
    """There is nothing that could be restored."""

    code = "nothing_archived"

    def __init__(self) -> None:
        super().__init__("the archive", expected="a match", found="none")


class MatchThereError(ScoringError):
    """A server has commits of a match that was to be restored into it."""

    code = "match_there"

    def __init__(self, match: str) -> None:
        super().__init__(f"match {match} on the target", expected="no commit", found="some")


class TargetNotEmptyError(ScoringError):
    """A server has matches, and may be one that is in use."""

    code = "target_not_empty"

    def __init__(self, commits: int) -> None:
        expected = "no commit of any match, or --into-existing"
        super().__init__("the target", expected=expected, found=f"{commits} commits")


class WrongTargetError(ScoringError):
    """A target is no address, or the server that the services work with."""

    code = "wrong_target"

    def __init__(self, *, expected: str, found: str) -> None:
        super().__init__("the target", expected=expected, found=found)


class NotEqualError(ScoringError):
    """Some of what was restored, or compared, is not equal."""

    code = "not_equal"

    def __init__(self, matches: int, differing: int) -> None:
        expected, found = f"{matches} equal matches", f"{differing} that differ"
        super().__init__("the drill", expected=expected, found=found)
