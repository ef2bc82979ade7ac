import asyncio
import json
from contextlib import aclosing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from howff.client.errors import BrokenFeedError, ProblemError, UnexpectedAnswerError
from howff.client.patience import Patience
from support.clients import HURRIED, SOON_TIRED, client
from support.running import run, until
from support.wire import FEED, Answering, Asked, Line, answer, answering, chunk, problem

NEWEST = 12
COMMITS = [{"version": version, "text": "Mòr · 🏰"} for version in range(1, NEWEST + 1)]


def frame(kind: str, version: int) -> bytes:
    """Return one frame of a feed, as a chunk of an answer."""
    content = COMMITS[version - 1] if kind == "commit" else {"version": version}
    told = json.dumps(content, ensure_ascii=False)
    named = f"id: {version}\n" if kind == "commit" else ""
    return chunk(f"{named}event: {kind}\ndata: {told}\n\n".encode())


def commits_after(version: int) -> bytes:
    return b"".join(frame("commit", each) for each in range(version + 1, NEWEST + 1))


def last_seen(asked: Asked) -> int:
    return int(asked.headers.get("last-event-id", "0"))


async def tell_all(asked: Asked, line: Line) -> None:
    await line.send(FEED + commits_after(last_seen(asked)) + frame("over", NEWEST) + b"0\r\n\r\n")


def first_then_all(*beginnings: bytes) -> Answering:
    """Return how to answer with each of *beginnings*, then hanging up, and at last as it should."""
    left = iter(beginnings)

    async def give(asked: Asked, line: Line) -> None:
        beginning = next(left, None)
        if beginning is None:
            await tell_all(asked, line)
        else:
            await line.send(beginning)

    return give


async def followed(url: str, after: int = 0, patience: Patience = HURRIED) -> list[Any]:
    async with client(url, patience=patience) as howff:
        return [commit async for commit in howff.feed("m", after=after, viewer="spectator")]


def told_by(answer_with: Answering, after: int = 0) -> list[Any]:
    """Return the commits that a feed brings from a server that does so."""

    async def story() -> list[Any]:
        async with answering(answer_with) as wire:
            return await followed(wire.url, after)

    return run(story)


def refusal_of(answer_with: Answering, kind: type[Exception]) -> Exception:
    """Return how a feed ends whose server does so for ever."""

    async def story() -> Exception:
        async with answering(answer_with) as wire:
            with pytest.raises(kind) as refusal:
                await followed(wire.url, patience=SOON_TIRED)
            return refusal.value

    return run(story)


@given(
    cuts=st.lists(st.tuples(st.integers(0, 1500), st.booleans()), max_size=8),
    after=st.integers(0, NEWEST),
)
def test_a_feed_that_is_cut_anywhere_brings_every_commit_once(
    cuts: list[tuple[int, bool]], after: int
) -> None:
    left = iter(cuts)

    async def cut(asked: Asked, line: Line) -> None:
        size, is_reset = next(left, (None, False))
        whole = FEED + commits_after(last_seen(asked)) + frame("over", NEWEST) + b"0\r\n\r\n"
        await line.send(whole[:size])
        if is_reset:
            await line.reset()

    assert told_by(cut, after) == COMMITS[after:]


def test_a_feed_comes_back_for_what_is_after_the_last_commit() -> None:
    async def story() -> None:
        beginning = FEED + frame("commit", 1) + frame("commit", 2)
        async with answering(first_then_all(beginning)) as wire:
            assert await followed(wire.url) == COMMITS
            targets = [asked.target for asked in wire.asked]
            assert targets == [
                "/v1/matches/m/events?as=spectator&after=0",
                "/v1/matches/m/events?as=spectator&after=2",
            ]
            assert "last-event-id" not in wire.asked[0].headers
            assert wire.asked[1].headers["last-event-id"] == "2"
            assert wire.asked[1].headers["accept"] == "text/event-stream"

    run(story)


def test_what_comes_twice_is_told_once() -> None:
    twice = FEED + b"".join(2 * frame("commit", version) for version in (1, 2, 1, 3, 2))
    assert told_by(first_then_all(twice)) == COMMITS


def test_a_gap_is_noticed_and_filled() -> None:
    gap = FEED + frame("commit", 1) + frame("commit", 3)
    assert told_by(first_then_all(gap, FEED + frame("commit", 5))) == COMMITS


def test_an_end_that_comes_too_early_is_not_believed() -> None:
    assert told_by(first_then_all(FEED + frame("commit", 1) + frame("over", NEWEST))) == COMMITS


