"""What all tests share: how long Hypothesis searches, the command line, what a run tells."""

import os

import pytest
from hypothesis import HealthCheck, settings

from support.postgres_kinds import settle_kind

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


POSTGRES = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Decide which PostgreSQL is used before processes start that have to use the same."""
    config.stash[POSTGRES] = f"PostgreSQL: {settle_kind()}"


def pytest_report_header(config: pytest.Config) -> str:
    return config.stash[POSTGRES]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print which PostgreSQL was used, the shares of pairs of worlds that the leak tests could
    compare, and, in the long run, what many matches are like."""
    if not terminalreporter.showheader:
        terminalreporter.write_line(f"\n{terminalreporter.config.stash[POSTGRES]}")
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
