"""What `howff up --seed-demo` adds: players, matches that are over or go on, and open tables.

All of it comes by the public API, as it would from people: nothing here knows how it is stored.
"""

import asyncio
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from howff.cli.errors import CommandError
from howff.cli.files import unreadable
from howff.client.client import HowffClient
from howff.client.errors import JSON
from howff.servicekit import ids
from howff.servicekit.private import write_private

NAMES: Final = ("freya", "ivy", "jack", "scott")
PLAYED: Final = (
    ("troedler", (0, 1)),
    ("troedler", (2, 0, 3)),
    ("appenzell", (1, 2)),
    ("hellweg", (3, 1)),
)
"""Matches that are played to their end: the game, and which of the players sit there."""
AT_ONE_SITTING: Final = {"rated": True, "clock": {"match_seconds": 600, "increment_seconds": 5}}
IN_PLAY: Final[tuple[tuple[JSON, tuple[int, ...]], ...]] = (
    ({"game": "appenzell", "clock": {"turn_days": 3}}, (0, 2)),
)
"""Matches that wait for their first move."""
WATCHED: Final = {
    "game": "dale_of_merchants",
    "seats": [{"bot": level} for level in ("strong", "master")],
    "watch": "public",
}
"""A match of bots alone, which goes on by itself, for some minutes."""
OPEN: Final[tuple[tuple[JSON, int], ...]] = (
    ({"game": "highland_clans", "seats": 3}, 0),
    ({"game": "dale_of_merchants", "seats": 2}, 3),
)
"""Tables where somebody waits for others."""
_STARTED_WITHIN: Final = 60.0
"""Seconds from the last who is ready until the match is there, on a machine that is busy."""
_POLL: Final = 0.05


class NotStartedError(CommandError):
    """The match of a table where all are ready does not start."""

    code = "not_started"

    def __init__(self, table: str, phase: str) -> None:
        super().__init__(f"table {table} of the demo", expected="its match", found=phase)


@dataclass(frozen=True, slots=True)
class _Player:
    name: str
    password: str
    client: HowffClient


def seed_demo(folder: Path, address: str, console: Console) -> None:
    """Add the demo to the server at *address*, unless the *folder* says that it was added.

    The players, with the passwords by which one may log in as them, stand in `demo.json` then.

    Raises:
        ClientError: the server refuses, or does not answer.
        NotStartedError: it does not start a match.
        UnreadableFileError: the folder can't be written to.
    """
    file = folder / "demo.json"
    if file.exists():
        console.print(Text(f"The demo was added before; {file} has its players"), soft_wrap=True)
        return
    console.print("Adding a demo: some players, matches and tables")
    players = asyncio.run(_seeded(address))
    content = json.dumps({"players": players}, indent=2)
    try:
        write_private(file, f"{content}\n")
    except OSError as error:
        raise unreadable(file, "a file that can be written", error) from error
    names = ", ".join(players)
    console.print(Text(f"Log in as {names}; {file} has the passwords"), soft_wrap=True)


async def _seeded(address: str) -> Mapping[str, str]:
    """Add all of it, and return the passwords of the players by their names."""
    async with AsyncExitStack() as held:
        players = [await _player(address, name, held) for name in NAMES]
        await players[0].client.start_match(WATCHED)
        await asyncio.gather(
            *(_played(game, [players[place] for place in places]) for game, places in PLAYED)
        )
        for table, places in IN_PLAY:
            await _match([players[place] for place in places], table)
        for table, host in OPEN:
            await players[host].client.tables.open(table)
    return {each.name: each.password for each in players}


async def _player(address: str, name: str, held: AsyncExitStack) -> _Player:
    """Make an account; its name has something of its own, as *name* may be taken."""
    own, password = f"{name}-{secrets.token_hex(2)}", secrets.token_urlsafe(12)
    async with HowffClient(address, ids=ids.new_id) as nobody:
        made: Any = await nobody.accounts.make(own, password)
    client = HowffClient(address, made["access_token"], ids=ids.new_id)
    return _Player(own, password, await held.enter_async_context(client))


async def _match(seated: Sequence[_Player], table: Mapping[str, JSON]) -> str:
    """Let players come together at a table, and return the match that they start."""
    host = seated[0].client
    opened: Any = await host.tables.open({**table, "seats": len(seated)})
    for seat, player in enumerate(seated):
        if seat:
            await player.client.tables.sit(opened["id"], seat)
        await player.client.tables.tell_ready(opened["id"], seat)
    started: Any = await host.tables.start(opened["id"])
    deadline = time.monotonic() + _STARTED_WITHIN
    while started["phase"] == "starting" and time.monotonic() < deadline:  # by the match service
        await asyncio.sleep(_POLL)
        started = await host.tables.look(opened["id"])
    if started["phase"] != "playing":
        raise NotStartedError(opened["id"], started["phase"])
    return str(opened["id"])


async def _played(game: str, seated: Sequence[_Player]) -> None:
    """Let each decide by chance whenever it is their turn, until a match of theirs is over."""
    match = await _match(seated, {"game": game, **AT_ONE_SITTING})
    now: Any = await seated[0].client.match(match)
    while not now["is_over"]:
        for seat in now["to_act"]:
            client = seated[seat].client
            owed: Any = await client.moves(match, seat=seat)
            if owed["moves"]:
                await client.play(match, secrets.choice(owed["moves"])["move"], seat=seat)
        now = await seated[0].client.match(match)
