"""Why scoring can't do something now."""

from howff.scoring.domain.errors import ScoringError


class LogsAwayError(ScoringError):
    """The match service does not answer, or not with what it was asked for."""

    code = "logs_away"

    def __init__(self, found: str, retry_after: float) -> None:
        super().__init__("match service", expected="an answer", found=found)
        self.retry_after = retry_after


class NoLogError(ScoringError):
    """The match service has no log of a match."""

    code = "no_log"

    def __init__(self, match: str) -> None:
        super().__init__(f"log of match {match}", expected="one", found="none")


class VerifierDiedError(ScoringError):
    """A process has died while it verified a match, as where there is not enough memory."""

    code = "verifier_died"

    def __init__(self, match: str) -> None:
        super().__init__(f"verifying match {match}", expected="an answer", found="a process died")


class WrongServerError(ScoringError):
    """The address of a service, by a *setting*, is none."""

    code = "wrong_setting"

    def __init__(self, setting: str, *, expected: str, found: str) -> None:
        super().__init__(setting, expected=expected, found=found)
