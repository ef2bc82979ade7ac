"""Orders: to start a match and to do something in one, as messages and requests give them."""

from dataclasses import dataclass, field
from typing import Final
from uuid import UUID, uuid5

from howff.contracts import matches as contracts
from howff.engine.catalogue import game_of
from howff.engine.codec import JSON
from howff.engine.game import AnyGame
from howff.game.domain.errors import NotSeatedError, UnknownLevelError
from howff.game.domain.seating import Asker
from howff.match.clocks import Clock, PerMatch, PerMove, PerTurn
from howff.match.commands import CreditTime, PlatformCommand, StartMatch
from howff.match.commit import CommandId, MatchId
from howff.match.errors import NoSuchSeatError
from howff.match.events import Account, Bot, Watch
from howff.match.match import Match
from howff.match.presence import Wish

_PRACTICE: Final = UUID("2f9f1a3e-5d0f-4c1b-9a56-6f1d9b7d1c52")


@dataclass(frozen=True, slots=True)
class StartOrder:
    """A match to be started."""

    game: AnyGame
    command: StartMatch

    @property
    def match(self) -> MatchId:
        return self.command.match


@dataclass(frozen=True, slots=True)
class MoveWanted:
    """A seat is to make this move."""

    move: JSON = field(repr=False)
    bot: JSON = field(default=None, repr=False)
    """How a bot came to it; null for people."""


@dataclass(frozen=True, slots=True)
class ResignationWanted:
    """A seat is to leave the match for good."""


@dataclass(frozen=True, slots=True)
class WishWanted:
    """A seat is to tell what it wants if all agree, or that it does not want it any more."""

    wish: Wish
    is_wanted: bool


@dataclass(frozen=True, slots=True)
class ReturnWanted:
    """A seat is to be taken back from the bot that stands in for its account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOrder:
    """What *asker* wants, for the *seat* it names or for the only one it holds."""

    id: CommandId
    asker: Asker
    seat: int | None
    wanted: MoveWanted | ResignationWanted | WishWanted | ReturnWanted
    expected_version: int | None = None
    """The version that has to be the newest still, if any has."""


@dataclass(frozen=True, slots=True)
class PlatformOrder:
    """What an administrator wants."""

    command: PlatformCommand

    def check_seat(self, match: Match) -> None:
        """Refuse what is about a seat that *match* has not.

        Raises:
            NoSuchSeatError: it is.
        """
        seats = len(match.started.seats)
        if isinstance(self.command, CreditTime) and self.command.seat not in range(seats):
            raise NoSuchSeatError(seats, self.command.seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchOrder:
    """A match that is to begin where the match *parent* stood at version *at*."""

    match: MatchId
    parent: MatchId
    at: int
    account: str
    """Who wants it."""
    seats: tuple[Account | Bot, ...]


def order_of(message: contracts.StartMatch) -> StartOrder:
    """Return the order that *message* gives; a match of bots alone ends some time.

    Raises:
        UnknownGameError: the catalogue has no such game.
        WrongOptionError: the game has no such option or value.
    """
    game = game_of(message.game)
    options = message.options
    if not any(isinstance(each, contracts.AccountSeat) for each in message.seats):
        options = game.bounded(options, contracts.ROUNDS_OF_BOTS)  # nobody would ever end it
    command = StartMatch(
        id=CommandId(message.match),
        match=MatchId(message.match),
        options=game.read_options(options),
        seats=tuple(map(holder_of, message.seats)),
        watch=message.watch,
        rated=message.rated,
        entropies=message.entropies,
        clock=clock_of(message.clock),
        on_flag=message.on_flag,
        on_leave=message.on_leave,
        stand_in=message.stand_in,
    )
    return StartOrder(game, command)


def clock_of(clock: contracts.Clock | None) -> Clock | None:
    """Return a clock as the match records it."""
    match clock:
        case None:
            return None
        case contracts.PerMove(move_seconds=seconds):
            return PerMove(seconds)
        case contracts.PerMatch(match_seconds=seconds, increment_seconds=increment):
            return PerMatch(seconds, increment)
        case contracts.PerTurn(turn_days=days):
            return PerTurn(days)


def check_practice(message: contracts.StartMatch, account: str) -> None:
    """Refuse a practice match with bots that nobody plays, or that is not for *account*.

    Raises:
        UnknownLevelError: there are such bots.
        NotSeatedError: *account* has no seat, and others have, or they alone may watch it.
    """
    check_practice_seats(tuple(map(holder_of, message.seats)), message.watch, account)
    if message.stand_in is not None:
        check_practice_level(message.stand_in)


def check_practice_seats(seats: tuple[Account | Bot, ...], watch: Watch, account: str) -> None:
    """Refuse the same of the seats alone."""
    for holder in seats:
        if isinstance(holder, Bot):
            check_practice_level(holder.level)
    is_of_bots = all(isinstance(holder, Bot) for holder in seats)
    if Account(account) not in seats and not (is_of_bots and watch == "public"):
        raise NotSeatedError


def check_practice_level(level: str) -> None:
    """Refuse bots that nobody plays.

    Raises:
        UnknownLevelError: they are such.
    """
    if level not in contracts.LEVELS:
        raise UnknownLevelError(contracts.LEVELS, level)


def practice_id(account: str, key: UUID) -> MatchId:
    """Return the id of the match that *account* starts under *key*: sent again, the same one."""
    return MatchId(str(uuid5(_PRACTICE, f"{account}\n{key}")))


def holder_of(seat: contracts.Holder) -> Account | Bot:
    """Return who holds a seat, as the match records it."""
    match seat:
        case contracts.AccountSeat(account=account):
            return Account(account)
        case contracts.BotSeat(bot=level):
            return Bot(level)


def seat_message(holder: Account | Bot) -> contracts.Holder:
    """Return who holds a seat, as messages and answers tell it."""
    match holder:
        case Account(account):
            return contracts.AccountSeat(account=account)
        case Bot(level):
            return contracts.BotSeat(bot=level)
