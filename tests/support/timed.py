"""A match in which time passes and seats leave: every command of it, at any moment."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from howff.engine.codec import JSON, to_tagged
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.match.clocks import Clock, Milliseconds
from howff.match.commands import (
    AbortMatch,
    Command,
    CreditTime,
    ExpireDeadline,
    Origin,
    PlayDefault,
    PlayMove,
    Resign,
    StartMatch,
    TakeBack,
    TellWish,
)
from howff.match.commit import (
    PLATFORM,
    CommandId,
    Commit,
    MatchId,
    Version,
    actor_of,
    time_text,
)
from howff.match.events import AbortReason, Account, Bot, OnFlag, OnLeave, PlatformEvent, written
from howff.match.match import evolve, match_of
from howff.match.notary import Notary
from howff.match.play import due_first, play, start
from howff.match.presence import Wish
from howff.match.report import Report
from howff.match.verify import verify
from support.played import NOON, NOTARY, Record, exported
from support.rng import LocalRng
from support.toy_game import TOY
from support.toy_types import Options

STAND_IN = "stand-in"
ANY = CommandId("any")
Events = tuple[Any, ...]


def start_timed(  # noqa: PLR0913 — a table has many terms
    options: Any,
    seats: int,
    *,
    clock: Clock | None = None,
    on_flag: OnFlag = "resign",
    on_leave: OnLeave = "default_moves",
    bots: Iterable[int] = (),
    origin: Origin | None = None,
    rated: bool = False,
) -> StartMatch:
    """Return the command that starts a match by these terms; people hold all seats but *bots*."""
    return StartMatch(
        id=CommandId("start"),
        match=MatchId("match-1"),
        options=options,
        seats=tuple(Bot("hard") if at in bots else Account(f"account-{at}") for at in range(seats)),
        entropies=(None,) * seats,
        clock=clock,
        on_flag=on_flag,
        on_leave=on_leave,
        stand_in=STAND_IN if "bot" in {on_flag, on_leave} else None,
        origin=origin,
        rated=rated,
    )


class TimedMatch:
    """A match as commands come in; *now* counts from its start.

    Every commit is folded too, and has to lead to the match that deciding has led to.
    """

    def __init__(self, command: StartMatch, game: AnyGame = TOY, notary: Notary = NOTARY) -> None:
        step = start(game, command, at=NOON, notary=notary)
        self.game = game
        self.notary = notary
        self.match = step.match
        self.commits: list[Commit] = [step.commit]
        self.now: Milliseconds = 0
        assert match_of(game, self.commits) == self.match

    def waits(self, time: Milliseconds) -> "TimedMatch":
        """Let *time* pass."""
        self.now += time
        return self

    def waits_until_due(self, more: Milliseconds = 0) -> "TimedMatch":
        """Let time pass until something is due by the clocks, and *more*."""
        self.now = max(self.now, self.due + more)
        return self

    @property
    def seats(self) -> int:
        return len(self.match.started.seats)

    @property
    def due(self) -> Milliseconds:
        """When something is due by the clocks, counted as *now* is."""
        assert self.match.due is not None
        return self.match.due - int(NOON.timestamp() * 1000)

    def left(self, seat: int) -> Milliseconds:
        """Return what *seat* had left when the last commit was recorded."""
        assert self.match.clocks is not None
        return self.match.clocks.left[seat]

    def gives(self, command: Command) -> Events:
        """Record what *command* causes, and return it."""
        if command.id == ANY:
            command = replace(command, id=CommandId(f"command-{self.match.version}"))
        at = NOON + timedelta(milliseconds=self.now)
        step = play(self.match, command, at=at, notary=self.notary)
        assert evolve(self.match, step.commit) == step.match
        self.match = step.match
        self.commits.append(step.commit)
        return step.events

    def forges(
        self, *events: object, seat: int | None = None, move: Any = None, bot: JSON = None
    ) -> None:
        """Record what nothing has decided, signed like everything else."""
        at = NOON + timedelta(milliseconds=self.now)
        self.append(
            Commit(
                match=self.match.id,
                version=Version(self.match.version + 1),
                command=CommandId(f"forged-{self.match.version}"),
                actor=PLATFORM if seat is None else actor_of(Seat(seat)),
                at=time_text(at),
                move=None if move is None else to_tagged(move),
                bot=bot,
                draws={},
                events=written(self.game.event, events),
                prev=self.match.hash,
            )
        )

    def append(self, commit: Commit) -> None:
        """Record *commit*, signed anew, whatever it tells."""
        commit = self.notary.attest(commit, self.game)
        self.match = evolve(self.match, commit)
        self.commits.append(commit)

    def tells(self, command: Command) -> Events:
        """Record what *command* causes, and return the events of the platform."""
        return tuple(event for event in self.gives(command) if isinstance(event, PlatformEvent))

    def moves(self, seat: int, move: Any = None, bot: str | None = None) -> Events:
        """Make *move*, or the first legal one, for *seat*."""
        if move is None:
            move = next(iter(self.game.legal_moves(self.match.state, Seat(seat))), None)
        how = None if bot is None else {"policy": bot}
        return self.tells(PlayMove(id=ANY, seat=Seat(seat), move=move, bot=how))

    def plays_default(self, seat: int) -> Events:
        return self.tells(PlayDefault(id=ANY, seat=Seat(seat)))

    def resigns(self, seat: int) -> Events:
        return self.tells(Resign(id=ANY, seat=Seat(seat)))

    def takes_back(self, seat: int) -> Events:
        return self.tells(TakeBack(id=ANY, seat=Seat(seat)))

    def wants(self, wish: Wish, *seats: int, is_wanted: bool = True) -> Events:
        """Let each of the *seats* tell a *wish*; return what the last of them causes."""
        events: Events = ()
        for seat in seats:
            command = TellWish(id=ANY, seat=Seat(seat), wish=wish, is_wanted=is_wanted)
            events = self.tells(command)
        return events

    def wants_no_longer(self, wish: Wish, *seats: int) -> Events:
        return self.wants(wish, *seats, is_wanted=False)

    def expires(self) -> Events:
        return self.tells(ExpireDeadline(id=ANY))

    def expires_all(self) -> "TimedMatch":
        """Record all that is due by the clocks now."""
        at = NOON + timedelta(milliseconds=self.now)
        while command := due_first(self.match, at):
            self.gives(command)
        return self

    def credits(self, seat: int, seconds: int) -> Events:
        return self.tells(CreditTime(id=ANY, seat=Seat(seat), seconds=seconds))

    def aborts(self, reason: AbortReason | None = None) -> Events:
        return self.tells(AbortMatch(id=ANY, reason=reason))

    def restarts(self) -> None:
        """Forget everything but the commits."""
        again = match_of(self.game, self.commits)
        assert again == self.match
        self.match = again

    def plays_to_the_end(self) -> "TimedMatch":
        """Let chance decide for whoever is there, and default moves stand for the others."""
        rng = LocalRng(0)
        while self.match.to_act:
            self.moves_by_chance(rng)
        return self

    def moves_by_chance(self, rng: LocalRng) -> None:
        """Let chance decide for somebody who is there, or a default move for who is not."""
        seat = rng.roll("seat", self.match.to_act)
        if seat in self.match.presence.resigned:
            self.plays_default(seat)
        else:
            self.moves(seat, rng.roll("move", self.game.legal_moves(self.match.state, seat)))

    @property
    def record(self) -> Record:
        return Record(self.match, tuple(self.commits))

    def verified(self) -> Report:
        """Return what checking the whole export finds, which has to be nothing wrong."""
        report = verify(exported(self.record), self.game)
        assert [check.result for check in report.checks] == ["passed"] * 6, report.failure
        return report


def timed(seats: int = 3, rounds: int = 2, **terms: Any) -> TimedMatch:
    """Return a match of the toy game by these *terms*; see `start_timed`."""
    return TimedMatch(start_timed(Options(rounds=rounds), seats, **terms))
