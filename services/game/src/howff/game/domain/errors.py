"""Refusals of the game service."""

from howff.engine.errors import RefusalError


class GameServiceError(RefusalError):
    """The base of the service's refusals."""


class NoSuchMatchError(GameServiceError):
    """There is no such match, or nothing of it that the caller may know.

    One answer for both, so that nobody learns which matches there are.
    """

    code = "no_such_match"

    def __init__(self) -> None:
        expected = "a match, and a seat in it, that the caller may see"
        super().__init__("no such match", expected=expected, found="none")


class SeedDiscardedError(GameServiceError):
    """The table of a match was closed, and the seed of the match thrown away."""

    code = "seed_discarded"

    def __init__(self) -> None:
        expected, found = "a match that can start still", "one whose seed was thrown away"
        super().__init__("the seed is gone", expected=expected, found=found)


class MatchStartedError(GameServiceError):
    """The seed of a match is to be thrown away, and the match has started or is about to."""

    code = "match_started"

    def __init__(self) -> None:
        expected, found = "a match that has not started", "one that has"
        super().__init__("the match has started", expected=expected, found=found)


class StaleVersionError(GameServiceError):
    """Something has happened since the version that a move was meant for."""

    code = "stale_version"

    def __init__(self, expected: int, found: int) -> None:
        what = f"version {expected} to be the newest"
        super().__init__("stale version", expected=what, found=f"version {found}")


class TooEarlyError(GameServiceError):
    """A deadline's message has come before the deadline, as the clocks of machines differ."""

    code = "too_early"

    def __init__(self, remaining: int) -> None:
        found = f"{remaining} ms before it"
        super().__init__("too early", expected="a deadline that has passed", found=found)
        self.retry_after = remaining / 1000


class NoSuchVersionError(GameServiceError):
    """Somebody wants to go on after a commit that the match has not."""

    code = "no_such_version"

    def __init__(self, newest: int, found: int, *, first: int = 0) -> None:
        what = f"a version from {first} to {newest}"
        super().__init__("no such version", expected=what, found=str(found))


class MatchNotOverError(GameServiceError):
    """Somebody wants to look back at a match that has secrets still."""

    code = "match_not_over"

    def __init__(self) -> None:
        expected = "a match that is over"
        super().__init__("the match is not over", expected=expected, found="one that goes on")


class AmbiguousSeatError(GameServiceError):
    """An account that holds several seats did not say for which of them it acts."""

    code = "ambiguous_seat"

    def __init__(self, seats: tuple[int, ...]) -> None:
        expected = f"one of the seats {', '.join(map(str, seats))}"
        super().__init__("ambiguous seat", expected=expected, found="none named")


class UnknownLevelError(GameServiceError):
    """A practice match asks for bots that nobody plays."""

    code = "unknown_level"

    def __init__(self, known: tuple[str, ...], found: str) -> None:
        super().__init__("unknown level", expected=" or ".join(known), found=repr(found))


class NotSeatedError(GameServiceError):
    """Somebody asks for a match of others, or for a private one that it could never see."""

    code = "not_seated"

    def __init__(self) -> None:
        expected = "a seat of one's own, or a match of bots alone that everybody may watch"
        super().__init__("not seated", expected=expected, found="neither")


class WrongStatementError(GameServiceError):
    """A move tells how a bot came to it and no worker sends it, or the other way round."""

    code = "wrong_statement"

    def __init__(self, *, is_worker: bool) -> None:
        right, wrong = "how the bot came to the move", "none"
        expected, found = (right, wrong) if is_worker else (wrong, "one, though no worker sends it")
        super().__init__("wrong statement of a bot", expected=expected, found=found)


class WrongViewerError(GameServiceError):
    """What should name a viewer names none."""

    code = "wrong_viewer"

    def __init__(self, found: str, expected: str = "spectator or seat:N") -> None:
        super().__init__("wrong viewer", expected=expected, found=repr(found[:40]))


class NoSuchGameError(GameServiceError):
    """No game has this key."""

    code = "no_such_game"

    def __init__(self, known: tuple[str, ...]) -> None:
        super().__init__("no such game", expected=f"one of {', '.join(known)}", found="another")
