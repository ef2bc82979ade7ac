"""The bot of the README: it is the file, it is short, and it plays on a real server."""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from support.cli import howff
from support.howff_up import WITHIN, Up

ROOT = Path(__file__).parents[2]
BOT = ROOT / "examples" / "bot.py"


def test_the_readme_shows_the_bot_as_it_is() -> None:
    assert f"```python\n{BOT.read_text()}```\n" in (ROOT / "README.md").read_text()


def test_it_has_sixty_lines_at_most() -> None:
    assert len(BOT.read_text().splitlines()) <= 60


def test_two_of_it_meet_and_play_a_match_to_its_end(server: Up, tmp_path: Path) -> None:
    environment = os.environ | {"HOWFF_SERVER": server.url}
    with ExitStack() as ending:
        bots = [
            subprocess.Popen(  # noqa: S603 — the example itself
                [sys.executable, str(BOT), "hellweg", "2"],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for _ in range(2)
        ]
        for bot in bots:
            ending.callback(bot.kill)
        outputs = [bot.communicate(timeout=WITHIN)[0] for bot in bots]

    assert [bot.returncode for bot in bots] == [0, 0], outputs
    (match,) = {output.split()[0] for output in outputs}
    file = tmp_path / "match.jsonl"
    assert howff("export", match, "--out", str(file)).exit_code == 0
    assert howff("verify", str(file)).exit_code == 0
