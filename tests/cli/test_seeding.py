"""The demo that a server may be started with."""

import json
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from rich.console import Console

from conftest import IS_LONG
from howff.cli.machine.seeding import IN_PLAY, NAMES, OPEN, PLAYED, seed_demo
from support.howff_up import Up, running, wait_for


def test_a_demo_is_added_by_the_public_api_and_told_of_in_the_folder(
    server: Up, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = {"game": "appenzell", "seats": [{"bot": "random"}] * 2, "watch": "public"}
    monkeypatch.setattr("howff.cli.machine.seeding.WATCHED", quick)
    monkeypatch.setattr("howff.cli.machine.seeding.PLAYED", (("appenzell", (1, 2)),))
    output = StringIO()
    for _ in range(2):
        seed_demo(tmp_path, server.url, Console(file=output, width=500))
    first, second = output.getvalue().split("Log in as ")
    assert first == "Adding a demo: some players, matches and tables\n"
    assert second.count("The demo was added before") == 1
    players = json.loads((tmp_path / "demo.json").read_text())["players"]
    assert [name.partition("-")[0] for name in players] == list(NAMES)
    for name, password in players.items():
        login = {"grant_type": "password", "username": name, "password": password}
        assert httpx.post(f"{server.url}/v1/tokens", data=login).status_code == 200


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
