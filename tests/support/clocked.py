"""A match of three by a clock, in which people agree, run out of time and leave."""

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final

from howff.engine.catalogue import game_of
from howff.match.clocks import PerMatch
from howff.match.commands import Command, ExpireDeadline, Resign, StartMatch, TakeBack, TellWish
from howff.match.commit import CommandId, Commit, MatchId
from howff.match.events import Account, Bot
from howff.match.export import Export, export_whole
from howff.match.match import Match
from howff.match.notary import Notary
from howff.match.play import play, start
from howff.match.signatures import Signer

BEGIN: Final = datetime(2026, 11, 28, 12, 0, 0, 0, UTC)
NOTARY: Final = Notary(bytes(range(32)), Signer.of(bytes(reversed(range(32)))))
GAME: Final = game_of("troedler")


class Course:
    """A match whose commands come at the seconds that a test tells."""

    def __init__(self) -> None:
        command = StartMatch(
            id=CommandId("start"),
            match=MatchId("a-match"),
            options=GAME.read_options({"dealing": "auto", "starting_dealer": 2}),
            seats=(Account("ivy"), Account("freya"), Bot("random")),
            entropies=(None,) * 3,
            clock=PerMatch(100, 10),
            on_flag="bot",
            stand_in="random",
        )
        step = start(GAME, command, at=BEGIN, notary=NOTARY)
        self.match: Match = step.match
        self.commits: list[Commit] = [step.commit]

    def give(self, second: int, kind: type[Command], **terms: Any) -> None:
        command = kind(id=CommandId(f"c-{len(self.commits)}"), **terms)
        at = BEGIN + timedelta(seconds=second)
        step = play(self.match, command, at=at, notary=NOTARY)
        self.match = step.match
        self.commits.append(step.commit)


@cache
def clocked_export() -> Export:
    """Return a match in which ivy is paused, flagged, taken over, comes back, and all leave."""
    course = Course()
    course.give(30, TellWish, seat=0, wish="pause", is_wanted=True)
    course.give(40, TellWish, seat=1, wish="pause", is_wanted=True)
    course.give(500, TellWish, seat=0, wish="pause", is_wanted=False)
    course.give(501, TellWish, seat=1, wish="pause", is_wanted=False)
    course.give(600, ExpireDeadline)
    course.give(601, TakeBack, seat=0)
    course.give(602, Resign, seat=1)
    course.give(603, Resign, seat=0)
    return export_whole(course.match, course.commits, (NOTARY.signer.public_key,))
