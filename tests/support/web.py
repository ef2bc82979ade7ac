"""A small service on servicekit's web side, and ways to talk to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final

import httpx
from fastapi import FastAPI
from pydantic import Field, StringConstraints

from howff.engine.errors import RefusalError
from howff.servicekit.ids import new_id
from howff.servicekit.web.app import create_app
from howff.servicekit.web.auth import OptionalCaller, RequiredCaller, require_scope
from howff.servicekit.web.bodies import Listed, StrictModel
from howff.servicekit.web.issuer import DevelopmentIssuer
from howff.servicekit.web.limiting import RateLimits
from howff.servicekit.web.parts import public_keys_in
from howff.servicekit.web.problems import PROBLEM_TYPE
from howff.servicekit.web.tokens import WORKERS, FixedKeys, Tokens, keys_of
from support.workers import KEYS_FILE

SECRET: Final = bytes(range(32))
START: Final = datetime(2026, 11, 27, 21, 14, tzinfo=UTC)
BASE: Final = "http://howff.test"


@dataclass
class HandClock:
    """A clock that goes when it is told to."""

    time: datetime = START

    def now(self) -> datetime:
        return self.time

    def go(self, step: timedelta) -> None:
        self.time += step


class TakenError(RefusalError):
    """Something can be taken once."""

    code = "taken"
    retry_after = 7

    def __init__(self, thing: str) -> None:
        super().__init__("taken", expected="a free thing", found=thing)
        self.members = {"thing": thing}


class GoneError(TakenError):
    """Something was taken away."""

    code = "gone"


Amount = Annotated[int, Field(ge=0, le=1000)]
Note = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]


class Offer(StrictModel):
    """What may be given for a thing."""

    amounts: Listed[Amount]
    note: Note | None = None


@dataclass
class Shop:
    """An app with a route for each way to answer, its clock and its issuer of tokens."""

    clock: HandClock = field(default_factory=HandClock)
    issuer: DevelopmentIssuer = field(
        default_factory=lambda: DevelopmentIssuer(SECRET, mode="test")
    )
    limits: RateLimits | None = None
    app: FastAPI = field(init=False)
    tokens: Tokens = field(init=False)

    def __post_init__(self) -> None:
        self.tokens = Tokens(
            {
                self.issuer.issuer: FixedKeys(keys_of(self.issuer.jwks())),
                WORKERS.issuer: FixedKeys(public_keys_in(KEYS_FILE)),
            },
            audience=self.issuer.audience,
            now=self.clock.now,
        )
        self.app = create_app(
            title="A shop",
            version="1",
            statuses={GoneError: 410},
            tokens=self.tokens,
            new_id=new_id,
            limits=self.limits,
        )
        _add_routes(self.app)

    def token(self, account: str = "freya", scopes: str = "play read") -> str:
        return self.issuer.issue(account, frozenset(scopes.split()), self.clock.now())

    def bearer(self, account: str = "freya", scopes: str = "play read") -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token(account, scopes)}"}

    @asynccontextmanager
    async def client(self) -> AsyncIterator[httpx.AsyncClient]:
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            yield client


def problem_of(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Return the problem document of *response*, which has to be of this *status* and *code*."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == PROBLEM_TYPE
    document: dict[str, Any] = response.json()
    assert document.keys() >= {"type", "title", "status", "detail", "code"}
    assert (document["status"], document["code"]) == (status, code)
    assert document["type"] == f"/problems/{code}"
    return document


def _add_routes(app: FastAPI) -> None:
    @app.get("/things/{thing}")
    async def thing_of_shop(thing: str, caller: OptionalCaller, pieces: int = 1) -> dict[str, Any]:
        return {
            "thing": thing,
            "pieces": pieces,
            "account": None if caller is None else caller.account,
        }

    @app.post("/things/{thing}")
    async def buy_thing(thing: str, offer: Offer, caller: RequiredCaller) -> Offer:
        require_scope(caller, "play")
        if thing == "taken":
            raise TakenError(thing)
        if thing == "gone":
            raise GoneError(thing)
        return offer

    @app.post("/offers")
    async def make_offer(offer: Offer) -> Offer:
        return offer

    @app.get("/bug")
    async def run_into_bug() -> None:
        message = "the seed is 4711"
        raise ValueError(message)
