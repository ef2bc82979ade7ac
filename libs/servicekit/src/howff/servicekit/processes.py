"""Child processes."""

import signal
import subprocess
from typing import Any


def end(process: subprocess.Popen[Any], within: float) -> None:
    """Ask *process* to end and wait until it has; kill it after so many seconds."""
    process.send_signal(signal.SIGCONT)  # one that is paused hears nothing
    process.terminate()
    try:
        process.wait(within)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
