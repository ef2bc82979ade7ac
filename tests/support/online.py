"""The commands that work with a server, as freya types them."""

import re
from typing import Final

from typer.testing import Result

from support.cli import howff
from support.howff_up import Up

SHORT: Final = ("troedler", "--seats", "2", "-o", "round_limit=1", "-o", "dealing=auto")
FREYA: Final = ("--account", "freya")


def play(server: Up, *arguments: str, typed: str) -> Result:
    return howff("play", *arguments, "--server", server.url, *FREYA, typed=typed)


def url_in(output: str) -> str:
    found = re.search(r"http://localhost:\d+/v1/matches/[0-9a-f-]+", output)
    assert found is not None, output
    return found[0]


def refused(result: Result, code: str) -> bool:
    return (
        result.exit_code == 1
        and result.stderr.startswith(code)
        and isinstance(result.exception, SystemExit)
    )
