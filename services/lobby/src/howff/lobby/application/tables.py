"""What the service does with tables."""

from dataclasses import dataclass, replace
from typing import Final

from howff.lobby.application.ledgers import TableLedger
from howff.lobby.application.ports import Seeds
from howff.lobby.domain.errors import (
    NoSuchTableError,
    NothingChangesError,
    TableExistsError,
    UnknownLevelError,
    WrongPhaseError,
)
from howff.lobby.domain.reasons import Reason
from howff.lobby.domain.tables.commands import (
    DissolveTable,
    OpenRematch,
    OpenTable,
    SeatBot,
    TableCommand,
    TakeSeat,
)
from howff.lobby.domain.tables.events import Visibility
from howff.lobby.domain.tables.table import Person, Table
from howff.lobby.domain.terms import Terms
from howff.match.events import Bot
from howff.servicekit.eventstore.commits import Folded
from howff.servicekit.ids import id_from

MOST_REMATCHES: Final = 8
"""How often the rematch of one match may be opened anew, since it was closed."""


@dataclass(frozen=True, slots=True)
class Found:
    """A table by its id, as it stands."""

    id: str
    folded: Folded[Table]

    @property
    def table(self) -> Table:
        return self.folded.state


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What somebody wants to open a table with."""

    terms: Terms
    visibility: Visibility
    seat: int | None
    entropy_hash: str | None


class Tables:
    """The tables of the service, wherever they are kept."""

    def __init__(self, ledger: TableLedger, seeds: Seeds, levels: tuple[str, ...]) -> None:
        self._ledger = ledger
        self._seeds = seeds
        self._levels = levels

    async def open(self, opening: Opening, *, by: str, key: str) -> Found:
        """Open a table, if it has not been opened under *key* yet.

        Raises:
            RefusalError: there is no such game, or not by these terms.
        """
        self.check_level(opening.terms.stand_in)
        table = id_from(f"table\n{by}\n{key}")
        command = OpenTable(
            by=by,
            terms=opening.terms,
            visibility=opening.visibility,
            seed_commitment="",
            seat=opening.seat,
            entropy_hash=opening.entropy_hash,
        )
        commitment = await self._commitment(table, command)
        command = replace(command, seed_commitment=commitment)
        return Found(table, await self._ledger.order(table, command, by=by, key=key))

    async def find(self, table: str) -> Found:
        """Return a table.

        Raises:
            NoSuchTableError: there is none.
        """
        folded = await self._ledger.find(table)
        if folded is None:
            raise NoSuchTableError
        return Found(table, folded)

    async def order(self, table: str, command: TableCommand, *, by: str, key: str) -> Found:
        """Do what an account orders at a table; what is so already is no refusal.

        Raises:
            RefusalError: the table refuses it.
        """
        if isinstance(command, SeatBot):
            self.check_level(command.level)
        try:
            return Found(table, await self._ledger.order(table, command, by=by, key=key))
        except NothingChangesError:
            return await self.find(table)

    async def close(self, table: str, reason: Reason, *, by: str, key: str) -> Found:
        """Close a table, as the administrator *by*.

        Raises:
            RefusalError: there is none, or it is too late.
        """
        command = DissolveTable(because="administrator", reason=reason)
        return Found(table, await self._ledger.order(table, command, by=by, key=key))

    async def rematch(self, table: str, *, by: str, key: str) -> Found:
        """Return the table where the match of *table* is played again, and sit down there.

        Whoever asks first opens it. Every account has the seat after its former one.

        Raises:
            NoSuchTableError: there is none, or *by* has not played there.
            WrongPhaseError: the match goes on.
        """
        former = (await self.find(table)).table
        if former.seat_of(by) is None:
            raise NoSuchTableError
        if former.phase != "over":
            raise WrongPhaseError("over", former.phase)
        again, standing = await self._standing_rematch(table)
        if standing is None:
            command = _again(former, table, by, await self._seeds.commitment(again))
            try:
                return Found(again, await self._ledger.order(again, command, by=by, key=key))
            except TableExistsError:  # another of them was faster
                standing = (await self.find(again)).folded
        return await self._joined(again, standing, by=by, key=key)

    def check_level(self, level: str | None) -> None:
        """Refuse bots that nobody would play.

        Raises:
            UnknownLevelError: they are such.
        """
        if level is not None and level not in self._levels:
            raise UnknownLevelError(self._levels, level)

    async def _commitment(self, table: str, command: OpenTable) -> str:
        """Return what the table tells of its seed, which is gone by now if it was closed.

        What would be refused anyway makes no seed: nobody would throw it away.
        """
        standing = await self._ledger.find(table)
        if standing is not None:
            return standing.state.seed_commitment
        self._ledger.check_first(command)
        return await self._seeds.commitment(table)

    async def _standing_rematch(self, table: str) -> tuple[str, Folded[Table] | None]:
        """Return the id of the rematch that is not closed, and the table if it was opened."""
        for number in range(MOST_REMATCHES):
            again = id_from(f"rematch\n{table}\n{number}")
            standing = await self._ledger.find(again)
            if standing is None or standing.state.phase != "closed":
                return again, standing
        raise WrongPhaseError("open", "closed")

    async def _joined(self, table: str, standing: Folded[Table], *, by: str, key: str) -> Found:
        if not standing.state.is_known_to(by):  # any more: somebody has given its seat away
            raise NoSuchTableError
        if standing.state.seat_of(by) is not None or by not in standing.state.reserved:
            return Found(table, standing)
        seat = standing.state.reserved.index(by)
        return await self.order(table, TakeSeat(by=by, seat=seat), by=by, key=key)


def _again(former: Table, table: str, by: str, seed_commitment: str) -> OpenRematch:
    seats = former.seats[-1:] + former.seats[:-1]
    return OpenRematch(
        by=by,
        terms=former.terms,
        visibility="invitation",
        seed_commitment=seed_commitment,
        reserved=tuple(each.account if isinstance(each, Person) else None for each in seats),
        bots=tuple(each.level if isinstance(each, Bot) else None for each in seats),
        previous=table,
    )
