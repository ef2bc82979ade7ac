"""The rows of matches and ratings, as the messages of stream `CONTRACTS` make them.

A message may stand there twice, so what follows is keyed by the match: the second changes nothing.
"""

from sqlalchemy.ext.asyncio import AsyncSession

from howff.contracts.matches import MatchEnded, MatchStarted
from howff.contracts.ratings import Rated
from howff.lobby.adapters.feed_rows import LOBBY_AUDIENCE, Note, Numbers, notes_to, tell
from howff.lobby.adapters.list_rows import MatchPartRow, MatchRow, RatedMatchRow, RatingRow
from howff.lobby.application.summaries import MatchSummary


async def apply_contract(session: AsyncSession, subject: str, payload: bytes) -> Numbers:
    """Store what a message tells, if it is of a kind that lists show.

    Raises:
        ValidationError: it is malformed.
    """
    match subject.split(".")[1]:
        case "match_started":
            return await _started(session, MatchStarted.model_validate_json(payload))
        case "match_ended":
            return await _ended(session, MatchEnded.model_validate_json(payload))
        case "rated":
            await _rated(session, Rated.model_validate_json(payload))
        case _:
            pass
    return {}


def match_summary(row: MatchRow) -> MatchSummary:
    """Return a match in short."""
    return MatchSummary.model_validate(row.model_dump(exclude={"is_begun"}))


async def _started(session: AsyncSession, told: MatchStarted) -> Numbers:
    row = await session.get(MatchRow, told.match)
    if row is None:
        row = await _new(session, told)
    elif row.is_begun:
        return {}
    row.watch, row.started_at, row.is_begun = told.watch, told.at, True
    return await _tell(session, row, told.at)


async def _ended(session: AsyncSession, told: MatchEnded) -> Numbers:
    row = await session.get(MatchRow, told.match)
    if row is None:
        row = await _new(session, told)
    elif row.state == "ended":
        return {}
    row.state, row.ended_at, row.reason = "ended", told.at, told.reason
    row.places = None if told.outcome is None else told.outcome["places"]
    row.rated = told.rated
    return await _tell(session, row, told.at)


async def _new(session: AsyncSession, told: MatchStarted | MatchEnded) -> MatchRow:
    """Add a match of which nothing was told so far, as one that its seats alone may watch."""
    row = MatchRow(
        id=told.match,
        game=told.game,
        watch="private",
        rated=told.rated,
        state="playing",
        seats=[each.model_dump() for each in told.seats],
        started_at=told.at,
        is_begun=False,
    )
    session.add(row)
    for account in sorted(_accounts(row)):
        session.add(MatchPartRow(account=account, match_id=told.match))
    return row


async def _tell(session: AsyncSession, row: MatchRow, at: str) -> Numbers:
    await session.flush()
    summary = match_summary(row)
    notes = notes_to(_accounts(row), "match", summary, at)
    if row.watch == "public":
        notes.append(Note(LOBBY_AUDIENCE, "match", summary, at))
    return await tell(session, notes)


def _accounts(row: MatchRow) -> frozenset[str]:
    return frozenset(each["account"] for each in row.seats if "account" in each)


async def _rated(session: AsyncSession, told: Rated) -> None:
    if await session.get(RatedMatchRow, told.match) is not None:
        return
    session.add(RatedMatchRow(match_id=told.match))
    for each in told.ratings:
        row = RatingRow(
            account=each.account,
            game=told.game,
            speed=told.speed,
            rating=each.rating,
            deviation=each.deviation,
        )
        await session.merge(row)
