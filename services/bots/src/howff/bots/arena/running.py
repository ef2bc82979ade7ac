"""Playing the matches of a tournament on all processors."""

import multiprocessing
import signal
import time
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager

from howff.bots.arena.tournaments import Pairing, Played, Tournament, play_pairing
from howff.servicekit.pools import live_as_child


def run(tournament: Tournament, processes: int) -> Generator[Played, None, None]:
    """Yield the matches as they end, in any order.

    Whoever closes the iterator, or is interrupted in it, ends what is being played at once.
    """
    others = multiprocessing.active_children()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, live_as_child) as pool:
        with _interrupts_held_back():
            tasks = [pool.submit(_play, tournament, each) for each in tournament.pairings]
        try:
            for task in as_completed(tasks):
                yield task.result()
        finally:
            if not all(task.done() for task in tasks):
                for process in multiprocessing.active_children():
                    if process not in others:
                        process.terminate()


@contextmanager
def _interrupts_held_back() -> Generator[None, None, None]:
    """Let processes that start now never see Ctrl-C, which ends whoever waits for them.

    It comes after the context where it has come within.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _play(tournament: Tournament, pairing: Pairing) -> Played:
    return play_pairing(tournament, pairing, time.thread_time_ns)
