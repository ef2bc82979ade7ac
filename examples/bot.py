"""A bot for Howff, from outside: it waits for others, plays one match, and ends with it.

python examples/bot.py troedler 2     # as a guest, or as the account that HOWFF_TOKEN is for
"""

import asyncio
import os
import random
import sys
from contextlib import aclosing
from typing import Any
from uuid import NAMESPACE_URL, uuid4, uuid5

from howff.client.client import HowffClient
from howff.client.errors import ClientError, ProblemError

SERVER = os.environ.get("HOWFF_SERVER", "http://localhost:8000")


async def find_match(howff: HowffClient, game: str, seats: int) -> str:
    """Wait until quick match has found others who would play the same."""
    wish = {"games": [{"game": game}], "seats": [seats], "clocks": [None]}
    ticket: Any = await howff.tickets.open(wish)
    async with aclosing(howff.lobby.own_feed()) as news:
        while ticket["state"] not in {"matched", "ended"}:
            await anext(news)
            ticket = await howff.tickets.look(ticket["id"])
    return str(ticket["table"] or sys.exit(f"no match: {ticket['ended_because']}"))


async def play(howff: HowffClient, match: str) -> None:
    """Play to the end; the feed goes on where it was, whatever breaks."""
    async for commit in howff.feed(match):
        owed: Any = await howff.moves(match)
        if owed["moves"] and owed["version"] <= commit["version"]:
            move = random.choice(owed["moves"])["move"]  # here a better bot thinks
            # One id for one decision: who is started again after a crash makes no second move.
            command = str(uuid5(NAMESPACE_URL, f"{match} {owed['version']} {owed['seat']}"))
            try:
                await howff.play(match, move, command_id=command)
            except ProblemError as refusal:
                print(refusal)  # such as that its time had run out; the feed tells what follows


async def main(game: str, seats: int, token: str | None) -> None:
    if token is None:
        async with HowffClient(SERVER, ids=lambda: str(uuid4())) as nobody:
            token = (await nobody.accounts.make_guest())["access_token"]
    async with HowffClient(SERVER, token, ids=lambda: str(uuid4())) as howff:
        match = await find_match(howff, game, seats)
        print(f"{SERVER}/v1/matches/{match}")
        await play(howff, match)


if [word.isdecimal() for word in sys.argv[1:]] != [False, True]:
    sys.exit(__doc__)
try:
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), os.environ.get("HOWFF_TOKEN")))
except (ClientError, KeyboardInterrupt) as end:
    sys.exit(str(end) or 130)
