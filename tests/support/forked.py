"""Processes that run a module from its beginning, forked off one that has imported it.

They are as real as others, with memory, environment and files of their own, and die as others do.
Only the seconds are saved that a service takes to import what it needs, each time that it is killed
and started again.
"""

import multiprocessing
import os
import runpy
import signal
import sys
from collections.abc import Mapping
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Final

CONTEXT: Final = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["howff.game.app", "howff.lobby.app", "howff.scoring.app"])


class ForkedProcess:
    """*module* as a process with this *environment*, whose output goes to the file *log*."""

    def __init__(self, module: str, environment: Mapping[str, str], log: Path) -> None:
        arguments = (module, {**os.environ, **environment}, log)
        self._process: ForkServerProcess = CONTEXT.Process(target=_run, args=arguments)
        self._process.start()

    def poll(self) -> int | None:
        """Return the code by which it has ended, if it has."""
        return self._process.exitcode

    def kill(self) -> None:
        """End it at once, as a crash would."""
        self._process.kill()

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def wait(self) -> None:
        """Wait until it has ended."""
        self._process.join()


def _run(module: str, environment: dict[str, str], log: Path) -> None:
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nothing = os.open(os.devnull, os.O_RDONLY)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for descriptor, source in ((0, nothing), (1, output), (2, output)):
        os.dup2(source, descriptor)
    sys.argv = [module]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
