"""Requests that are made up from the description of the API, and answers compared with it."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from conftest import IS_LONG
from support.scoring import Scoring, scoring_beside
from support.service import nats_server, service_on

MADE_UP: Final = schemathesis.Config.from_dict(
    {"generation": {"allow-extra-parameters": False, "with-security-parameters": False}}
)
EXAMPLES: Final = 500 if IS_LONG else 3
"""Of each operation."""


@pytest.fixture(scope="module")
def scoring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scoring]:
    with nats_server() as nats, service_on(nats) as game:
        table = game.table(options={"round_limit": 1})
        table.advance()
        with scoring_beside(game, tmp_path_factory.mktemp("scoring")) as service:
            service.wait_until_projected()
            yield service


@pytest.mark.filterwarnings("ignore:Do not use the `random` module")  # which its library does
def test_every_answer_is_as_described(scoring: Scoring) -> None:
    described: Any = schemathesis.openapi.from_url(f"{scoring.url}/openapi.json", config=MADE_UP)
    paths = scoring.http.get("/openapi.json").json()["paths"]
    operations = sorted((path, name.upper()) for path in paths for name in paths[path])
    for path in ("leaderboards/{game}", "statistics/{game}", "players/{player_id}/head-to-head"):
        assert (f"/v1/{path}", "GET") in operations
    headers = scoring.bearer("thor", scope="admin read")
    with requests.Session() as session:
        for path, method in operations:

            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
            )
            @given(case=described[path][method].as_strategy(GenerationMode.POSITIVE))
            def check(case: Any) -> None:
                case.call_and_validate(
                    session=session,
                    headers=headers,
                    timeout=10,
                    # Whether somebody of that name has played is no matter of form.
                    excluded_checks=[positive_data_acceptance],
                )

            check()
