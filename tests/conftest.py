"""What all tests share: how long Hypothesis searches, and options of the command line."""

import os

import pytest
from hypothesis import HealthCheck, settings

IS_LONG = bool(os.environ.get("HOWFF_LONG"))
LONG_FACTOR = 100

settings.register_profile(
    "default",
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "long", settings.get_profile("default"), max_examples=20 * LONG_FACTOR, derandomize=False
)
settings.load_profile("long" if IS_LONG else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-playthroughs",
        action="store_true",
        help="write the golden playthroughs of the games anew",
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the shares of pairs of worlds that the leak tests could compare, and, in the long run,
    what many matches are like."""
    _print_properties(terminalreporter, "compared", "pairs of worlds compared for leaks")
    if IS_LONG:
        _print_properties(terminalreporter, "figures", "many matches at random, on average")


def _print_properties(reporter: pytest.TerminalReporter, wanted: str, title: str) -> None:
    lines = [
        f"{report.nodeid.partition('[')[2].rstrip(']')}: {text}"
        for report in reporter.getreports("passed")
        for name, text in report.user_properties
        if name == wanted
    ]
    if lines:
        reporter.section(title)
    for line in sorted(lines):
        reporter.write_line(line)
