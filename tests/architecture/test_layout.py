"""The shape of the code: one namespace, and who may import whom."""

import os
import re
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
    "packages: command, services, libraries, match, engine": [
        ("libs/engine/src/howff/engine/seats.py", "howff.match.seals"),
        ("services/lobby/src/howff/lobby/application/news.py", "howff.game.application.feeds"),
        ("services/game/src/howff/game/application/feeds.py", "howff.lobby.application.news"),
        ("services/scoring/src/howff/scoring/domain/results.py", "howff.game.domain.errors"),
    ],
    "the pure core does no I/O and draws no luck of its own": [
        ("libs/match/src/howff/match/draws.py", "random"),
        ("services/bots/src/howff/bots/policies/greedy.py", "random"),
        ("services/lobby/src/howff/lobby/domain/tables/rules.py", "sqlalchemy"),
        ("services/lobby/src/howff/lobby/domain/tickets/rules.py", "howff.servicekit.clock"),
        ("services/scoring/src/howff/scoring/domain/ratings.py", "howff.contracts.ratings"),
    ],
    "the engine needs the standard library alone": [
        ("libs/engine/src/howff/engine/codec.py", "rfc8785"),
    ],
    "servicekit knows no game and no match": [
        ("libs/servicekit/src/howff/servicekit/aggregates.py", "howff.match.match"),
    ],
    "services meet telemetry through servicekit alone": [
        ("services/game/src/howff/game/app.py", "opentelemetry"),
        ("services/lobby/src/howff/lobby/app.py", "opentelemetry"),
        ("services/scoring/src/howff/scoring/app.py", "opentelemetry"),
    ],
    "the client knows the public API alone": [
        ("libs/client/src/howff/client/__init__.py", "howff.match.match"),
    ],
    "the commands know services by their API alone": [
        ("libs/cli/src/howff/cli/app.py", "howff.game.app"),
        ("libs/cli/src/howff/cli/app.py", "howff.lobby.app"),
        ("libs/cli/src/howff/cli/app.py", "howff.scoring.app"),
    ],
    "command: options over what they do over matches here and servers over the terminal": [
        ("libs/cli/src/howff/cli/machine/up.py", "howff.cli.online.watching"),
        ("libs/cli/src/howff/cli/local/matches.py", "howff.cli.server.terms"),
        ("libs/cli/src/howff/cli/terminal/choosing.py", "howff.cli.server.matches"),
        ("libs/cli/src/howff/cli/files.py", "howff.cli.terminal.console"),
    ],
    "each service: app, api and adapters, application, domain": [
        ("services/game/src/howff/game/application/feeds.py", "howff.game.adapters.streams"),
        ("services/lobby/src/howff/lobby/application/news.py", "howff.lobby.adapters.streams"),
        ("services/lobby/src/howff/lobby/api/tables.py", "howff.lobby.adapters.streams"),
        ("services/lobby/src/howff/lobby/domain/errors.py", "howff.lobby.application.news"),
        ("services/scoring/src/howff/scoring/api/deps.py", "howff.scoring.adapters.queries"),
        ("services/scoring/src/howff/scoring/drill.py", "howff.scoring.app"),
    ],
    "bots: app, adapters, application, tournaments and proofs, policies": [
        ("services/bots/src/howff/bots/adapters/work.py", "howff.bots.app"),
        ("services/bots/src/howff/bots/application/players.py", "howff.bots.adapters.server"),
        ("services/bots/src/howff/bots/blindness.py", "howff.bots.application.errors"),
        ("services/bots/src/howff/bots/statements.py", "howff.bots.blindness"),
        ("services/bots/src/howff/bots/policies/greedy.py", "howff.bots.statements"),
        ("services/bots/src/howff/bots/arena/matches.py", "howff.bots.blindness"),
    ],
    "processes that think or verify load what that needs alone": [
        ("libs/servicekit/src/howff/servicekit/pools.py", "howff.servicekit.sql.database"),
        ("services/scoring/src/howff/scoring/domain/verifying.py", "nats"),
        ("services/bots/src/howff/bots/adapters/thinkers.py", "pydantic"),
    ],
    "games are independent of each other": [
        ("libs/engine/src/howff/engine/games/other.py", "howff.engine.games.troedler.data"),
    ],
    "each game: what players see over behaviour over moves and events over state over data": [
        (f"{TROEDLER}/evolve.py", "howff.engine.games.troedler.rules"),
    ],
    "engine: games over the common parts": [
        ("libs/engine/src/howff/engine/play.py", "howff.engine.catalogue"),
    ],
    "match: proofs over decisions over commits over their forms": [
        ("libs/match/src/howff/match/commit.py", "howff.match.verify"),
    ],
}
"""By contract, modules and what each of them imports against it."""


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of the code under *root*.

    Without `site` the installed code is out of sight, which would be mixed in otherwise.
    """
    sources = (*sorted(root.glob("*/*/src")), sysconfig.get_path("purelib"))
    return subprocess.run(  # noqa: S603 — the linter that `make imports` runs
        [sys.executable, "-S", str(LINT_IMPORTS), "--no-cache"],
        cwd=root,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, sources)), "COLUMNS": "1000"},
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


def test_planted_violations_break_their_contracts(copied: Path) -> None:
    """All at once, since the linter reads all code each time; it names what breaks a contract."""
    planted = [(contract, *line) for contract, lines in VIOLATIONS.items() for line in lines]
    for _, name, imported in planted:
        with (copied / name).open("a") as file:
            file.write(f"\nimport {imported}\n")
    linted = lint_imports(copied)
    assert linted.returncode == 1
    sections = broken_contracts(linted.stdout)
    unnoticed = [
        (contract, name, imported)
        for contract, name, imported in planted
        if f"{module_of(name)} -> {imported} (l." not in sections.get(contract, "")
    ]
    assert not unnoticed


def broken_contracts(told: str) -> dict[str, str]:
    """Return what the linter has *told* of each contract that it found broken, in one line."""
    _, _, broken = told.partition("Broken contracts\n")
    parts = re.split(r"\n(?=[^\n]+\n-+\n)", broken)
    sections = (part.strip().partition("\n") for part in parts)
    return {title: " ".join(text.split()) for title, _, text in sections}


def module_of(name: str) -> str:
    """Return the module of the file with this *name*."""
    return (
        name.partition("/src/")[2].removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    )


def test_howff_is_one_namespace_without_init_files() -> None:
    folders = list(ROOT.glob("*/*/src/howff"))
    assert folders
    assert not [folder for folder in folders if (folder / "__init__.py").exists()]
