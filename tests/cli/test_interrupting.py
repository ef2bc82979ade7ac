"""Ctrl-C while a command works with a server."""

import asyncio
import os
import signal
from collections.abc import Iterator

import pytest

from howff.cli.server.interrupting import Interrupts
from howff.cli.server.servers import Server
from howff.client.client import HowffClient


@pytest.fixture(autouse=True)
def _usual() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


class Deleted:
    """Presses Ctrl-C while it is deleted, where no error gets out."""

    def __del__(self) -> None:
        press()


def test_it_ends_what_the_loop_does_and_nothing_else_of_it() -> None:
    ended: list[str] = []

    async def wait(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    with Interrupts() as interrupts, asyncio.Runner() as runner:
        loop = runner.get_loop()
        beside = loop.create_task(wait("beside"))
        asked = loop.create_task(wait("asked"))
        loop.call_soon(press)
        with (
            pytest.raises(KeyboardInterrupt),
            interrupts.ending(lambda: loop.call_soon_threadsafe(asked.cancel)),
        ):
            loop.run_until_complete(asked)
        assert ended == ["asked"]
        assert not beside.done()


def test_it_counts_though_what_ends_takes_no_notice() -> None:
    with (
        Interrupts() as interrupts,
        pytest.raises(KeyboardInterrupt),
        interrupts.ending(lambda: None),
    ):
        press()


def test_it_breaks_in_where_no_loop_runs() -> None:
    with Interrupts(), pytest.raises(KeyboardInterrupt):
        press()


def test_it_counts_at_the_next_thing_if_it_got_lost_in_a_deletion() -> None:
    with Interrupts() as interrupts:
        Deleted()
        with pytest.raises(KeyboardInterrupt), interrupts.ending(lambda: None):
            pytest.fail("it has come before")
        with interrupts.ending(lambda: None):
            pass  # it counts once


def test_what_it_ends_may_still_be_finished() -> None:
    with Interrupts() as interrupts:
        with pytest.raises(KeyboardInterrupt):
            press()
        interrupts.forget()
        with interrupts.ending(lambda: None):
            pass


def test_a_question_that_it_comes_before_is_not_asked_with_the_next_one() -> None:
    asked: list[str] = []

    async def ask(name: str) -> None:
        asked.append(name)

    with Interrupts() as interrupts, asyncio.Runner() as runner:
        client = HowffClient("http://localhost:1", ids=lambda: "")
        server = Server(runner, client, interrupts)
        Deleted()
        with pytest.raises(KeyboardInterrupt):
            server.ask(ask("first"))
        server.finish(ask("last"))
    assert asked == ["last"]


def test_it_is_what_it_was_afterwards() -> None:
    with Interrupts():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_whoever_handles_it_already_goes_on_doing_so() -> None:
    pressed: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    with Interrupts() as interrupts, interrupts.ending(lambda: pressed.append(0)):
        press()
    assert pressed == [signal.SIGINT]
