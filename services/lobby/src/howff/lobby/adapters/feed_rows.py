"""What feeds tell, numbered for each audience in the order of the transactions that tell it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col

from howff.lobby.adapters.list_rows import FeedEntryRow, FeedRow
from howff.servicekit.sql.statements import upsert

LOBBY_AUDIENCE: Final = "lobby"
"""Everybody."""

Numbers = Mapping[str, int]
"""The newest numbers by audience."""


def audience_of(account: str) -> str:
    """Return the audience that is one account alone."""
    return f"account.{account}"


@dataclass(frozen=True, slots=True)
class Note:
    """Something to be told to an audience."""

    audience: str
    kind: str
    content: BaseModel
    at: str


def notes_to(accounts: Iterable[str], kind: str, content: BaseModel, at: str) -> list[Note]:
    """Return the notes that tell each of *accounts* the same."""
    return [Note(audience_of(each), kind, content, at) for each in accounts]


async def tell(session: AsyncSession, notes: Iterable[Note]) -> Numbers:
    """Write entries of *notes*, in this order, and return the numbers that they lead to.

    The row of an audience is locked until the transaction ends, and audiences are locked in their
    order by name: so numbers have no gaps, and no two transactions wait for each other. This has
    to be the last that a transaction does.
    """
    by_audience: dict[str, list[Note]] = defaultdict(list)
    for note in notes:
        by_audience[note.audience].append(note)
    return {
        audience: await _told(session, audience, by_audience[audience])
        for audience in sorted(by_audience)
    }


async def _told(session: AsyncSession, audience: str, notes: list[Note]) -> int:
    number = col(FeedRow.number)
    insertion = upsert(session, FeedRow).values(audience=audience, number=len(notes))
    counted = insertion.on_conflict_do_update(
        index_elements=["audience"], set_={"number": number + len(notes)}
    ).returning(number)
    newest: int = (await session.execute(counted)).scalar_one()
    for at, note in enumerate(notes, newest - len(notes) + 1):
        entry = FeedEntryRow(
            audience=audience,
            number=at,
            kind=note.kind,
            data=note.content.model_dump_json(),
            at=note.at,
        )
        session.add(entry)
    return newest
