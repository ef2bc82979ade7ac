"""The commands of docs/fairness.md, and what stands there as their answers."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "fairness.md"
NEEDS = ("bash", "jq", "openssl")

_STEP = re.compile(r"```sh\n(?P<commands>.*?)```\n\n```text\n(?P<printed>.*?)```\n", re.DOTALL)
_END_OF_STEP = "--- end of step ---"


@dataclass(frozen=True, slots=True)
class Step:
    """A block of commands, and the block below it."""

    commands: str
    printed: str


def steps() -> tuple[Step, ...]:
    """Return the steps of the page, in order."""
    found = _STEP.finditer(PAGE.read_text("utf-8"))
    return tuple(Step(each["commands"], each["printed"]) for each in found)


def printed_by(commands: list[str]) -> list[str]:
    """Return what each block of *commands* prints, all run one after another in one shell."""
    script = "".join(f"{block}echo '{_END_OF_STEP}'\n" for block in commands)
    run = subprocess.run(  # noqa: S603
        ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert not run.returncode, run.stderr
    return run.stdout.split(f"{_END_OF_STEP}\n")[:-1]
