"""Signals that ask a server to end: the first one counts, once nothing would be lost."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from howff.cli.machine.signals import EndingSignals

ASKING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
each_signal = pytest.mark.parametrize("asking", ASKING)


@pytest.fixture
def signals() -> Iterator[EndingSignals]:
    before = {each: signal.signal(each, signal.default_int_handler) for each in ASKING}
    heard = EndingSignals()
    heard.hear()
    yield heard
    for each, handler in before.items():
        signal.signal(each, handler)


def send(asking: signal.Signals) -> None:
    os.kill(os.getpid(), asking)


@each_signal
@pytest.mark.usefixtures("signals")
def test_the_first_one_breaks_in_and_no_other(asking: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt):
        send(asking)
    for each in ASKING:
        send(each)


@each_signal
def test_what_would_be_lost_is_finished_first(
    signals: EndingSignals, asking: signal.Signals
) -> None:
    finished: list[signal.Signals] = []

    def make() -> None:
        with signals.held():
            send(asking)
            finished.append(asking)

    with pytest.raises(KeyboardInterrupt):
        make()
    assert finished == [asking]


@each_signal
def test_none_disturbs_an_end_that_has_begun(
    signals: EndingSignals, asking: signal.Signals
) -> None:
    signals.hear_no_more()
    send(asking)


def test_a_hangup_that_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    others = {each: signal.getsignal(each) for each in ASKING[:2]}
    EndingSignals().hear()
    assert signal.signal(signal.SIGHUP, before) == signal.SIG_IGN
    for each, handler in others.items():
        signal.signal(each, handler)


def test_ctrl_c_while_the_command_is_loaded_is_no_traceback() -> None:
    program = """if True:
        import os, signal, sys
        from howff.cli.__main__ import run

        class CtrlC:
            def find_spec(self, name, *_):
                if name == "howff.cli.app":
                    os.kill(os.getpid(), signal.SIGINT)

        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.meta_path.insert(0, CtrlC())
        run()
        """
    ended = subprocess.run(  # noqa: S603 — the command under test
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 128 + signal.SIGINT
    assert ended.stdout == ended.stderr == ""
