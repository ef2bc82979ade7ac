"""The tables of accounts and tokens, and what stands in them."""

from dataclasses import fields
from typing import Any

from sqlalchemy import BigInteger
from sqlmodel import Field, SQLModel

from howff.lobby.application.accounts.values import (
    Account,
    PersonalToken,
    RefreshToken,
    Revocation,
)
from howff.lobby.domain.accounts.names import name_key


class AccountRow(SQLModel, table=True):
    """An account, former ones among them."""

    __tablename__ = "account"

    id: str = Field(primary_key=True, max_length=64)
    kind: str = Field(max_length=8)
    name: str | None = Field(max_length=24)
    name_key: str | None = Field(max_length=24, unique=True)
    """What two names have in common that are taken for the same."""
    password_hash: str | None
    owner: str | None = Field(max_length=64, foreign_key="account.id", index=True)
    created_at: str = Field(max_length=24)
    is_administrator: bool
    is_suspended: bool
    erased_at: str | None = Field(max_length=24)
    standing_version: int
    tokens_until: int = Field(sa_type=BigInteger)
    newest_token: int = Field(sa_type=BigInteger)


class PersonalTokenRow(SQLModel, table=True):
    """What is known of a personal token."""

    __tablename__ = "personal_token"

    id: str = Field(primary_key=True, max_length=64)
    account: str = Field(max_length=64, foreign_key="account.id", index=True)
    name: str = Field(max_length=60)
    scopes: str = Field(max_length=60)
    created_at: str = Field(max_length=24)
    expires_at: int = Field(sa_type=BigInteger, index=True)
    last_used_on: str | None = Field(max_length=10)


class RefreshTokenRow(SQLModel, table=True):
    """What is known of a refresh token."""

    __tablename__ = "refresh_token"

    digest: str = Field(primary_key=True, max_length=64)
    family: str = Field(max_length=64, index=True)
    account: str = Field(max_length=64, foreign_key="account.id", index=True)
    scopes: str = Field(max_length=60)
    expires_at: int = Field(sa_type=BigInteger, index=True)
    access_token: str = Field(max_length=64)
    access_expires_at: int = Field(sa_type=BigInteger)
    is_used: bool


class RevocationRow(SQLModel, table=True):
    """An entry of the bucket of revocations, or one that will be."""

    __tablename__ = "revocation"

    entry: str = Field(primary_key=True, max_length=128)
    value: int = Field(sa_type=BigInteger)
    ends_at: int = Field(sa_type=BigInteger, index=True)
    is_told: bool = Field(index=True)


def account_row(known: Account) -> AccountRow:
    """Return the row of an account."""
    key = None if known.name is None else name_key(known.name)
    return AccountRow(**_fields(known), name_key=key)


def account_of(row: AccountRow) -> Account:
    """Return the account of a row."""
    return Account(**row.model_dump(exclude={"name_key"}))


def personal_row(known: PersonalToken) -> PersonalTokenRow:
    """Return the row of a personal token."""
    return PersonalTokenRow(**_with_scopes(known))


def personal_of(row: PersonalTokenRow) -> PersonalToken:
    """Return the personal token of a row."""
    return PersonalToken(**row.model_dump(exclude={"scopes"}), scopes=_scopes(row.scopes))


def refresh_row(known: RefreshToken) -> RefreshTokenRow:
    """Return the row of a refresh token."""
    return RefreshTokenRow(**_with_scopes(known))


def refresh_of(row: RefreshTokenRow) -> RefreshToken:
    """Return the refresh token of a row."""
    return RefreshToken(**row.model_dump(exclude={"scopes"}), scopes=_scopes(row.scopes))


def revocation_row(known: Revocation) -> RevocationRow:
    """Return the row of a revocation."""
    return RevocationRow(**_fields(known))


def revocation_of(row: RevocationRow) -> Revocation:
    """Return the revocation of a row."""
    return Revocation(**row.model_dump())


def _fields(known: Account | PersonalToken | RefreshToken | Revocation) -> dict[str, Any]:
    """Return the fields of a value by their names."""
    return {each.name: getattr(known, each.name) for each in fields(known)}


def _with_scopes(known: PersonalToken | RefreshToken) -> dict[str, Any]:
    return {**_fields(known), "scopes": " ".join(sorted(known.scopes))}


def _scopes(text: str) -> frozenset[str]:
    return frozenset(text.split())
