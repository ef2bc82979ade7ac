"""Refusals of an event store."""

from howff.engine.errors import RefusalError


class EventStoreError(RefusalError):
    """The base of an event store's refusals."""


class ConflictError(EventStoreError):
    """A stream has moved past the commit that an append builds on."""

    code = "conflict"

    def __init__(self, stream: str, expected: int) -> None:
        what = f"conflict in {stream!r}"
        super().__init__(what, expected=f"version {expected} to be the last", found="another")


class UnknownOutcomeError(EventStoreError):
    """An append was sent and no answer came: it may have been recorded, or still be."""

    code = "unknown_outcome"

    def __init__(self, stream: str) -> None:
        what = f"append to {stream!r} of unknown outcome"
        super().__init__(what, expected="an acknowledgement", found="none")


class UnavailableError(EventStoreError):
    """The store can't be reached now."""

    code = "unavailable"
    retry_after = 1
    """Seconds after which it is worth another try."""

    def __init__(self, *, expected: str, found: str) -> None:
        super().__init__("the event store can't be reached", expected=expected, found=found)


class BrokenStreamError(EventStoreError):
    """The commits of a stream do not follow each other: something that was stored is lost."""

    code = "broken_stream"

    def __init__(self, stream: str, *, expected: int, found: str) -> None:
        super().__init__(f"broken stream {stream!r}", expected=f"version {expected}", found=found)


class UnreadableCommitError(EventStoreError):
    """What is stored is no commit that can be read now.

    It says *why* in a word, and nothing of what stands there: that may be anybody's secret.
    """

    code = "unreadable_commit"

    def __init__(self, why: str) -> None:
        super().__init__("unreadable commit", expected="one that can be read", found=why)
