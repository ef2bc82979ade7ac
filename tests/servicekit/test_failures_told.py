"""Logs tell where a failure came from, and nothing of what a running match hides."""

import asyncio
import gc
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest
from nats.aio.msg import Msg
from pydantic import BaseModel

from howff.engine.games.troedler.evolve import evolve
from howff.servicekit.nats.connection import connect
from howff.servicekit.telemetry.failures import KEPT_BACK
from howff.servicekit.telemetry.logs import LogFormat
from support.nats import shared_server, unique
from support.running import run, until
from support.telemetry import logging_to
from support.working import FinalError

HIDDEN: Final = "the card on top"


@dataclass(frozen=True)
class NewEvent:
    card: str = HIDDEN


class Form(BaseModel):
    number: int


def unknown_event() -> None:
    state: Any = None
    event: Any = NewEvent()
    evolve(state, event)


def told_on() -> None:
    try:
        unknown_event()
    except AssertionError as error:
        raise RuntimeError(str(error)) from error


def met_on_the_way() -> None:
    try:
        unknown_event()
    except AssertionError as error:
        raise RuntimeError(str(error))  # noqa: B904 — as it happens


def several() -> None:
    try:
        unknown_event()
    except AssertionError as error:
        raise ExceptionGroup("several", [OSError("no space left"), error]) from None


def of_another_form() -> None:
    Form.model_validate({"number": HIDDEN})


def logged(form: LogFormat, failing: Callable[[], None]) -> str:
    with logging_to(form, "howff.test") as (logger, stream):
        try:
            failing()
        except Exception:
            logger.exception("it failed")
        return stream.getvalue()


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "failing", [unknown_event, told_on, met_on_the_way, several, of_another_form]
)
def test_what_is_hidden_is_not_quoted(failing: Callable[[], None], form: LogFormat) -> None:
    told = logged(form, failing)
    assert HIDDEN not in told
    assert KEPT_BACK in told
    assert f"in {failing.__name__}" in told


def test_the_rest_of_a_group_is_told() -> None:
    told = logged("text", several)
    assert "  | OSError: no space left" in told
    assert f"  | AssertionError: {KEPT_BACK}" in told


@pytest.mark.parametrize("error", [OSError("no space left"), FinalError()])
def test_what_quotes_nothing_is_told(error: Exception) -> None:
    def failing() -> None:
        raise error

    told = logged("text", failing)
    assert f"{type(error).__name__}: {error}" in told
    assert KEPT_BACK not in told


@pytest.mark.parametrize("form", ["text", "json"])
def test_nor_is_it_quoted_of_a_task_that_nobody_waits_for(form: LogFormat) -> None:
    async def failing() -> None:
        unknown_event()

    async def story() -> None:
        tasks = [asyncio.create_task(failing())]
        await asyncio.sleep(0)
        tasks.clear()
        gc.collect()

    with logging_to(form, "asyncio") as (_, stream):
        asyncio.run(story())
        told = stream.getvalue()
    assert "Task exception was never retrieved" in told
    assert HIDDEN not in told


def test_nor_of_what_is_called_with_messages(caplog: pytest.LogCaptureFixture) -> None:
    async def receive(_: Msg) -> None:
        unknown_event()

    async def story() -> None:
        subject = unique("heard")
        async with await connect(shared_server().url, name="test") as connection:
            await connection.client.subscribe(subject, cb=receive)
            await connection.client.publish(subject, b"")
            await until(lambda: KEPT_BACK in caplog.text)

    run(story)
    assert HIDDEN not in "".join(each.getMessage() for each in caplog.records)


def test_what_ends_a_process_is_told_alike() -> None:
    code = (
        "from howff.servicekit.telemetry.logs import set_up_logs\n"
        "from howff.engine.games.troedler.evolve import evolve\n"
        "set_up_logs('text')\n"
        f"evolve(None, {HIDDEN!r})\n"
    )
    ended = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert HIDDEN not in ended.stderr
    assert "CRITICAL howff.servicekit.telemetry.logs the process ends" in ended.stderr
