"""Bots that play at random: they take decisions from the queue, and speak the public API."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final
from uuid import UUID, uuid5

import httpx

from howff.bots.adapters.work import work_of
from howff.bots.policies.luck import SearchRng
from howff.contracts.matches import DecisionDue
from howff.match.commit import Commit
from howff.servicekit import clock, ids
from howff.servicekit.consumers import WorkConsumer
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.web.parts import PartTokens
from howff.servicekit.web.signing import SigningKey
from howff.servicekit.web.tokens import WORKERS
from support.running import WITHIN
from support.service import Service
from support.workers import KEY

_COMMANDS: Final = UUID("0e6bb3d1-8f5c-45a0-9b43-5d1d0a1d7f30")


@dataclass(frozen=True, slots=True)
class RandomBots:
    """Whoever decides for all bots of a service."""

    http: httpx.AsyncClient
    tokens: PartTokens

    async def decide(self, delivery: Delivery) -> None:
        """Take a decision, if it is owed still."""
        due = DecisionDue.model_validate_json(delivery.payload)
        path = f"/v1/matches/{due.match}/moves"
        headers = {"Authorization": f"Bearer {self.tokens.current()}"}
        told = await self.http.get(path, params={"seat": due.seat}, headers=headers)
        if told.status_code == httpx.codes.NOT_FOUND:
            return  # its account has taken the seat back
        moves = told.raise_for_status().json()
        if moves["version"] != due.version or not moves["moves"]:
            return
        headers["Idempotency-Key"] = str(uuid5(_COMMANDS, f"{due.match}/{due.version}/{due.seat}"))
        answer = await self.http.post(path, json=_move(due, moves["moves"]), headers=headers)
        if answer.status_code != httpx.codes.CONFLICT:  # something has come before
            answer.raise_for_status()


def _move(due: DecisionDue, moves: list[dict[str, Any]]) -> dict[str, Any]:
    seed = sha256(f"{due.match}/{due.version}/{due.seat}".encode()).digest()[:16]
    return {
        "move": SearchRng(seed).roll("move", moves)["move"],
        "seat": due.seat,
        "expected_version": due.version,
        "bot": {
            "policy": "random",
            "version": "1.0",
            "level": due.level,
            "nodes": 0,
            "seed": seed.hex(),
        },
    }


def policy_of(commit: Commit) -> str | None:
    """Return by what policy the move of *commit* was chosen; None if no policy has."""
    told: Any = commit.bot
    return None if told is None else told["policy"]


@asynccontextmanager
async def bots_on(connection: Connection, base_url: str, key: SigningKey) -> AsyncIterator[None]:
    """Play for all bots of the service at *base_url* until the context ends."""
    async with httpx.AsyncClient(base_url=base_url, timeout=WITHIN) as http:
        bots = RandomBots(http, PartTokens(WORKERS, key, now=clock.now, new_id=ids.new_id))
        reader = WorkConsumer(connection, work_of(16), bots.decide)
        running = asyncio.create_task(reader.run())
        try:
            yield
        finally:
            await reader.stop()
            await running


@contextmanager
def playing(service: Service) -> Iterator[None]:
    """Play for all bots of *service*, in a thread beside it, until the context ends."""
    begun: Future[asyncio.AbstractEventLoop] = Future()
    ended = asyncio.Event()

    async def story() -> None:
        async with (
            await connect(service.nats.url, name="bots") as connection,
            bots_on(connection, service.url, KEY),
        ):
            begun.set_result(asyncio.get_running_loop())
            await ended.wait()

    with ThreadPoolExecutor(1) as threads:
        played = threads.submit(lambda: asyncio.run(story()))
        loop = begun.result(WITHIN)
        try:
            yield
        finally:
            loop.call_soon_threadsafe(ended.set)
            played.result(WITHIN)
