"""Requests made up from the description: each answer is one that the description tells of."""

from typing import Any

import schemathesis
from hypothesis import given
from schemathesis.checks import CHECKS
from schemathesis.core.result import Ok

from howff.servicekit.web.addresses import Proxies
from howff.servicekit.web.issuer import development_router
from howff.servicekit.web.limiting import RateLimits
from howff.servicekit.web.limits import Policy
from support.web import Shop


def shop_without_bugs() -> Shop:
    # Limits that nobody meets, but which every answer tells.
    plenty = Policy(10**9, 10**9)
    limits = RateLimits(address=plenty, token=plenty, account=plenty, proxies=Proxies())
    shop = Shop(limits=limits)
    router = development_router(shop.issuer, scopes=frozenset({"play"}), now=shop.clock.now)
    shop.app.include_router(router)
    routes = shop.app.router.routes
    routes[:] = [each for each in routes if getattr(each, "path", "") != "/bug"]
    return shop


def test_all_answers_are_those_of_the_description() -> None:
    shop = shop_without_bugs()
    schema = schemathesis.openapi.from_asgi("/openapi.json", shop.app)
    # To a schema 1.0 is an integer; here numbers are taken as they are written.
    too_lax = CHECKS.get_by_names(["positive_data_acceptance"])
    checked = 0
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)

        @given(case=result.ok().as_strategy())
        def answer_is_told(case: Any) -> None:
            nonlocal checked
            case.call_and_validate(headers=shop.bearer(), excluded_checks=too_lax)
            checked += 1

        answer_is_told()
    assert checked > 20
