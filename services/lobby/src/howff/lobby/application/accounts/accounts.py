"""Accounts: who there is, and how one becomes somebody and proves it."""

from dataclasses import replace
from typing import Final

from howff.lobby.application.accounts.callers import check_login, check_scopes, check_whole
from howff.lobby.application.accounts.issuing import Issuer, Sources, TokenWanted, check_standing
from howff.lobby.application.accounts.ports import Passwords, Records, Rows
from howff.lobby.application.accounts.revocations import Revocations, revoke_tokens
from howff.lobby.application.accounts.values import Account, Admission, PersonalToken
from howff.lobby.domain.accounts.errors import (
    InvalidGrantError,
    NameTakenError,
    NoSuchAccountError,
    TooManyBotsError,
    WrongKindError,
    WrongPasswordError,
)
from howff.lobby.domain.accounts.names import (
    check_name,
    checked_password,
    name_key,
    normal,
)
from howff.lobby.domain.accounts.scopes import Kind, most_scopes, scopes_wanted, usual_scopes
from howff.lobby.domain.errors import SuspendedError
from howff.servicekit.eventstore.commits import time_text
from howff.servicekit.web.tokens import Caller

MOST_BOTS: Final = 20
"""Bots of one person."""
BOT_TOKEN_DAYS: Final = 366
_EXPECTED: Final = "the name of an account and its password"


