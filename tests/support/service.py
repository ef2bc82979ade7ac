"""The match service on a NATS server of its own, for tests; and matches to try it with."""

import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, TypeVar
from uuid import UUID, uuid5

import httpx

from conftest import IS_LONG
from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON, to_tagged
from howff.engine.seats import Seat, Viewer
from howff.game.adapters.streams import ensure_streams
from howff.game.api.deps import Parts
from howff.game.app import running_service
from howff.game.application.matches import Log
from howff.game.application.orders import MoveWanted, SeatOrder, practice_id
from howff.game.settings import Settings
from howff.match.commit import CommandId, Commit, MatchId
from howff.match.match import Match
from howff.servicekit import clock
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.web.issuer import LIFETIME, DevelopmentIssuer
from support.hosted import Hosted, hosted
from support.nats import own_server, unique
from support.rng import LocalRng
from support.running import POLL, WITHIN, run
from support.workers import KEYS_FILE, worker_bearer

T = TypeVar("T")

SERVED: Final = tuple(GAMES) if IS_LONG else ("troedler", "dale_of_merchants")
"""The games that the service is tested with; what each tells whom has its own tests."""
ISSUER: Final = DevelopmentIssuer(bytes(range(32)), mode="test")
"""Whoever issues tokens for the services that tests start."""
_KEYS: Final = UUID("6a0f6f0e-6f4e-4d5a-8d0c-0e6f5a3c9b11")


