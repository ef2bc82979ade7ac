"""A server that is told its users by the file of the repository, and what these may try on it."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx
import nats.errors
import pytest
from nats.aio.client import Client

from howff.cli.machine.permissions import SERVICES
from howff.engine.codec import JSON
from howff.servicekit.nats.accounts import Account, Accounts
from howff.servicekit.nats.connection import Connection, Credentials, connect
from howff.servicekit.nats.server import NatsServer, ServerPlan
from support.nats import plan_in
from support.running import run, until

T = TypeVar("T")

FOLDER: Final = Path(__file__).parents[2] / "deploy" / "nats"
REFUSED_WITHIN: Final = 5.0
"""Seconds in which all has to be refused that is tried at once."""
SETTLED: Final = 0.1
"""Seconds in which a server does what it does without an answer."""


@dataclass(frozen=True, slots=True)
class IncludingPlan(ServerPlan):
    """How a server is run that takes its users from a file beside its configuration."""

    def configuration(self) -> str:
        # Without arguments `super` does not know of the class that slots have made anew.
        inside = super(IncludingPlan, self).configuration().strip().removeprefix("{")
        return f'{inside.removesuffix("}")}\ninclude "users.conf"\n'


@contextmanager
def permitting_server(folder: Path) -> Iterator[NatsServer]:
    """Give a server that includes `deploy/nats/users.conf`, with passwords in its environment."""
    plan = plan_in(folder)
    (folder / "users.conf").write_text((FOLDER / "users.conf").read_text())
    with pytest.MonkeyPatch.context() as environment:
        for each in SERVICES:
            variable = f"HOWFF_NATS_{each.name}_PASSWORD"
            environment.setenv(variable, password_of(each.user))
        with NatsServer(IncludingPlan(plan.folder, plan.port, plan.monitor_port)) as server:
            yield server


def password_of(user: str) -> str:
    return f"known-to-{user}"


def accounts_of(*accounts: Account) -> Accounts:
    """Return the *accounts* with the passwords of tests."""
    return Accounts(accounts, {each.user: password_of(each.user) for each in accounts})


async def opened(server: NatsServer, user: str) -> Connection:
    """Return a connection of *user*."""
    return await connect(server.url, name=user, credentials=Credentials(user, password_of(user)))


def as_user(server: NatsServer, user: str, story: Callable[[Connection], Awaitable[T]]) -> T:
    """Return what *story* gives with a connection of *user*."""

    async def connected() -> T:
        async with await opened(server, user) as connection:
            return await story(connection)

    return run(connected)


async def asked(connection: Connection, subject: str, content: JSON = None) -> Any:
    """Return what JetStream answers a request."""
    payload = b"" if content is None else json.dumps(content).encode()
    answer = await connection.client.request(f"$JS.API.{subject}", payload, timeout=2)
    return json.loads(answer.data)


def answer_to_login(url: str, **login: Any) -> str:
    """Return what a server says to somebody who connects; nothing if it lets them in."""

    async def quiet(_: Exception) -> None:
        """Say nothing: the same is raised."""

    async def story() -> str:
        client = Client()
        try:
            await client.connect(url, allow_reconnect=False, error_cb=quiet, **login)
        except nats.errors.Error as error:
            return str(error)
        finally:
            await client.close()
        return ""

    return run(story)


async def settled(connection: Connection) -> None:
    """Wait until the server has done what it was asked for without an answer."""
    await connection.client.flush()
    await asyncio.sleep(SETTLED)


def kept(server: NatsServer) -> dict[str, int]:
    """Return how many messages each stream of the server has, as its monitor tells it."""
    told = httpx.get(f"{server.monitor_url}/jsz", params={"streams": "true"}).json()
    return {
        stream["name"]: stream["state"]["messages"]
        for account in told["account_details"]
        for stream in account.get("stream_detail", ())
    }


def not_refused(
    server: NatsServer,
    user: str,
    publish: Iterable[tuple[str, JSON]] = (),
    subscribe: Iterable[str] = (),
) -> list[str]:
    """Return what the server lets *user* publish, and what it lets it subscribe."""

    async def story() -> list[str]:
        client = Client()
        said: set[str] = set()

        async def hear(error: Exception) -> None:
            said.add(str(error).lower())

        login: dict[str, Any] = {"user": user, "password": password_of(user)}
        await client.connect(server.url, error_cb=hear, inbox_prefix=f"_INBOX_{user}", **login)
        tried: dict[str, str] = {}
        for subject, content in publish:
            await client.publish(subject, json.dumps(content).encode(), client.new_inbox())
            tried[_violation("publish", subject)] = subject
        for subject in subscribe:
            await client.subscribe(subject)
            tried[_violation("subscription", subject)] = subject
        await client.flush()
        with contextlib.suppress(AssertionError):  # what is missing is returned
            await until(lambda: len(said) == len(tried), REFUSED_WITHIN)
        await client.close()
        return [subject for violation, subject in tried.items() if violation not in said]

    return run(story)


def _violation(what: str, subject: str) -> str:
    return f'nats: permissions violation for {what} to "{subject}"'.lower()
