from datetime import timedelta

import pytest
from pydantic import ValidationError

from howff.servicekit.web.errors import DevelopmentTokensError
from howff.servicekit.web.issuer import DevelopmentIssuer, Mode, development_router
from support.running import run
from support.web import START, Shop, problem_of

PLAY = frozenset({"play", "read"})


def open_shop() -> Shop:
    """Return a shop that hands out tokens."""
    shop = Shop()
    router = development_router(shop.issuer, scopes=PLAY, now=shop.clock.now)
    shop.app.include_router(router)
    return shop


def test_a_token_is_handed_out_to_anybody_and_is_good() -> None:
    shop = open_shop()

    async def story() -> None:
        async with shop.client() as client:
            response = await client.post("/v1/development/tokens", json={"account": "freya"})
            assert response.status_code == 200
            assert response.headers["cache-control"] == "no-store"
            issued = response.json()
            assert (issued["token_type"], issued["expires_in"]) == ("Bearer", 12 * 3600)
            caller = shop.tokens.verify(issued["access_token"])
            assert (caller.account, caller.scopes, caller.is_bot) == ("freya", PLAY, False)

    run(story)


@pytest.mark.parametrize("account", ["", "a.b", "*", ">", "a b", "a\r\nb", "ä", "a" * 65, 1, None])
def test_a_token_for_what_is_no_account_is_refused(account: object) -> None:
    async def story() -> None:
        async with open_shop().client() as client:
            response = await client.post("/v1/development/tokens", json={"account": account})
            problem_of(response, 422, "malformed")

    run(story)


def test_without_the_router_nobody_gets_a_token() -> None:
    async def story() -> None:
        async with Shop().client() as client:
            response = await client.post("/v1/development/tokens", json={"account": "freya"})
            problem_of(response, 404, "no_such_route")

    run(story)


@pytest.mark.parametrize("mode", ["one_machine", "test"])
def test_an_issuer_runs_where_things_are_tried_out(mode: Mode) -> None:
    assert DevelopmentIssuer(bytes(32), mode=mode).jwks()["keys"]


def test_an_issuer_is_refused_in_a_cluster() -> None:
    with pytest.raises(DevelopmentTokensError, match="found 'cluster'"):
        DevelopmentIssuer(bytes(32), mode="cluster")


def test_issuers_of_the_same_secret_accept_each_others_tokens() -> None:
    shop, other = Shop(), Shop()
    assert shop.issuer.jwks() == other.issuer.jwks()
    assert other.tokens.verify(shop.token("loki")).account == "loki"
    stranger = DevelopmentIssuer(bytes(32), mode="test")
    assert stranger.jwks() != shop.issuer.jwks()


def test_a_key_set_holds_no_secret() -> None:
    (key,) = Shop().issuer.jwks()["keys"]
    assert key.keys() == {"kty", "crv", "x", "kid", "use", "alg"}


def test_the_token_of_a_bot_says_so_and_lasts_as_long_as_asked() -> None:
    shop = Shop()
    token = shop.issuer.issue("bot-1", PLAY, START, timedelta(seconds=9), is_bot=True)
    assert shop.tokens.verify(token).is_bot
    shop.clock.go(timedelta(seconds=9))
    with pytest.raises(Exception, match="expired"):
        shop.tokens.verify(token)


def test_no_token_is_issued_that_would_be_refused() -> None:
    with pytest.raises(ValidationError):
        Shop().issuer.issue("a.b", PLAY, START)
