"""Accounts: guests, people and bots, and one's own."""

from collections.abc import Iterable
from typing import Any, Final

from howff.client.calls import Calls, segment
from howff.client.errors import JSON
from howff.client.requests import json_in, unexpected

MOST_PROFILES: Final = 50
"""How many profiles one request asks for."""


class Accounts:
    """The accounts of a server. All that ask raise what those of `HowffClient` do."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def make_guest(self, *, command_id: str | None = None) -> JSON:
        """Make a guest; return its `account` and the tokens that let it in."""
        return await self._calls.order("POST", "/v1/accounts/guests", {}, command_id)

    async def make(self, name: str, password: str, *, command_id: str | None = None) -> JSON:
        """Make an account with a name; return it and the tokens that let it in.

        Whoever asks as a guest becomes that account, and keeps its id.
        """
        content = {"name": name, "password": password}
        return await self._calls.order("POST", "/v1/accounts", content, command_id)

    async def make_bot(self, name: str, *, command_id: str | None = None) -> JSON:
        """Make an account for a bot; return its `account` and its `token`, told this once."""
        return await self._calls.order("POST", "/v1/accounts/bots", {"name": name}, command_id)

    async def profile(self, account: str) -> JSON:
        """Return what everybody may know of *account*."""
        return await self._calls.get(f"/v1/accounts/{segment(account)}")

    async def profiles(self, accounts: Iterable[str]) -> list[Any]:
        """Return what everybody may know of *accounts*; those that there are not are left out."""
        wanted = list(dict.fromkeys(accounts))
        found: list[Any] = []
        for start in range(0, len(wanted), MOST_PROFILES):
            query = [("id", account) for account in wanted[start : start + MOST_PROFILES]]
            answer = await self._calls.send("GET", "/v1/accounts", params=query)
            page = json_in(answer)
            if not isinstance(page, dict) or not isinstance(page.get("items"), list):
                raise unexpected(answer)
            found += page["items"]
        return found

    async def me(self) -> JSON:
        """Return whose token this client has, and what for."""
        return await self._calls.get("/v1/me")

    async def change_password(self, old: str, new: str, *, command_id: str | None = None) -> None:
        """Change one's own password."""
        content = {"old": old, "new": new}
        await self._calls.order("PUT", "/v1/me/password", content, command_id)

    async def export(self) -> JSON:
        """Return everything that is stored about oneself."""
        return await self._calls.get("/v1/me/export")

    async def erase(self, password: str | None, *, command_id: str | None = None) -> None:
        """Erase one's own account; guests have no *password*."""
        content = {} if password is None else {"password": password}
        await self._calls.order("DELETE", "/v1/me", content, command_id)

    async def suspend(self, account: str, reason: str, *, command_id: str | None = None) -> JSON:
        """Suspend *account*, as an administrator."""
        path = f"/v1/accounts/{segment(account)}/suspension"
        return await self._calls.order("PUT", path, {"reason": reason}, command_id)

    async def lift_suspension(self, account: str, *, command_id: str | None = None) -> JSON:
        """Let *account* in again, as an administrator."""
        path = f"/v1/accounts/{segment(account)}/suspension"
        return await self._calls.order("DELETE", path, None, command_id)
