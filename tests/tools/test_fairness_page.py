"""The commands of docs/fairness.md print what stands there, with nothing but openssl and jq."""

import shutil

import pytest

from howff.engine.catalogue import game_of
from howff.match.export import read_export
from howff.match.verify import verify
from support.worked_example import NEEDS, ROOT, printed_by, steps

MISSING = [name for name in NEEDS if shutil.which(name) is None]


@pytest.mark.skipif(bool(MISSING), reason=f"not installed here: {', '.join(MISSING)}")
def test_the_commands_of_the_page_print_what_stands_below_them() -> None:
    shown = steps()
    printed = printed_by([step.commands for step in shown])

    assert len(shown) == 7
    for step, found in zip(shown, printed, strict=True):
        assert found == step.printed, step.commands


def test_the_match_of_the_page_verifies() -> None:
    export = read_export((ROOT / "docs" / "examples" / "match.jsonl").read_bytes())

    assert verify(export, game_of(export.header.game)).failure is None
