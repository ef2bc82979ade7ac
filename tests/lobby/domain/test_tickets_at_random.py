"""What is so of an account's tickets, whatever it, tables and the platform ask at whatever time."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from hypothesis import given, note, settings
from hypothesis import strategies as st

from conftest import IS_LONG
from howff.engine.errors import RefusalError
from howff.lobby.application.ledgers import TICKETS
from howff.lobby.domain.tickets.commands import (
    ClaimTicket,
    EndAllTickets,
    EndTicket,
    NoteMatched,
    OpenTicket,
    ReleaseTicket,
    TicketCommand,
)
from howff.lobby.domain.tickets.events import (
    TicketClaimed,
    TicketEnded,
    TicketEvent,
    TicketMatched,
    TicketOpened,
    TicketReleased,
)
from howff.match.commit import time_text
from howff.servicekit.eventstore.commits import PlainCommit
from support.given import folded
from support.lobby_domain import WISH, tickets
from support.rng import LocalRng

STEPS: Final = 80
LIFETIME: Final = 60
IDS: Final = ("1", "2", "3", "4", "5", "6", "7")
TABLES: Final = ("red", "green", "blue")


class Wait:
    """An account that waits; what is so is kept by hand beside what is folded."""

    def __init__(self, seed: int) -> None:
        self.rng = LocalRng(seed)
        self.given = tickets()
        self.open: dict[str, TicketOpened] = {}
        self.claim: TicketClaimed | None = None

    def order(self, command: TicketCommand) -> None:
        now = self.given.now + timedelta(seconds=self.rng.draw("seconds", 8))
        self.given = replace(self.given, now=now)
        try:
            after = self.given.after(command)
        except RefusalError:
            return
        caused = after.events[len(self.given.events) :]
        assert caused, "what changes nothing is refused"
        for event in caused:
            self._note(event)
        self.given = after
        if any(isinstance(event, TicketMatched) for event in caused):
            assert not self.open, "all others end with a match"
        assert after.state is not None
        assert after.state.waiting == tuple(self.open.values())
        assert after.state.claimed == self.claim

    def _note(self, event: TicketEvent) -> None:
        match event:
            case TicketOpened(ticket):
                assert ticket not in self.open
                self.open[ticket] = event
            case TicketClaimed(ticket):
                assert self.claim is None
                assert self.open[ticket].expires_at > time_text(self.given.now)
                self.claim = event
            case TicketReleased(ticket, table):
                assert self.claim == TicketClaimed(ticket, table)
                self.claim = None
            case TicketMatched(ticket, table):
                assert self.claim == TicketClaimed(ticket, table)
                del self.open[ticket]
                self.claim = None
            case TicketEnded(ticket):
                del self.open[ticket]
                if self.claim is not None and self.claim.ticket == ticket:
                    self.claim = None

    def anything(self) -> TicketCommand:
        ticket, table = self.rng.roll("ticket", IDS), self.rng.roll("table", TABLES)
        menu: tuple[TicketCommand, ...] = (
            *(OpenTicket(ticket=ticket, wish=WISH, lifetime=LIFETIME),) * 8,
            *(ClaimTicket(ticket=ticket, table=table),) * 6,
            *(ReleaseTicket(table=table),) * 2,
            ReleaseTicket(table=table, because="refused"),
            NoteMatched(table=table),
            EndTicket(ticket=ticket, because="cancelled"),
            EndTicket(ticket=ticket, because="expired"),
            *((EndAllTickets(because="suspended"),) if self.rng.draw("rare", 4) == 0 else ()),
        )
        return self.rng.roll("command", menu)


@settings(max_examples=5000 if IS_LONG else 25)
@given(seed=st.integers(0, 2**32))
def test_the_tickets_of_an_account_keep_their_promises(seed: int) -> None:
    wait = Wait(seed)
    for _ in range(STEPS):
        wait.order(wait.anything())
    events = wait.given.events
    note("\n".join(map(str, events)))
    assert folded(TICKETS, None, events) == wait.given.state
    commit = PlainCommit("lobby.tickets.a", 1, "c", "a", "ada", "now", events)
    assert TICKETS.form.read(TICKETS.form.encode(commit)) == commit
