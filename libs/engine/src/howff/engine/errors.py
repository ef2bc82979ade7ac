"""Refusals: expected errors, each with a code that never changes."""

from typing import Any, ClassVar

from howff.engine.seats import Seat


class RefusalError(Exception):
    """The base of every refusal of Howff; says what was *expected* and what was *found*."""

    code: ClassVar[str]

    def __init__(self, what: str, *, expected: str, found: str) -> None:
        super().__init__(f"{what}: expected {expected}, found {found}")
        self.expected = expected
        self.found = found

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a refusal come from another process as it is, whatever it was made of."""
        return _as_it_was, (type(self), self.args), self.__dict__


def _as_it_was(kind: type[RefusalError], args: tuple[Any, ...]) -> RefusalError:
    return kind.__new__(kind, *args)


class EngineError(RefusalError):
    """The base of the engine's refusals."""


class MalformedError(EngineError):
    """A JSON value does not have the form of the type it should become."""

    code = "malformed"

    def __init__(self, path: str, *, expected: str, found: str) -> None:
        super().__init__(f"malformed value at {path or 'the top'}", expected=expected, found=found)
        self.path = path


class UnknownGameError(EngineError):
    """No game of the catalogue has this key."""

    code = "unknown_game"

    def __init__(self, key: str, known: tuple[str, ...]) -> None:
        super().__init__("unknown game", expected=f"one of {', '.join(known)}", found=repr(key))


class WrongSeatCountError(EngineError):
    """The game is not for this number of seats."""

    code = "wrong_seat_count"

    def __init__(self, allowed: range, found: int) -> None:
        expected = f"{allowed[0]} to {allowed[-1]} seats"
        super().__init__("wrong number of seats", expected=expected, found=str(found))


class WrongOptionError(EngineError):
    """An option does not exist, or has a value that the game does not offer."""

    code = "wrong_option"

    def __init__(self, option: str, *, expected: str, found: str) -> None:
        super().__init__(f"wrong option {option!r}", expected=expected, found=found)
        self.option = option


class MatchOverError(EngineError):
    """Something was sent to a match that has ended, by a seat or by the platform."""

    code = "match_over"

    def __init__(self, seat: Seat | None) -> None:
        found = "a command of the platform" if seat is None else f"one of seat {seat}"
        super().__init__("the match is over", expected="no more moves", found=found)


class NotYourDecisionError(EngineError):
    """A seat moved that owes no decision now."""

    code = "not_your_decision"

    def __init__(self, seat: Seat, to_act: tuple[Seat, ...]) -> None:
        expected = " or ".join(f"seat {each}" for each in to_act)
        super().__init__("not your decision", expected=expected, found=f"seat {seat}")


class IllegalMoveError(EngineError):
    """A seat that owes a decision sent something that is not among its legal moves."""

    code = "illegal_move"

    def __init__(self, move: object, legal: tuple[object, ...]) -> None:
        kinds = sorted({type(each).__name__ for each in legal})
        expected = f"one of {len(legal)} legal moves ({', '.join(kinds)})"
        super().__init__("illegal move", expected=expected, found=repr(move))
