"""What clocks and leaving should do, told in another way than by the code under test.

Nothing is subtracted as time goes by. Each seat has a list of intervals in which it owed a decision
and was not paused, and a list of what it was given; what it has left is asked for when it matters.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from howff.engine.outcome import Outcome
from howff.match.clocks import Clock, PerMatch, PerMove, PerTurn

GRACE = 1000
FORTNIGHT = 14 * 24 * 3600 * 1000
MOST_WISHES = 20


@dataclass
class Account:
    """The time of one seat since it last began anew."""

    given: list[int] = field(default_factory=list[int])
    intervals: list[tuple[int, int | None]] = field(default_factory=list[tuple[int, int | None]])
    """When it has begun and stopped to think; None while it still does."""

    @property
    def is_running(self) -> bool:
        return bool(self.intervals) and self.intervals[-1][1] is None

    def used(self, now: int) -> int:
        return sum((now if end is None else end) - begin for begin, end in self.intervals)

    def left(self, now: int) -> int:
        return sum(self.given) - self.used(now)

    def stop(self, now: int) -> None:
        if self.is_running:
            self.intervals[-1] = (self.intervals[-1][0], now)

    def run(self, now: int) -> None:
        if not self.is_running:
            self.intervals.append((now, None))

    def falls_at(self) -> int:
        """Return when the flag falls; the seat is thinking."""
        begin = self.intervals[-1][0]
        return begin + self.left(begin) + GRACE


@dataclass
class Model:
    """Who owes decisions, who has left in what order, who wants what, and everybody's time."""

    clock: Clock | None
    seats: int
    bots: frozenset[int]
    falls_to_bot: bool
    owing: set[int]
    now: int = 0
    accounts: list[Account] = field(default_factory=list[Account])
    leaving: list[set[int]] = field(default_factory=list[set[int]])
    """Who has resigned, first to last, those of one moment together."""
    stood_in: set[int] = field(default_factory=set[int])
    ever_stood_in: set[int] = field(default_factory=set[int])
    wanted: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    told: list[int] = field(default_factory=list[int])
    """Who has told a wish since the last move, in order."""
    paused_since: int | None = None
    is_over: bool = False

    def __post_init__(self) -> None:
        self.accounts = [Account([self.allowance]) for _ in range(self.seats)]
        self._run()

    @property
    def allowance(self) -> int:
        match self.clock:
            case PerMove(seconds) | PerMatch(seconds):
                return seconds * 1000
            case PerTurn(days):
                return days * 86_400_000
            case None:
                return 0

    @property
    def gone(self) -> set[int]:
        return set[int]().union(*self.leaving)

    @property
    def asked(self) -> set[int]:
        """Whose agreement counts."""
        return set(range(self.seats)) - self.bots - self.gone - self.stood_in

    @property
    def due(self) -> int | None:
        if self.clock is None or self.is_over:
            return None
        if self.paused_since is not None:
            return self.paused_since + FORTNIGHT
        return min((account.falls_at() for account in self._running()), default=None)

    def wanting(self, wish: str) -> set[int]:
        return {seat for which, seat in self.wanted if which == wish}

    def falling(self) -> list[int]:
        """Return the seats whose flag falls first."""
        at = self.due
        return [
            seat
            for seat, account in enumerate(self.accounts)
            if account.is_running and account.falls_at() == at
        ]

    def outlives(self, outcome: Outcome | None) -> list[int] | None:
        """Return the places when the game says *outcome*, or None if the match goes on."""
        staying = [seat for seat in range(self.seats) if seat not in self.gone]
        if outcome is None and len(staying) > 1:
            return None
        order = [0] * self.seats if outcome is None else list(outcome.places)
        return places_of([*groups_of({seat: order[seat] for seat in staying}), *self.leaving[::-1]])

    # What happens, as told by whoever drives the model.

    def moved(self, seat: int, owing: Iterable[int], *, is_turning: bool) -> None:
        self.told.clear()
        if isinstance(self.clock, PerMatch):
            self.accounts[seat].given.append(self.clock.increment_seconds * 1000)
        if isinstance(self.clock, PerMove):
            self._anew(seat)
        if is_turning and isinstance(self.clock, PerTurn):
            for each in range(self.seats):
                self._anew(each)
        before, self.owing = self.owing, set(owing)
        if isinstance(self.clock, PerMove):
            for each in self.owing - before:
                self._anew(each)
        self._run()

    def resigned(self, seats: Iterable[int]) -> None:
        """Let *seats* leave at the same moment."""
        self.leaving.append(set(seats))
        self.stood_in -= self.gone
        if self.paused_since is not None and not self.wanting("pause") & self.asked:
            self.goes_on()
        self._run()

    def flags_fell(self) -> tuple[list[int], list[int]]:
        """Return who is taken over then, and who resigns."""
        falling = self.falling()
        can_be_helped = set(range(self.seats)) - self.bots - self.ever_stood_in
        helped = [seat for seat in falling if self.falls_to_bot and seat in can_be_helped]
        for seat in helped:
            self._anew(seat)
            self.wanted -= {("pause", seat), ("abort", seat)}
        self.stood_in |= set(helped)
        self.ever_stood_in |= set(helped)
        lost = [seat for seat in falling if seat not in helped]
        if lost:
            self.resigned(lost)
        self._run()
        return helped, lost

    def pauses(self) -> None:
        self.paused_since = self.now
        self._run()

    def goes_on(self) -> None:
        self.paused_since = None
        self.wanted = {(wish, seat) for wish, seat in self.wanted if wish != "pause"}
        self._run()

    def ends(self) -> None:
        self.is_over, self.paused_since = True, None
        self._run()

    def _running(self) -> Iterator[Account]:
        return (account for account in self.accounts if account.is_running)

    def _anew(self, seat: int) -> None:
        self.accounts[seat] = Account([self.allowance])

    def _run(self) -> None:
        """Let the clocks of exactly those run who owe a decision."""
        is_stopped = self.is_over or self.paused_since is not None or self.clock is None
        for seat, account in enumerate(self.accounts):
            if not is_stopped and seat in self.owing - self.gone:
                account.run(self.now)
            else:
                account.stop(self.now)


def groups_of(order: Mapping[int, int]) -> list[set[int]]:
    """Return the seats in *order*, those with the same number together."""
    return [{seat for seat in order if order[seat] == each} for each in sorted({*order.values()})]


def places_of(groups: Iterable[set[int]]) -> list[int]:
    """Return the places of all seats; *groups* come from best to worst."""
    places = dict[int, int]()
    for group in groups:
        place = len(places) + 1
        places |= dict.fromkeys(group, place)
    return [places[seat] for seat in range(len(places))]
