"""Golden playthroughs of every game; `--write-playthroughs -k KEY` writes those of one anew."""

import json
from pathlib import Path

import pytest

from engine.conformance.playthroughs import (
    FOLDER,
    cases_kept,
    check_folds,
    lines_of,
    path_of,
    paths_of,
    text_of,
)
from engine.conformance.subjects import GAMES, Case
from howff.engine.game import AnyGame

BOUND = 300_000
"""The most bytes of a file."""


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.name) for game in GAMES for case in cases_kept(game)],
)
def test_the_rules_decide_a_playthrough_as_they_did(
    case: Case, pytestconfig: pytest.Config
) -> None:
    path = path_of(case.name)
    if pytestconfig.getoption("--write-playthroughs"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text_of(case), "utf-8")
    recorded = lines_of(path)
    assert path.stat().st_size < BOUND
    for version, (line, again) in enumerate(zip(recorded, text_of(case).splitlines(), strict=True)):
        assert line == again, f"the rules decide version {version} otherwise"


@pytest.mark.parametrize(
    ("game", "path"),
    [pytest.param(game, path, id=path.stem) for game in GAMES for path in paths_of(game)],
)
def test_the_events_of_a_playthrough_lead_to_the_same_states_and_views(
    game: AnyGame, path: Path
) -> None:
    check_folds(game, path)


@pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])
def test_a_playthrough_that_lacks_an_event_is_noticed(game: AnyGame, tmp_path: Path) -> None:
    lines = lines_of(path_of(cases_kept(game)[0].name))
    forged = tmp_path / "forged.jsonl"
    last = json.loads(lines[-1])
    last["events"].pop()
    forged.write_text("\n".join((*lines[:-1], json.dumps(last))), "utf-8")
    with pytest.raises(AssertionError, match="looks different"):
        check_folds(game, forged)


def test_a_missing_playthrough_is_named_with_what_writes_it() -> None:
    missing = path_of("new-2")
    with pytest.raises(AssertionError, match=r"new-2\.jsonl: no golden .* -k new"):
        lines_of(missing)