@dataclass(frozen=True, slots=True)
class Eyes:
    """Somebody who speaks to the service with the same token all the time, or with none."""

    http: httpx.Client
    headers: dict[str, str]

    def get(self, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
        return self.http.get(path, headers={**self.headers, **(headers or {})})

    def post(
        self, path: str, content: JSON, key: UUID | str | None = None, **headers: str
    ) -> httpx.Response:
        named = {} if key is None else {"Idempotency-Key": str(key)}
        return self.http.post(path, json=content, headers={**self.headers, **named, **headers})


@dataclass(frozen=True, slots=True)
class Service(Hosted):
    """The service as it runs in a thread of its own."""

    nats: NatsServer

    @property
    def parts(self) -> Parts:
        """The parts of the service, to be called in its own loop by `call`."""
        parts: Parts = self.app.state.parts
        return parts

    def eyes(self, account: str | None, scopes: str = "play read", **terms: Any) -> Eyes:
        """Return how *account* speaks to the service; None has no token."""
        return Eyes(self.http, {} if account is None else bearer(account, scopes, **terms))

    @property
    def worker(self) -> Eyes:
        """How a worker speaks to the service."""
        return Eyes(self.http, worker_bearer())

    def match(self, match: str) -> Match:
        """Return a match as it stands, with all that is hidden."""
        return self.call(self.parts.matches.find(MatchId(match))).match

    def log(self, match: str) -> Log:
        """Return everything that the service knows of a match."""
        matches = self.parts.matches

        async def story() -> Log:
            return await matches.log(await matches.find(MatchId(match)))

        return self.call(story())

    def on_nats(self, story: Callable[[Connection], Awaitable[T]]) -> T:
        """Return what *story* gives with a connection of its own."""
        return on_nats(self.nats, story)

    def table(
        self, game: str = "troedler", seats: int = 2, *, seed: bytes | None = None, **terms: JSON
    ) -> "Table":
        """Start a match of people nobody has met before; with the *seed*, if one is given."""
        accounts = tuple(unique("account-") for _ in range(seats))
        key = new_key()
        return started(self, game, accounts, key, seed, terms)


@dataclass(frozen=True, slots=True)
class Table:
    """A match of people, and the tokens of all of them."""

    service: Service
    id: str
    accounts: tuple[str, ...]
    answer: httpx.Response
    """What has answered the request that has started it."""
    rng: LocalRng = field(default_factory=lambda: LocalRng(1))

    @property
    def path(self) -> str:
        return f"/v1/matches/{self.id}"

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """All seats, and None for a spectator."""
        return (*map(Seat, range(len(self.accounts))), None)

    @property
    def match(self) -> Match:
        """The match as it stands, with all that is hidden."""
        return self.service.match(self.id)

    @property
    def log(self) -> Log:
        return self.service.log(self.id)

    @property
    def commits(self) -> tuple[Commit, ...]:
        return self.log.commits

    def eyes(self, seat: int | None) -> Eyes:
        """Return how the holder of *seat* speaks to the service; None is a stranger without one."""
        return self.service.eyes(None if seat is None else self.accounts[seat])

    def to_act(self) -> tuple[Seat, JSON]:
        """Return a seat that owes a decision, and one of its legal moves."""
        return self.chosen(self.match)

    def chosen(self, match: Match) -> tuple[Seat, JSON]:
        """Return a seat that owes a decision in *match*, and one of its legal moves."""
        seat = self.rng.roll("seat", match.to_act)
        return seat, to_tagged(self.rng.roll("move", match.game.legal_moves(match.state, seat)))

    def play(self) -> httpx.Response:
        """Make a move at random, and return what answers it."""
        seat, move = self.to_act()
        answer = self.send(seat, move)
        assert answer.status_code == 200, answer.text
        return answer

    def advance(self, most: int = 100_000) -> Match:
        """Let *most* moves be made at random without HTTP, or as many as there are."""
        return self.service.call(self._advanced(most), 3 * WITHIN)

    async def _advanced(self, most: int) -> Match:
        matches = self.service.parts.matches
        match = (await matches.find(MatchId(self.id))).match
        for _ in range(most):
            if match.is_over:
                break
            seat, move = self.chosen(match)
            order = SeatOrder(
                id=CommandId(str(new_key())),
                asker=self.accounts[seat],
                seat=None,
                wanted=MoveWanted(move),
                expected_version=match.version,
            )
            match = (await matches.act(match.id, order)).known.match
        return match

    def send(self, by: int, move: JSON, key: UUID | None = None, **more: JSON) -> httpx.Response:
        """Return what answers a *move* that the holder of seat *by* sends."""
        content = {"move": move, **more}
        return self.eyes(by).post(f"{self.path}/moves", content, key or new_key())


def new_key() -> UUID:
    """Return a key that no test of this process has used."""
    return uuid5(_KEYS, unique("key"))


def bearer(
    account: str, scopes: str = "play read", *, age: timedelta = timedelta(), is_bot: bool = False
) -> dict[str, str]:
    """Return the header of somebody with a token of this *age*."""
    token = ISSUER.issue(
        account, frozenset(scopes.split()), clock.now() - age, LIFETIME, is_bot=is_bot
    )
    return {"Authorization": f"Bearer {token}"}


def started(  # noqa: PLR0913 — all that a match may differ in
    service: Service,
    game: str,
    accounts: Sequence[str],
    key: UUID,
    seed: bytes | None,
    terms: dict[str, JSON],
) -> Table:
    """Start a match in the name of its first account."""
    if seed is not None:
        plant_seed(service.nats, practice_id(accounts[0], key), seed)
    seats = [{"account": account} for account in accounts]
    content = {"game": game, "seats": seats, **terms}
    answer = service.eyes(accounts[0]).post("/v1/matches", content, key)
    assert answer.status_code == 201, answer.text
    return Table(service, answer.json()["match"], tuple(accounts), answer)


def plant_seed(nats: NatsServer, match: str, seed: bytes) -> None:
    """Let *seed* be that of a match that has not started yet."""

    async def story(connection: Connection) -> bytes:
        return await (await ensure_streams(connection, 1)).seeds.create(match, seed)

    assert on_nats(nats, story) == seed


def on_nats(nats: NatsServer, story: Callable[[Connection], Awaitable[T]]) -> T:
    """Return what *story* gives with a connection of its own."""

    async def connected() -> T:
        async with await connect(nats.url, name="test") as connection:
            return await story(connection)

    return run(connected)


def wait_until(is_so: Callable[[], bool], within: float = 2 * WITHIN) -> None:
    """Wait, outside of any loop, until it is so; fail if it isn't within so many seconds."""
    deadline = time.monotonic() + within
    while not is_so():
        assert time.monotonic() < deadline, f"not so after {within} seconds"
        time.sleep(POLL)


def settings_for(nats: NatsServer, **changes: Any) -> Settings:
    """Return how a service on *nats* is set up for tests."""
    urls = {"nats_url": nats.url, "nats_monitor_urls": nats.monitor_url}
    files = {"bot_keys_file": KEYS_FILE, "scoring_keys_file": KEYS_FILE}
    trust = {"development_tokens": True, **files}
    terms = {"mode": "test", "limits": False, **trust}
    return Settings(**{**terms, **urls, **changes})


@contextmanager
def nats_server() -> Iterator[NatsServer]:
    """Give a server that knows the key of the tests' issuer."""
    with (
        tempfile.TemporaryDirectory(prefix="howff-nats-") as folder,
        own_server(Path(folder)) as nats,
    ):

        async def story(connection: Connection) -> None:
            buckets = await ensure_streams(connection, 1)
            await buckets.keys.create("development_issuer", bytes(range(32)))

        on_nats(nats, story)
        yield nats


@contextmanager
def service_on(nats: NatsServer, **changes: Any) -> Iterator[Service]:
    """Run the service on *nats* in a thread until the context ends, or it is stopped before."""
    with hosted(lambda: running_service(settings_for(nats, **changes))) as served:
        yield Service(served.app, served.url, served.loop, served.http, served.stop, nats)
