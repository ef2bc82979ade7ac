"""What a process needs of its database to be ready."""

from howff.servicekit.readiness import Check, Finding
from howff.servicekit.sql.database import Database


def answering(database: Database) -> Check:
    """Return a check that *database* answers."""

    async def check() -> Finding:
        await database.check()
        return Finding(is_good=True, found="answers")

    return check
