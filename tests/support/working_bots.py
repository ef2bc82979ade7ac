"""Workers that play for the bots of a service: in a thread of the test, or as processes."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from nats.js.api import ConsumerInfo

from howff.bots.app import running_worker
from howff.bots.settings import Settings
from howff.contracts.matches import WORK, WORKERS, DecisionDue, subject_of
from howff.engine.codec import JSON
from howff.match.export import Export, read_export
from howff.servicekit.nats.connection import Connection
from howff.servicekit.readiness import Finding, Readiness
from howff.servicekit.web.parts import key_pair
from support.nats import unique
from support.running import WITHIN
from support.service import Service, new_key, wait_until
from support.workers import KEY

WHOLE_MATCH: Final = 60.0
"""Seconds that bots have for a match."""


@dataclass(frozen=True, slots=True)
class Hall:
    """A service, and a folder with the key of its workers."""

    service: Service
    folder: Path

    def settings(self, **changes: Any) -> dict[str, Any]:
        """Return how a worker of this service is set up."""
        key = self.folder / "bots.key"
        key.write_text(key_pair(KEY.secret).private)
        terms = {"nats_url": self.service.nats.url, "game_url": self.service.url}
        return {**terms, "bot_key_file": key, "processes": 1, "think_seconds": 60.0, **changes}

    def start(self, *levels: str, game: str = "troedler", **terms: JSON) -> str:
        """Start a match of bots of these *levels*, and return its id."""
        seats = [{"bot": level} for level in levels]
        content = {"game": game, "seats": seats, **terms}
        answer = self.service.eyes(unique("account-")).post("/v1/matches", content, new_key())
        assert answer.status_code == 201, answer.text
        match: str = answer.json()["match"]
        return match

    def wait_until_over(self, *matches: str, within: float = WHOLE_MATCH) -> None:
        """Wait until all *matches* are over."""
        for match in matches:
            wait_until(partial(self._is_over, match), within)

    def _is_over(self, match: str) -> bool:
        return self.service.match(match).is_over

    def export(self, match: str) -> Export:
        """Return the whole log of a match that is over."""
        answer = self.service.eyes(None).get(f"/v1/matches/{match}/export")
        assert answer.status_code == 200, answer.text
        return read_export(answer.content)

    def statements(self, match: str) -> list[JSON]:
        """Return what the bots have stated, move by move."""
        commits = self.service.log(match).commits
        return [each.bot for each in commits if each.move is not None]

    def publish(self, **due: Any) -> None:
        """Let a decision stand in the queue once more, or without being due."""
        message = DecisionDue(**{"game": "troedler", "level": "random", **due})
        self.publish_raw(message.model_dump_json().encode(), subject_of(message))

    def publish_raw(self, content: bytes, subject: str = "work.decision_due.any") -> None:
        """Let *content* stand in the queue, whatever it is."""

        async def story(connection: Connection) -> None:
            await connection.jetstream.publish(subject, content)

        self.service.on_nats(story)

    def waiting(self) -> tuple[int, int]:
        """Return how many decisions wait for a worker, and how many are in the hands of some."""
        info = self._info()
        return info.num_pending or 0, info.num_ack_pending or 0

    def told_again(self) -> int:
        """Return how many decisions in the hands of workers were in those of others before."""
        return self._info().num_redelivered or 0

    def _info(self) -> ConsumerInfo:
        async def story(connection: Connection) -> ConsumerInfo:
            info: ConsumerInfo = await connection.jetstream.consumer_info(WORK, WORKERS)
            return info

        return self.service.on_nats(story)

    def wait_until_done(self) -> None:
        """Wait until nothing is left in the queue."""

        async def story(connection: Connection) -> bool:
            return (await connection.jetstream.stream_info(WORK)).state.messages == 0

        wait_until(lambda: self.service.on_nats(story))

    @contextmanager
    def working(self, **changes: Any) -> Generator["Working", None, None]:
        """Let a worker play in a thread until the context ends."""
        with working(Settings(**self.settings(**changes))) as worker:
            yield worker

    @contextmanager
    def process(self, **changes: Any) -> Generator[subprocess.Popen[bytes], None, None]:
        """Let a worker play as a process until the context ends, or it is killed before."""
        process = started(self.settings(**changes))
        try:
            yield process
        finally:
            process.kill()
            process.wait(WITHIN)


@dataclass(frozen=True, slots=True)
class Working:
    """A worker in a thread of its own."""

    readiness: Readiness
    loop: asyncio.AbstractEventLoop
    stop: Callable[[], None]

    def findings(self) -> dict[str, Finding]:
        asked = asyncio.run_coroutine_threadsafe(self.readiness.findings(), self.loop)
        return asked.result(WITHIN)


@contextmanager
def working(settings: Settings) -> Generator[Working, None, None]:
    """Let a worker play in a thread until the context ends, or it is stopped before."""
    begun: Future[Working] = Future()
    ended = asyncio.Event()

    async def story() -> None:
        loop = asyncio.get_running_loop()
        async with running_worker(settings) as readiness:
            begun.set_result(Working(readiness, loop, stop))
            await ended.wait()

    with ThreadPoolExecutor(1) as threads:
        played = threads.submit(lambda: asyncio.run(story()))

        def stop() -> None:
            if not played.done():
                begun.result().loop.call_soon_threadsafe(ended.set)
            played.result(WITHIN)

        def failed(done: Future[None]) -> None:
            if not begun.done() and (error := done.exception()):
                begun.set_exception(error)

        played.add_done_callback(failed)
        worker = begun.result(WITHIN)
        try:
            yield worker
        finally:
            stop()


def started(settings: dict[str, Any]) -> subprocess.Popen[bytes]:
    """Start a worker as `python -m howff.bots`."""
    environment = {f"HOWFF_{name.upper()}": str(value) for name, value in settings.items()}
    return subprocess.Popen(  # noqa: S603 — our own module
        [sys.executable, "-m", "howff.bots"],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def children_of(process: int) -> list[int]:
    """Return the ids of the processes that *process* has started."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text()
    return list(map(int, listed.split()))
