"""Waiting at a table until its match starts, and doing what is one's own to do for it."""

from typing import Final

from rich.text import Text

from howff.cli.errors import CommandError, printable
from howff.cli.online.commanding import refusal_of
from howff.cli.server.news import News
from howff.cli.server.tables import NoSeatError, TableSeen, Visitor

_PATIENCE: Final = 5.0
"""Seconds after which a table is looked at though nothing was told of it."""


class NoMatchError(CommandError):
    """A table does not come to its match."""

    code = "no_match"

    def __init__(self, found: str) -> None:
        super().__init__("no match", expected="one that starts", found=found)


def wait_for_match(visitor: Visitor) -> TableSeen:
    """Wait until the match of a table starts; return the table then.

    Whoever waits is ready once all seats are taken, and starts the match as the host once all are.

    Raises:
        ClientError: the server refuses, or is away for too long.
        NoMatchError: the table was closed, or the match refused.
        NoSeatError: the visitor has no seat any more.
    """
    told: tuple[str, ...] = ()
    with News(visitor.server) as news:
        while (table := visitor.look()).phase not in {"playing", "over"}:
            lines = tuple(table.lines(visitor.server.called(table.accounts)))
            if lines != told:
                visitor.show(table)
                told = lines
            refused = refusal_of(lambda table=table: _go_on(visitor, table))  # type: ignore[misc]
            if refused is not None:
                visitor.console.print(Text(printable(refused), style="dim"), soft_wrap=True)
            news.wait(_PATIENCE)
    return table


def _go_on(visitor: Visitor, table: TableSeen) -> None:
    """Do what brings *table* on, if there is anything."""
    _check_alive(table)
    own = table.seat_of(visitor.account)
    if own is None:
        raise NoSeatError("no seat", expected="one of your own", found="none any more")
    if table.phase != "open":
        return
    if own.entropy_hash is None and not table.is_full:
        visitor.sit(own.seat)  # what was told before somebody left counts no more
    elif table.is_full and not own.ready:
        table = visitor.tell_ready(own)
    if table.is_ready and table.host == visitor.account:
        visitor.server.ask(visitor.server.client.tables.start(visitor.address.table))


def _check_alive(table: TableSeen) -> None:
    if table.phase == "closed":
        raise NoMatchError(f"a table that was closed ({table.closed_because})")
    if isinstance(table.refusal, dict):
        raise NoMatchError(f"a refusal, {table.refusal.get('code')}: {table.refusal.get('detail')}")
