"""Feeds of the lobby: gapless from a snapshot on, over any number of connections."""

import asyncio
import json
from contextlib import aclosing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from howff.client.errors import BrokenFeedError, UnsendableError
from howff.client.lobby_feeds import Entry
from howff.client.patience import Patience
from support.clients import IMPATIENT, SOON_TIRED, client
from support.running import run
from support.wire import FEED, Answering, Asked, Line, answering, chunk

FIRST, NEWEST = 7, 20
SNAPSHOT = Entry("snapshot", f"e.{FIRST}", {"items": ["Mòr"]})
ENTRIES = [
    Entry("table", f"e.{number}", {"number": number}) for number in range(FIRST + 1, NEWEST + 1)
]


def frame(entry: Entry) -> bytes:
    told = json.dumps(entry.content, ensure_ascii=False)
    return chunk(f"id: {entry.id}\nevent: {entry.kind}\ndata: {told}\n\n".encode())


def heartbeat(number: int) -> bytes:
    return chunk(b'event: heartbeat\ndata: {"number": %d}\n\n' % number)


def rest_for(asked: Asked) -> bytes:
    """Return what a client gets that has come as far as it says."""
    last = asked.headers.get("last-event-id")
    if last is None or not last.startswith("e."):
        return frame(SNAPSHOT) + b"".join(map(frame, ENTRIES))
    return b"".join(map(frame, ENTRIES[int(last[2:]) - FIRST :]))


async def tell_rest(asked: Asked, line: Line) -> None:
    await line.send(FEED + rest_for(asked))
    await line.hold()


def first_then_rest(*beginnings: bytes) -> Answering:
    """Return how to answer with each of *beginnings*, then hanging up, and at last as it should."""
    left = iter(beginnings)

    async def give(asked: Asked, line: Line) -> None:
        beginning = next(left, None)
        if beginning is None:
            await tell_rest(asked, line)
        else:
            await line.send(FEED + beginning)

    return give


def told_by(answer_with: Answering, after: str | None = None) -> list[Entry]:
    """Return the entries up to the newest that a feed brings from a server that does so."""

    async def story() -> list[Entry]:
        entries: list[Entry] = []
        async with (
            answering(answer_with) as wire,
            client(wire.url) as howff,
            aclosing(howff.lobby.feed(after=after)) as feed,
        ):
            while not entries or entries[-1] != ENTRIES[-1]:
                entries.append(await anext(feed))
        return entries

    return run(story)


def refusal_of(answer_with: Answering, patience: Patience = SOON_TIRED) -> str:
    """Return how a feed ends whose server does so for ever."""

    async def story() -> str:
        async with answering(answer_with) as wire, client(wire.url, None, patience) as howff:
            with pytest.raises(BrokenFeedError) as refusal:
                async for _ in howff.lobby.feed():
                    pass
            return str(refusal.value)

    return run(story)


@given(cuts=st.lists(st.tuples(st.integers(0, 1000), st.booleans()), max_size=8))
def test_a_feed_that_is_cut_anywhere_brings_every_entry_once(cuts: list[tuple[int, bool]]) -> None:
    left = iter(cuts)

    async def cut(asked: Asked, line: Line) -> None:
        size, is_reset = next(left, (None, False))
        await line.send((FEED + rest_for(asked))[:size])
        if is_reset:
            await line.reset()
        elif size is None:
            await line.hold()

    assert told_by(cut) == [SNAPSHOT, *ENTRIES]


def test_a_feed_goes_on_after_the_entry_that_is_named() -> None:
    assert told_by(tell_rest, "e.9") == ENTRIES[2:]


def test_an_id_that_is_none_is_not_sent() -> None:
    async def story() -> None:
        async with answering(tell_rest) as wire, client(wire.url) as howff:
            with pytest.raises(UnsendableError):
                howff.lobby.feed(after="yesterday")
            assert not wire.asked

    run(story)


def test_a_feed_that_counts_anew_begins_with_a_snapshot() -> None:
    assert told_by(tell_rest, "former.900") == [SNAPSHOT, *ENTRIES]


