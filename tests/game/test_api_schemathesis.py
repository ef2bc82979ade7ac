"""Requests that are made up from the description of the API, and answers compared with it."""

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
from support.service import Service, Table, bearer

OPERATIONS: Final = (
    "GET /v1/games",
    "GET /v1/games/{game}",
    "POST /v1/matches",
    "GET /v1/matches/{match_id}",
    "GET /v1/matches/{match_id}/moves",
    "POST /v1/matches/{match_id}/moves",
    "GET /v1/matches/{match_id}/events",
    "GET /v1/matches/{match_id}/lines",
    "GET /v1/matches/{match_id}/export",
    "POST /v1/matches/{match_id}/resign",
    "POST /v1/matches/{match_id}/pause",
    "POST /v1/matches/{match_id}/abort",
    "POST /v1/matches/{match_id}/take-back",
    "POST /v1/matches/{match_id}/credit",
    "GET /v1/matches/{match_id}/replay",
    "POST /v1/matches/{match_id}/branches",
    "GET /v1/matches/{match_id}/audit",
    "GET /.well-known/howff-receipts.json",
    "POST /v1/development/tokens",
)
NEVER_WRONG: Final = frozenset(
    {"GET /v1/games", "GET /v1/games/{game}", "GET /.well-known/howff-receipts.json"}
)
"""Operations that no request could be unfit for: they take any text, or nothing."""
TRIED: Final = [
    (operation, mode)
    for operation in OPERATIONS
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or operation not in NEVER_WRONG
]
MADE_UP: Final = schemathesis.Config.from_dict(
    {
        "generation": {
            # What nobody asked for in a query is not looked at, and the test brings the token.
            "allow-extra-parameters": False,
            "with-security-parameters": False,
        }
    }
)
EXAMPLES: Final = 2000 if IS_LONG else 5
"""Of each mode: requests as described, and such that are not."""


@cache
def finished(service: Service) -> Table:
    """Return a match that is over, so that its feeds end."""
    table = service.table(options={"round_limit": 1})
    assert table.advance().is_over
    return table


@cache
def described(service: Service) -> Any:
    return schemathesis.openapi.from_url(f"{service.url}/openapi.json", config=MADE_UP)


def cases_of(service: Service, operation: str, mode: GenerationMode) -> st.SearchStrategy[Any]:
    """Return requests of an operation; where there is a match, half of them find one."""
    method, path = operation.split()
    made = described(service)[path][method]
    if "{match_id}" not in path:
        cases: st.SearchStrategy[Any] = made.as_strategy(mode)
        return cases
    known = {"match_id": finished(service).id}
    return st.one_of(made.as_strategy(mode), made.as_strategy(mode, path_parameters=known))


def test_every_operation_is_tried(service: Service) -> None:
    paths = service.http.get("/openapi.json").json()["paths"]
    assert set(OPERATIONS) == {f"{name.upper()} {path}" for path in paths for name in paths[path]}


@pytest.mark.parametrize(("operation", "mode"), TRIED, ids=str)
def test_every_answer_is_as_described(
    service: Service, operation: str, mode: GenerationMode
) -> None:
    headers = bearer(finished(service).accounts[0])
    with requests.Session() as session:

        @settings(
            max_examples=EXAMPLES,
            suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
        )
        @given(case=cases_of(service, operation, mode))
        def check(case: Any) -> None:
            case.call_and_validate(
                session=session,
                headers=headers,
                timeout=10,
                # Whether a match can be started or a move made is no matter of form.
                excluded_checks=[positive_data_acceptance],
            )

        check()
