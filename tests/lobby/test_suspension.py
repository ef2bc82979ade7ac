"""Suspensions, where the request of the suspended had begun before."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest

from howff.lobby.api.deps import AccountParts
from howff.lobby.application.accounts.issuing import TokenWanted
from howff.lobby.domain.errors import SuspendedError
from howff.servicekit.web.tokens import Caller
from support.lobby import PASSWORD, Lobby, Speaker
from support.nats import unique
from support.web import problem_of

_LATER = datetime(2100, 1, 1, tzinfo=UTC)
Wanting = Callable[[AccountParts, Caller], Awaitable[object]]
"""Asks for tokens in the name of a caller whose own token was good when it was looked at."""


def _keep(parts: AccountParts, caller: Caller) -> Awaitable[object]:
    return parts.personal_tokens.make(caller, TokenWanted("a program", frozenset({"read"}), 366))


def _get_bot(parts: AccountParts, caller: Caller) -> Awaitable[object]:
    return parts.all.register_bot(caller.account, unique("bot-"))


def _change_password(parts: AccountParts, caller: Caller) -> Awaitable[object]:
    return parts.all.change_password(caller, PASSWORD, "another word")


def _become_known(parts: AccountParts, caller: Caller) -> Awaitable[object]:
    return parts.all.register(unique("washed-"), PASSWORD, caller)


@pytest.mark.parametrize("wanting", [_keep, _get_bot, _change_password, _become_known])
def test_a_request_that_a_suspension_overtakes_gives_no_tokens(
    lobby: Lobby, wanting: Wanting
) -> None:
    suspended = lobby.guest() if wanting is _become_known else lobby.person()
    _suspend(lobby, suspended)
    scopes = frozenset({"play", "read", "table"})
    caller = Caller(suspended.account, scopes, False, "token", _LATER, _LATER, "key", "howff")  # noqa: FBT003

    async def story() -> object:
        return await wanting(lobby.app.state.parts.accounts, caller)

    with pytest.raises(SuspendedError):
        lobby.call(story())


def test_a_bot_that_is_suspended_gets_no_new_token_from_its_owner(lobby: Lobby) -> None:
    owner, name = lobby.person(), unique("bot-")
    bot = lobby.bot(owner, name)
    _suspend(lobby, bot)
    problem_of(owner.post("/v1/accounts/bots", {"name": name}), 403, "suspended")


def _suspend(lobby: Lobby, suspended: Speaker) -> None:
    path = f"/v1/accounts/{suspended.account}/suspension"
    assert lobby.administrator().put(path, {"reason": "abuse"}).status_code == 204
