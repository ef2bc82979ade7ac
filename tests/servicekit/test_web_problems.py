import logging
from typing import Any

import httpx
import pytest

from support.running import run
from support.web import Shop, problem_of


def answer(shop: Shop, method: str, path: str, **request: Any) -> httpx.Response:
    async def story() -> httpx.Response:
        async with shop.client() as client:
            return await client.request(method, path, **request)

    return run(story)


def bought(thing: str) -> httpx.Response:
    shop = Shop()
    return answer(shop, "POST", f"/things/{thing}", json={"amounts": [1]}, headers=shop.bearer())


def test_a_refusal_is_told_with_what_was_expected_and_found_and_its_own_members() -> None:
    response = bought("taken")
    document = problem_of(response, 409, "taken")
    assert document["title"] == "Taken"
    assert document["detail"] == "taken: expected a free thing, found taken"
    assert (document["expected"], document["found"]) == ("a free thing", "taken")
    assert document["thing"] == "taken"
    assert response.headers["retry-after"] == "7"
    assert response.headers["cache-control"] == "no-store"


def test_a_refusal_has_the_status_that_the_service_gives_to_its_class() -> None:
    problem_of(bought("gone"), 410, "gone")


def test_an_unknown_route_is_a_problem() -> None:
    problem_of(answer(Shop(), "GET", "/nowhere"), 404, "no_such_route")


def test_a_slash_too_many_leads_nowhere_else() -> None:
    problem_of(answer(Shop(), "GET", "/things/hat/"), 404, "no_such_route")


def test_a_wrong_method_is_answered_with_those_of_all_routes_at_the_path() -> None:
    response = answer(Shop(), "DELETE", "/things/hat")
    problem_of(response, 405, "method_not_allowed")
    assert response.headers["allow"] == "GET, HEAD, POST, OPTIONS"


def test_options_tells_the_methods_of_a_path() -> None:
    response = answer(Shop(), "OPTIONS", "/offers")
    assert (response.status_code, response.headers["allow"]) == (204, "POST, OPTIONS")


def test_head_is_get_without_a_body() -> None:
    got, head = (answer(Shop(), method, "/things/hat") for method in ("GET", "HEAD"))
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers == got.headers


def test_head_where_nothing_can_be_got_is_refused() -> None:
    assert answer(Shop(), "HEAD", "/offers").status_code == 405


def test_wrong_fields_are_told_with_place_expectation_and_finding() -> None:
    shop = Shop()
    offer = {"amounts": [1, "2"], "tip": 3}
    response = answer(shop, "POST", "/things/hat?", json=offer, headers=shop.bearer())
    document = problem_of(response, 422, "malformed")
    assert document["errors"] == [
        {"field": "body.amounts.1", "expected": "a valid integer", "found": '"2"'},
        {"field": "body.tip", "expected": "no such field", "found": "3"},
    ]
    assert (document["expected"], document["found"]) == ("a valid integer", '"2"')


def test_a_missing_field_and_a_missing_body_are_told() -> None:
    shop = Shop()
    without_field = answer(shop, "POST", "/offers", json={})
    (told,) = problem_of(without_field, 422, "malformed")["errors"]
    assert told == {"field": "body.amounts", "expected": "a value", "found": "nothing"}
    (told,) = problem_of(answer(shop, "POST", "/offers"), 422, "malformed")["errors"]
    assert told == {"field": "body", "expected": "a value", "found": "nothing"}


def test_a_wrong_parameter_is_told() -> None:
    (told,) = problem_of(answer(Shop(), "GET", "/things/hat?pieces=many"), 422, "malformed")[
        "errors"
    ]
    assert (told["field"], told["found"]) == ("query.pieces", '"many"')


@pytest.mark.parametrize(
    "offer",
    [{"amounts": ["é" * 9000] * 3}, {"a" * 9000: "b" * 9000}, {"amounts": "c" * 9000}],
    ids=["items", "names", "value"],
)
def test_no_more_than_a_little_of_a_wrong_body_comes_back(offer: dict[str, Any]) -> None:
    errors = problem_of(answer(Shop(), "POST", "/offers", json=offer), 422, "malformed")["errors"]
    # One character more says that something was left out.
    assert max(len(each["found"]) for each in errors) <= 81
    assert max(len(each["field"]) for each in errors) <= 81


def test_no_more_than_the_first_wrong_fields_are_told() -> None:
    response = answer(Shop(), "POST", "/offers", json={"amounts": ["x"] * 5000})
    assert len(problem_of(response, 422, "malformed")["errors"]) == 20


def test_a_bug_is_answered_with_an_id_that_leads_to_its_trace_and_with_nothing_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG):
        response = answer(Shop(), "GET", "/bug")
    document = problem_of(response, 500, "internal_error")
    assert "4711" not in response.text
    assert "ValueError" not in response.text
    (record,) = (each for each in caplog.records if each.levelno >= logging.ERROR)
    assert document["instance"] in record.getMessage()
    assert record.exc_info is not None
    assert "4711" in caplog.text


def operation(document: dict[str, Any], path: str, method: str) -> dict[str, Any]:
    found: dict[str, Any] = document["paths"][path][method]
    return found


def test_the_description_tells_the_problems_of_each_operation() -> None:
    document = answer(Shop(), "GET", "/openapi.json").json()
    buy = operation(document, "/things/{thing}", "post")
    look = operation(document, "/things/{thing}", "get")
    offer = operation(document, "/offers", "post")
    problems = {"400", "401", "403", "404", "408", "409", "413", "415", "422"}
    assert set(buy["responses"]) == {"200"} | problems
    assert set(look["responses"]) == {"200", "401", "403", "404", "422"}
    assert set(offer["responses"]) == {"200"} | problems - {"401", "403", "404"}
    reference = {"schema": {"$ref": "#/components/schemas/Problem"}}
    told = [buy["responses"][each]["content"] for each in problems]
    assert told == [{"application/problem+json": reference}] * len(problems)


def test_the_description_holds_no_error_that_is_never_given() -> None:
    text = answer(Shop(), "GET", "/openapi.json").text
    assert "ValidationError" not in text
    assert '"Problem"' in text


def test_the_description_tells_which_operations_need_a_token() -> None:
    document = answer(Shop(), "GET", "/openapi.json").json()
    assert operation(document, "/things/{thing}", "post")["security"] == [{"bearer": []}]
    assert operation(document, "/things/{thing}", "get")["security"] == [{}, {"bearer": []}]
    assert "security" not in operation(document, "/offers", "post")
    assert document["components"]["securitySchemes"].keys() == {"bearer"}


def test_the_names_of_routes_are_the_ids_of_operations() -> None:
    document = answer(Shop(), "GET", "/openapi.json").json()
    assert operation(document, "/things/{thing}", "post")["operationId"] == "buy_thing"


@pytest.mark.parametrize("path", ["/docs", "/redoc"])
def test_no_page_loads_scripts_from_elsewhere(path: str) -> None:
    problem_of(answer(Shop(), "GET", path), 404, "no_such_route")
