"""An archive of matches that were played, for tests that take them out again."""

import os
import subprocess
import sys
import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from howff.engine.catalogue import game_of
from howff.engine.codec import to_json
from howff.match.commit import MatchId
from howff.match.export import Export, write_export
from howff.match.record import Recorder
from howff.scoring.adapters.rows import ArchiveRow
from howff.scoring.domain.restoring import Shelved
from howff.scoring.domain.results import MatchResult, result_of
from howff.servicekit.sql.database import Database
from support.played import NOON, NOTARY, exported, played_on, start_command


@cache
def ended(match: str) -> Export:
    """Return the whole of a short match that is called *match*."""
    game = game_of("troedler")
    options: Any = game.read_options(game.bounded({}, 1))
    command = replace(start_command(options, 2), match=MatchId(match))
    return exported(played_on(Recorder(game, command, at=NOON, notary=NOTARY)))


def entry_of(export: Export, content: bytes | None = None, head_hash: str | None = None) -> Shelved:
    """Return the entry of a match; with another *content*, or another *head_hash*, than its own."""
    return Shelved(
        export.header.match,
        head_hash or export.commits[-1].hash,
        zlib.compress(write_export(export) if content is None else content),
    )


async def shelve(database: Database, entries: Sequence[tuple[Export, Shelved]]) -> None:
    """Put *entries* into the archive, the newest last."""
    async with database.writing() as session:
        for position, (export, entry) in enumerate(entries, start=1):
            session.add(
                ArchiveRow(
                    position=position,
                    match=entry.match,
                    game=export.header.game,
                    head_hash=entry.head_hash,
                    content=entry.content,
                    unchecked="",
                    result=to_json(MatchResult, result_of(export)),
                    results_version=1,
                )
            )


def drill_command(database: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Return how the command of the drill ends."""
    return subprocess.run(  # noqa: S603 — our own module
        [sys.executable, "-m", "howff.scoring.drill", *arguments],
        env={**os.environ, "HOWFF_DATABASE_URL": database},
        capture_output=True,
        text=True,
        check=False,
    )
