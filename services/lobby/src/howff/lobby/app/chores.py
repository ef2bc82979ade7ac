"""What whoever has the host does by a command, beside the running service."""

from howff.lobby.adapters.account_records import SqlRecords
from howff.lobby.adapters.signing_keys import SigningKeys
from howff.lobby.adapters.streams import ensure_streams
from howff.lobby.app.opening import MIGRATIONS, SOURCES, connected, opened
from howff.lobby.application.accounts.revocations import Revocations
from howff.lobby.application.accounts.standings import Standings
from howff.lobby.settings import Settings
from howff.servicekit import clock, ids
from howff.servicekit.sql.database import migrated


async def make_administrator(settings: Settings, name: str) -> None:
    """Let whoever is called *name* do what administrators do, at once and for good.

    Raises:
        NoSuchAccountError: nobody is called so.
        RefusalError: NATS or the database can't be reached.
    """
    async with opened(settings) as ground:
        records = SqlRecords(ground.database)
        revocations = Revocations(records, ground.stores.tokens)
        standings = Standings(ground.accounts, records, revocations, SOURCES)
        await standings.make_administrator(name, ids.new_id())


async def rotate_keys(settings: Settings) -> str:
    """Make a key that signs tokens from the next minute on; return its id.

    Raises:
        RefusalError: NATS can't be reached.
    """
    async with await connected(settings) as connection:
        stores = await ensure_streams(connection, settings.replicas)
        keys = SigningKeys(stores.keys, stores.tokens, clock.now)
        return await keys.rotate(ids.new_secret())


async def migrate(settings: Settings) -> None:
    """Bring the tables to the form that this version wants.

    Raises:
        DatabaseError: the database can't be reached, or has a form that is not known here.
    """
    await migrated(settings.database_url, MIGRATIONS)
