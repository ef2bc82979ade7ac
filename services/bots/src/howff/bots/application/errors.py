"""Why a worker does not make a decision, or not now."""

from howff.engine.errors import RefusalError


class WorkerError(RefusalError):
    """The base of the workers' refusals."""


class MootError(WorkerError):
    """Nobody waits for this decision any more."""

    code = "moot"

    def __init__(self, found: str) -> None:
        super().__init__("decision", expected="one that is owed still", found=found)


class ServerAwayError(WorkerError):
    """The match service does not answer, or does not take what it will take later."""

    code = "server_away"

    def __init__(self, found: str, retry_after: float) -> None:
        super().__init__("match service", expected="an answer", found=found)
        self.retry_after = retry_after


class BehindError(WorkerError):
    """The service that was asked has not heard yet of the version at which a decision is due."""

    code = "behind"
    retry_after = 1

    def __init__(self, due: int, found: int) -> None:
        super().__init__("match", expected=f"version {due}", found=f"version {found}")


class WrongServerError(WorkerError):
    """The address of the match service is none."""

    code = "wrong_setting"

    def __init__(self, *, expected: str, found: str) -> None:
        super().__init__("HOWFF_GAME_URL", expected=expected, found=found)


class OtherRulesError(WorkerError):
    """The match is played by another version of the rules than is installed here."""

    code = "other_rules"
    retry_after = 5
    """Seconds after which another worker may have taken it."""

    def __init__(self, game: str, installed: str, found: str) -> None:
        super().__init__(f"rules of {game}", expected=f"version {installed}", found=found)


class HandedBackError(WorkerError):
    """The worker stops before the decision was made; another one takes it."""

    code = "handed_back"
    retry_after = 0

    def __init__(self) -> None:
        super().__init__("worker", expected="one that goes on", found="one that stops")
