"""What the tests of scoring share: databases of both kinds."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from howff.scoring.app import MIGRATIONS
from howff.servicekit.sql.database import Database
from support.postgres import postgres_address
from support.running import run

T = TypeVar("T")
OnDatabase = Callable[[Callable[[Database], Coroutine[Any, Any, T]]], T]


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the address of an empty database, once of each kind."""
    if request.param == "postgresql":
        yield postgres_address()
    else:
        yield f"sqlite:///{tmp_path / 'scoring.db'}"


@pytest.fixture
def on_database(address: str) -> OnDatabase[Any]:
    """Give what runs a story on a database whose tables are made."""

    def told(story: Callable[[Database], Coroutine[Any, Any, T]]) -> T:
        async def whole() -> T:
            database = Database(address)
            try:
                await asyncio.wait_for(database.migrate(MIGRATIONS), 60)
                return await story(database)
            finally:
                await database.close()

        return run(whole)

    return told
