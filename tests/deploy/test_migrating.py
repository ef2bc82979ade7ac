"""The tables are brought to their newest form by a command, beside the service."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from howff.lobby import app as lobby
from howff.lobby.settings import Settings as LobbySettings
from howff.scoring import app as scoring
from howff.scoring.settings import Settings as ScoringSettings
from howff.servicekit.sql.database import DatabaseError
from support.running import run

EACH = pytest.mark.parametrize("name", ["lobby", "scoring"])


def migrate(name: str, file: Path) -> None:
    address = f"sqlite:///{file}"
    migrations: dict[str, Callable[[], None]] = {
        "lobby": lambda: run(lambda: lobby.migrate(LobbySettings(database_url=address))),
        "scoring": lambda: run(lambda: scoring.migrate(ScoringSettings(database_url=address))),
    }
    migrations[name]()


def tables_in(file: Path) -> set[str]:
    with sqlite3.connect(file) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    connection.close()
    return {name for (name,) in rows}


@EACH
def test_all_tables_are_made_and_made_once(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.db"
    migrate(name, file)
    made = tables_in(file)
    assert any(each.startswith(name) for each in made), made
    migrate(name, file)
    assert tables_in(file) == made


@EACH
def test_tables_of_a_newer_version_are_refused(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.db"
    migrate(name, file)
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(DatabaseError, match="known here"):
        migrate(name, file)
