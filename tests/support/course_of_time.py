"""A match and its model side by side: whatever comes at whatever time, both have to agree."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from howff.engine.errors import RefusalError
from howff.match.clocks import Clock, PerMove
from howff.match.events import OnFlag, OnLeave
from howff.match.presence import Wish
from support.model_of_time import GRACE, MOST_WISHES, Model
from support.played import NOON
from support.timed import TimedMatch, timed
from support.toy_game import TOY

ANY_MOVE = TOY.legal_moves(timed().match.state, TOY.to_act(timed().match.state)[0])[0]


@dataclass(frozen=True)
class Table:
    """The terms of a match but for its clock."""

    seats: int
    bots: set[int]
    on_flag: OnFlag
    on_leave: OnLeave


@dataclass(frozen=True)
class Step:
    """After some time somebody does something."""

    action: str
    seat: int
    since: str
    """From what the wait counts: in milliseconds or tenths of the allowance from the last step, or
    in milliseconds from when something is due."""
    wait: int


@dataclass
class Course:
    """A match and its model, side by side."""

    match: TimedMatch
    model: Model
    is_left_to_bots: bool

    def takes(self, step: Step) -> None:
        """Let time pass, and *step* be taken after all that is due."""
        self.waits(step)
        if step.action == "restart":
            self.match.restarts()
        elif step.action == "expire":
            self.expires()
        elif step.action.startswith("all "):
            for seat in sorted(self.model.asked):
                self.asks(step.action.removeprefix("all "), seat)
        else:
            seats = sorted(self.apt(step.action)) or range(self.model.seats)
            self.asks(step.action, seats[step.seat % len(seats)])

    def waits(self, step: Step) -> None:
        due = self.model.due
        match step.since:
            case "milliseconds":
                self.match.waits(step.wait)
            case "tenths":
                self.match.waits(self.model.allowance // 10 * step.wait)
            case _ if due is not None:
                self.match.now = max(self.match.now, due + step.wait)
            case _:
                pass
        self.model.now = self.match.now

    def apt(self, action: str) -> set[int]:
        """Return the seats for which *action* makes sense, so that much of it is done."""
        model = self.model
        return {
            "move": model.owing - model.gone - model.stood_in,
            "bot moves": model.owing & (model.gone if self.is_left_to_bots else model.stood_in),
            "default": model.owing & model.gone,
            "take back": model.stood_in,
        }.get(action, set())

    def asks(self, action: str, seat: int) -> None:
        """Let *seat* do something after all that is due."""
        while self.is_due:
            self.is_refused(action, seat, "deadline_due")
            self.expires()
        self.acts(action, seat)

    @property
    def is_due(self) -> bool:
        due = self.model.due
        return due is not None and due <= self.model.now

    def acts(self, action: str, seat: int) -> None:
        code = self.refusal(action, seat)
        if code:
            self.is_refused(action, seat, code)
            return
        before = self.match.match.version
        events = self.command(action, seat)()
        assert self.match.match.version == before + 1
        self.follows(action, seat, events)
        self.agree()

    def is_refused(self, action: str, seat: int, code: str) -> None:
        before = self.match.match
        with pytest.raises(RefusalError) as refusal:
            self.command(action, seat)()
        assert refusal.value.code == code
        assert self.match.match is before

    def command(self, action: str, seat: int) -> Callable[[], tuple[Any, ...]]:
        """Return what gives the command, with a move that is legal if the seat owes one."""
        match = self.match
        move = next(iter(TOY.legal_moves(match.match.state, seat)), ANY_MOVE)  # type: ignore[arg-type]
        wishes: dict[str, tuple[Wish, bool]] = {
            "want pause": ("pause", True),
            "want no pause": ("pause", False),
            "want abort": ("abort", True),
            "want no abort": ("abort", False),
        }
        if action in wishes:
            wish, is_wanted = wishes[action]
            return lambda: match.wants(wish, seat, is_wanted=is_wanted)
        return {
            "move": lambda: match.moves(seat, move),
            "anybody moves": lambda: match.moves(seat, move),
            "bot moves": lambda: match.moves(seat, move, "chance"),
            "default": lambda: match.plays_default(seat),
            "resign": lambda: match.resigns(seat),
            "take back": lambda: match.takes_back(seat),
            "credit": lambda: match.credits(seat, 30),
            "stop": match.aborts,
        }[action]

    def refusal(self, action: str, seat: int) -> str | None:  # noqa: C901, PLR0911, PLR0912
        """Return the code with which the model refuses, or None."""
        model = self.model
        if model.is_over:
            return "match_over"
        is_gone, is_stood_in = seat in model.gone, seat in model.stood_in
        match action:
            case "default" if not is_gone or self.is_left_to_bots:
                return "not_taken_over"
            case "default":
                return self.refused_to_move(seat, "not_your_decision", "match_paused")
            case "bot moves" if is_gone and self.is_left_to_bots:
                return self.refused_to_move(seat, "match_paused", "not_your_decision")
            case "credit" if model.clock is None:
                return "no_clock"
            case "stop":
                return None
            case _ if is_gone:
                return "resigned"
            case "move" | "anybody moves" if is_stood_in:
                return "seat_taken_over"
            case "move" | "anybody moves" | "bot moves":
                return self.refused_to_move(seat, "match_paused", "not_your_decision")
            case "take back" if not is_stood_in:
                return "not_taken_over"
            case "credit" if isinstance(model.clock, PerMove) and seat not in model.owing:
                return "not_your_decision"
            case "resign" | "take back" | "credit":
                return None
            case _:
                return self.refused_to_tell(action, seat)

    def refused_to_move(self, seat: int, *codes: str) -> str | None:
        is_true = {
            "match_paused": self.model.paused_since is not None,
            "not_your_decision": seat not in self.model.owing,
        }
        return next((code for code in codes if is_true[code]), None)

    def refused_to_tell(self, action: str, seat: int) -> str | None:
        model = self.model
        wish, is_wanted = action.split()[-1], "no" not in action.split()
        refusals = {
            "seat_taken_over": seat in model.stood_in,
            "no_vote": seat in model.bots,
            "no_clock": wish == "pause" and model.clock is None,
            "nothing_told": ((wish, seat) in model.wanted) == is_wanted,
            "too_many_wishes": is_wanted and model.told.count(seat) >= MOST_WISHES,
        }
        return next((code for code, is_so in refusals.items() if is_so), None)

    def follows(self, action: str, seat: int, events: tuple[Any, ...]) -> None:
        """Let happen in the model what follows from *action*, and compare the *events*."""
        match action.split()[0]:
            case "move" | "anybody" | "bot" | "default":
                self.moved(seat, events)
            case "resign":
                was_paused = self.model.paused_since is not None
                self.model.resigned([seat])
                self.someone_left(["SeatResigned"], events, was_paused=was_paused)
            case "want":
                self.wish_told(action, seat, events)
            case "take":
                self.model.stood_in.remove(seat)
                assert names(events) == ["SeatGivenBack"]
            case "credit":
                self.model.accounts[seat].given.append(30_000)
                assert names(events) == ["TimeCredited"]
            case _:
                self.model.ends()
                assert names(events) == ["MatchAborted", "SeedRevealed"]

    def moved(self, seat: int, events: tuple[Any, ...]) -> None:
        if self.model.clock and seat not in self.model.gone:
            assert self.model.accounts[seat].left(self.model.now) > -GRACE
        told = {event["type"] for event in self.match.commits[-1].events}
        owing = TOY.to_act(self.match.match.state)
        self.model.moved(seat, owing, is_turning=bool(told & {"TurnStarted", "TurnEnded"}))
        assert names(events) == ([] if owing else ["MatchEnded", "SeedRevealed"])
        if not owing:
            self.model.ends()

    def wish_told(self, action: str, seat: int, events: tuple[Any, ...]) -> None:
        model, wish = self.model, action.split()[-1]
        expected = ["WishTold"]
        model.wanted ^= {(wish, seat)}
        model.told.append(seat)
        is_agreed = model.asked <= model.wanting(wish)
        if wish == "abort" and is_agreed:
            expected += ["MatchAborted", "SeedRevealed"]
            model.ends()
        elif wish == "pause" and is_agreed and model.paused_since is None:
            expected += ["ClockPaused"]
            model.pauses()
        elif model.paused_since is not None and not model.wanting("pause") & model.asked:
            expected += ["ClockStarted"]
            model.goes_on()
        assert names(events) == expected

    def someone_left(
        self, expected: list[str], events: tuple[Any, ...], *, was_paused: bool
    ) -> None:
        places = self.model.outlives(None)
        if places is not None:
            self.model.ends()
            assert names(events) == [*expected, "MatchEnded", "SeedRevealed"]
            assert events[-2].reason == "resigned"
        elif was_paused and self.model.paused_since is None:
            assert names(events) == [*expected, "ClockStarted"]
        else:
            assert names(events) == expected

    def expires(self) -> None:
        """Record what is due, or be refused."""
        model = self.model
        if not self.is_due:
            with pytest.raises(RefusalError) as refusal:
                self.match.expires()
            assert refusal.value.code == ("match_over" if model.is_over else "not_due")
            return
        events = self.match.expires()
        if model.paused_since is not None:
            assert names(events) == ["ClockStarted"]
            model.goes_on()
        else:
            for seat in model.falling():
                assert model.accounts[seat].left(model.now) <= -GRACE
            falling = model.falling()
            helped, _ = model.flags_fell()
            expected: list[str] = []
            for seat in falling:
                fate = "SeatTakenOver" if seat in helped else "SeatResigned"
                expected += ["FlagFallen", fate]
            self.someone_left(expected, events, was_paused=False)
        self.agree()

    def agree(self) -> None:
        """Compare everything that both know."""
        match, model = self.match.match, self.model
        assert match.is_over == model.is_over
        assert match.is_paused == (model.paused_since is not None)
        assert match.voters == model.asked
        assert set(match.presence.stand_ins) == model.stood_in
        orders = {seat: at for at, seats in enumerate(model.leaving, 1) for seat in seats}
        assert match.presence.resigned == orders
        places = match.outcome and list(match.outcome.places)
        is_placed = match.is_over and not match.is_aborted
        assert places == (model.outlives(TOY.outcome(match.state)) if is_placed else None)
        if match.clocks is None:
            assert model.clock is None
            return
        start = int(NOON.timestamp() * 1000)
        assert (match.clocks.due and match.clocks.due - start) == (
            None if match.is_over else model.due
        )
        assert match.clocks.at == start + model.now
        for seat, account in enumerate(model.accounts):
            if seat not in match.clocks.owing and isinstance(model.clock, PerMove):
                assert match.clocks.left[seat] == model.allowance
            else:
                assert match.clocks.left[seat] == account.left(model.now)

    def ends(self) -> None:
        """Stop the match if it goes on, and have the whole of it checked."""
        while self.is_due:
            self.expires()
        if not self.model.is_over:
            self.acts("stop", 0)
        self.match.restarts()
        self.match.verified()


def names(events: tuple[Any, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


def check_course(clock: Clock | None, table: Table, course: Iterable[Step]) -> None:
    """Play a *course* at a *table*, compare it with the model, and have the whole verified."""
    terms = {"bots": table.bots, "on_flag": table.on_flag, "on_leave": table.on_leave}
    match = timed(table.seats, 4, clock=clock, **terms)
    owing = set[int](match.match.to_act)
    falls_to_bot, is_left_to_bots = table.on_flag == "bot", table.on_leave == "bot"
    model = Model(clock, table.seats, frozenset(table.bots), falls_to_bot, owing)
    both = Course(match, model, is_left_to_bots)
    both.agree()
    for step in course:
        both.takes(step)
    both.ends()
