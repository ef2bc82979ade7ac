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
from howff.client.errors import ProblemError

SERVER = os.environ.get("HOWFF_SERVER", "http://localhost:8000")


async def find_match(howff: HowffClient, game: str, seats: int) -> str:
    """Wait until quick match has found others who would play the same."""
    wish = {"games": [{"game": game}], "seats": [seats], "clocks": [None]}
    ticket: Any = await howff.tickets.open(wish)
    async with aclosing(howff.lobby.own_feed()) as news:
        async for _ in news:
            ticket = await howff.tickets.look(ticket["id"])
            if ticket["state"] in {"matched", "ended"}:
                break
    return str(ticket["table"] or sys.exit(f"no match: {ticket['ended_because']}"))


async def play(howff: HowffClient, match: str, seat: int) -> None:
    """Play to the end; the feed goes on where it was, whatever breaks."""
    async with aclosing(howff.feed(match, viewer=f"seat:{seat}")) as commits:
        async for commit in commits:
            owed: Any = await howff.moves(match, seat=seat)
            if commit["version"] < owed["version"] or not owed["moves"]:
                continue
            move = random.choice(owed["moves"])["move"]  # here a better bot thinks
            # One id for one decision: who is started again after a crash makes no second move.
            command = str(uuid5(NAMESPACE_URL, f"{match} {owed['version']} {seat}"))
            try:
                await howff.play(match, move, seat=seat, command_id=command)
            except ProblemError as refusal:
                print(refusal)  # such as that its time had run out; the feed tells what follows


async def main(game: str, seats: int, token: str | None) -> None:
    if token is None:
        async with HowffClient(SERVER, ids=lambda: str(uuid4())) as nobody:
            token = (await nobody.accounts.make_guest())["access_token"]
    async with HowffClient(SERVER, token, ids=lambda: str(uuid4())) as howff:
        match = await find_match(howff, game, seats)
        print(f"{SERVER}/v1/matches/{match}")
        now: Any = await howff.match(match)
        me: Any = await howff.accounts.me()
        await play(howff, match, now["seats"].index({"account": me["account"]["id"]}))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), os.environ.get("HOWFF_TOKEN")))
