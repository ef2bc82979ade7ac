"""Requests that are made up from the description of the API, and answers compared with it."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from conftest import IS_LONG
from support.lobby import Lobby, Speaker, own_lobby
from support.service import service_on

FEEDS: Final = frozenset({"GET /v1/lobby/feed", "GET /v1/me/feed"})
"""They never end, and have tests of their own."""
FATAL: Final = frozenset({"DELETE /v1/me"})
"""It ends the account in whose name all others are tried."""
MADE_UP: Final = schemathesis.Config.from_dict(
    {"generation": {"allow-extra-parameters": False, "with-security-parameters": False}}
)
EXAMPLES: Final = 500 if IS_LONG else 2
"""Of each operation."""


@pytest.fixture(scope="module")
def site() -> Iterator[Lobby]:
    """Give a lobby with a match service, which this test may fill with anything."""
    with own_lobby() as lobby, service_on(lobby.nats):
        yield lobby


@cache
def speaker(site: Lobby) -> Speaker:
    return site.administrator()


@cache
def table(site: Lobby) -> str:
    opened = speaker(site).post("/v1/tables", {"game": "troedler", "seats": 2})
    return str(opened.json()["id"])


@cache
def described(site: Lobby) -> Any:
    return schemathesis.openapi.from_url(f"{site.url}/openapi.json", config=MADE_UP)


def operations(site: Lobby) -> list[str]:
    paths = site.http.get("/openapi.json").json()["paths"]
    found = {f"{name.upper()} {path}" for path in paths for name in paths[path]}
    assert found > FEEDS | FATAL
    return sorted(found - FEEDS - FATAL)


def cases_of(site: Lobby, operation: str) -> st.SearchStrategy[Any]:
    """Return requests of an operation, as described; where there is a table, half find one."""
    method, path = operation.split()
    made = described(site)[path][method]
    cases: st.SearchStrategy[Any] = made.as_strategy(GenerationMode.POSITIVE)
    if path == "/v1/tables/{table_id}":
        known = {"table_id": table(site)}
        return st.one_of(cases, made.as_strategy(GenerationMode.POSITIVE, path_parameters=known))
    return cases


@pytest.mark.filterwarnings("ignore:Do not use the `random` module")  # which its library does
def test_every_answer_is_as_described(site: Lobby) -> None:
    headers = {"Authorization": f"Bearer {speaker(site).token}"}
    with requests.Session() as session:
        for operation in operations(site):

            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
            )
            @given(case=cases_of(site, operation))
            def check(case: Any) -> None:
                case.call_and_validate(
                    session=session,
                    headers=headers,
                    timeout=10,
                    # Whether a seat can be taken or a table started is no matter of form.
                    excluded_checks=[positive_data_acceptance],
                )

            check()
