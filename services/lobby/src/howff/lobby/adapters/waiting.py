"""The tickets that wait, as the matcher takes them."""

from collections import defaultdict
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from howff.contracts.ratings import Speed
from howff.engine.codec import from_json
from howff.lobby.adapters.list_rows import RatingRow, TicketRow
from howff.lobby.domain.matching.waiting import WaitingTicket
from howff.lobby.domain.tickets.events import Wish

Ratings = dict[tuple[str, Speed], int]


async def waiting_tickets(session: AsyncSession) -> tuple[WaitingTicket, ...]:
    """Return the tickets of all accounts none of whose tickets is claimed, the oldest first."""
    claimed = select(col(TicketRow.account)).where(col(TicketRow.table_id).is_not(None))
    waiting = select(TicketRow).where(col(TicketRow.account).not_in(claimed))
    ordered = waiting.order_by(col(TicketRow.opened_at), col(TicketRow.id))
    rows = (await session.execute(ordered)).scalars().all()
    ratings = await _ratings(session)
    return tuple(_waiting(each, ratings[each.account]) for each in rows)


async def _ratings(session: AsyncSession) -> dict[str, Ratings]:
    """Return the ratings of the accounts that have tickets."""
    accounts = select(col(TicketRow.account))
    query = select(RatingRow).where(col(RatingRow.account).in_(accounts))
    ratings: dict[str, Ratings] = defaultdict(dict)
    for row in (await session.execute(query)).scalars():
        speed: Speed = "days" if row.speed == "days" else "live"
        ratings[row.account][row.game, speed] = row.rating
    return ratings


def _waiting(row: TicketRow, ratings: Ratings) -> WaitingTicket:
    return WaitingTicket(
        ticket=row.id,
        account=row.account,
        wish=from_json(Wish, row.wish),
        since=datetime.fromisoformat(row.opened_at),
        expires_at=datetime.fromisoformat(row.expires_at),
        ratings=ratings,
    )
