"""Matches with every kind of trouble: really played, signed and chained, told of as they end."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, cached_property
from hashlib import sha256
from typing import Any, Final, Literal, get_args

from howff.contracts.matches import AccountSeat, BotSeat, MatchEnded
from howff.engine.catalogue import GAMES
from howff.engine.codec import to_json
from howff.engine.outcome import Outcome
from howff.engine.seats import Seat
from howff.match.clocks import Clock, PerMatch, PerMove, PerTurn, time_at
from howff.match.commands import (
    AbortMatch,
    Command,
    ExpireDeadline,
    Origin,
    PlayDefault,
    PlayMove,
    Resign,
    StartMatch,
    TakeBack,
    TellWish,
)
from howff.match.commit import CommandId, Commit, MatchId, Version
from howff.match.events import Account, Bot, OnFlag
from howff.match.export import Export, export_whole, write_export
from howff.match.notary import Notary
from howff.match.play import play, start
from howff.scoring.domain.results import MatchResult, result_of
from support.played import KEYS, NOON, SIGNER
from support.rng import LocalRng

Trouble = Literal[
    "none",
    "resigned",
    "taken over",
    "given back",
    "flag fallen",
    "aborted",
    "aborted by all",
    "branch",
    "bots",
    "people and bots",
    "all resigned",
]
TROUBLES: Final[tuple[Trouble, ...]] = get_args(Trouble)
PLAYERS: Final = tuple(f"player-{number}" for number in range(9))
LEVELS: Final = ("random", "casual", "steady")
GAMES_IN_TURN: Final = (
    "troedler",
    "appenzell",
    "hellweg",
    "troedler",
    "appenzell",
    "highland_clans",
    "troedler",
    "appenzell",
    "dale_of_merchants",
    "troedler",
)
"""Those whose matches are short come more often."""
CLOCKS: Final[tuple[Clock, ...]] = (PerMatch(3600, 5), PerTurn(2), PerMove(60))
LONG_GAMES: Final = frozenset({"dale_of_merchants"})
"""Those that are played by as few as can."""
BETWEEN: Final = timedelta(hours=7)
"""From a match to the next one."""


@dataclass(frozen=True)
class Ended:
    """A match that is over, and what is told of it."""

    trouble: Trouble
    export: Export
    told: MatchEnded

    @property
    def match(self) -> str:
        return self.told.match

    @property
    def subject(self) -> str:
        return f"contract.match_ended.{self.match}"

    @cached_property
    def message(self) -> bytes:
        return self.told.model_dump_json().encode()

    @cached_property
    def content(self) -> bytes:
        return write_export(self.export)

    @cached_property
    def damaged(self) -> bytes:
        """The file with one commit at another time, so that its chain is broken."""
        at = self.export.commits[1].at.encode()
        return self.content.replace(at, at.replace(b".0", b".9"), 1)

    @cached_property
    def result(self) -> MatchResult:
        return result_of(self.export)


@cache
def match_number(number: int) -> Ended:
    """Return a match by chance; its *number* says which game, and which trouble it has."""
    game = GAMES_IN_TURN[number % len(GAMES_IN_TURN)]
    return match_with(TROUBLES[number % len(TROUBLES)], game, number)


def match_with(trouble: Trouble, game: str, number: int) -> Ended:
    """Return a match of a *game* with this *trouble*; *number* gives its luck and its name."""
    return _Course(trouble, game, number).ended()


class _Course:
    def __init__(self, trouble: Trouble, game: str, number: int) -> None:
        self.trouble, self.number, self.game = trouble, number, GAMES[game]
        self.rng = LocalRng(f"{trouble} {game} {number}")
        late = timedelta(seconds=self.rng.draw("late", 20 * 60 * 60))
        self.now = NOON + number * BETWEEN + late  # so that some end before those told earlier
        seed = sha256(f"{game} {number}".encode()).digest()
        self.notary = Notary(seed, SIGNER)
        step = start(self.game, self._start(), at=self.now, notary=self.notary)
        self.match, self.commits = step.match, list[Commit]([step.commit])

    def ended(self) -> Ended:
        after = 2 + self.rng.draw("after", 4)
        while self.match.to_act and len(self.commits) < after:
            self._decide()
        if self.match.to_act:
            _STRIKES.get(self.trouble, _Course.nothing)(self)
        while self.match.to_act:
            self._decide()
        export = export_whole(self.match, self.commits, KEYS)
        return Ended(self.trouble, export, self._told())

    def nothing(self) -> None:
        pass

    def resign(self) -> None:
        self._give(Resign, seat=self._person())

    def resign_all(self) -> None:
        while self.match.to_act and self.match.voters:
            self.resign()

    def flag(self) -> None:
        assert self.match.due is not None
        self.now = time_at(self.match.due)
        self._give(ExpireDeadline)

    def come_back(self) -> None:
        self.flag()
        for seat in tuple(self.match.presence.stand_ins):
            self._decide()
            if self.match.to_act and seat in self.match.presence.stand_ins:
                self._give(TakeBack, seat=seat)

    def abort(self) -> None:
        self._give(AbortMatch, reason="request")

    def abort_by_all(self) -> None:
        for seat in sorted(self.match.voters):
            self._give(TellWish, seat=seat, wish="abort", is_wanted=True)

    def _person(self) -> Seat:
        return self.rng.roll("person", sorted(self.match.voters))

    def _decide(self) -> None:
        seat = self.rng.roll("seat", self.match.to_act)
        presence, holder = self.match.presence, self.match.started.seats[seat]
        self.now += timedelta(seconds=1)
        if seat in presence.resigned and seat not in presence.stand_ins:
            self._give(PlayDefault, seat=seat)
            return
        move = self.rng.roll("move", self.game.legal_moves(self.match.state, seat))
        is_bot = isinstance(holder, Bot) or seat in presence.stand_ins
        self._give(PlayMove, seat=seat, move=move, bot={"policy": "chance"} if is_bot else None)

    def _give(self, kind: Callable[..., Command], **terms: Any) -> None:
        command = kind(id=CommandId(f"c-{len(self.commits)}"), **terms)
        step = play(self.match, command, at=self.now, notary=self.notary)
        self.match = step.match
        self.commits.append(step.commit)

    def _start(self) -> StartMatch:
        trouble, rng = self.trouble, self.rng
        choice = self.game.seats[:1] if self.game.key in LONG_GAMES else self.game.seats
        seats = rng.roll("seats", choice)
        options = self.game.read_options(self.game.bounded({}, 1))
        origin = None
        if trouble == "branch":
            draft = self.game.start(options, seats, rng)
            origin = Origin(MatchId("parent"), Version(3), draft.state)
        clock = self._clock()
        on_flag: OnFlag = "bot" if trouble in {"taken over", "given back"} else "resign"
        return StartMatch(
            id=CommandId("start"),
            match=MatchId(f"match-{self.number}"),
            options=options,
            seats=self._holders(seats),
            watch="public" if rng.draw("watch", 4) else "private",
            rated=bool(rng.draw("rated", 5)),
            entropies=(None,) * seats,
            clock=clock,
            on_flag=on_flag,
            stand_in="steady" if on_flag == "bot" else None,
            origin=origin,
        )

    def _clock(self) -> Clock | None:
        has_flags = self.trouble in {"taken over", "given back", "flag fallen"}
        clocks: tuple[Clock | None, ...] = (
            (PerMove(60), PerTurn(1)) if has_flags else (*CLOCKS, None)
        )
        return self.rng.roll("clock", clocks)

    def _holders(self, seats: int) -> tuple[Account | Bot, ...]:
        people = self.rng.shuffle("people", PLAYERS)
        bots = {"bots": seats, "people and bots": max(1, seats - 2)}.get(self.trouble, 0)
        levels = [Bot(self.rng.roll("level", LEVELS)) for _ in range(bots)]
        return (*levels, *(Account(each) for each in people[: seats - bots]))

    def _told(self) -> MatchEnded:
        match, types = self.match, {each["type"]: each["data"] for each in self.commits[-1].events}
        return MatchEnded(
            match=match.id,
            game=self.game.key,
            seats=tuple(
                AccountSeat(account=each.account)
                if isinstance(each, Account)
                else BotSeat(bot=each.level)
                for each in match.started.seats
            ),
            rated=match.started.rated and not match.is_aborted,
            reason=types["MatchEnded"]["reason"] if "MatchEnded" in types else "aborted",
            outcome=to_json(Outcome | None, match.outcome),
            version=match.version,
            at=match.at,
        )


_STRIKES: Final[dict[str, Callable[[_Course], None]]] = {
    "resigned": _Course.resign,
    "all resigned": _Course.resign_all,
    "taken over": _Course.flag,
    "given back": _Course.come_back,
    "flag fallen": _Course.flag,
    "aborted": _Course.abort,
    "aborted by all": _Course.abort_by_all,
}
