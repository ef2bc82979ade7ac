"""What all tests share: how long Hypothesis searches, and options of the command line."""

import os

import pytest
from hypothesis import HealthCheck, settings

LONG_FACTOR = 100

settings.register_profile(
    "default",
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "long", settings.get_profile("default"), max_examples=20 * LONG_FACTOR, derandomize=False
)
settings.load_profile("long" if os.environ.get("HOWFF_LONG") else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-playthroughs",
        action="store_true",
        help="write the golden playthroughs of the games anew",
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the shares of pairs of worlds that the leak tests could compare."""
    lines = [
        f"{report.nodeid.partition('[')[2].rstrip(']')}: {text}"
        for report in terminalreporter.getreports("passed")
        for name, text in report.user_properties
        if name == "compared"
    ]
    if lines:
        terminalreporter.section("pairs of worlds compared for leaks")
    for line in lines:
        terminalreporter.write_line(line)