class Accounts:
    """All accounts, and what proves that somebody is one."""

    def __init__(
        self,
        records: Records,
        passwords: Passwords,
        issuer: Issuer,
        revocations: Revocations,
        sources: Sources,
    ) -> None:
        self._records = records
        self._passwords = passwords
        self._issuer = issuer
        self._revocations = revocations
        self._sources = sources

    async def become_guest(self) -> Admission:
        """Return tokens of a new guest."""
        async with self._records.writing() as rows:
            return await self._admitted(rows, self._new("guest"))

    async def register(self, name: str, password: str, guest: Caller | None) -> Admission:
        """Return tokens of a new person; a *guest* becomes that person and keeps its id.

        Raises:
            PersonalTokenError, MissingScopeError: the token of *guest* was made for less.
            NameTakenError: somebody has the name, or nobody may have it.
            PasswordFormError: the password is unfit.
            WrongKindError: *guest* is none.
            SuspendedError: *guest* is suspended.
        """
        if guest is not None:
            check_scopes(guest)  # which a guest keeps as a personal token, having no password
        check_name(name)
        password_hash = await self._passwords.hash(checked_password(password, name))
        async with self._records.writing() as rows:
            account = self._new("person") if guest is None else await _guest(rows, guest.account)
            named = replace(account, kind="person", name=name, password_hash=password_hash)
            await self._check_free(rows, name)
            return await self._admitted(rows, named)

    async def register_bot(self, owner: str, name: str) -> tuple[Account, PersonalToken, str]:
        """Return a bot of *owner*, and the token that it has from now on.

        If it has a bot of that name, that one gets a new token, and its earlier ones end.

        Raises:
            NameTakenError: somebody else has the name, or nobody may have it.
            TooManyBotsError: there are too many.
            WrongKindError: *owner* is no person.
            SuspendedError: *owner* is suspended, or that bot.
        """
        check_name(name)
        async with self._records.writing() as rows:
            person = await in_good_standing(rows, owner)
            if person.kind != "person":
                raise WrongKindError("a person", f"a {person.kind}")
            bot = await self._bot(rows, person, name)
            wanted = TokenWanted(name, usual_scopes("bot"), BOT_TOKEN_DAYS)
            token, text = await self._issuer.personal(rows, bot, wanted)
        await self._revocations.tell()
        return bot, token, text

    async def log_in(self, name: str, password: str, scope: str | None) -> Admission:
        """Return tokens of whoever is called *name* and has this *password*.

        Raises:
            InvalidGrantError: nobody is.
            SuspendedGrantError: the account is suspended.
            InvalidScopeError: more is wanted than the account may have.
        """
        async with self._records.reading() as rows:
            known = await rows.account_named(name_key(name))
        password_hash = None if known is None else known.password_hash
        is_right = await self._passwords.is_right(normal(password), password_hash)
        if known is None or password_hash is None or not is_right:
            raise InvalidGrantError(_EXPECTED)
        new_hash = await self._renewed(password, password_hash)
        async with self._records.writing() as rows:
            account = await rows.account(known.id)
            if account is None or account.password_hash != password_hash:
                raise InvalidGrantError(_EXPECTED)
            check_standing(account)
            most = most_scopes(account.kind, is_administrator=account.is_administrator)
            scopes = scopes_wanted(scope, usual_scopes(account.kind), most)
            account = replace(account, password_hash=new_hash)
            return await self._issuer.admit(rows, account, scopes)

    async def change_password(self, caller: Caller, old: str, new: str) -> Admission:
        """Return new tokens of *caller* with its *new* password; all others end.

        Raises:
            PersonalTokenError: the token of *caller* is one.
            WrongKindError: the account has no password.
            WrongPasswordError: *old* is not its password.
            PasswordFormError: the new one is unfit.
            SuspendedError: the account is suspended.
        """
        check_login(caller)
        known = await self.find(caller.account)
        if known.kind != "person":
            raise WrongKindError("a person", f"a {known.kind}")
        await self._check_password(known, old)
        password_hash = await self._passwords.hash(checked_password(new, known.name or ""))
        async with self._records.writing() as rows:
            person = await in_good_standing(rows, known.id)
            if person.password_hash != known.password_hash:
                raise WrongPasswordError
            ended = await revoke_tokens(rows, person, self._sources.second())
            admission = await self._admitted(rows, replace(ended, password_hash=password_hash))
        await self._revocations.tell()
        return admission

    async def check_may_erase(self, caller: Caller, password: str | None) -> None:
        """Refuse to erase a person for somebody who does not know its *password*.

        Raises:
            PersonalTokenError: the token is one, and not that of a bot, which has no other.
            WrongPasswordError: it is another one.
            MissingScopeError: the account has no password, and the token was made for less.
        """
        known = await self.find(caller.account)
        if known.kind == "person":
            check_login(caller)
            await self._check_password(known, password or "")
        else:
            check_whole(caller)

    async def find(self, account: str) -> Account:
        """Return an account.

        Raises:
            NoSuchAccountError: there is none.
        """
        async with self._records.reading() as rows:
            known = await rows.account(account)
        if known is None:
            raise NoSuchAccountError
        return known

    async def find_all(self, ids: tuple[str, ...]) -> tuple[Account, ...]:
        """Return those of the accounts that there are, in the order of *ids*."""
        async with self._records.reading() as rows:
            known = {each.id: each for each in await rows.accounts(ids)}
        return tuple(known[each] for each in dict.fromkeys(ids) if each in known)

    def _new(self, kind: Kind) -> Account:
        created_at = time_text(self._sources.now())
        return Account(id=self._sources.new_id(), kind=kind, created_at=created_at)

    async def _admitted(self, rows: Rows, account: Account) -> Admission:
        return await self._issuer.admit(rows, account, usual_scopes(account.kind))

    async def _bot(self, rows: Rows, person: Account, name: str) -> Account:
        """Return the bot of *person* called *name*, without tokens."""
        standing = await rows.account_named(name_key(name))
        if standing is not None and standing.owner == person.id:
            check_not_suspended(standing)
            return await revoke_tokens(rows, standing, self._sources.second())
        await self._check_free(rows, name)
        bots = await rows.bots_of(person.id)
        if sum(each.kind == "bot" for each in bots) >= MOST_BOTS:
            raise TooManyBotsError(MOST_BOTS)
        return replace(self._new("bot"), name=name, owner=person.id)

    async def _check_free(self, rows: Rows, name: str) -> None:
        if await rows.account_named(name_key(name)) is not None:
            raise NameTakenError

    async def _check_password(self, known: Account, password: str) -> None:
        if not await self._passwords.is_right(normal(password), known.password_hash):
            raise WrongPasswordError

    async def _renewed(self, password: str, password_hash: str) -> str:
        """Return the hash of a *password* that is right, made as is wanted now."""
        if not self._passwords.is_outdated(password_hash):
            return password_hash
        return await self._passwords.hash(normal(password))


async def found(rows: Rows, account: str) -> Account:
    """Return an account that is there.

    Raises:
        NoSuchAccountError: there is none, or none any more.
    """
    known = await rows.account(account)
    if known is None or known.kind == "former":
        raise NoSuchAccountError
    return known


async def in_good_standing(rows: Rows, account: str) -> Account:
    """Return an account that is there and may have new tokens, whatever its caller's was once.

    Raises:
        NoSuchAccountError: there is none, or none any more.
        SuspendedError: it is suspended.
    """
    known = await found(rows, account)
    check_not_suspended(known)
    return known


def check_not_suspended(known: Account) -> None:
    """Refuse new tokens to an account that is suspended.

    Raises:
        SuspendedError: it is.
    """
    if known.is_suspended:
        raise SuspendedError


async def _guest(rows: Rows, account: str) -> Account:
    known = await in_good_standing(rows, account)
    if known.kind != "guest":
        raise WrongKindError("a guest, or nobody", f"a {known.kind}")
    return known
