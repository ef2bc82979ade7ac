"""The tables of a database beside the rows that the code knows."""

from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import SQLModel

from howff.servicekit.sql.database import Database


async def differences(database: Database, service: str) -> list[Any]:
    """Return in what the tables of a *service*, as migrations have made them, differ from its rows.

    Other services may be loaded too, whose rows have no tables in its database.
    """
    own = (f"{service}_", "projection_")

    def is_own(_: object, name: str | None, kind: str, *__: object) -> bool:
        return kind != "table" or (name or "").startswith(own)

    def compared(connection: Any) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"include_object": is_own})
        return list(compare_metadata(context, SQLModel.metadata))

    async with database.engine.connect() as connection:
        return await connection.run_sync(compared)
