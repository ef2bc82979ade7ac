"""The format of a server's folder: an older Howff keeps off what a newer one has made."""

from pathlib import Path
from typing import Final

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from howff.cli.machine.formats import FORMAT, OtherFormatError, check_format
from howff.lobby.app import opening as lobby
from howff.match.commit import Commit
from howff.scoring import app as scoring
from howff.servicekit.eventstore.commits import SCHEMA
from howff.servicekit.nats.server import free_ports
from support.cli import howff

FORMS: Final = {
    1: {"lobby": "0002", "scoring": "0003", "commits of matches": 1, "commits of tables": 1},
    2: {"lobby": "0003", "scoring": "0003", "commits of matches": 1, "commits of tables": 1},
}
"""What each format is made of."""


def test_whoever_changes_a_form_raises_the_format() -> None:
    assert FORMS[FORMAT] == {
        "lobby": newest_in(lobby.MIGRATIONS),
        "scoring": newest_in(scoring.MIGRATIONS),
        "commits of matches": Commit.__dataclass_fields__["schema"].default,
        "commits of tables": SCHEMA,
    }


def newest_in(migrations: Path) -> str | None:
    config = Config()
    config.set_main_option("script_location", str(migrations))
    return ScriptDirectory.from_config(config).get_current_head()


def test_a_folder_without_a_format_gets_this_one_and_keeps_it(tmp_path: Path) -> None:
    for _ in range(2):
        check_format(tmp_path)
        assert (tmp_path / "format").read_text() == f"{FORMAT}\n"


@pytest.mark.parametrize("told", [f"{FORMAT + 1}\n", "99999999999999999999", "one", ""])
def test_a_folder_of_another_format_is_refused_and_left_alone(tmp_path: Path, told: str) -> None:
    (tmp_path / "format").write_text(told)
    with pytest.raises(OtherFormatError):
        check_format(tmp_path)
    assert (tmp_path / "format").read_text() == told


def test_a_server_says_in_a_line_that_its_folder_is_of_a_newer_howff(tmp_path: Path) -> None:
    (tmp_path / "format").write_text(f"{FORMAT + 1}")
    port, nats_port = map(str, free_ports(2))
    ports = ("--port", port, "--nats-port", nats_port)
    refused = howff("up", "--data", str(tmp_path), *ports)
    assert refused.exit_code == 1
    (line,) = refused.stderr.splitlines()
    assert line.startswith("other_format")
    assert f"found format {FORMAT + 1}" in line
    assert not (tmp_path / "nats").exists()
