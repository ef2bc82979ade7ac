"""The database of accounts and tokens."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import SQLModel, col, delete, or_, select, update

from howff.lobby.adapters.account_rows import (
    AccountRow,
    PersonalTokenRow,
    RefreshTokenRow,
    RevocationRow,
    account_of,
    account_row,
    personal_of,
    personal_row,
    refresh_of,
    refresh_row,
    revocation_of,
    revocation_row,
)
from howff.lobby.application.accounts.values import (
    Account,
    PersonalToken,
    RefreshToken,
    Revocation,
)
from howff.lobby.domain.accounts.errors import NameTakenError
from howff.servicekit.sql.database import Database

MOST_AT_ONCE: Final = 500
"""Revocations that are looked at together."""
_HOLD_PERSONS: Final = ("account", "personal_token", "refresh_token")

R = TypeVar("R", bound=SQLModel)


class SqlRows:
    """The rows as one transaction sees them; in one that writes they are locked when read."""

    def __init__(self, session: AsyncSession, *, writes: bool) -> None:
        self._session = session
        self._writes = writes

    async def account(self, account: str) -> Account | None:
        row = await self._one(AccountRow, account)
        return None if row is None else account_of(row)

    async def account_named(self, key: str) -> Account | None:
        found = await self._all(AccountRow, AccountRow.name_key == key)
        return account_of(found[0]) if found else None

    async def accounts(self, ids: tuple[str, ...]) -> tuple[Account, ...]:
        found = await self._all(AccountRow, col(AccountRow.id).in_(ids))
        return tuple(map(account_of, found))

    async def bots_of(self, owner: str) -> tuple[Account, ...]:
        return tuple(map(account_of, await self._all(AccountRow, AccountRow.owner == owner)))

    async def put_account(self, account: Account) -> None:
        """Store *account*, whatever stood under its id.

        Raises:
            NameTakenError: another account has its name.
        """
        try:
            await self._put(account_row(account))
        except IntegrityError as error:
            raise NameTakenError from error

    async def personal_token(self, token: str) -> PersonalToken | None:
        row = await self._one(PersonalTokenRow, token)
        return None if row is None else personal_of(row)

    async def personal_tokens(self, account: str) -> tuple[PersonalToken, ...]:
        found = await self._all(PersonalTokenRow, PersonalTokenRow.account == account)
        known = map(personal_of, found)
        return tuple(sorted(known, key=lambda each: (each.created_at, each.id), reverse=True))

    async def put_personal_token(self, token: PersonalToken) -> None:
        await self._put(personal_row(token))

    async def delete_personal_token(self, token: str) -> None:
        await self._delete(PersonalTokenRow, PersonalTokenRow.id == token)

    async def note_uses(self, tokens: frozenset[str], day: str) -> None:
        """Store that personal *tokens* were used on a *day*, unless a later one is known."""
        day_known = col(PersonalTokenRow.last_used_on)
        uses = (
            update(PersonalTokenRow)
            .where(col(PersonalTokenRow.id).in_(tokens))
            .where(or_(day_known.is_(None), day_known < day))
            .values(last_used_on=day)
        )
        await self._session.execute(uses)

    async def refresh_token(self, digest: str) -> RefreshToken | None:
        row = await self._one(RefreshTokenRow, digest)
        return None if row is None else refresh_of(row)

    async def refresh_tokens(self, account: str) -> tuple[RefreshToken, ...]:
        found = await self._all(RefreshTokenRow, RefreshTokenRow.account == account)
        return tuple(map(refresh_of, found))

    async def family(self, family: str) -> tuple[RefreshToken, ...]:
        found = await self._all(RefreshTokenRow, RefreshTokenRow.family == family)
        return tuple(map(refresh_of, found))

    async def put_refresh_token(self, token: RefreshToken) -> None:
        await self._put(refresh_row(token))

    async def delete_family(self, family: str) -> None:
        await self._delete(RefreshTokenRow, RefreshTokenRow.family == family)

    async def delete_tokens(self, account: str) -> None:
        """Delete what is known of all tokens of *account*."""
        await self._delete(PersonalTokenRow, PersonalTokenRow.account == account)
        await self._delete(RefreshTokenRow, RefreshTokenRow.account == account)

    async def delete_expired(self, second: int) -> None:
        """Delete what is known of tokens that have expired by this *second*."""
        await self._delete(PersonalTokenRow, col(PersonalTokenRow.expires_at) <= second)
        await self._delete(RefreshTokenRow, col(RefreshTokenRow.expires_at) <= second)

    async def put_revocation(self, revocation: Revocation) -> None:
        await self._put(revocation_row(revocation))

    async def revocation(self, entry: str) -> Revocation | None:
        row = await self._one(RevocationRow, entry)
        return None if row is None else revocation_of(row)

    async def untold_revocations(self) -> tuple[Revocation, ...]:
        return await self._revocations(col(RevocationRow.is_told).is_(False))

    async def ended_revocations(self, second: int) -> tuple[Revocation, ...]:
        return await self._revocations(col(RevocationRow.ends_at) <= second)

    async def delete_revocation(self, entry: str) -> None:
        await self._delete(RevocationRow, RevocationRow.entry == entry)

    async def _one(self, row: type[R], key: str) -> R | None:
        return await self._session.get(
            row, key, with_for_update=self._writes, populate_existing=True
        )

    async def _all(self, row: type[R], condition: Any) -> list[R]:
        return list((await self._session.execute(select(row).where(condition))).scalars())

    async def _revocations(self, condition: Any) -> tuple[Revocation, ...]:
        wanted = select(RevocationRow).where(condition).limit(MOST_AT_ONCE)
        return tuple(map(revocation_of, (await self._session.execute(wanted)).scalars()))

    async def _put(self, row: SQLModel) -> None:
        await self._session.merge(row)
        await self._session.flush()

    async def _delete(self, row: type[SQLModel], condition: Any) -> None:
        await self._session.execute(delete(row).where(condition))


class SqlRecords:
    """Accounts and tokens in a *database*."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[SqlRows]:
        """Give a transaction that is committed at the end, unless something is raised."""
        async with self._database.writing() as session:
            yield SqlRows(session, writes=True)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[SqlRows]:
        """Give a transaction that only reads."""
        async with self._database.reading() as session:
            yield SqlRows(session, writes=False)

    async def forget(self) -> None:
        """Overwrite what was deleted before.

        Raises:
            DatabaseError: it could not be done now.
        """
        await self._database.forget(*_HOLD_PERSONS)
