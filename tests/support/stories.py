"""People who play on a server over its public API, whatever runs it."""

import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from howff.client.client import HowffClient
from howff.client.patience import Patience
from howff.servicekit.ids import new_id
from support.running import eventually

PATIENCE: Final = Patience(answer=20.0, trying=120.0)
"""For a server whose parts are restarted meanwhile."""
SHORT: Final = {"game": "troedler", "options": {"round_limit": 3}}
PASSWORD: Final = "a password for stories"  # noqa: S105 — of nobody


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a client of their own, known by an account."""

    howff: HowffClient
    account: str


@asynccontextmanager
async def people(url: str, count: int, *, named: bool = False) -> AsyncIterator[list[Person]]:
    """Give so many guests of the server at *url*, or people with names."""
    async with AsyncExitStack() as stack:
        found: list[Person] = []
        for _ in range(count):
            nobody = await stack.enter_async_context(_client(url))
            admission: Any = (
                await nobody.accounts.make(f"p-{new_id()[:13]}", PASSWORD)
                if named
                else await nobody.accounts.make_guest()
            )
            client = await stack.enter_async_context(_client(url, admission["access_token"]))
            found.append(Person(client, admission["account"]["id"]))
        yield found


def _client(url: str, token: str | None = None) -> HowffClient:
    return HowffClient(url, token, ids=new_id, patience=PATIENCE)


async def begun(persons: list[Person], *, bots: int = 0, **terms: Any) -> str:
    """Let *persons* meet at a table by invitation, with *bots*; return their match."""
    host, *guests = persons
    seats = len(persons) + bots
    texts = [new_id() for _ in persons]
    hashes = [hashlib.sha256(each.encode()).hexdigest() for each in texts]
    order = {**SHORT, "seats": seats, "visibility": "invitation", "entropy_hash": hashes[0]}
    table: Any = await host.howff.tables.open({**order, **terms})
    place: str = table["id"]
    for seat, guest in enumerate(guests, start=1):
        invitation: Any = await host.howff.tables.invite(place)
        token = invitation["token"]
        await guest.howff.tables.sit(place, seat, entropy_hash=hashes[seat], invitation=token)
    for seat in range(len(persons), seats):
        await host.howff.tables.seat_bot(place, seat, "random")
    for seat, person in enumerate(persons):
        await person.howff.tables.tell_ready(place, seat, entropy=texts[seat])
    await host.howff.tables.start(place)

    async def is_begun() -> None:
        assert (await look(host, place))["seats"]

    await eventually(is_begun, Exception)
    return place


async def look(person: Person, match: str) -> Any:
    return await person.howff.match(match)


async def play(persons: dict[int, Person], match: str, *, moves: int | None = None) -> int:
    """Let *persons*, by their seats, move until the match is over, or so many *moves* are made.

    Returns how many were made. A bot between them moves by itself.
    """
    made = 0
    while moves is None or made < moves:
        now = await look(next(iter(persons.values())), match)
        if now["outcome"] is not None:
            break
        for seat, person in persons.items():
            owed: Any = await person.howff.moves(match, seat=seat)
            if owed["moves"]:
                await person.howff.play(match, owed["moves"][0]["move"], seat=seat)
                made += 1
            if made == moves:
                break
    return made


async def soon(is_so: Callable[[], Any]) -> None:
    """Wait until *is_so*, a question to a server, is answered with yes."""

    async def check() -> None:
        assert await is_so()

    await eventually(check, AssertionError)
