"""The command, as it is called by its name or by `python -m howff.cli`."""

import signal
import sys


def run() -> None:
    """Run the command line; Ctrl-C while it is loaded, which takes a while, ends it at once."""
    try:
        from howff.cli.app import run as run_loaded  # noqa: PLC0415
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    run_loaded()


if __name__ == "__main__":
    run()
