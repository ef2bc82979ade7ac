"""The demo that a server may be started with."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from conftest import IS_LONG
from howff.cli.seeding import IN_PLAY, NAMES, OPEN, PLAYED
from support.howff_up import running, wait_for


@pytest.mark.skipif(not IS_LONG, reason="a whole server more, and four matches")
def test_a_demo_has_players_tables_and_matches_and_is_added_once(tmp_path: Path) -> None:
    output = tmp_path / "var.output"
    with running(tmp_path / "var", "--seed-demo") as server, httpx.Client() as http:

        def listed(path: str) -> list[Any]:
            items: list[Any] = http.get(f"{server.url}{path}").json()["items"]
            return items

        def is_listed(path: str, least: int) -> bool:
            return len(listed(path)) >= least

        wait_for(lambda: "Log in as" in server.output, output)
        for path, least in (
            ("/v1/lobby/tables", len(OPEN)),
            ("/v1/lobby/matches?state=ended", len(PLAYED)),
            ("/v1/lobby/matches?state=playing", len(IN_PLAY)),
            ("/v1/leaderboards/troedler", len(NAMES)),
        ):
            wait_for(partial(is_listed, path, least), output)

        players = json.loads((server.data / "demo.json").read_text())["players"]
        assert (server.data / "demo.json").stat().st_mode & 0o777 == 0o600
        for name, password in players.items():
            login = {"grant_type": "password", "username": name, "password": password}
            assert http.post(f"{server.url}/v1/tokens", data=login).status_code == 200

        assert server.stop() == 0
        server.start()
        wait_for(lambda: "The demo was added before" in server.output, output)
        assert len(listed("/v1/lobby/tables")) == len(OPEN)
        assert len(listed("/v1/leaderboards/troedler")) == len(NAMES)
