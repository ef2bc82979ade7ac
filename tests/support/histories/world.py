"""The world of one run: replicas, tables, and the history that their clients write."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID, uuid5

from howff.engine.codec import JSON
from howff.engine.seats import Seat, Viewer
from howff.game.application.orders import practice_id
from support.histories.history import History, Look, Order, Read, Sent
from support.histories.lines import LOST, Replica, Request
from support.rng import LocalRng
from support.service import bearer

_KEYS: Final = UUID("7d5c3a0e-28a5-4a47-9a2e-5d1b8e7c4f60")


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played: a game, its options, how many people and bots, and up to which version."""

    game: str
    people: int
    bots: int = 0
    most: int = 1000
    options: JSON = field(default_factory=dict)
    watch: str = "public"
    watchers: int = 4
    """How many follow by feeds."""
    clock: JSON = None
    """With one the people go at version *most*, and let it run out."""


@dataclass(slots=True)
class Table:
    """A match of a run; the people hold the first seats."""

    name: str
    terms: Terms
    key: str
    """Under which it is started."""
    newest: int = 0
    """The newest version that somebody at the table has heard of."""
    is_finished: bool = False
    """Whether nobody is to move any more."""
    final: int | None = None
    """The last version, once it is known."""
    news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def match(self) -> str:
        """Its id, which follows from who starts it under which key."""
        return practice_id(f"{self.name}-0", UUID(self.key))

    @property
    def path(self) -> str:
        return f"/v1/matches/{self.match}"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that people hold."""
        return tuple(map(Seat, range(self.terms.people)))

    def account(self, viewer: Viewer) -> str | None:
        """Return who looks through these eyes."""
        return None if viewer is None else f"{self.name}-{viewer}"

    @property
    def order(self) -> JSON:
        """What asks for the match."""
        people = [{"account": self.account(seat)} for seat in self.seats]
        return {
            "game": self.terms.game,
            "seats": people + [{"bot": "random"}] * self.terms.bots,
            "options": self.terms.options,
            "watch": self.terms.watch,
            "clock": self.terms.clock,
        }

    def hear(self, version: int) -> None:
        """Let everybody at the table know that there is this *version*."""
        if version > self.newest:
            self.newest = version
            news, self.news = self.news, asyncio.Event()
            news.set()

    async def news_within(self, seconds: float) -> None:
        """Wait for a new version, but no longer than so many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.news.wait(), seconds)


@dataclass(slots=True)
class World:
    """What all clients of a run share."""

    seed: str
    replicas: Sequence[Replica]
    patience: float
    """Seconds for which a client asks again."""
    history: History = field(default_factory=History)
    settled: int = 0
    """How many commands have come to their end."""
    is_over: bool = False
    _keys: int = 0
    _headers: dict[str | None, dict[str, str]] = field(default_factory=lambda: {None: {}})

    def rng(self, name: str) -> LocalRng:
        """Return the luck of one client, which other clients don't change."""
        return LocalRng(f"{self.seed}/{name}")

    def new_key(self) -> str:
        """Return a key that nobody has used."""
        self._keys += 1
        return str(uuid5(_KEYS, f"{self.seed}/{self._keys}"))

    def headers(self, account: str | None) -> dict[str, str]:
        """Return how *account* proves who it is."""
        if account not in self._headers:
            self._headers[account] = bearer(account or "")
        return self._headers[account]

    async def send(self, table: Table, order: Order, replica: int) -> Sent:
        """Send an order once, and record what came of it, also if the sender gives up."""
        headers = {**self.headers(table.account(order.seat)), "Idempotency-Key": order.command}
        sent, status, body = time.monotonic(), None, b""
        try:
            request = Request("POST", f"{table.path}/moves", headers, order.body)
            status, body = await self.replicas[replica].ask(request)
        except LOST:
            pass  # which the record tells
        finally:
            record = Sent(order, replica, sent, time.monotonic(), status, body)
            self.history.sends.append(record)
        if record.is_ok:
            table.hear(record.content["version"])
        return record

    async def look(self, table: Table, look: Look, replica: int) -> Read | None:
        """Look at a match once; None if nothing could be seen."""
        path = table.path if look.reading == "match" else f"{table.path}/{look.reading}"
        query = f"?after={look.after}" if look.reading == "events" else ""
        request = Request("GET", path + query, self.headers(table.account(look.viewer)))
        return await self._seen(table, look, request, replica)

    async def start(self, table: Table, replica: int) -> Read | None:
        """Ask for the match of *table* once; None if no answer came."""
        first = Seat(0)
        headers = {**self.headers(table.account(first)), "Idempotency-Key": table.key}
        request = Request("POST", "/v1/matches", headers, table.order)
        return await self._seen(table, Look(first, "match"), request, replica)

    async def _seen(self, table: Table, look: Look, request: Request, replica: int) -> Read | None:
        sent = time.monotonic()
        try:
            status, body = await self.replicas[replica].ask(request)
        except LOST:
            return None
        read = Read(table.match, look, sent, time.monotonic(), status, body)
        self.history.reads.append(read)
        if not read.is_ok:
            return None
        table.hear(read.version)
        return read
