"""`howff table`: what its commands do, one after the other."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from howff.cli.errors import printable
from howff.cli.online.playing import Visit, play_on
from howff.cli.online.table_waiting import wait_for_match
from howff.cli.server.addresses import TableAddress
from howff.cli.server.admitting import admitted_as, calling
from howff.cli.server.callers import Caller, Identity
from howff.cli.server.entropy import hash_of, new_entropy
from howff.cli.server.logins import KeptEntropy, keep_entropy
from howff.cli.server.servers import asking
from howff.cli.server.tables import TableSeen, Visitor, table_seen
from howff.cli.server.terms import STAND_IN
from howff.cli.terminal.drawing import show
from howff.engine.codec import JSON, picked


@dataclass(frozen=True, slots=True)
class _Summary:
    id: str
    game: str
    seats: int
    free: int
    rated: bool


@dataclass(frozen=True, slots=True)
class _Page:
    items: tuple[JSON, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class _Invitation:
    url: str


def create(caller: Caller, order: dict[str, JSON], bots: int, *, has_to_wait: bool) -> None:
    """Open a table by *order*, with *bots* in its last seats, and sit down in the first.

    Raises:
        ClientError: the server refuses, or does not answer.
        RefusalError: its answer makes no sense, or nothing can be kept here.
    """
    account, token = admitted_as(caller)
    entropy = new_entropy()
    with asking(caller.server, token, caller.console) as server:
        tables = server.client.tables
        order = {**order, "seat": 0, "entropy_hash": hash_of(entropy)}
        table = table_seen(server.ask(tables.open(order)))
        keep_entropy(
            KeptEntropy(server=caller.server, account=account, table=table.id, entropy=entropy)
        )
        for seat in range(len(table.seats) - bots, len(table.seats)):
            table = table_seen(server.ask(tables.seat_bot(table.id, seat, STAND_IN)))
        visitor = Visitor(server, TableAddress(caller.server, table.id), account, caller.console)
        table = _waited(visitor, table, has_to_wait=has_to_wait)
    _play_on(caller, token, table, has_to_wait=has_to_wait)


def join(caller: Caller, address: TableAddress, seat: int | None, *, has_to_wait: bool) -> None:
    """Sit down at the table at *address*, in *seat* or any."""
    with visiting(caller, address) as (visitor, token):
        table = _waited(visitor, visitor.sit(seat), has_to_wait=has_to_wait)
    _play_on(caller, token, table, has_to_wait=has_to_wait)


def tell_ready(caller: Caller, address: TableAddress, *, has_to_wait: bool) -> None:
    """Be ready at the table at *address*; waiting, as soon as that can be said."""
    with visiting(caller, address) as (visitor, token):
        own = visitor.own_seat()
        table = visitor.look() if has_to_wait else visitor.tell_ready(own)
        table = _waited(visitor, table, has_to_wait=has_to_wait)
    _play_on(caller, token, table, has_to_wait=has_to_wait)


def start(caller: Caller, address: TableAddress) -> None:
    """Ask for the match of the table at *address*, as its host."""
    with visiting(caller, address) as (visitor, _):
        tables = visitor.server.client.tables
        visitor.show(table_seen(visitor.server.ask(tables.start(address.table))))


def leave(caller: Caller, address: TableAddress) -> None:
    """Leave the table at *address*."""
    with visiting(caller, address) as (visitor, _):
        tables = visitor.server.client.tables
        leaving = tables.leave(address.table, visitor.own_seat().seat)
        visitor.show(table_seen(visitor.server.ask(leaving)))


def invite(caller: Caller, address: TableAddress, seat: int | None) -> None:
    """Make an invitation to the table at *address*, as its host, and tell its address."""
    with visiting(caller, address) as (visitor, _):
        tables = visitor.server.client.tables
        made = visitor.server.ask(tables.invite(address.table, seat=seat))
        url = f"{caller.server}{picked(_Invitation, made).url}"
        caller.console.print(Text(printable(url)), soft_wrap=True)


def look(caller: Caller, address: TableAddress) -> None:
    """Show the table at *address*."""
    with calling(caller) as server:
        visitor = Visitor(server, address, "", caller.console)
        visitor.show(visitor.look())


def show_open(caller: Caller, game: str | None) -> None:
    """List the tables where anybody may sit down, the newest first."""
    listed = Table(box=SIMPLE_HEAD)
    for title in ("Table", "Game", "Seats", "Free", "Rated"):
        listed.add_column(title)
    with calling(caller) as server:
        cursor: str | None = None
        while True:
            asked: Any = server.client.lobby.tables(game=game, cursor=cursor)
            page = picked(_Page, server.ask(asked))
            for each in (picked(_Summary, item) for item in page.items):
                cells = (each.id, each.game, each.seats, each.free, "yes" if each.rated else "no")
                listed.add_row(*(Text(str(cell)) for cell in cells))
            cursor = page.next
            if cursor is None:
                break
    show(listed, caller.console)


@contextmanager
def visiting(caller: Caller, address: TableAddress) -> Generator[tuple[Visitor, str], None, None]:
    """Give the visitor at *address* that *caller* is, and its token.

    Raises:
        ClientError: the server refuses, or does not answer.
    """
    account, token = admitted_as(caller)
    with asking(caller.server, token, caller.console) as server:
        yield Visitor(server, address, account, caller.console), token


def _waited(visitor: Visitor, table: TableSeen, *, has_to_wait: bool) -> TableSeen:
    """Return *table* as it stands when its match starts, or tell how it stands now."""
    if has_to_wait:
        return wait_for_match(visitor)
    visitor.show(table)
    return table


def _play_on(caller: Caller, token: str, table: TableSeen, *, has_to_wait: bool) -> None:
    """Go on into the match of *table*, or say how to."""
    if has_to_wait:
        play_on(Visit(replace(caller, identity=Identity(token))), None, table.id)
    elif table.phase == "open":
        place = f"{table.id} --server {caller.server}"
        told = f"`howff table ready {place} --wait` goes into the match when it starts"
        caller.console.print(Text(told), soft_wrap=True)
