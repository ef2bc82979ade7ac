"""What the tests of the command share: a folder for logins, and a server that runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.howff_up import Up, running
from support.online import log_in


@pytest.fixture(scope="session", autouse=True)
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the logins of tests where nobody else's are; let servers of tests hash cheaply."""
    folder = tmp_path_factory.mktemp("configuration")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("XDG_CONFIG_HOME", str(folder))
        environment.setenv("HOWFF_PASSWORD_KIBIBYTES", "1024")
        environment.setenv("HOWFF_LIMITS", "false")
        yield folder


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, configuration: Path) -> Iterator[Up]:
    """Give a server where freya and jack have accounts, and are logged in."""
    assert configuration.exists()
    with running(tmp_path_factory.mktemp("server") / "var") as up:
        log_in(up, "freya", "jack")
        yield up
        assert up.violations == []
