"""Routes of tickets: each translates, calls, and translates back."""

from datetime import datetime

from fastapi import APIRouter, Request, Response

from howff.lobby.api.deps import CommandId, TicketPath, parts_of
from howff.lobby.api.ticket_schemas import TicketBody, TicketsView, TicketView
from howff.lobby.application.clocks import clock_of
from howff.lobby.application.summaries import wish_summary
from howff.lobby.domain.errors import NoSuchTicketError
from howff.lobby.domain.matching.windows import window_at
from howff.lobby.domain.tickets.events import EndedBecause, GameWished, TicketOpened, Wish
from howff.lobby.domain.tickets.tickets import Tickets, TicketState
from howff.servicekit import clock
from howff.servicekit.web.answers import private_json
from howff.servicekit.web.auth import RequiredCaller, require_scope
from howff.servicekit.web.openapi import told_headers

tickets = APIRouter(prefix="/v1/tickets", tags=["tickets"])


@tickets.post(
    "",
    status_code=201,
    response_model=TicketView,
    responses=told_headers(201, Location="The address of the ticket."),
)
async def open_ticket(
    request: Request, body: TicketBody, caller: RequiredCaller, key: CommandId
) -> Response:
    """Wait for others who would play the same."""
    require_scope(caller, "play")
    desk = parts_of(request).tickets
    ticket, known = await desk.open(_wish(body), body.lifetime, by=caller.account, key=key)
    headers = {"Location": f"/v1/tickets/{ticket}"}
    return private_json(_found(known, ticket), 201, headers)


@tickets.get("", response_model=TicketsView)
async def list_tickets(request: Request, caller: RequiredCaller) -> Response:
    """List one's own tickets."""
    require_scope(caller, "read")
    known = await parts_of(request).tickets.all(by=caller.account)
    return private_json(TicketsView(items=_views(known)))


@tickets.get("/{ticket_id}", response_model=TicketView)
async def look_at_ticket(request: Request, ticket: TicketPath, caller: RequiredCaller) -> Response:
    """Look at a ticket of one's own."""
    require_scope(caller, "read")
    return private_json(_found(await parts_of(request).tickets.all(by=caller.account), ticket))


@tickets.delete("/{ticket_id}", response_model=TicketView)
async def cancel_ticket(
    request: Request, ticket: TicketPath, caller: RequiredCaller, key: CommandId
) -> Response:
    """Wait no longer."""
    require_scope(caller, "play")
    known = await parts_of(request).tickets.cancel(ticket, by=caller.account, key=key)
    return private_json(_found(known, ticket))


def _wish(body: TicketBody) -> Wish:
    return Wish(
        games=tuple(GameWished(each.game, each.options) for each in body.games),
        seats=body.seats,
        clocks=tuple(map(clock_of, body.clocks)),
        rated=body.rated,
        bots_after=body.bots_after,
        bot_level=body.bot_level,
    )


def _found(known: Tickets, ticket: str) -> TicketView:
    for each in _views(known):
        if each.id == ticket:
            return each
    raise NoSuchTicketError


def _views(known: Tickets) -> list[TicketView]:
    ended = (
        ticket_view(each.ticket, each.state, each.table, each.because)
        for each in reversed(known.ended)
    )
    return [*(_open_view(known, each) for each in known.waiting), *ended]


def _open_view(known: Tickets, ticket: TicketOpened) -> TicketView:
    table = known.claiming(ticket.ticket)
    return ticket_view(ticket, "claimed" if table else "waiting", table, None)


def ticket_view(
    ticket: TicketOpened, state: TicketState, table: str | None, because: EndedBecause | None
) -> TicketView:
    """Return a ticket as its account sees it."""
    opened_at = datetime.fromisoformat(ticket.opened_at)
    return TicketView(
        id=ticket.ticket,
        **wish_summary(ticket.wish),
        opened_at=ticket.opened_at,
        expires_at=ticket.expires_at,
        state=state,
        ended_because=because,
        table=table,
        window=window_at(opened_at, clock.now()) if state == "waiting" else None,
    )
