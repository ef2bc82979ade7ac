"""Whether a process is ready to serve: what each check has found, not asked for too often."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from howff.engine.errors import RefusalError

KEPT: Final = 2.0
"""Seconds for which findings are good; the servers are asked no more often."""
FOUND_WITHIN: Final = 3.0


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check has found, in words."""

    is_good: bool
    found: str


Check = Callable[[], Awaitable[Finding]]
"""Looks at one thing; a refusal that it raises is a finding too, and none that is good."""


class Readiness:
    """The checks of a process by name, and whether it has begun to stop."""

    def __init__(self, checks: Mapping[str, Check], stopping: asyncio.Event) -> None:
        self._checks = checks
        self._stopping = stopping
        self._turn = asyncio.Lock()
        self._kept: dict[str, Finding] = {}
        self._kept_until = 0.0

    async def findings(self) -> dict[str, Finding]:
        """Return what there is to say, at most `KEPT` seconds old; the end is told at once."""
        async with self._turn:
            now = asyncio.get_running_loop().time()
            if now >= self._kept_until:
                found = await asyncio.gather(*map(_found, self._checks.values()))
                self._kept = dict(zip(self._checks, found, strict=True))
                self._kept_until = now + KEPT
        is_stopping = self._stopping.is_set()
        process = Finding(not is_stopping, "stopping" if is_stopping else "serving")
        return {"process": process, **self._kept}


async def _found(check: Check) -> Finding:
    try:
        async with asyncio.timeout(FOUND_WITHIN):
            return await check()
    except RefusalError as refusal:
        return Finding(is_good=False, found=str(refusal))
    except TimeoutError:
        return Finding(is_good=False, found=f"no answer within {FOUND_WITHIN:g} s")
