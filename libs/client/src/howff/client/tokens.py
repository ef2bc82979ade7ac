"""Tokens: logging in and out, and those that programs are given."""

from collections.abc import Iterable

from howff.client.admission import Login
from howff.client.calls import Calls, segment, told
from howff.client.errors import JSON
from howff.client.requests import TOKENS, login_of


class Tokens:
    """The tokens of a server. All that ask raise what those of `HowffClient` do."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def log_in(self, name: str, password: str, *, scope: str | None = None) -> Login:
        """Return tokens for the account called *name*, for all scopes that are usual or *scope*."""
        form = told(grant_type="password", username=name, password=password, scope=scope)
        return login_of(await self._calls.send("POST", TOKENS, data=form))

    async def revoke(self, token: str) -> None:
        """End *token*, of whatever kind; that it is none is no error (RFC 7009)."""
        await self._calls.send("POST", f"{TOKENS}/revocation", data={"token": token})

    async def personal(self) -> JSON:
        """Return one's personal access tokens, without the tokens themselves."""
        return await self._calls.get("/v1/me/tokens")

    async def make_personal(
        self, name: str, scopes: Iterable[str], days: int, *, command_id: str | None = None
    ) -> JSON:
        """Make a personal access token called *name*, good for so many *days*.

        Return it with its `token`, told this once.
        """
        content = {"name": name, "scopes": list(scopes), "days": days}
        return await self._calls.order("POST", "/v1/me/tokens", content, command_id)

    async def revoke_personal(self, token_id: str, *, command_id: str | None = None) -> None:
        """End the personal access token with this id."""
        await self._calls.order("DELETE", f"/v1/me/tokens/{segment(token_id)}", None, command_id)
