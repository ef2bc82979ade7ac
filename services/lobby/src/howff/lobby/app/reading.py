"""The durable readers of the service: of its own commits, and of what others tell."""

from howff.lobby.adapters.match_service import MatchService
from howff.lobby.adapters.messages import id_in, told_by
from howff.lobby.adapters.streams import NEWS, OUTBOX
from howff.lobby.app.opening import Ground
from howff.lobby.application.account_outbox import AccountOutbox
from howff.lobby.application.ledgers import (
    ACCOUNT_PREFIX,
    ACCOUNTS,
    TABLE_PREFIX,
    TABLES,
    TICKET_PREFIX,
    TICKETS,
)
from howff.lobby.application.news import News
from howff.lobby.application.ports import Accounts, TablesOf
from howff.lobby.application.table_outbox import TableOutbox
from howff.servicekit.consumers import WorkConsumer
from howff.servicekit.eventstore.store import Position
from howff.servicekit.nats.reading import Delivery


def outbox_on(
    ground: Ground, matches: MatchService, accounts: Accounts, tables_of: TablesOf
) -> WorkConsumer:
    """Return the reader that does what follows from commits."""
    tables, tickets = ground.tables, ground.tickets
    of_tables = TableOutbox(tables, tickets, seeds=matches, starter=matches)
    of_accounts = AccountOutbox(tables, tickets, accounts=accounts, tables_of=tables_of)

    async def on_commit(delivery: Delivery) -> None:
        subject, position = delivery.subject, Position(delivery.position)
        if subject.startswith(TABLE_PREFIX):
            table = TABLES.form.read(delivery.payload)
            await of_accounts.on_table(id_in(subject), table)
            await of_tables.on_commit(id_in(subject), table, position)
        elif subject.startswith(TICKET_PREFIX):
            tickets_of = TICKETS.form.read(delivery.payload)
            await of_accounts.on_tickets(id_in(subject), tickets_of)
        elif subject.startswith(ACCOUNT_PREFIX):
            account = ACCOUNTS.form.read(delivery.payload)
            await of_accounts.on_commit(id_in(subject), account, position)

    return WorkConsumer(ground.connection, OUTBOX, on_commit)


def news_on(ground: Ground) -> WorkConsumer:
    """Return the reader of what becomes of matches."""
    news = News(ground.tables)

    async def on_message(delivery: Delivery) -> None:
        told = told_by(delivery)
        if told is not None:
            await news.on_message(told)

    return WorkConsumer(ground.connection, NEWS, on_message)
