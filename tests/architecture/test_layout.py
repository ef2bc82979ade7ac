"""The shape of the code: one namespace, and who may import whom."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")
TROEDLER = "libs/engine/src/howff/engine/games/troedler"

VIOLATIONS = {
    "packages: command, services, libraries, match, engine": (
        "libs/engine/src/howff/engine/seats.py",
        "import howff.match.seals",
    ),
    "the pure core does no I/O and draws no luck of its own": (
        "libs/match/src/howff/match/draws.py",
        "import random",
    ),
    "the engine needs the standard library alone": (
        "libs/engine/src/howff/engine/codec.py",
        "import rfc8785",
    ),
    "servicekit knows no game and no match": (
        "libs/servicekit/src/howff/servicekit/aggregates.py",
        "import howff.match.match",
    ),
    "services meet telemetry through servicekit alone": (
        "services/game/src/howff/game/app.py",
        "import opentelemetry.trace",
    ),
    "the client knows the public API alone": (
        "libs/client/src/howff/client/__init__.py",
        "import howff.match.match",
    ),
    "the commands know services by their API alone": (
        "libs/cli/src/howff/cli/app.py",
        "import howff.game.app",
    ),
    "each service: app, api and adapters, application, domain": (
        "services/game/src/howff/game/application/feeds.py",
        "import howff.game.adapters.streams",
    ),
    "games are independent of each other": (
        "libs/engine/src/howff/engine/games/other.py",
        "import howff.engine.games.troedler.data",
    ),
    "each game: what players see over behaviour over moves and events over state over data": (
        f"{TROEDLER}/evolve.py",
        "import howff.engine.games.troedler.rules",
    ),
    "engine: games over the common parts": (
        "libs/engine/src/howff/engine/play.py",
        "import howff.engine.catalogue",
    ),
    "match: proofs over decisions over commits over their forms": (
        "libs/match/src/howff/match/commit.py",
        "import howff.match.verify",
    ),
}


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of the code under *root*.

    Without `site` the installed code is out of sight, which would be mixed in otherwise.
    """
    sources = (*sorted(root.glob("*/*/src")), sysconfig.get_path("purelib"))
    return subprocess.run(  # noqa: S603 — the linter that `make imports` runs
        [sys.executable, "-S", str(LINT_IMPORTS), "--no-cache"],
        cwd=root,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, sources))},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for folder in ("libs", "services"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path


def test_every_contract_has_a_violation_to_be_tried_with() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert {contract["name"] for contract in settings["contracts"]} == VIOLATIONS.keys()


@pytest.mark.parametrize("contract", VIOLATIONS)
def test_a_planted_violation_breaks_its_contract(contract: str, copied: Path) -> None:
    name, line = VIOLATIONS[contract]
    file = copied / name
    text = file.read_text() if file.exists() else ""
    file.write_text(f"{text}\n{line}\n")
    linted = lint_imports(copied)
    assert linted.returncode == 1
    assert f"{contract} BROKEN" in linted.stdout.replace("\n", " ")


def test_howff_is_one_namespace_without_init_files() -> None:
    folders = list(ROOT.glob("*/*/src/howff"))
    assert folders
    assert not [folder for folder in folders if (folder / "__init__.py").exists()]
