"""How processes live that others have made to think or to play for them."""

import multiprocessing
import os
import signal
from multiprocessing.connection import wait
from threading import Thread


def live_as_child() -> None:
    """Leave Ctrl-C to the process that has made this one, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None, "it was made by another process"
    sentinel = parent.sentinel

    def end_with_parent() -> None:
        wait([sentinel])
        os._exit(0)

    Thread(target=end_with_parent, daemon=True).start()
