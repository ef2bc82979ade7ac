"""`howff quick`: waiting for others who would play the same, and then the match."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from rich.console import Console
from rich.status import Status
from rich.text import Text

from howff.cli.errors import CommandError, WrongChoiceError
from howff.cli.online.commanding import refusal_of
from howff.cli.online.playing import Visit, play_on
from howff.cli.server.admitting import admitted_as
from howff.cli.server.callers import Caller, Identity
from howff.cli.server.news import News
from howff.cli.server.servers import Server, asking
from howff.cli.server.terms import STAND_IN, clock_from
from howff.cli.terminal.standings import time_shown
from howff.engine.catalogue import game_of
from howff.engine.codec import JSON, picked, shown
from howff.engine.errors import MalformedError
from howff.match.clocks import SECOND
from howff.servicekit import clock

_PATIENCE: Final = 5.0
"""Seconds after which a ticket is looked at though nothing was told of it."""


class TicketEndedError(CommandError):
    """A ticket has ended without a match."""

    code = "ticket_ended"

    def __init__(self, because: str | None) -> None:
        found = f"the end of the ticket ({because})"
        super().__init__("no match", expected="others who would play the same", found=found)


@dataclass(frozen=True, slots=True)
class _Ticket:
    id: str
    state: str
    ended_because: str | None
    table: str | None
    window: int | None
    opened_at: str


def wish_of(
    keys: Sequence[str],
    seats: str | None,
    clocks: Sequence[str],
    rated: str,
    bots_after: int | None,
) -> JSON:
    """Return what a ticket asks for: a match of one of the games *keys*, by any of *clocks*.

    Raises:
        UnknownGameError: the catalogue has no such game.
        WrongChoiceError: *seats* are no numbers with commas, or a clock is none.
    """
    possible = sorted({number for key in keys for number in game_of(key).seats})
    wish: dict[str, JSON] = {
        "games": [{"game": key, "options": {}} for key in keys],
        "seats": possible if seats is None else _numbers(seats),
        "clocks": [clock_from(each) for each in clocks] or [None],
        "rated": rated,
    }
    if bots_after is not None:
        wish |= {"bots_after": bots_after, "bot_level": STAND_IN}
    return wish


def play_quick(caller: Caller, wish: JSON) -> None:
    """Wait for others who *wish* for the same, and play the match to its end.

    Raises:
        ClientError: the server refuses, or is away for too long.
        TicketEndedError: nobody was found in time.
        RefusalError: an answer makes no sense.
    """
    _, token = admitted_as(caller)
    with asking(caller.server, token, caller.console) as server:
        ticket = picked(_Ticket, server.ask(server.client.tickets.open(wish)))
        match = _match_of(server, ticket, caller.console)
    play_on(Visit(replace(caller, identity=Identity(token))), None, match)


def _match_of(server: Server, ticket: _Ticket, console: Console) -> str:
    console.print(Text("Waiting for others; Ctrl-C gives up"))
    try:
        with News(server) as news, console.status("") as status:
            return _wait(server, ticket, news, status)
    except KeyboardInterrupt:
        refused = refusal_of(lambda: _cancel(server, ticket))
        console.print(Text(refused or "You wait no longer"), soft_wrap=True)
        raise


def _wait(server: Server, ticket: _Ticket, news: News, status: Status) -> str:
    """Return the match that comes of *ticket*; a terminal shows in one line how it stands."""
    told = ""
    while True:
        now = picked(_Ticket, server.ask(server.client.tickets.look(ticket.id)))
        if now.state == "matched" and now.table is not None:
            return now.table
        if now.state == "ended":
            raise TicketEndedError(now.ended_because)
        line = Text(f"{_waited(now)}  {_line(now)}")
        status.update(line)
        if now.state != told and not status.console.is_terminal:
            status.console.print(line)
        told = now.state
        news.wait(_PATIENCE)


def _cancel(server: Server, ticket: _Ticket) -> None:
    server.ask(server.client.tickets.cancel(ticket.id))


def _line(ticket: _Ticket) -> str:
    if ticket.state == "claimed":
        return "A table is being made up"
    if ticket.window is None:
        return "Looking for others of any rating"
    return f"Looking for others whose ratings differ by up to {ticket.window}"


def _waited(ticket: _Ticket) -> str:
    try:
        waited = clock.now() - datetime.fromisoformat(ticket.opened_at)
    except (ValueError, TypeError) as error:
        found = shown(ticket.opened_at)
        raise MalformedError("opened_at", expected="a time in UTC", found=found) from error
    return time_shown(int(waited.total_seconds()) * SECOND)


def _numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdecimal() for part in parts):
        raise WrongChoiceError("seats", expected="numbers, as in 2,3", found=repr(text[:20]))
    return list(map(int, parts))
