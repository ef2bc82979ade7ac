"""Limits over HTTP: who pays, what is told, and what is stricter."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import pytest
from fastapi import Depends
from pydantic import ValidationError

from howff.servicekit.ids import new_id
from howff.servicekit.web import tokens as tokens_module
from howff.servicekit.web.addresses import Proxies, networks_in
from howff.servicekit.web.issuer import ISSUER
from howff.servicekit.web.limiting import RateLimits, limited
from howff.servicekit.web.limits import Policy
from howff.servicekit.web.parts import PartTokens
from howff.servicekit.web.settings import ServiceSettings
from howff.servicekit.web.tokens import WORKERS
from support.lobby_tokens import LobbyKey
from support.running import run
from support.web import BASE, SECRET, START, Shop, problem_of
from support.workers import KEY as WORKER_KEY

ADDRESS: Final = Policy(60, 10)
TOKEN: Final = Policy(60, 15)
ACCOUNT: Final = Policy(60, 20)
OFFER: Final = {"amounts": [1]}


@dataclass
class Limited:
    """A shop with limits, and the time by which they go."""

    seconds: float = 0.0
    shop: Shop = field(init=False)

    def __post_init__(self) -> None:
        limits = RateLimits(
            address=ADDRESS,
            token=TOKEN,
            account=ACCOUNT,
            proxies=Proxies(networks_in("127.0.0.1/32")),
            now=lambda: self.seconds,
        )
        self.shop = Shop(limits=limits)
        app = self.shop.app

        @app.get("/dear", dependencies=[Depends(limited("dear", per_minute=60, at_once=2))])
        async def spend_much() -> None:
            return

    def client(self) -> AbstractAsyncContextManager[httpx.AsyncClient]:
        return self.shop.client()

    def bearer(self, account: str, token_id: str) -> dict[str, str]:
        token = LobbyKey(SECRET).token(account, token_id, START, issuer=ISSUER)
        return {"Authorization": f"Bearer {token}"}


def told(answer: httpx.Response) -> tuple[int, int, int]:
    """Return what an answer tells of limits: how much there can be, is, and when it is again."""
    names = ("limit", "remaining", "reset")
    limit, remaining, reset = (int(answer.headers[f"ratelimit-{each}"]) for each in names)
    return limit, remaining, reset


def test_reading_costs_a_point_and_writing_five_of_the_address_without_a_token() -> None:
    world = Limited()

    async def story() -> None:
        async with world.client() as client:
            assert told(await client.get("/things/hat")) == (10, 9, 1)
            assert told(await client.head("/things/hat")) == (10, 8, 2)
            assert told(await client.post("/offers", json=OFFER)) == (10, 3, 7)
            assert told(await client.options("/offers")) == (10, 2, 8)
            refused = await client.post("/offers", json=OFFER)
            document = problem_of(refused, 429, "rate_limited")
            assert document["expected"] == "at most 60 points a minute, 10 at once"
            assert refused.headers["retry-after"] == "3"
            assert told(refused) == (10, 2, 8)
            world.seconds += 3
            assert told(await client.post("/offers", json=OFFER)) == (10, 0, 10)

    run(story)


def test_every_answer_tells_what_is_left() -> None:
    world = Limited()

    async def story() -> None:
        async with world.client() as client:
            for path, status in (("/nowhere", 404), ("/things/hat?pieces=x", 422), ("/bug", 500)):
                answer = await client.get(path)
                assert answer.status_code == status
                assert told(answer)[0] == 10

    run(story)


def test_a_good_token_spends_its_own_points_and_those_of_its_account() -> None:
    world = Limited()

    async def story() -> None:
        async with world.client() as client:
            first, second = (world.bearer("freya", each) for each in ("t-1", "t-2"))
            for left in range(14, -1, -1):
                assert told(await client.get("/things/hat", headers=first))[1] == left
            problem_of(await client.get("/things/hat", headers=first), 429, "rate_limited")
            # The account has five left, but for the one that was refused to its token.
            assert told(await client.get("/things/hat", headers=second)) == (20, 3, 17)
            for _ in range(3):
                await client.get("/things/hat", headers=second)
            refused = await client.get("/things/hat", headers=second)
            assert told(refused)[0] == 20
            problem_of(refused, 429, "rate_limited")
            assert told(await client.get("/things/hat", headers=world.bearer("loki", "t-3")))[1] > 5
            # All that is nothing to the address.
            assert told(await client.get("/things/hat")) == (10, 9, 1)

    run(story)


def test_workers_ask_as_often_as_they_have_to() -> None:
    world = Limited()
    tokens = PartTokens(WORKERS, WORKER_KEY, now=world.shop.clock.now, new_id=new_id)
    worker = {"Authorization": f"Bearer {tokens.current()}"}

    async def story() -> None:
        async with world.client() as client:
            for _ in range(3 * ACCOUNT.at_once):
                answer = await client.get("/things/hat", headers=worker)
                assert answer.json()["account"] == "bots"
                assert "ratelimit-remaining" not in answer.headers
                assert (await client.get("/dear", headers=worker)).status_code == 200

    run(story)


def test_a_wrong_token_spends_the_points_of_the_address_and_a_good_one_goes_on() -> None:
    world = Limited()

    async def story() -> None:
        async with world.client() as client:
            for _ in range(10):
                wrong = await client.get("/things/hat", headers={"Authorization": "Bearer x.y.z"})
                problem_of(wrong, 401, "invalid_token")
            wrong = await client.get("/things/hat", headers={"Authorization": "Bearer x.y.z"})
            problem_of(wrong, 429, "rate_limited")
            good = await client.get("/things/hat", headers=world.bearer("freya", "t-1"))
            assert good.json()["account"] == "freya"

    run(story)


def test_addresses_behind_a_trusted_proxy_are_told_apart() -> None:
    world = Limited()

    async def story() -> None:
        async with world.client() as client:
            for hop in ("198.51.100.7", "198.51.100.8"):
                answer = await client.get("/things/hat", headers={"X-Forwarded-For": hop})
                assert told(answer)[1] == 9

    run(story)


def test_who_is_no_trusted_proxy_is_not_believed() -> None:
    world = Limited()
    transport = httpx.ASGITransport(world.shop.app, client=("192.0.2.1", 1))

    async def story() -> None:
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            for left in range(9, 4, -1):
                hop = {"X-Forwarded-For": f"198.51.100.{left}"}
                assert told(await client.get("/things/hat", headers=hop))[1] == left

    run(story)


def test_a_dear_route_may_be_asked_for_less_often_by_an_address() -> None:
    world = Limited()

    async def story() -> None:
        async with world.client() as client:
            headers = world.bearer("freya", "t-1")
            assert told(await client.get("/dear")) == (2, 1, 1)
            assert told(await client.get("/dear", headers=headers)) == (2, 0, 2)
            refused = await client.get("/dear", headers=world.bearer("loki", "t-2"))
            problem_of(refused, 429, "rate_limited")
            assert refused.headers["retry-after"] == "1"
            assert told(refused) == (2, 0, 2)
            assert told(await client.get("/things/hat")) == (10, 8, 2)
            world.seconds += 1
            assert (await client.get("/dear")).status_code == 200

    run(story)


def test_without_limits_a_dear_route_has_none() -> None:
    shop = Shop()

    @shop.app.get("/dear", dependencies=[Depends(limited("dear", per_minute=1, at_once=1))])
    async def spend_much() -> None:
        return

    async def story() -> None:
        async with shop.client() as client:
            for _ in range(3):
                answer = await client.get("/dear")
                assert answer.status_code == 200
                assert "ratelimit-limit" not in answer.headers

    run(story)


def test_a_token_is_verified_once_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Limited()
    verified: list[str] = []
    verify = tokens_module.Tokens.verify

    def counted(self: tokens_module.Tokens, token: str) -> tokens_module.Caller:
        verified.append(token)
        return verify(self, token)

    monkeypatch.setattr(tokens_module.Tokens, "verify", counted)

    async def story() -> None:
        async with world.client() as client:
            headers = world.bearer("freya", "t-1")
            assert (await client.get("/things/hat", headers=headers)).json()["account"] == "freya"

    run(story)
    assert len(verified) == 1


def test_the_description_tells_of_limits_where_there_are_some() -> None:
    def answers(shop: Shop) -> dict[str, Any]:
        found: dict[str, Any] = shop.app.openapi()["paths"]["/things/{thing}"]["get"]["responses"]
        return found

    limited_answers = answers(Limited().shop)
    for status, answer in limited_answers.items():
        assert answer["headers"].keys() >= {"RateLimit-Limit", "RateLimit-Remaining"}, status
    assert "Retry-After" in limited_answers["429"]["headers"]
    assert "429" not in answers(Shop())
    headers = Limited().shop.app.openapi()["components"]["headers"]
    assert headers["RateLimit-Reset"]["schema"] == {"type": "integer"}


def test_an_account_may_make_twenty_moves_a_second_and_look_at_each() -> None:
    settings = ServiceSettings(port=0)
    a_second = 20 * (5 + 1 + 1)
    assert settings.token_points >= 60 * a_second
    assert settings.account_points >= settings.token_points


@pytest.mark.parametrize(
    ("changes", "source"),
    [
        ({}, "198.51.100.7"),
        ({"mode": "cluster"}, "127.0.0.1"),
        ({"mode": "test"}, "127.0.0.1"),
        ({"mode": "cluster", "trusted_proxies": "127.0.0.0/8"}, "198.51.100.7"),
        ({"trusted_proxies": ""}, "127.0.0.1"),
        ({"trusted_proxies": "10.0.0.0/8"}, "127.0.0.1"),
    ],
)
def test_this_machine_alone_is_trusted_and_only_where_it_is_all_there_is(
    changes: dict[str, Any], source: str
) -> None:
    limits = ServiceSettings(port=0, limits=True, **changes).rate_limits()
    assert limits is not None
    headers = [(b"x-forwarded-for", b"198.51.100.7")]
    assert limits.source_of({"client": ("127.0.0.1", 1), "headers": headers}) == source


def test_there_are_no_limits_where_none_are_wanted() -> None:
    assert ServiceSettings(port=0, limits=False).rate_limits() is None
    with pytest.raises(ValidationError, match="trusted_proxies"):
        ServiceSettings(port=0, trusted_proxies="here")
