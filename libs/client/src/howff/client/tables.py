"""Tables, where people come together for a match."""

from howff.client.calls import Calls, segment, told
from howff.client.errors import JSON
from howff.client.requests import NOT_MODIFIED, json_in


class Tables:
    """The tables of a server. All that ask raise what those of `HowffClient` do.

    What changes a table returns it as it stands then, as `look` does.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def open(self, order: JSON, *, command_id: str | None = None) -> JSON:
        """Open a table.

        *order* has the `game` and how many `seats`, and may have `options`, `clock`, `on_flag`,
        `on_leave`, `stand_in`, `visibility`, `watch`, `rated`, and for whoever opens it the `seat`
        and the `entropy_hash`.
        """
        return await self._calls.order("POST", "/v1/tables", order, command_id)

    async def look(
        self, table: str, *, invitation: str | None = None, known_version: int | None = None
    ) -> JSON | None:
        """Return the table; None while *known_version* is still the newest."""
        headers = {} if known_version is None else {"If-None-Match": f'"{known_version}"'}
        query = told(invitation=invitation)
        answer = await self._calls.send("GET", _path(table), params=query, headers=headers)
        return None if answer.status_code == NOT_MODIFIED else json_in(answer)

    async def sit(
        self,
        table: str,
        seat: int,
        *,
        entropy_hash: str | None = None,
        invitation: str | None = None,
        command_id: str | None = None,
    ) -> JSON:
        """Sit down in *seat*."""
        content = told(entropy_hash=entropy_hash, invitation=invitation)
        return await self._calls.order("PUT", _path(table, seat), content, command_id)

    async def leave(self, table: str, seat: int, *, command_id: str | None = None) -> JSON:
        """Leave *seat*; or as the host send away who has it, a bot as well."""
        return await self._calls.order("DELETE", _path(table, seat), None, command_id)

    async def seat_bot(
        self, table: str, seat: int, level: str, *, command_id: str | None = None
    ) -> JSON:
        """Give *seat* to a bot of this *level*, as the host."""
        path = f"{_path(table, seat)}/bot"
        return await self._calls.order("PUT", path, {"level": level}, command_id)

    async def tell_ready(
        self, table: str, seat: int, *, entropy: str | None = None, command_id: str | None = None
    ) -> JSON:
        """Be ready in *seat*, and tell the *entropy* whose hash was told."""
        path = f"{_path(table, seat)}/ready"
        return await self._calls.order("PUT", path, told(entropy=entropy), command_id)

    async def withdraw_ready(self, table: str, seat: int, *, command_id: str | None = None) -> JSON:
        """Be ready no longer."""
        return await self._calls.order("DELETE", f"{_path(table, seat)}/ready", None, command_id)

    async def invite(
        self, table: str, *, seat: int | None = None, command_id: str | None = None
    ) -> JSON:
        """Make an invitation, as the host, to *seat* or any; return its `id`, `token` and `url`."""
        path = f"{_path(table)}/invitations"
        return await self._calls.order("POST", path, told(seat=seat), command_id)

    async def revoke_invitation(
        self, table: str, invitation: str, *, command_id: str | None = None
    ) -> JSON:
        """Take back the invitation with this id, as the host."""
        path = f"{_path(table)}/invitations/{segment(invitation)}"
        return await self._calls.order("DELETE", path, None, command_id)

    async def start(self, table: str, *, command_id: str | None = None) -> JSON:
        """Ask for the match, as the host; it has the id of the table."""
        return await self._calls.order("POST", f"{_path(table)}/start", {}, command_id)

    async def rematch(self, table: str, *, command_id: str | None = None) -> JSON:
        """Return the table at which the match of *table* is played again."""
        return await self._calls.order("POST", f"{_path(table)}/rematch", {}, command_id)

    async def give_up(self, table: str, *, command_id: str | None = None) -> JSON:
        """Close the table, as the host."""
        return await self._calls.order("DELETE", _path(table), None, command_id)

    async def close(self, table: str, reason: str, *, command_id: str | None = None) -> JSON:
        """Close the table for a *reason*, as an administrator."""
        path = f"{_path(table)}/closure"
        return await self._calls.order("POST", path, {"reason": reason}, command_id)


def _path(table: str, seat: int | None = None) -> str:
    path = f"/v1/tables/{segment(table)}"
    return path if seat is None else f"{path}/seats/{seat}"
