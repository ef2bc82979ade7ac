"""Orders to start a match, as the messages of other services and of players give them."""

from dataclasses import dataclass, field
from typing import Final
from uuid import UUID, uuid5

from howff.contracts import matches as contracts
from howff.engine.catalogue import game_of
from howff.engine.codec import JSON
from howff.engine.game import AnyGame
from howff.game.domain.errors import NotSeatedError, UnknownLevelError
from howff.match.commands import StartMatch
from howff.match.commit import CommandId, MatchId
from howff.match.events import Account, Bot

PRACTICE_LEVELS: Final = ("random",)
"""The bots that play in practice matches."""
_PRACTICE: Final = UUID("2f9f1a3e-5d0f-4c1b-9a56-6f1d9b7d1c52")


@dataclass(frozen=True, slots=True)
class StartOrder:
    """A match to be started."""

    game: AnyGame
    command: StartMatch

    @property
    def match(self) -> MatchId:
        return self.command.match


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveOrder:
    """A move that *account* wants made, for the *seat* it names or for the only one it holds."""

    id: CommandId
    account: str
    seat: int | None
    move: JSON = field(repr=False)
    expected_version: int | None
    """The version that has to be the newest still, if any has."""


def order_of(message: contracts.StartMatch) -> StartOrder:
    """Return the order that *message* gives.

    Raises:
        UnknownGameError: the catalogue has no such game.
        WrongOptionError: the game has no such option or value.
    """
    game = game_of(message.game)
    command = StartMatch(
        id=CommandId(message.match),
        match=MatchId(message.match),
        options=game.read_options(message.options),
        seats=tuple(map(holder_of, message.seats)),
        watch=message.watch,
        rated=message.rated,
        entropies=message.entropies,
    )
    return StartOrder(game, command)


def check_practice(message: contracts.StartMatch, account: str) -> None:
    """Refuse a practice match with bots that nobody would play, or that *account* can't see.

    Raises:
        UnknownLevelError: there are such bots.
        NotSeatedError: it is for its seats alone, and *account* has none.
    """
    for holder in message.seats:
        if isinstance(holder, contracts.BotSeat) and holder.bot not in PRACTICE_LEVELS:
            raise UnknownLevelError(PRACTICE_LEVELS, holder.bot)
    if message.watch == "private" and contracts.AccountSeat(account=account) not in message.seats:
        raise NotSeatedError


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
