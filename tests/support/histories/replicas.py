"""Replicas of the service: in this process, or as processes that can be killed."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic_settings import BaseSettings

from howff.game.app import running_service
from howff.game.settings import Settings
from howff.servicekit.nats.server import NatsServer, free_ports
from howff.servicekit.web.serving import serving
from support.forked import ForkedProcess
from support.histories.lines import Replica
from support.workers import KEYS_FILE

READY_WITHIN: Final = 90.0
POLL: Final = 0.02
HEARTBEAT: Final = 0.25
_SERVING: Final = re.compile(r"serving on (http://\S+)")


def settings_of(servers: Sequence[NatsServer], port: int = 0) -> Settings:
    """Return how a replica on these servers is set up."""
    return Settings(
        mode="test",
        port=port,
        development_tokens=True,
        bot_keys_file=KEYS_FILE,
        nats_url=",".join(each.url for each in servers),
        nats_monitor_urls=",".join(each.monitor_url for each in servers),
        replicas=len(servers),
        heartbeat_seconds=HEARTBEAT,
    )


@asynccontextmanager
async def replicas_inside(
    servers: Sequence[NatsServer], count: int = 2
) -> AsyncIterator[list[Replica]]:
    """Run so many replicas in the running loop; they begin and end together."""
    ended = asyncio.Event()

    async def one(ready: asyncio.Future[Replica]) -> None:
        async with running_service(settings_of(servers)) as app, serving(app) as url:
            replica = Replica(url)
            ready.set_result(replica)
            await ended.wait()
            replica.hang_up()

    async with asyncio.TaskGroup() as group:
        starting = [asyncio.get_running_loop().create_future() for _ in range(count)]
        for each in starting:
            group.create_task(one(each))
        try:
            yield [await each for each in starting]
        finally:
            ended.set()


@dataclass(slots=True)
class ServiceProcess:
    """A replica as a process of its own."""

    folder: Path
    environment: dict[str, str]
    module: str = "howff.game"
    starts: int = 0
    replica: Replica = field(default_factory=lambda: Replica(""))
    process: ForkedProcess | None = None

    async def start(self) -> None:
        """Start it and wait until it serves."""
        self.starts += 1
        log = self.folder / f"service-{self.starts}.log"
        log.touch()
        self.process = await asyncio.to_thread(ForkedProcess, self.module, self.environment, log)
        deadline = time.monotonic() + READY_WITHIN
        while not (found := _SERVING.search(log.read_text())):
            assert self.process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            await asyncio.sleep(POLL)
        self.replica.hang_up()
        self.replica.url = found[1]

    def kill(self) -> None:
        """End it at once, as a crash would."""
        assert self.process is not None, "it was not started"
        self.process.kill()
        self.process.wait()

    async def close(self) -> None:
        """End it in order."""
        self.replica.hang_up()
        if self.process is not None:
            self.process.terminate()
            await asyncio.to_thread(self.process.wait)

    @property
    def end(self) -> int | None:
        """The code by which it has ended by itself, if it has."""
        return None if self.process is None else self.process.poll()


@asynccontextmanager
async def service_process(
    servers: Sequence[NatsServer], folder: Path
) -> AsyncIterator[ServiceProcess]:
    """Run a replica as a process that may be killed and started again, on the same port."""
    folder.mkdir()
    settings = settings_of(servers, *free_ports(1))
    service = ServiceProcess(folder, environment_of(settings))
    try:
        await service.start()
        yield service
    finally:
        await service.close()


def environment_of(settings: BaseSettings) -> dict[str, str]:
    """Return the variables that tell *settings*."""
    plain = settings.model_dump(mode="json", exclude_none=True)
    return {f"HOWFF_{name.upper()}": str(value) for name, value in plain.items()}
