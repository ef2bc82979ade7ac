"""What the match service tells, and what that means for tables."""

from howff.contracts.matches import MatchEnded, MatchRefused, MatchStarted
from howff.lobby.application.ledgers import TableLedger
from howff.lobby.domain.tables.commands import NoteBegun, NoteOver, NoteRefused


class News:
    """Lets tables know what became of their matches; most matches have no table."""

    def __init__(self, tables: TableLedger) -> None:
        self._tables = tables

    async def on_message(self, message: MatchStarted | MatchRefused | MatchEnded) -> None:
        """Note what *message* tells, once.

        Raises:
            RefusalError: it could not be done now; the message has to come again.
        """
        match message:
            case MatchStarted(match=table):
                await self._tables.react(table, NoteBegun(), cause=table)
            case MatchEnded(match=table):
                await self._tables.react(table, NoteOver(), cause=table)
            case MatchRefused(match=table, attempt=attempt, code=code, detail=detail):
                note = NoteRefused(attempt=attempt, code=code, detail=detail)
                await self._tables.react(table, note, cause=f"{table}\n{message.order}")
