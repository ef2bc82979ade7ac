from pathlib import Path

import pytest

from support.verifier_tables import FOLDER, files


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_what_the_verifier_knows_of_events_is_what_their_classes_say(path: Path) -> None:
    assert path.read_text("utf-8") == files()[path]


def test_the_verifier_has_a_table_of_every_game_and_of_the_platform() -> None:
    assert {*FOLDER.glob("*.json")} == set(files())
