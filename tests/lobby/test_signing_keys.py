"""Keys that sign: the same for all processes, and changed while tokens are in use."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

import pytest

from howff.lobby.adapters.signing_keys import SigningKeys
from howff.lobby.app import rotate_keys
from howff.servicekit.ids import new_secret
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.kv import Bucket, open_bucket
from howff.servicekit.web.trust import key_entry
from support.lobby import Lobby, Speaker, settings_for
from support.lobby_people import told
from support.nats import shared_server, unique
from support.running import run, until
from support.service import wait_until
from support.web import HandClock

MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _soon_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howff.servicekit.nats.kv.READ_WITHIN", 0.2)


@dataclass
class Site:
    """Two buckets, and processes that have the same clock."""

    connection: Connection
    secrets: Bucket
    public: Bucket
    clock: HandClock = field(default_factory=HandClock)

    @classmethod
    async def on(cls, connection: Connection) -> "Site":
        secrets = await open_bucket(connection, unique("secrets"), replicas=1)
        return cls(connection, secrets, await open_bucket(connection, unique("keys"), replicas=1))

    @asynccontextmanager
    async def process(self) -> AsyncIterator[SigningKeys]:
        keys = SigningKeys(self.secrets, self.public, self.clock.now)
        await keys.prepare(new_secret())
        following = asyncio.create_task(keys.run())
        await keys.wait_until_known()
        yield keys
        await keys.stop()
        await following

    async def is_public(self, key_id: str) -> bool:
        return await self.public.get(key_entry(key_id)) is not None


def is_known(speaker: Speaker) -> bool:
    return speaker.get("/v1/me").status_code == 200


def ids_of(keys: SigningKeys) -> list[str]:
    return [each["kid"] for each in keys.public()]


def test_a_process_that_comes_later_has_the_same_key() -> None:
    async def story() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            site = await Site.on(connection)
            async with site.process() as one, site.process() as other:
                assert one.signing().secret == other.signing().secret
                assert await site.is_public(one.signing().id)
            async with site.process() as again:
                assert again.signing().secret == one.signing().secret

    run(story)


def test_a_new_key_is_public_a_minute_before_it_signs() -> None:
    async def story() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            site = await Site.on(connection)
            async with site.process() as one, site.process() as other:
                first = one.signing().id
                site.clock.go(timedelta(seconds=1))
                second = await one.rotate(new_secret())
                await until(lambda: ids_of(other) == ids_of(one))
                assert set(ids_of(one)) == {first, second}
                assert await site.is_public(second)
                site.clock.go(MINUTE - timedelta(seconds=1))
                assert (one.signing().id, other.signing().id) == (first, first)
                site.clock.go(timedelta(seconds=1))
                assert (one.signing().id, other.signing().id) == (second, second)

    run(story)


def test_of_keys_that_are_all_new_the_oldest_signs() -> None:
    async def story() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            site = await Site.on(connection)
            async with site.process() as keys:
                first = keys.signing().id
                site.clock.go(timedelta(seconds=1))
                await keys.rotate(new_secret())
                assert keys.signing().id == first

    run(story)


def test_a_key_verifies_until_the_longest_token_by_it_has_ended_and_never_comes_back() -> None:
    async def story() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            site = await Site.on(connection)
            async with site.process() as keys:
                first = keys.signing().id
                site.clock.go(timedelta(seconds=1))
                second = await keys.rotate(new_secret())
                site.clock.go(timedelta(days=366) + MINUTE)
                await keys.retire()
                assert await site.is_public(first)
                site.clock.go(MINUTE)
                await keys.retire()
                await until(lambda: ids_of(keys) == [second])
                assert not await site.is_public(first)
            async with site.process() as again:
                assert ids_of(again) == [second]
                assert not await site.is_public(first)

    run(story)


def test_a_retired_key_that_was_published_late_is_taken_away_by_whoever_learns_of_it() -> None:
    async def story() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            site = await Site.on(connection)
            async with site.process() as keys:
                first = keys.signing().id
                site.clock.go(timedelta(seconds=1))
                await keys.rotate(new_secret())
                site.clock.go(timedelta(days=366) + 2 * MINUTE)
                await keys.retire()
            await site.public.create(key_entry(first), b"{}")
            async with site.process():
                assert not await site.is_public(first)

    run(story)


def test_a_key_that_was_made_and_not_published_is_published_by_whoever_learns_of_it() -> None:
    async def story() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            site = await Site.on(connection)
            async with site.process() as keys:
                await site.public.delete(key_entry(keys.signing().id))
            async with site.process() as again:
                assert await site.is_public(again.signing().id)

    run(story)


def test_tokens_go_on_through_a_rotation(lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howff.lobby.adapters.signing_keys.SIGNS_AFTER", 0)
    before = lobby.guest()
    settings = settings_for(lobby.nats, lobby.folder)

    async def rotated() -> str:
        return await rotate_keys(settings)

    made = run(rotated)

    def public_keys() -> list[str]:
        answer = lobby.nobody.get("/.well-known/jwks.json")
        assert answer.headers["cache-control"] == "public, max-age=60"
        return [each["kid"] for each in told(answer)["keys"]]

    wait_until(lambda: made in public_keys())
    wait_until(lambda: lobby.app.state.parts.accounts.issuer._keys.signing().id == made)
    after = lobby.guest()
    for guest in (before, after):
        wait_until(partial(is_known, guest))
