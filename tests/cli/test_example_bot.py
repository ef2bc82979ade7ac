"""The bot of the README: it is the file, it is short, and it plays on a real server."""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from support.cli import howff
from support.howff_up import WITHIN, Up

ROOT = Path(__file__).parents[2]
BOT = ROOT / "examples" / "bot.py"


def ended_with(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 — the example itself
        [sys.executable, str(BOT), *words],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_readme_shows_the_bot_as_it_is() -> None:
    assert f"```python\n{BOT.read_text()}```\n" in (ROOT / "README.md").read_text()


def test_it_has_sixty_lines_at_most() -> None:
    assert len(BOT.read_text().splitlines()) <= 60


@pytest.mark.parametrize("words", [(), ("troedler",), ("troedler", "two"), ("2", "troedler")])
def test_it_tells_how_it_is_started(words: tuple[str, ...]) -> None:
    ended = ended_with(*words)
    assert ended.stderr.startswith("A bot for Howff")
    assert ended.returncode == 1


def test_a_refusal_of_the_server_is_told_in_a_line(server: Up) -> None:
    ended = ended_with("juggling", "2", HOWFF_SERVER=server.url)
    assert ended.stderr.startswith("unknown game")
    assert len(ended.stderr.splitlines()) == 1


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
