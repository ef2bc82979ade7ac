"""Everything that is stored about an account, for the account itself."""

from collections.abc import Awaitable, Callable, Mapping

from howff.engine.codec import JSON, to_tagged
from howff.lobby.application.accounts.accounts import found
from howff.lobby.application.accounts.ports import Records, Rows
from howff.lobby.application.accounts.values import Account, PersonalToken, RefreshToken
from howff.lobby.application.ledgers import AccountLedger

Part = Callable[[str], Awaitable[JSON]]
"""Returns what another part of the lobby has stored about an account."""


class Exports:
    """Collects what is stored about accounts; *parts* give the rest by its name."""

    def __init__(self, records: Records, ledger: AccountLedger, parts: Mapping[str, Part]) -> None:
        self._records = records
        self._ledger = ledger
        self._parts = parts

    async def of(self, account: str) -> dict[str, JSON]:
        """Return it, but for what proves who one is.

        Raises:
            NoSuchAccountError: there is no such account.
        """
        async with self._records.reading() as rows:
            stored = await _stored(rows, account)
        history = [
            {"at": each.at, **to_tagged(event)}
            for each in await self._ledger.history(account)
            for event in each.events
        ]
        others = {name: await part(account) for name, part in self._parts.items()}
        return {**stored, "history": history, **others}


async def _stored(rows: Rows, account: str) -> dict[str, JSON]:
    return {
        "account": _account(await found(rows, account)),
        "bots": [_account(each) for each in await rows.bots_of(account)],
        "personal_tokens": [_personal(each) for each in await rows.personal_tokens(account)],
        "refresh_tokens": [_refresh(each) for each in await rows.refresh_tokens(account)],
    }


def _account(known: Account) -> JSON:
    return {
        "id": known.id,
        "kind": known.kind,
        "name": known.name,
        "owner": known.owner,
        "created_at": known.created_at,
        "is_administrator": known.is_administrator,
        "is_suspended": known.is_suspended,
        "has_password": known.password_hash is not None,
    }


def _personal(known: PersonalToken) -> JSON:
    return {
        "id": known.id,
        "name": known.name,
        "scopes": sorted(known.scopes),
        "created_at": known.created_at,
        "expires_at": known.expires_at,
        "last_used_on": known.last_used_on,
    }


def _refresh(known: RefreshToken) -> JSON:
    return {
        "login": known.family,
        "scopes": sorted(known.scopes),
        "expires_at": known.expires_at,
        "is_used": known.is_used,
    }
