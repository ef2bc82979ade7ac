"""The parts that know accounts and tokens, put together."""

from dataclasses import dataclass

from howff.engine.codec import JSON
from howff.lobby.adapters.account_records import SqlRecords
from howff.lobby.adapters.passwords import ArgonPasswords
from howff.lobby.adapters.signing_keys import SigningKeys
from howff.lobby.api.deps import AccountParts
from howff.lobby.app.opening import SOURCES, Ground
from howff.lobby.application.accounts.accounts import Accounts
from howff.lobby.application.accounts.export import Exports, Part
from howff.lobby.application.accounts.issuing import Issuer
from howff.lobby.application.accounts.personal import PersonalTokens
from howff.lobby.application.accounts.revocations import Revocations
from howff.lobby.application.accounts.standings import Standings
from howff.lobby.application.accounts.upkeep import Upkeep
from howff.lobby.application.lists import Lists, Span
from howff.lobby.application.ticket_desk import TicketDesk
from howff.servicekit import clock, ids

MOST_EXPORTED = 10_000
"""Tables, and matches, that an export tells."""


@dataclass(frozen=True, slots=True)
class People:
    """The parts that know accounts and tokens, and what works beside them."""

    parts: AccountParts
    keys: SigningKeys
    upkeep: Upkeep


async def people_on(ground: Ground, lists: Lists, tickets: TicketDesk) -> People:
    """Return the parts that know accounts and tokens; *lists* and *tickets* know what they did.

    Raises:
        NatsUnavailableError: the keys can't be read.
    """
    records, board = SqlRecords(ground.database), ground.stores.tokens
    keys = SigningKeys(ground.stores.keys, board, clock.now)
    await keys.prepare(ids.new_secret())
    revocations = Revocations(records, board)
    issuer = Issuer(records, revocations, keys, SOURCES)
    tokens = PersonalTokens(records, issuer, revocations, SOURCES)
    passwords = ArgonPasswords(ground.settings.password_kibibytes)
    parts = AccountParts(
        all=Accounts(records, passwords, issuer, revocations, SOURCES),
        standings=Standings(ground.accounts, records, revocations, SOURCES),
        issuer=issuer,
        personal_tokens=tokens,
        exports=Exports(records, ground.accounts, _exported(lists, tickets)),
        public_keys=keys.public,
    )
    return People(parts, keys, Upkeep(records, revocations, tokens, SOURCES, keys.retire))


def _exported(lists: Lists, tickets: TicketDesk) -> dict[str, Part]:
    span = Span(MOST_EXPORTED)

    async def tables(account: str) -> JSON:
        return [
            each.model_dump(mode="json") for each in (await lists.tables_of(account, span)).items
        ]

    async def matches(account: str) -> JSON:
        page = await lists.matches_of(account, span, None)
        return [each.model_dump(mode="json") for each in page.items]

    return {"tables": tables, "matches": matches, "tickets": tickets.export}
