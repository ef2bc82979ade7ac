"""Matches that began before other rules were installed go on under these."""

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from howff.engine.catalogue import GAMES
from support.service import nats_server, service_on
from support.working_bots import Hall


def test_bots_go_on_in_a_match_that_began_under_other_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with nats_server() as nats:
        with service_on(nats) as service:
            match = Hall(service, tmp_path).start("random", "random", options={"round_limit": 1})
        newer = replace(GAMES["troedler"], rules_version="newer")
        installed = MappingProxyType({**GAMES, "troedler": newer})
        monkeypatch.setattr("howff.engine.catalogue.GAMES", installed)
        with service_on(nats) as service:
            hall = Hall(service, tmp_path)
            shown = service.eyes(None).get(f"/v1/matches/{match}").json()
            assert (shown["version"], shown["rules_version"]) == (1, "newer")
            with hall.working():
                hall.wait_until_over(match)
            first, *_ = service.log(match).commits[1].events
            assert (first["type"], first["data"]["rules_version"]) == ("RulesChanged", "newer")
