"""Tables on a server, as commands look at them and do something there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from howff.cli.errors import CommandError, printable
from howff.cli.server.addresses import TableAddress
from howff.cli.server.entropy import hash_of, new_entropy
from howff.cli.server.logins import KeptEntropy, drop_entropy, entropy_for, keep_entropy
from howff.cli.server.servers import Server
from howff.cli.terminal.names import names_of
from howff.engine.catalogue import game_of
from howff.engine.codec import JSON, picked


class NoSeatError(CommandError):
    """There is no seat for somebody, or somebody has none."""

    code = "no_seat"


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """A seat at a table: free, or held by an account or a bot."""

    seat: int
    account: str | None
    bot: str | None
    reserved_for: str | None
    ready: bool
    entropy_hash: str | None

    @property
    def is_free(self) -> bool:
        return self.account is None and self.bot is None


@dataclass(frozen=True, slots=True)
class TableSeen:
    """A table as a server tells it."""

    id: str
    phase: str
    host: str | None
    game: str
    seats: tuple[JSON, ...]
    rated: bool
    visibility: str
    seed_commitment: str
    refusal: JSON
    closed_because: str | None

    @property
    def holders(self) -> tuple[SeatSeen, ...]:
        """The seats, by their numbers.

        Raises:
            MalformedError: one of them has another form.
        """
        return tuple(picked(SeatSeen, each) for each in self.seats)

    @property
    def accounts(self) -> tuple[str | None, ...]:
        return tuple(each.account for each in self.holders)

    @property
    def is_full(self) -> bool:
        return not any(each.is_free for each in self.holders)

    @property
    def is_ready(self) -> bool:
        """Whether everybody is there, and ready."""
        return self.is_full and all(each.ready for each in self.holders)

    def seat_of(self, account: str) -> SeatSeen | None:
        """Return the seat that *account* has, if it has one."""
        return next((each for each in self.holders if each.account == account), None)

    def lines(self, called: Mapping[str, str]) -> Iterator[str]:
        """Yield what there is to tell of it, the seats one by one."""
        kind = "rated" if self.rated else "not rated"
        yield f"{game_of(self.game).title}: {self.phase}, {kind}, {self.visibility}"
        names = names_of(self.accounts, called)
        for name, holder in zip(names, self.holders, strict=True):
            yield f"  seat:{holder.seat} {_standing(holder, name, called)}"
        yield f"  The seed of its luck is fixed by {self.seed_commitment}"


@dataclass(frozen=True, slots=True)
class Visitor:
    """An account at a table, and the terminal at which it is."""

    server: Server
    address: TableAddress
    account: str
    console: Console

    def look(self) -> TableSeen:
        """Return the table as it stands.

        Raises:
            ClientError: the server refuses, or does not answer.
        """
        tables = self.server.client.tables
        place = self.address
        return table_seen(self.server.ask(tables.look(place.table, invitation=place.invitation)))

    def own_seat(self) -> SeatSeen:
        """Return the seat that the account has.

        Raises:
            NoSeatError: it has none.
        """
        seat = self.look().seat_of(self.account)
        if seat is None:
            raise NoSeatError("no seat", expected="one of your own", found="none")
        return seat

    def sit(self, wanted: int | None) -> TableSeen:
        """Sit down in the seat that is *wanted*, or in the first that may be taken.

        The account adds to the luck of the match; what it adds is kept here until it is ready.
        """
        seat = self._free_seat() if wanted is None else wanted
        entropy = new_entropy()
        keep_entropy(_kept(self.address, self.account, entropy))
        sitting = self.server.client.tables.sit(
            self.address.table,
            seat,
            entropy_hash=hash_of(entropy),
            invitation=self.address.invitation,
        )
        return table_seen(self.server.ask(sitting))

    def tell_ready(self, seat: SeatSeen) -> TableSeen:
        """Be ready, and tell what the account adds to the luck."""
        place = self.address
        entropy = None
        if seat.entropy_hash is not None:
            entropy = entropy_for(place.server, self.account, place.table)
        telling = self.server.client.tables.tell_ready(place.table, seat.seat, entropy=entropy)
        table = table_seen(self.server.ask(telling))
        drop_entropy(place.server, self.account, place.table)
        return table

    def show(self, table: TableSeen) -> None:
        """Tell how *table* stands."""
        self.console.print(Text(str(self.address)), soft_wrap=True)
        for line in table.lines(self.server.called(table.accounts)):
            self.console.print(Text(printable(line)), soft_wrap=True)

    def _free_seat(self) -> int:
        holders = self.look().holders
        for fitting in ({self.account}, {None}):
            for each in holders:
                if each.is_free and each.reserved_for in fitting:
                    return each.seat
        raise NoSeatError("no seat", expected="a free one", found="none")


def table_seen(plain: JSON) -> TableSeen:
    """Return the table that a server tells of as *plain*.

    Raises:
        MalformedError: it is none.
    """
    return picked(TableSeen, plain)


def _kept(address: TableAddress, account: str, entropy: str) -> KeptEntropy:
    return KeptEntropy(server=address.server, account=account, table=address.table, entropy=entropy)


def _standing(holder: SeatSeen, name: str, called: Mapping[str, str]) -> str:
    if holder.is_free:
        reserved = holder.reserved_for
        return "free" if reserved is None else f"kept for {called.get(reserved, reserved)}"
    if holder.bot is not None:
        return f"a bot ({holder.bot})"
    return f"{name}, ready" if holder.ready else name
