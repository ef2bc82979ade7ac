"""The work that one process of many does: quick match, and closing tables nobody starts."""

from datetime import timedelta
from typing import Final

from howff.lobby.adapters.list_queries import SqlLists
from howff.lobby.adapters.match_service import MatchService
from howff.lobby.adapters.waiting import waiting_tickets
from howff.lobby.app.opening import Ground
from howff.lobby.application.quick_match import QuickMatch
from howff.lobby.application.sweeping import Sweeper
from howff.lobby.domain.matching.waiting import WaitingTicket
from howff.servicekit import clock, ids
from howff.servicekit.nats.leases import Lease, LeasedWork

LEASE: Final = "worker"
SWEEP_SECONDS: Final = 30.0


def elected_on(
    ground: Ground, matches: MatchService, lists: SqlLists
) -> tuple[Lease, LeasedWork, LeasedWork]:
    """Return the lease of the one worker, and what is done while it is held."""
    lease = Lease(ground.connection, ground.stores.leases, LEASE, holder=ids.new_id())

    async def waiting() -> tuple[WaitingTicket, ...]:
        async with ground.database.reading() as session:
            return await waiting_tickets(session)

    quick_match = QuickMatch(
        tables=ground.tables,
        tickets=ground.tickets,
        waiting=waiting,
        seeds=matches,
        turn=lease,
        new_id=ids.new_id,
        now=clock.now,
    )
    sweeper = Sweeper(ground.tables, lists.opened_before)
    lifetime = timedelta(hours=ground.settings.table_hours)

    async def sweep() -> None:
        await sweeper.sweep(clock.now() - lifetime)

    every = ground.settings.match_seconds
    matching = LeasedWork(lease, quick_match.round, name="quick match", seconds=every)
    return lease, matching, LeasedWork(lease, sweep, name="sweep", seconds=SWEEP_SECONDS)