def test_a_match_that_is_over_and_known_ends_the_feed() -> None:
    async def nothing_more(_: Asked, line: Line) -> None:
        await line.send(b"HTTP/1.1 204 No Content\r\n\r\n")

    assert told_by(nothing_more, NEWEST) == []


def test_silence_is_noticed() -> None:
    async def fall_silent(asked: Asked, line: Line) -> None:
        if last_seen(asked):
            await tell_all(asked, line)
        else:
            await line.send(FEED + frame("commit", 1))
            await line.hold()

    assert told_by(fall_silent) == COMMITS


def test_commits_that_are_told_of_and_do_not_come_are_fetched() -> None:
    async def lag(asked: Asked, line: Line) -> None:
        if last_seen(asked):
            await tell_all(asked, line)
            return
        await line.send(FEED + frame("commit", 1))
        while True:
            await line.send(frame("heartbeat", NEWEST))
            await asyncio.sleep(0.01)

    assert told_by(lag) == COMMITS


def test_a_heartbeat_that_is_ahead_for_a_moment_breaks_nothing() -> None:
    async def story() -> None:
        async def ahead(asked: Asked, line: Line) -> None:
            await line.send(FEED + frame("heartbeat", NEWEST) * 3)
            await tell_rest(asked, line)

        async def tell_rest(asked: Asked, line: Line) -> None:
            await line.send(commits_after(last_seen(asked)) + frame("over", NEWEST) + b"0\r\n\r\n")

        async with answering(ahead) as wire:
            assert await followed(wire.url) == COMMITS
            assert len(wire.asked) == 1

    run(story)


def test_a_service_that_is_away_for_a_while_is_waited_for() -> None:
    away = (problem(503, "unavailable"), answer(502), b"", problem(503, "unavailable"))
    assert told_by(first_then_all(*away)) == COMMITS


def test_a_refused_feed_ends_with_the_refusal() -> None:
    async def refuse(_: Asked, line: Line) -> None:
        await line.send(problem(404, "no_such_match"))

    refusal = refusal_of(refuse, ProblemError)
    assert isinstance(refusal, ProblemError)
    assert refusal.code == "no_such_match"


def test_something_that_is_no_feed_is_refused() -> None:
    async def tell_otherwise(_: Asked, line: Line) -> None:
        await line.send(answer(200, {"hello": "world"}))

    assert "application/json" in str(refusal_of(tell_otherwise, UnexpectedAnswerError))


@pytest.mark.parametrize(
    "strange",
    [
        frame("commit", 2),
        chunk(b"event: commit\n\n"),
        chunk(b'event: commit\ndata: {"version"\n\n'),
        chunk(b'event: commit\ndata: {"version": "one"}\n\n'),
        chunk(b"event: heartbeat\ndata: [1]\n\n"),
        frame("over", NEWEST),
        b"0\r\n\r\n",
    ],
)
def test_a_feed_that_never_makes_sense_is_given_up(strange: bytes) -> None:
    async def tell_nonsense(_: Asked, line: Line) -> None:
        await line.send(FEED + strange)

    assert "broken feed" in str(refusal_of(tell_nonsense, BrokenFeedError))


def test_a_feed_that_only_promises_is_given_up() -> None:
    async def promise(_: Asked, line: Line) -> None:
        await line.send(FEED)
        while True:
            await line.send(frame("heartbeat", NEWEST))
            await asyncio.sleep(0.005)

    assert "version 1," in str(refusal_of(promise, BrokenFeedError))


def test_a_feed_may_be_left_before_its_end() -> None:
    async def story() -> None:
        hung_up: list[int] = []

        async def go_on(asked: Asked, line: Line) -> None:
            await line.send(FEED + frame("commit", 1))
            try:
                while True:
                    await line.send(frame("heartbeat", 1))
                    await asyncio.sleep(0.005)
            except ConnectionError:
                hung_up.append(last_seen(asked))

        async with answering(go_on) as wire, client(wire.url) as howff:
            async with aclosing(howff.feed("m")) as feed:
                assert await anext(feed) == COMMITS[0]
            await until(lambda: hung_up == [0])

    run(story)


def test_whoever_takes_long_over_a_commit_loses_no_patience_by_it() -> None:
    patience = Patience(trying=1.0)

    async def story() -> list[Any]:
        beginning = first_then_all(FEED + frame("commit", 1))
        async with (
            answering(beginning) as wire,
            client(wire.url, patience=patience) as howff,
            aclosing(howff.feed("m")) as feed,
        ):
            first = await anext(feed)
            await asyncio.sleep(2 * patience.trying)
            return [first, *[commit async for commit in feed]]

    assert run(story) == COMMITS
