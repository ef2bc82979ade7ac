"""The lobby on a NATS server and a database of its own, for tests; and people who speak to it."""

import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx

from howff.engine.codec import JSON
from howff.lobby.app import running_service
from howff.lobby.application.accounts.accounts import Accounts
from howff.lobby.application.accounts.standings import Standings
from howff.lobby.application.accounts.values import Admission
from howff.lobby.settings import Settings
from howff.servicekit.ids import new_id
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.server import NatsServer
from support.hosted import Hosted, hosted
from support.nats import own_server, unique
from support.service import on_nats

T = TypeVar("T")

PASSWORD: Final = "a word for tests"  # noqa: S105 — of nobody but tests


@dataclass(frozen=True, slots=True)
class Speaker:
    """Somebody who speaks to the lobby with the same token all the time, or with none."""

    http: httpx.Client
    account: str
    """Empty for nobody."""
    token: str | None

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers=headers)

    def post(
        self, path: str, content: JSON = None, key: object = None, **headers: str
    ) -> httpx.Response:
        return self.write("POST", path, content, key, **headers)

    def put(
        self, path: str, content: JSON = None, key: object = None, **headers: str
    ) -> httpx.Response:
        return self.write("PUT", path, content, key, **headers)

    def delete(
        self, path: str, content: JSON = None, key: object = None, **headers: str
    ) -> httpx.Response:
        return self.write("DELETE", path, content, key, **headers)

    def write(
        self, method: str, path: str, content: JSON, key: object, **headers: str
    ) -> httpx.Response:
        """Return what answers a request with the JSON *content*, under the id *key*."""
        named = headers if key is None else {**headers, "Idempotency-Key": str(key)}
        body = {} if content is None else {"json": content}
        return self.ask(method, path, headers=named, **body)

    def form(self, path: str, fields: dict[str, str], **headers: str) -> httpx.Response:
        """Return what answers a form of these *fields*."""
        return self.ask("POST", path, headers=headers, data=fields)

    def ask(
        self, method: str, path: str, headers: dict[str, str] | None = None, **request: Any
    ) -> httpx.Response:
        """Return what answers a request of this speaker."""
        token = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        return self.http.request(method, path, headers={**token, **(headers or {})}, **request)


@dataclass(frozen=True, slots=True)
class Lobby(Hosted):
    """The lobby as it runs in a thread of its own."""

    nats: NatsServer
    folder: Path
    """Where the database is."""

    @property
    def nobody(self) -> Speaker:
        """Whoever has no token."""
        return Speaker(self.http, "", None)

    def guest(self) -> Speaker:
        """Return a new guest."""
        return self.admitted(self.nobody.post("/v1/accounts/guests", {}))

    def guests(self, count: int) -> list[Speaker]:
        """Return so many new guests, made without HTTP."""
        accounts: Accounts = self.app.state.parts.accounts.all

        async def story() -> list[Admission]:
            return [await accounts.become_guest() for _ in range(count)]

        admissions = self.call(story())
        return [self.speaker(each.access_token, each.account.id) for each in admissions]

    def person(self, name: str | None = None, password: str = PASSWORD) -> Speaker:
        """Return a new person with a name."""
        body = {"name": name or unique("person-"), "password": password}
        return self.admitted(self.nobody.post("/v1/accounts", body))

    def administrator(self) -> Speaker:
        """Return a new person who is an administrator, with a token that says so."""
        name = unique("chief-")
        self.person(name)
        standings: Standings = self.app.state.parts.accounts.standings
        self.call(standings.make_administrator(name, new_id()))
        return self.logged_in(name, scope="play table bot read admin")

    def logged_in(self, name: str, password: str = PASSWORD, **fields: str) -> Speaker:
        """Return how a person speaks after another login; *fields* are further ones of the form."""
        login = {"grant_type": "password", "username": name, "password": password}
        answer = self.nobody.form("/v1/tokens", {**login, **fields})
        assert answer.status_code == 200, answer.text
        token = answer.json()["access_token"]
        account = self.speaker(token).get("/v1/me").json()["account"]["id"]
        return self.speaker(token, account)

    def bot(self, owner: Speaker, name: str | None = None) -> Speaker:
        """Return a new bot of *owner*."""
        answer = owner.post("/v1/accounts/bots", {"name": name or unique("bot-")})
        assert answer.status_code == 201, answer.text
        told = answer.json()
        return self.speaker(told["token"]["token"], told["account"]["id"])

    def admitted(self, answer: httpx.Response) -> Speaker:
        """Return how somebody speaks with an admission."""
        assert answer.status_code == 201, answer.text
        told = answer.json()
        return self.speaker(told["access_token"], told["account"]["id"])

    def speaker(self, token: str, account: str = "") -> Speaker:
        """Return how somebody speaks with a *token*."""
        return Speaker(self.http, account, token)

    def on_nats(self, story: Callable[[Connection], Awaitable[T]]) -> T:
        """Return what *story* gives with a connection of its own."""
        return on_nats(self.nats, story)


def settings_for(nats: NatsServer, folder: Path, **changes: Any) -> Settings:
    """Return how a lobby on *nats* with its database in *folder* is set up for tests."""
    urls = {"nats_url": nats.url, "nats_monitor_urls": nats.monitor_url}
    database = {"database_url": f"sqlite:///{folder / 'lobby.db'}"}
    plain = {"mode": "test", "limits": False, "password_kibibytes": 1024}
    alone = {"game_url": None, "scoring_url": None}
    return Settings(**{**plain, **alone, **urls, **database, **changes})


@contextmanager
def lobby_on(nats: NatsServer, folder: Path, **changes: Any) -> Iterator[Lobby]:
    """Run the lobby on *nats* in a thread until the context ends, or it is stopped before."""
    with hosted(lambda: running_service(settings_for(nats, folder, **changes))) as served:
        yield Lobby(served.app, served.url, served.loop, served.http, served.stop, nats, folder)


@contextmanager
def own_lobby(**changes: Any) -> Iterator[Lobby]:
    """Run the lobby on a server and a database that nobody else uses."""
    with (
        tempfile.TemporaryDirectory(prefix="howff-lobby-") as folder,
        own_server(Path(folder) / "nats") as nats,
        lobby_on(nats, Path(folder), **changes) as lobby,
    ):
        yield lobby