def test_a_snapshot_in_between_counts_as_all_that_came_before() -> None:
    later = Entry("snapshot", "e.12", {"items": []})
    jump = frame(SNAPSHOT) + frame(ENTRIES[0]) + frame(later)
    told = told_by(first_then_rest(jump))
    assert told == [SNAPSHOT, ENTRIES[0], later, *ENTRIES[5:]]


def test_what_comes_twice_is_told_once() -> None:
    twice = 2 * frame(SNAPSHOT) + 2 * frame(ENTRIES[0]) + frame(ENTRIES[1]) + frame(ENTRIES[0])
    told = told_by(first_then_rest(twice))
    assert told == [SNAPSHOT, SNAPSHOT, *ENTRIES]


@pytest.mark.parametrize(
    "strange",
    [
        frame(ENTRIES[1]),
        frame(Entry("table", "other.8", {})),
        frame(Entry("table", "8", {})),
        chunk(b"event: table\ndata: {}\n\n"),
        chunk(b"id: e.8\nevent: table\ndata: [1]\n\n"),
        chunk(b"event: heartbeat\ndata: {}\n\n"),
    ],
)
def test_what_can_not_come_next_is_not_believed(strange: bytes) -> None:
    told = told_by(first_then_rest(frame(SNAPSHOT) + strange, strange))
    assert told == [SNAPSHOT, *ENTRIES]


def test_entries_that_are_told_of_and_do_not_come_are_fetched() -> None:
    connections = 0

    async def lag(asked: Asked, line: Line) -> None:
        nonlocal connections
        connections += 1
        if connections > 1:
            await tell_rest(asked, line)
            return
        await line.send(FEED + frame(SNAPSHOT))
        while True:
            await line.send(heartbeat(NEWEST))
            await asyncio.sleep(0.01)

    assert told_by(lag) == [SNAPSHOT, *ENTRIES]


def test_a_quiet_feed_that_is_alive_is_not_left() -> None:
    async def story() -> None:
        async def be_quiet(_: Asked, line: Line) -> None:
            await line.send(FEED + frame(SNAPSHOT))
            for _beat in range(60):
                await line.send(heartbeat(FIRST))
                await asyncio.sleep(0.01)
            await line.send(frame(ENTRIES[0]))
            await line.hold()

        async with answering(be_quiet) as wire, client(wire.url) as howff:
            async with aclosing(howff.lobby.feed()) as feed:
                assert [await anext(feed), await anext(feed)] == [SNAPSHOT, ENTRIES[0]]
            assert len(wire.asked) == 1

    run(story)


@pytest.mark.parametrize("is_quiet", [True, False])
def test_a_feed_that_brings_nothing_is_given_up(is_quiet: bool) -> None:  # noqa: FBT001
    async def promise(_: Asked, line: Line) -> None:
        await line.send(FEED)
        while not is_quiet:
            await line.send(heartbeat(NEWEST))
            await asyncio.sleep(0.005)
        await line.hold()

    patience = IMPATIENT if is_quiet else SOON_TIRED
    assert ("silence" if is_quiet else "a snapshot") in refusal_of(promise, patience)


def test_a_feed_that_never_makes_sense_is_given_up() -> None:
    async def tell_nonsense(_: Asked, line: Line) -> None:
        await line.send(FEED + frame(ENTRIES[3]))

    assert "after a snapshot" in refusal_of(tell_nonsense)


def test_ones_own_feed_has_a_path_of_its_own() -> None:
    async def story() -> Any:
        async with answering(tell_rest) as wire, client(wire.url, "token") as howff:
            for feed in (howff.lobby.feed(), howff.lobby.own_feed()):
                async with aclosing(feed):
                    assert await anext(feed) == SNAPSHOT
            assert [asked.target for asked in wire.asked] == ["/v1/lobby/feed", "/v1/me/feed"]
            assert wire.asked[1].headers["authorization"] == "Bearer token"

    run(story)
