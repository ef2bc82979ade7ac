"""What the client reports: refusals of the service, answers that are none, and no answer at all."""

from typing import Any, Final

JSON = Any
"""Plain JSON."""

TEMPORARY: Final = frozenset({429, 502, 503, 504})
"""The statuses after which the same request is worth another try."""


class ClientError(Exception):
    """The base of the client's errors; says what was *expected* and what was *found*."""

    code: str
    """Never changes for one kind of error."""
    is_temporary: bool = False
    """Whether the same may go well at another try."""
    retry_after: float = 0.0
    """How many seconds the service asks to wait before it."""

    def __init__(self, message: str, *, expected: str, found: str) -> None:
        super().__init__(message)
        self.expected = expected
        self.found = found


class WrongSettingError(ClientError):
    """An address, a token, a proxy or certificates have not the form of such."""

    code = "wrong_setting"

    def __init__(self, what: str, *, expected: str, found: str) -> None:
        message = f"{what}: expected {expected}, found {found}"
        super().__init__(message, expected=expected, found=found)


class UnsendableError(ClientError):
    """What is asked can't stand in a request."""

    code = "unsendable"

    def __init__(self, *, found: str) -> None:
        expected = "text of Unicode that is not too long"
        message = f"request: expected {expected}, found {found}"
        super().__init__(message, expected=expected, found=found)


class UnreachableError(ClientError):
    """The service could not be asked, or its answer did not come.

    What was asked may have happened all the same: ask again under the same id.
    """

    code = "unreachable"
    is_temporary = True

    def __init__(self, address: str, *, found: str) -> None:
        expected = f"an answer of the service at {address}"
        super().__init__(f"expected {expected}, found {found}", expected=expected, found=found)


class BrokenFeedError(ClientError):
    """A feed has left something out, has gone silent, or has ended too early."""

    code = "broken_feed"
    is_temporary = True

    def __init__(self, *, expected: str, found: str) -> None:
        message = f"broken feed: expected {expected}, found {found}"
        super().__init__(message, expected=expected, found=found)


class AnswerError(ClientError):
    """There was an answer, but not the one that was asked for; `status` is that of HTTP."""

    def __init__(self, message: str, status: int, *, expected: str, found: str) -> None:
        super().__init__(message, expected=expected, found=found)
        self.status = status
        self.is_temporary = status in TEMPORARY


class ProblemError(AnswerError):
    """The service has refused: `code`, `expected` and `found` are those of the refusal."""

    def __init__(self, status: int, problem: dict[str, JSON]) -> None:
        sides = {side: str(problem.get(side, "")) for side in ("expected", "found")}
        message = problem.get("detail") or problem.get("title") or f"status {status}"
        super().__init__(str(message), status, **sides)
        self.code = str(problem["code"])


class UnexpectedAnswerError(AnswerError):
    """Whoever has answered is no service of Howff, or stands between one and the client."""

    code = "unexpected_answer"

    def __init__(self, address: str, status: int, *, found: str) -> None:
        found = f"status {status} with {found}"
        expected = f"an answer of Howff from {address}"
        message = f"expected {expected}, found {found}"
        super().__init__(message, status, expected=expected, found=found)
